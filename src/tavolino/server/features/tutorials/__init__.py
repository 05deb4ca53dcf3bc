"""Tutorials: an arranged game of each game that has one, told from the learner's seat."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import cache, partial

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from tavolino.engine.game import Game
from tavolino.server.access import registry_of
from tavolino.server.errors import Refused
from tavolino.server.features.tutorials import lessons
from tavolino.server.features.tutorials.protocol import Tutorial
from tavolino.server.http.route import Route
from tavolino.server.http.static import StaticFile, static_file
from tavolino.server.kernel.feature import Feature, NoSlice


class Tutorials(Feature[NoSlice]):
    name = "tutorials"
    refusals = (("no-tutorial", 404),)


async def get_tutorial(request: Request) -> Response:
    """A whole lesson on an arranged deal."""
    registry = registry_of(request)
    game = await registry.load_game(request.path_params["game"])
    lessons.check_there(game)
    if not registry.context.library.is_ready(game.name):
        registry.context.library.want(game.name)
        raise Refused("still-compiling")
    return (await asyncio.to_thread(_tutorial, game)).answer(request)


@cache
def _tutorial(game: Game) -> StaticFile:
    return static_file(msgspec.json.encode(lessons.tutorial(game)), "application/json")


def without_server(games: Sequence[Game]) -> dict[str, Callable[[], Tutorial]]:
    found = [game for game in games if lessons.is_there(game)]
    return {f"/api/tutorials/{game.name}": partial(lessons.tutorial, game) for game in found}


FEATURE = Tutorials
WITHOUT_SERVER = without_server
ROUTES = (
    Route(
        "GET",
        "/api/tutorials/{game}",
        get_tutorial,
        Tutorial,
        refusals=("no-such-game", "no-tutorial", "still-compiling"),
    ),
)
