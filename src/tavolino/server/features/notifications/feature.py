"""Notifications: the person who must decide is told, at the beginning of a turn and not at each of its decisions.

The host can also have a chat room told, by a webhook.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING
from weakref import ref

from msgspec import Struct

from tavolino.engine.match import Match
from tavolino.server.context import Context
from tavolino.server.errors import Refused
from tavolino.server.features.notifications.addresses import Forbidden
from tavolino.server.features.notifications.notifier import Notifier, Turn
from tavolino.server.features.notifications.protocol import SetWebhook
from tavolino.server.kernel.change import Change
from tavolino.server.kernel.checks import host_only
from tavolino.server.kernel.deal import seat_to_act
from tavolino.server.kernel.entries import Dealt, Ended, Entry, Moved
from tavolino.server.kernel.feature import Feature, Request, Shown, Viewpoint, about, handles
from tavolino.server.kernel.state import TableState

if TYPE_CHECKING:
    from tavolino.server.kernel.actor import TableActor


class WebhookSet(Entry, tag="webhook"):
    """Who has given the table a webhook; null: nobody, or it was removed. Its address is a secret and entries are never
    deleted, so the address is stored as an item of that person (`notifications/preferences.py`)."""

    url: str | None  # always null; older servers have written the address here, see `storage/old_webhooks.py`
    person: str | None = None


class WebhookSlice(Struct, frozen=True):
    webhook: str | None = None  # who has given it


class Notifications(Feature[WebhookSlice]):
    name = "notifications"
    refusals = (("bad-subscription", 422), ("bad-webhook", 422))
    not_for = ("class",)
    entries = (WebhookSet,)
    Slice = WebhookSlice

    def __init__(self, server: Context) -> None:
        self.notifier = Notifier(server.settings, server.storage, server.library, server.clock, server.log)

    @staticmethod
    def apply(part: WebhookSlice, state: TableState, entry: WebhookSet) -> WebhookSlice:
        return WebhookSlice(entry.person if entry.url is None else state.host)  # the host, if an older server wrote it

    @handles(SetWebhook)
    async def set_webhook(self, request: Request) -> Change:
        given_by = self.of(request.state).webhook
        return Change(await set_webhook(request.state, given_by, self.notifier, request.person, request.command.url))

    def show(self, shown: Shown, table: TableActor, viewpoint: Viewpoint) -> None:
        shown.table["webhook"] = self.of(table.state).webhook is not None and table.state.phase != "ended"

    def came(self, table: TableActor, person: str) -> None:
        self.notifier.person_came(table.state.id, person)

    @about(Moved, Dealt, Ended)
    async def committed(self, table: TableActor, entries: Sequence[Entry], is_ours: bool) -> None:
        state, kinds = table.state, {*map(type, entries)}
        has_ended = Ended in kinds
        if has_ended or Moved in kinds:
            self.notifier.stop_waiting_at(state.id)
        if has_ended and is_ours:
            self.notifier.table_ended(state.id, self.of(state).webhook)
        if (turn := turn_begun(state, table.match, entries, table.name_of)) is not None:
            self._notify(table, turn)

    def _notify(self, table: TableActor, turn: Turn) -> None:
        """Have the person notified if they do not come. A waiting notification does not keep the table in memory."""
        waits = ref(table)
        self.notifier.turn_began(turn, lambda: (found := waits()) is not None and is_missed(found, turn.person))

    async def person_leaves(self, table: TableActor, person: str) -> None:
        if self.of(table.state).webhook == person:
            await table.ask(person, SetWebhook(url=None))

    async def tables_of(self, person: str) -> Iterable[str]:
        return await self.notifier.preferences.tables_with_webhook(person)

    def seen(self, person: str, address: str) -> None:
        self.notifier.addresses.note(person, address)

    async def close(self) -> None:
        await self.notifier.stop()


def turn_begun(
    state: TableState, match: Match | None, entries: Sequence[Entry], name_of: Callable[[str], str | None]
) -> Turn | None:
    """The turn that these entries began for a person; None while the same seat continues."""
    seat, movers = seat_to_act(state, match), [entry.seat for entry in entries if isinstance(entry, Moved)]
    if seat is None or seat in movers or not (movers or Dealt in map(type, entries)):
        return None
    place = state.places[seat]
    if place.person is None or place.bot_level is not None:
        return None
    webhook = Notifications.of(state).webhook
    return Turn(state.id, state.game, place.person, name_of(place.person) or "", webhook, state.turn)


def is_missed(table: TableActor, person: str) -> bool:
    """Whether the game still waits for this person, who is not here, and whose clock runs."""
    seat = table.to_act
    if seat is None or seat != table.state.seat_of(person) or seat in table.viewers.online(table.state):
        return False
    return table.state.places[seat].bot_level is None and table.paused(seat) is None


async def set_webhook(
    state: TableState, given_by: str | None, notifier: Notifier, person: str, url: str | None
) -> list[Entry]:
    """The host sets the webhook of a chat room that the operator allows. The person who gave it may remove it."""
    if url is not None or person != given_by:
        host_only(state, person)
    if url is not None:
        try:
            notifier.allowed.check(url)
        except Forbidden:
            raise Refused("bad-webhook") from None
    if given_by is not None:
        await notifier.preferences.remove_webhook(given_by, state.id)
    if url is not None:
        await notifier.preferences.keep_webhook(person, state.id, url)
    now = None if url is None else person
    return [] if now == given_by else [WebhookSet(None, now)]
