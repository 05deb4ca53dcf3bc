"""The route of reviews: starts one for a finished table, says how far it is, and gives it back."""

from __future__ import annotations

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from tavolino.server import access
from tavolino.server import protocol as p
from tavolino.server.access import answer, identify, registry_of
from tavolino.server.errors import Refused
from tavolino.server.http.requests import number
from tavolino.server.table import records
from tavolino.server.table.actor import TableActor
from tavolino.server.table.preconditions import may_see

WORK = 500  # what beginning a review is charged with, in milliseconds: the rest runs at a low priority, one at a time


async def get_review(request: Request) -> Response:
    """The review of a finished game for a seat: begun by the first who asks, then how far it is, then all of it."""
    registry = registry_of(request)
    person = await identify(request)
    table = await registry.get_fresh(request.path_params["table"])
    seat = number(request, "seat", 0, p.MOST_SEATS)
    _check(table, None if person is None else person.id, seat, registry.context.clock.believed_wall())
    reviews, key = registry.context.reviews, (table.state.id, seat)
    if (content := reviews.get(key)) is not None:
        if person is not None and table.state.seat_of(person.id) == seat:  # what cost them clearly comes back
            record = records.record(table.state, table.match)
            await registry.context.practice.note_review(person.id, table.state.id, record, msgspec.json.decode(content))
        return answer(p.Review(seat, 0, 0, msgspec.Raw(content)))
    if reviews.take_failure(key):
        raise Refused("no-review")
    progress = reviews.progress(key)
    if progress is None:
        if not reviews.can_start:
            raise Refused("busy")
        registry.context.load.check_for_what_can_wait()
        work, whose = registry.context.limits.work, access.address_of(request)
        work.check(whose)
        work.charge(whose, WORK)
        progress = reviews.start(key, records.record(table.state, table.match))
    return answer(p.Review(seat, progress.done, progress.total, None))


def _check(table: TableActor, person: str | None, seat: int, wall: float) -> None:
    """Only finished games, played to their end by rules that we know; those of private tables for who sat there."""
    state = table.state
    may_see(state, person, wall)
    records.check_finished(state)
    if not state.settings.public and state.seat_of(person) is None:
        raise Refused("not-seated")
    if seat >= len(state.places):
        raise Refused("no-such-seat")
    if table.match is None or not table.match.over:
        raise Refused("no-review")
