"""The HTTP routes. Each names its body and its answer, for the OpenAPI page (`openapi.py`) and readers."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from tavolino.bots import LEVELS
from tavolino.engine.game import Game
from tavolino.server import protocol as p
from tavolino.server.errors import Refused
from tavolino.server.games import content as rules_pages
from tavolino.server.games import lessons
from tavolino.server.games import replays as finished
from tavolino.server.games import texts as catalogue
from tavolino.server.http import requests as web
from tavolino.server.people.identities import RETURN_SECONDS
from tavolino.server.table import chat as talk
from tavolino.server.table import lobby as waiting
from tavolino.server.table.state import TableState
from tavolino.server.transport import endpoint as sockets

LONGEST_WAIT = 25


class Route(Struct, frozen=True):
    method: str
    path: str
    handler: Any
    answer: Any
    body: Any = None
    query: tuple[str, ...] = ()
    refusals: tuple[str, ...] = ()


# people


async def set_name(request: Request) -> Response:
    """Make an identity, or change the name of yours."""
    wish: p.NewName = await web.body(request, p.NewName)
    hall = web.hall_of(request)
    people, secure = hall.house.people, hall.house.settings.is_secure
    person = await web.who(request)
    if person is not None:
        renamed = await people.rename(person, wish.name)
        return web.answer(p.Me(renamed.name))
    hall.house.people_limits.take(web.address_of(request))
    arrived, token = await people.arrive(wish.name)
    if wish.program:
        return web.answer(p.Me(arrived.name, token), 201)
    response = web.answer(p.Me(arrived.name), 201)
    web.set_cookie(response, token, secure)
    return response


async def get_me(request: Request) -> Response:
    """Your name."""
    return web.answer(p.Me((await web.somebody(request)).name))


async def forget_me(request: Request) -> Response:
    """Get up from your tables, and remove your name and identity."""
    hall = web.hall_of(request)
    person = await web.somebody(request)
    sockets.close_all_of(person.id)  # first: a move or a hello of theirs would take a seat back
    await hall.forget(person)
    sockets.close_all_of(person.id)  # those that came in the meantime
    response = Response(status_code=204)
    web.drop_cookie(response, hall.house.settings.is_secure)
    return response


async def make_link(request: Request) -> Response:
    """A link that opens once, on another device, as you."""
    people = web.hall_of(request).house.people
    code = await people.make_return_code(await web.somebody(request))
    return web.answer(p.ReturnLink(f"/return#{code}", code, RETURN_SECONDS), 201)


async def come_back(request: Request) -> Response:
    """What a return link does."""
    wish: p.ReturnCode = await web.body(request, p.ReturnCode)
    hall = web.hall_of(request)
    hall.house.people_limits.take(web.address_of(request))
    person, token = await hall.house.people.come_back(wish.code)
    response = web.answer(p.Me(person.name))
    web.set_cookie(response, token, hall.house.settings.is_secure)
    return response


async def my_tables(request: Request) -> Response:
    """The tables that you play and have played at."""
    return web.answer(await web.hall_of(request).mine(await web.somebody(request)))


# tables


async def list_games(request: Request) -> Response:
    """The games, their options, and whether their rules are compiled yet."""
    shelf = web.hall_of(request).house.shelf
    return web.answer([describe(game, shelf.readiness(game.name)) for game in await shelf.all_games()])


def describe(game: Game, readiness: p.Readiness) -> p.Game:
    seat_option = waiting.seat_option(game)
    options = [
        p.Option(
            name=name,
            kind="bool" if option.kind == "switch" else "int",
            default=option.default,
            low=None if option.kind == "switch" else option.lowest,
            high=None if option.kind == "switch" else option.highest,
        )
        for name, option in game.options.items()
        if name != seat_option
    ]
    return p.Game(
        game=game.name,
        players=list(game.players),
        rules=game.rules,
        options=options,
        seat_option=seat_option,
        levels=list(LEVELS),  # type: ignore[arg-type]
        talk="remarks" if game.name in talk.NO_FREE_TALK else "text",
        tutorial=lessons.script_path(game).is_file(),
        readiness=readiness,
    )


async def list_tables(request: Request) -> Response:
    """Public tables that wait for players or are being played."""
    return web.answer(await web.hall_of(request).public(await web.who(request)))


async def open_table(request: Request) -> Response:
    """Open a table; you sit on the first seat without a bot, and are the host."""
    person = await web.somebody(request)
    wish: p.OpenTable = await web.body(request, p.OpenTable)
    table = await web.hall_of(request).open(person, wish)
    return web.answer(table.shown_to(person.id), 201)


async def play_now(request: Request) -> Response:
    """A table with bots, which starts as soon as your salt is there."""
    person = await web.somebody(request)
    wish: p.PlayNow = await web.body(request, p.PlayNow)
    table = await web.hall_of(request).play_now(person, wish)
    return web.answer(table.shown_to(person.id), 201)


async def get_table(request: Request) -> Response:
    """All that is open about a table."""
    person = await web.who(request)
    table = await web.hall_of(request).get(request.path_params["table"])
    return web.answer(table.shown_to(person.id if person else None))


async def command(request: Request) -> Response:
    """Any command that also goes over the socket, but for hello."""
    person = await web.who(request)
    wish: p.Command = await web.body(request, p.Command)
    table = await web.hall_of(request).get(request.path_params["table"])
    return web.answer(await table.ask(person.id if person else None, wish))


async def get_play(request: Request) -> Response:
    """The cards as you may see them; waits for news if asked to."""
    person = await web.who(request)
    table = await web.hall_of(request).get(request.path_params["table"])
    lines = web.number(request, "lines", 0, 1_000_000)
    turn = web.number(request, "turn", 0, 1_000_000)
    seconds = web.number(request, "wait", 0, LONGEST_WAIT)
    own_id = person.id if person else None
    if own_id is not None:
        table.audience.has_polled(own_id)
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            while seconds and not table.has_news_for(own_id, turn):
                await table.audience.something_new()
    return web.answer(table.play_for(table.state.seat_of(own_id), lines))


# finished games, lessons, rules, texts


def _check_dealt(state: TableState) -> None:
    if not state.is_dealt:
        raise Refused("not-started")


async def get_record(request: Request) -> Response:
    """The record of a finished game, with the seal of its deal."""
    table = await web.hall_of(request).get(request.path_params["table"])
    _check_dealt(table.state)
    response = web.answer(finished.record(table.state, table.match))
    name = f"{table.state.game}-{table.state.id[:8]}.json"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


async def get_frames(request: Request) -> Response:
    """A finished game move by move, from any eyes."""
    hall = web.hall_of(request)
    table = await hall.get(request.path_params["table"])
    eyes: p.Eyes = request.query_params.get("eyes", "spectator")  # type: ignore[assignment]
    if eyes not in ("open", "spectator"):
        eyes = web.number(request, "eyes", 0, 5)
    _check_dealt(table.state)
    finished.check_finished(table.state)
    names = [place.person and hall.house.people.name_of(place.person) for place in table.state.places]
    shown = await asyncio.to_thread(finished.frames, table.state, table.game, eyes, names)
    return web.answer(shown)


async def get_tutorial(request: Request) -> Response:
    """A whole lesson on an arranged deal."""
    hall = web.hall_of(request)
    game = await hall.load_game(request.path_params["game"])
    if not lessons.script_path(game).is_file():
        raise Refused("no-tutorial")
    if not hall.house.shelf.is_ready(game.name):
        raise Refused("still-compiling")
    lesson = await asyncio.to_thread(lessons.tutorial, game)
    return lesson.answer(request)


async def get_rules(request: Request) -> Response:
    """The rules of a game with their ids, in one language."""
    game = await web.hall_of(request).load_game(request.path_params["game"])
    return web.answer(rules_pages.rules_page(game, request.path_params["language"]))


async def get_texts(request: Request) -> Response:
    """Every message in one language: all games' and the server's own."""
    games = tuple(await web.hall_of(request).house.shelf.all_games())
    found = await asyncio.to_thread(catalogue.texts, games, request.path_params["language"])
    return found.answer(request)


AT_TABLE = "/api/tables/{table}"
ROUTES = (
    Route("POST", "/api/me", set_name, p.Me, p.NewName, refusals=("bad-name", "too-many-people")),
    Route("GET", "/api/me", get_me, p.Me, refusals=("no-identity",)),
    Route("DELETE", "/api/me", forget_me, None, refusals=("no-identity",)),
    Route("POST", "/api/me/link", make_link, p.ReturnLink, refusals=("no-identity",)),
    Route("POST", "/api/me/return", come_back, p.Me, p.ReturnCode, refusals=("bad-return-code",)),
    Route("GET", "/api/me/tables", my_tables, p.MyTables, refusals=("no-identity",)),
    Route("GET", "/api/games", list_games, list[p.Game]),
    Route("GET", "/api/tables", list_tables, list[p.TableCard]),
    Route(
        "POST",
        "/api/tables",
        open_table,
        p.Table,
        p.OpenTable,
        refusals=(
            "no-identity",
            "no-such-game",
            "bad-option",
            "bad-players",
            "too-many-tables",
            "table-full",
        ),
    ),
    Route(
        "POST",
        "/api/play-now",
        play_now,
        p.Table,
        p.PlayNow,
        refusals=("no-identity", "no-such-game", "bad-players", "too-many-tables"),
    ),
    Route("GET", AT_TABLE, get_table, p.Table, refusals=("no-such-table",)),
    Route(
        "POST",
        f"{AT_TABLE}/commands",
        command,
        p.Accepted | p.Notebook | p.Hint | p.Pong,
        p.Command,
        refusals=("no-identity", "no-such-table", "not-seated", "stale-move", "illegal-move", "too-fast"),
    ),
    Route(
        "GET",
        f"{AT_TABLE}/play",
        get_play,
        p.Play,
        query=("lines", "turn", "wait"),
        refusals=("no-such-table", "not-started"),
    ),
    Route(
        "GET",
        f"{AT_TABLE}/record",
        get_record,
        dict[str, Any],
        refusals=("no-such-table", "not-started", "still-playing"),
    ),
    Route(
        "GET",
        f"{AT_TABLE}/frames",
        get_frames,
        p.Frames,
        query=("eyes",),
        refusals=("no-such-table", "not-started", "still-playing", "no-such-seat"),
    ),
    Route(
        "GET",
        "/api/tutorials/{game}",
        get_tutorial,
        p.Tutorial,
        refusals=("no-such-game", "no-tutorial", "still-compiling"),
    ),
    Route(
        "GET",
        "/api/rules/{game}/{language}",
        get_rules,
        p.RulesPage,
        refusals=("no-such-game", "no-such-language", "no-rules"),
    ),
    Route("GET", "/api/texts/{language}", get_texts, dict[str, str], refusals=("no-such-language",)),
)
