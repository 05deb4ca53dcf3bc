"""Routes of the daily deals."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from tavolino.server.access import answer, identify, registry_of, require_person
from tavolino.server.tables.daily import DailyDeals


async def list_daily(request: Request) -> Response:
    """Today's deal of each game: its commitment, and what came of it for you once you have played it."""
    return answer(await DailyDeals(registry_of(request)).list(await identify(request)))


async def play_daily(request: Request) -> Response:
    """Your table for today's deal of a game: one try, against medium bots."""
    person = await require_person(request)
    table = await DailyDeals(registry_of(request)).open(person, request.path_params["game"])
    return answer(table.table_for(person.id), 201)
