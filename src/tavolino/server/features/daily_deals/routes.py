"""Routes of the daily deals."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from tavolino.server import protocol as p
from tavolino.server.access import answer, identify, registry_of, require_person
from tavolino.server.features.daily_deals.protocol import DailyDeal
from tavolino.server.features.daily_deals.table import DailyDeals
from tavolino.server.features.daily_deals.tables import DailyTables
from tavolino.server.http.route import Route


async def list_daily(request: Request) -> Response:
    """Today's deal of each game: its commitment, and what came of it for you once you have played it."""
    return answer(await _tables(request).list(await identify(request)))


async def play_daily(request: Request) -> Response:
    """Your table for today's deal of a game: one try, against medium bots."""
    person = await require_person(request)
    table = await _tables(request).open(person, request.path_params["game"])
    return answer(table.table_for(person.id), 201)


def _tables(request: Request) -> DailyTables:
    registry = registry_of(request)
    return DailyTables(registry, DailyDeals.at(registry.features).figures)


ROUTES = (
    Route("GET", "/api/daily", list_daily, list[DailyDeal]),
    Route(
        "POST",
        "/api/daily/{game}",
        play_daily,
        p.Table,
        refusals=("no-identity", "no-such-game", "too-many-tables", "overloaded"),
    ),
)
