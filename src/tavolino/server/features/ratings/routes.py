"""Routes: what a finished game has changed of a rating."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from tavolino.server.access import answer, registry_of, require_person
from tavolino.server.errors import Refused
from tavolino.server.features.ratings.feature import Ratings
from tavolino.server.features.ratings.protocol import RatedResult
from tavolino.server.http.route import AT_TABLE, Route
from tavolino.server.http.tables import table_of
from tavolino.server.kernel import records


async def get_rating(request: Request) -> Response:
    """What a finished rated game has changed of your rating."""
    person = await require_person(request)
    table, registry = await table_of(request, person.id), registry_of(request)
    records.check_finished(table.state)
    if table.state.seat_of(person.id) is None:
        raise Refused("not-seated")
    return answer(RatedResult(await Ratings.at(registry.features).change(table, person.id)))


ROUTES = (
    Route(
        "GET",
        f"{AT_TABLE}/rating",
        get_rating,
        RatedResult,
        refusals=("no-identity", "no-such-table", "still-secret", "not-started", "still-playing", "not-seated"),
    ),
)
