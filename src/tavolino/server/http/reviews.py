"""Routes of the coach: the review of a finished table, and playing on from a position of it."""

from __future__ import annotations

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from tavolino.server import access
from tavolino.server import protocol as p
from tavolino.server.access import answer, identify, registry_of, require_person
from tavolino.server.context import Context
from tavolino.server.errors import Refused
from tavolino.server.games import review_picture, shared_reviews
from tavolino.server.http.requests import body, number
from tavolino.server.http.static import static_file
from tavolino.server.http.tables import table_of
from tavolino.server.kernel import records
from tavolino.server.kernel.actor import TableActor
from tavolino.server.kernel.state import TableState

DRAWING = 200.0  # milliseconds that a picture takes, about
WORK = 500  # what beginning a review is charged with, in milliseconds: the rest runs at a low priority, one at a time


async def get_review(request: Request) -> Response:
    """The review of a finished game for a seat: begun by the first who asks, then how far it is, then all of it."""
    registry = registry_of(request)
    person = await identify(request)
    table = await table_of(request, None if person is None else person.id)
    seat = number(request, "seat", 0, p.MOST_SEATS)
    await _check(registry.context, table, None if person is None else person.id, seat)
    reviews, key = registry.context.reviews, (table.state.id, seat)
    progress = reviews.progress(key)
    if progress is None:
        if (content := await reviews.get(key)) is not None:
            # Clear mistakes come back as exercises; not from a game in which the player had seen hidden cards.
            is_own = person is not None and table.state.seat_of(person.id) == seat
            if person is not None and is_own and not table.state.taken_back and table.state.origin is None:
                record, found = records.record(table.state, table.match), msgspec.json.decode(content)
                await registry.context.practice.note_review(person.id, table.state.id, record, found)
            shared = not table.state.settings.public and await _is_shared(registry.context, table.state, seat)
            return answer(p.Review(seat, 0, 0, msgspec.Raw(content), shared))
        if reviews.take_failure(key):
            raise Refused("no-review")
        work, whose = registry.context.limits.work, access.subscriber_of(request)
        if not reviews.can_start(whose):
            raise Refused("busy")
        registry.context.load.check_for_what_can_wait()
        work.check(whose)
        work.charge(whose, WORK)
        progress = reviews.start(key, records.record(table.state, table.match), whose)
    return answer(p.Review(seat, progress.done, progress.total, None))


async def share_review(request: Request) -> Response:
    """Open the review of your own seat to everybody with the link, or close it again."""
    context, person = registry_of(request).context, await require_person(request)
    wanted: p.ShareReview = await body(request, p.ShareReview)
    table = await table_of(request, person.id)
    seat = table.state.seat_of(person.id)
    if seat is None:
        raise Refused("not-seated")
    await table.tables.check_may_see(table.state, None)  # no figures of a deal that others may still play
    await _check(context, table, person.id, seat)
    context.limits.changes.take(person.id)
    change = shared_reviews.share if wanted.shared else shared_reviews.stop_sharing
    await change(context.storage, table.state.id, person.id)
    return answer(wanted)


async def get_picture(request: Request) -> Response:
    """The picture for the link of a review that everybody may see."""
    table = await table_of(request, None)
    context, seat = registry_of(request).context, request.path_params["seat"]
    await _check(context, table, None, seat)
    if (content := await context.reviews.get((table.state.id, seat))) is None:
        raise Refused("no-review")
    key, work, whose = (table.state.id, "picture", seat), context.limits.work, access.subscriber_of(request)
    if not context.build_cache.has(key):
        context.load.check_for_what_can_wait()
        work.check(whose)
        work.charge(whose, DRAWING)
    built = await context.build_cache.get(key, lambda: review_picture.draw(review_picture.read(content)))
    return static_file(built.content, "image/png").answer(request)


async def play_on(request: Request) -> Response:
    """A table of your own at a position of a finished game, with bots in the other seats."""
    registry, person = registry_of(request), await require_person(request)
    wanted: p.PlayOn = await body(request, p.PlayOn)
    table = await table_of(request, person.id)
    await registry.check_may_see(table.state, None)  # anyone who has its link can open the new table
    await _check_open(registry.context, table, person.id, wanted.seat)
    return answer((await registry.play_on(person, table, wanted)).table_for(person.id), 201)


async def _check(context: Context, table: TableActor, person: str | None, seat: int) -> None:
    """Only games that were played to their end."""
    await _check_open(context, table, person, seat)
    if table.match is None or not table.match.over:
        raise Refused("no-review")


async def _check_open(context: Context, table: TableActor, person: str | None, seat: int) -> None:
    """Only finished games, with rules that are known here; those of private tables only for people who sat there, and
    for everybody if the player of that seat has shared it."""
    state = table.state
    await table.tables.check_may_see(state, person)
    records.check_finished(state)
    if not state.settings.public and state.seat_of(person) is None and not await _is_shared(context, state, seat):
        raise Refused("not-seated")
    if seat >= len(state.places):
        raise Refused("no-such-seat")
    if state.rules not in table.game.versions:
        raise Refused("no-rules")


async def _is_shared(context: Context, state: TableState, seat: int) -> bool:
    person = state.places[seat].person if seat < len(state.places) else None
    return await shared_reviews.is_shared(context.storage, state.id, person)
