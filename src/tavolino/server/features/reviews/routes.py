"""Routes of reviews: that of a seat of a finished table, sharing it, and its picture."""

from __future__ import annotations

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from tavolino.server import access
from tavolino.server import protocol as p
from tavolino.server.access import answer, identify, registry_of, require_person
from tavolino.server.errors import Refused
from tavolino.server.features.reviews import review_picture, shared_reviews
from tavolino.server.features.reviews.checks import check_review, is_shared_by
from tavolino.server.features.reviews.feature import PICTURE, ReviewRead, ReviewsFeature
from tavolino.server.features.reviews.protocol import ShareReview
from tavolino.server.games.review_queue import Review
from tavolino.server.http.requests import body, number
from tavolino.server.http.route import AT_TABLE, Route
from tavolino.server.http.static import static_file
from tavolino.server.http.tables import table_of
from tavolino.server.kernel import records

DRAWING = 200.0  # milliseconds that a picture takes, about
WORK = 500  # what beginning a review is charged with, in milliseconds: the rest runs at a low priority, one at a time


async def get_review(request: Request) -> Response:
    """The review of a finished game for a seat: begun by the first who asks, then how far it is, then all of it."""
    registry = registry_of(request)
    person = await identify(request)
    table = await table_of(request, None if person is None else person.id)
    seat = number(request, "seat", 0, p.MOST_SEATS)
    await check_review(registry.context, table, None if person is None else person.id, seat)
    reviews, key = ReviewsFeature.at(registry.features).reviews, (table.state.id, seat)
    progress = reviews.progress(key)
    if progress is None:
        if (content := await reviews.get(key)) is not None:
            # Not of a game in which the player had seen hidden cards.
            is_own = person is not None and table.state.seat_of(person.id) == seat
            if person is not None and is_own and not table.state.taken_back and table.state.origin is None:
                record, found = records.record(table.state, table.match), msgspec.json.decode(content)
                for noticed in registry.features.noticed:
                    await noticed(ReviewRead(person.id, table.state.id, record, found))
            shared = not table.state.settings.public and await is_shared_by(registry.context, table.state, seat)
            return answer(Review(seat, 0, 0, msgspec.Raw(content), shared))
        if reviews.take_failure(key):
            raise Refused("no-review")
        work, whose = registry.context.limits.work, access.subscriber_of(request)
        if not reviews.can_start(whose):
            raise Refused("busy")
        registry.context.load.check_for_what_can_wait()
        work.check(whose)
        work.charge(whose, WORK)
        progress = reviews.start(key, records.record(table.state, table.match), whose)
    return answer(Review(seat, progress.done, progress.total, None))


async def share_review(request: Request) -> Response:
    """Open the review of your own seat to everybody with the link, or close it again."""
    context, person = registry_of(request).context, await require_person(request)
    wanted: ShareReview = await body(request, ShareReview)
    table = await table_of(request, person.id)
    seat = table.state.seat_of(person.id)
    if seat is None:
        raise Refused("not-seated")
    await table.tables.check_may_see(table.state, None)  # no figures of a deal that others may still play
    await check_review(context, table, person.id, seat)
    context.limits.changes.take(person.id)
    change = shared_reviews.share if wanted.shared else shared_reviews.stop_sharing
    await change(context.storage, table.state.id, person.id)
    return answer(wanted)


async def get_picture(request: Request) -> Response:
    """The picture for the link of a review that everybody may see."""
    table = await table_of(request, None)
    registry, seat = registry_of(request), request.path_params["seat"]
    context = registry.context
    await check_review(context, table, None, seat)
    if (content := await ReviewsFeature.at(registry.features).reviews.get((table.state.id, seat))) is None:
        raise Refused("no-review")
    key, work, whose = (table.state.id, "picture", seat), context.limits.work, access.subscriber_of(request)
    if not context.build_cache.has(key):
        context.load.check_for_what_can_wait()
        work.check(whose)
        work.charge(whose, DRAWING)
    built = await context.build_cache.get(key, lambda: review_picture.draw(review_picture.read(content)))
    return static_file(built.content, "image/png").answer(request)


FINISHED = ("no-such-table", "still-secret", "not-started", "still-playing")
ROUTES = (
    Route(
        "GET",
        f"{AT_TABLE}/review",
        get_review,
        Review,
        query=("seat",),
        refusals=(*FINISHED, "not-seated", "no-such-seat", "no-review", "busy", "overloaded"),
    ),
    Route(
        "POST",
        f"{AT_TABLE}/review",
        share_review,
        ShareReview,
        ShareReview,
        refusals=("no-identity", *FINISHED, "not-seated", "no-review"),
    ),
    Route("GET", PICTURE, get_picture, None),
)
