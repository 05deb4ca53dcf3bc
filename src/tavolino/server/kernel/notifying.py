"""Whom to notify: the person who must decide now, at the beginning of a turn and not at each of its decisions."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tavolino.engine.match import Match
from tavolino.server.errors import Refused
from tavolino.server.kernel import entries as e
from tavolino.server.kernel import vacations
from tavolino.server.kernel.deal import seat_to_act
from tavolino.server.kernel.preconditions import host_only
from tavolino.server.kernel.state import TableState
from tavolino.server.kernel.viewers import Viewers
from tavolino.server.notifications.addresses import Forbidden
from tavolino.server.notifications.notifier import Notifier, Turn


def turn_begun(
    state: TableState, match: Match | None, entries: Sequence[e.Entry], name_of: Callable[[str], str | None]
) -> Turn | None:
    """The turn that these entries began for a person; None while the same seat continues."""
    seat = seat_to_act(state, match)
    if seat is None or not any(isinstance(entry, e.Moved | e.Dealt) for entry in entries):
        return None
    if any(isinstance(entry, e.Moved) and entry.seat == seat for entry in entries):
        return None
    place = state.places[seat]
    if place.person is None or place.bot_level is not None:
        return None
    return Turn(state.id, state.game, place.person, name_of(place.person) or "", state.webhook, state.turn)


def is_missed(state: TableState, match: Match | None, viewers: Viewers, person: str, up: float) -> bool:
    """Whether the game still waits for this person, who is not here or on vacation, and no bot decides instead."""
    seat = seat_to_act(state, match)
    if seat is None or seat != state.seat_of(person) or seat in viewers.online(state):
        return False
    return state.places[seat].bot_level is None and vacations.current(state.places[seat], up) is None


async def set_webhook(state: TableState, notifier: Notifier, person: str, url: str | None) -> list[e.Entry]:
    """The host sets the webhook of a chat room that the operator allows. The person who gave it may remove it."""
    if url is not None or person != state.webhook:
        host_only(state, person)
    if url is not None:
        try:
            notifier.allowed.check(url)
        except Forbidden:
            raise Refused("bad-webhook") from None
    if state.webhook is not None:
        await notifier.preferences.remove_webhook(state.webhook, state.id)
    if url is not None:
        await notifier.preferences.keep_webhook(person, state.id, url)
    now = None if url is None else person
    return [] if now == state.webhook else [e.WebhookSet(None, now)]
