"""Routes of circles and their series."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from tavolino.server import protocol as p
from tavolino.server.access import answer, identify, registry_of, require_person
from tavolino.server.features.circles import protocol as m
from tavolino.server.features.circles.circles import Circles
from tavolino.server.features.circles.series import Series
from tavolino.server.http.requests import body
from tavolino.server.http.route import Route

IN_CIRCLE = "/api/circles/{circle}"


async def list_circles(request: Request) -> Response:
    """The circles that you are in."""
    person = await require_person(request)
    return answer(await _circles(request).of(person))


async def make_circle(request: Request) -> Response:
    """A new circle, which you own. Its id is the link by which others join."""
    person = await require_person(request)
    wanted: m.NewCircle = await body(request, m.NewCircle)
    return answer(await _circles(request).make(person, wanted.name), 201)


async def get_circle(request: Request) -> Response:
    """A circle: its members and results if you are in it, else its name."""
    person = await identify(request)
    return answer(await _circles(request).show(request.path_params["circle"], person.id if person else None))


async def join_circle(request: Request) -> Response:
    """Join a circle: its members see your name, and your results in games with them alone."""
    person = await require_person(request)
    return answer(await _circles(request).join(request.path_params["circle"], person))


async def remove_member(request: Request) -> Response:
    """Leave a circle, or remove somebody from yours. The results in it go, too."""
    person = await require_person(request)
    await _circles(request).remove(request.path_params["circle"], person, request.path_params["member"])
    return Response(status_code=204)


async def list_series(request: Request) -> Response:
    """The series of a circle: what you have finished, and how everybody compares there."""
    person = await require_person(request)
    return answer(await Series(registry_of(request)).of(request.path_params["circle"], person))


async def make_series(request: Request) -> Response:
    """Open a series in a circle. Its deals are sealed at once."""
    person = await require_person(request)
    wanted: m.NewSeries = await body(request, m.NewSeries)
    return answer(await Series(registry_of(request)).make(request.path_params["circle"], person, wanted), 201)


async def play_series(request: Request) -> Response:
    """Your table for a deal of a series: one try, against medium bots."""
    person, path = await require_person(request), request.path_params
    number = int(path["number"]) if path["number"].isascii() and path["number"].isdecimal() else 0
    table = await Series(registry_of(request)).open(path["circle"], person, path["series"], number)
    return answer(table.table_for(person.id), 201)


def _circles(request: Request) -> Circles:
    return Circles(registry_of(request).context)


ROUTES = (
    Route("GET", "/api/me/circles", list_circles, list[m.CircleCard], refusals=("no-identity",)),
    Route(
        "POST",
        "/api/circles",
        make_circle,
        m.Circle,
        m.NewCircle,
        refusals=("no-identity", "bad-name", "too-many-circles", "too-fast"),
    ),
    Route("GET", IN_CIRCLE, get_circle, m.Circle, refusals=("no-such-circle",)),
    Route(
        "POST",
        f"{IN_CIRCLE}/join",
        join_circle,
        m.Circle,
        refusals=("no-identity", "no-such-circle", "out-of-circle", "circle-full", "too-many-circles"),
    ),
    Route(
        "DELETE",
        f"{IN_CIRCLE}/members/{{member}}",
        remove_member,
        None,
        refusals=("no-identity", "no-such-circle", "not-in-circle", "not-owner"),
    ),
    Route(
        "GET",
        f"{IN_CIRCLE}/series",
        list_series,
        list[m.Series],
        refusals=("no-identity", "no-such-circle", "not-in-circle"),
    ),
    Route(
        "POST",
        f"{IN_CIRCLE}/series",
        make_series,
        m.Series,
        m.NewSeries,
        refusals=("no-identity", "no-such-circle", "not-in-circle", "no-such-game", "bad-players", "too-many-series"),
    ),
    Route(
        "POST",
        f"{IN_CIRCLE}/series/{{series}}/{{number}}",
        play_series,
        p.Table,
        refusals=(
            "no-identity",
            "no-such-circle",
            "not-in-circle",
            "no-such-series",
            "series-closed",
            "too-many-tables",
            "overloaded",
        ),
    ),
)
