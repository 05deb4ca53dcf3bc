"""Who may see a review, and of which games there is one."""

from __future__ import annotations

from tavolino.server.context import Context
from tavolino.server.errors import Refused
from tavolino.server.features.reviews import shared_reviews
from tavolino.server.kernel import records
from tavolino.server.kernel.actor import TableActor
from tavolino.server.kernel.state import TableState


async def check_review(context: Context, table: TableActor, person: str | None, seat: int) -> None:
    """Only games that were played to their end."""
    await check_open(context, table, person, seat)
    if table.match is None or not table.match.over:
        raise Refused("no-review")


async def check_open(context: Context, table: TableActor, person: str | None, seat: int) -> None:
    """Only finished games, with rules that are known here; those of private tables only for people who sat there, and
    for everybody if the player of that seat has shared it."""
    state = table.state
    await table.tables.check_may_see(state, person)
    await table.tables.check_may_reveal(state)
    records.check_finished(state)
    if not state.settings.public and state.seat_of(person) is None and not await is_shared_by(context, state, seat):
        raise Refused("not-seated")
    if seat >= len(state.places):
        raise Refused("no-such-seat")
    if state.rules not in table.game.versions:
        raise Refused("no-rules")


async def is_shared_by(context: Context, state: TableState, seat: int) -> bool:
    person = state.places[seat].person if seat < len(state.places) else None
    return await shared_reviews.is_shared(context.storage, state.id, person)
