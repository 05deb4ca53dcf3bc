"""Routes: a vacation in all slow games at once."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from tavolino.server.access import answer, registry_of, require_person
from tavolino.server.features.vacations import all_games
from tavolino.server.features.vacations.protocol import TakeVacation, Vacations
from tavolino.server.http.requests import body
from tavolino.server.http.route import Route


async def get_vacation(request: Request) -> Response:
    """How many slow games you play, and whether you are on vacation there."""
    person = await require_person(request)
    return answer(await all_games.summary(registry_of(request), person))


async def take_vacation(request: Request) -> Response:
    """A vacation in all your slow games at once, of as many of these days as each has left; 0: you are back."""
    person, registry = await require_person(request), registry_of(request)
    wanted: TakeVacation = await body(request, TakeVacation)
    registry.context.limits.changes.take(person.id)
    return answer(await all_games.take(registry, person, wanted.days))


ROUTES = (
    Route("GET", "/api/me/vacation", get_vacation, Vacations, refusals=("no-identity",)),
    Route("POST", "/api/me/vacation", take_vacation, Vacations, TakeVacation, refusals=("no-identity",)),
)
