"""Routes of practice: puzzles, and one's own mistakes again."""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.responses import Response

from tavolino.engine.game import Game
from tavolino.server import access
from tavolino.server import protocol as p
from tavolino.server.access import answer, identify, registry_of, require_person
from tavolino.server.errors import Refused
from tavolino.server.features.practice.feature import PracticeFeature
from tavolino.server.features.practice.protocol import Mistake, Mistakes
from tavolino.server.features.practice.stored import Practice, StoredMistake
from tavolino.server.games import positions
from tavolino.server.games.positions import Position, PuzzleCard, Solution, Try
from tavolino.server.http.requests import body
from tavolino.server.http.route import Route

REPLAYING = 10.0  # milliseconds that it takes to play a game up to a position, about


async def list_puzzles(request: Request) -> Response:
    """The puzzles of a game, the easiest first, and which of them you have solved."""
    game = await registry_of(request).load_game(request.path_params["game"])
    person = await identify(request)
    solved = {} if person is None else await _practice(request).solved(person.id, game.name)
    return answer(positions.cards(await _feature(request).puzzles(game), solved))


async def get_puzzle(request: Request) -> Response:
    """A position to solve, as the seat to act sees it."""
    game = await registry_of(request).load_game(request.path_params["game"])
    feature, name = _feature(request), request.path_params["puzzle"]
    found = positions.puzzle(await feature.puzzles(game), name)
    _check_ready(request, game)
    return (await feature.shown(game, found)).answer(request)


async def try_puzzle(request: Request) -> Response:
    """What each action of a puzzle is worth, once you have chosen one. Kept for you, if you have an identity."""
    wanted: Try = await body(request, Try)
    registry = registry_of(request)
    game = await registry.load_game(request.path_params["game"])
    feature = _feature(request)
    found = positions.puzzle(await feature.puzzles(game), request.path_params["puzzle"])
    _check_ready(request, game)
    said = await feature.reasons(game, found)
    told = positions.solution(wanted.action, found.best, found.usual, found.actions, said)
    person = await identify(request)
    if person is not None:
        registry.context.limits.changes.take(person.id)
        await _practice(request).note_puzzle(person.id, game.name, found.id, told.solved)
    return answer(told)


async def list_mistakes(request: Request) -> Response:
    """Your own mistakes that come back: those that are due, and when the others are."""
    person, practice = await require_person(request), _practice(request)
    now: list[Mistake] = []
    later: list[Mistake] = []
    for name, found in (await practice.mistakes(person.id)).items():
        (now if practice.is_due(found) else later).append(
            Mistake(name, found.game, found.turn, found.cost, found.due, found.solved)
        )
    return answer(Mistakes(now, later))


async def get_mistake(request: Request) -> Response:
    """A position of one of your games, as you saw it."""
    registry, name = registry_of(request), request.path_params["mistake"]
    _, found = await _mistake(request)
    game = await registry.load_game(found.game)
    _check_ready(request, game)
    work, whose = registry.context.limits.work, access.subscriber_of(request)
    work.check(whose)
    work.charge(whose, REPLAYING)
    return answer(await asyncio.to_thread(positions.position, game, name, found.record, found.seat))


async def try_mistake(request: Request) -> Response:
    """What each action was worth, once you have chosen one. Solved or not, it says when the position comes back."""
    wanted: Try = await body(request, Try)
    practice, name = _practice(request), request.path_params["mistake"]
    person, found = await _mistake(request)
    registry_of(request).context.limits.changes.take(person)
    said = [p.Reason(**each) for each in found.reasons]
    told = positions.solution(wanted.action, found.best, found.chosen, found.actions, said)
    if practice.is_due(found):  # a try before that counts for nothing: the days between are what helps
        told.due = await practice.note_try(person, name, found, told.solved)
    else:
        told.due = found.due
    return answer(told)


async def drop_mistake(request: Request) -> Response:
    """Do not offer this position again."""
    person, practice = await require_person(request), _practice(request)
    await practice.drop(person.id, request.path_params["mistake"])
    return Response(status_code=204)


async def forget_practice(request: Request) -> Response:
    """Forget which puzzles you have solved, and your mistakes."""
    person = await require_person(request)
    registry_of(request).context.limits.changes.take(person.id)
    await _practice(request).forget(person.id)
    return Response(status_code=204)


async def _mistake(request: Request) -> tuple[str, StoredMistake]:
    person = await require_person(request)
    return person.id, await _practice(request).mistake(person.id, request.path_params["mistake"])


def _feature(request: Request) -> PracticeFeature:
    return PracticeFeature.at(registry_of(request).features)


def _practice(request: Request) -> Practice:
    return _feature(request).practice


def _check_ready(request: Request, game: Game) -> None:
    library = registry_of(request).context.library
    if not library.has_worlds(game.name):  # a position comes with its notebook
        library.want(game.name)
        raise Refused("still-compiling")


MINE = ("no-identity", "no-such-puzzle")
ROUTES = (
    Route("GET", "/api/puzzles/{game}", list_puzzles, list[PuzzleCard], refusals=("no-such-game",)),
    Route(
        "GET",
        "/api/puzzles/{game}/{puzzle}",
        get_puzzle,
        Position,
        refusals=("no-such-game", "no-such-puzzle", "still-compiling"),
    ),
    Route(
        "POST",
        "/api/puzzles/{game}/{puzzle}",
        try_puzzle,
        Solution,
        Try,
        refusals=("no-such-game", "no-such-puzzle", "illegal-move", "still-compiling"),
    ),
    Route("GET", "/api/me/mistakes", list_mistakes, Mistakes, refusals=("no-identity",)),
    Route("GET", "/api/me/mistakes/{mistake}", get_mistake, Position, refusals=(*MINE, "still-compiling")),
    Route("POST", "/api/me/mistakes/{mistake}", try_mistake, Solution, Try, refusals=(*MINE, "illegal-move")),
    Route("DELETE", "/api/me/mistakes/{mistake}", drop_mistake, None, refusals=MINE),
    Route("DELETE", "/api/me/practice", forget_practice, None, refusals=("no-identity",)),
)
