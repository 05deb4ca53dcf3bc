"""Routes about tables: lists, opening, commands, play, and finished games."""

from __future__ import annotations

import asyncio
import contextlib

from starlette.requests import Request
from starlette.responses import Response

from tavolino.server import protocol as p
from tavolino.server.access import answer, identify, registry_of, require_person
from tavolino.server.http.requests import body, number
from tavolino.server.table import records
from tavolino.server.table.actor import TableActor
from tavolino.server.tables.listings import Listings

LONGEST_WAIT = 25
MOST_LINES = 1_000_000


async def my_tables(request: Request) -> Response:
    """The tables that you play and have played at."""
    person = await require_person(request)
    return answer(await Listings(registry_of(request)).of(person))


async def list_tables(request: Request) -> Response:
    """Public tables that wait for players or are being played."""
    person = await identify(request)
    return answer(await Listings(registry_of(request)).public(person))


async def open_table(request: Request) -> Response:
    """Open a table; you sit on the first seat without a bot, and are the host."""
    person = await require_person(request)
    wish: p.OpenTable = await body(request, p.OpenTable)
    table = await registry_of(request).open(person, wish)
    return answer(table.table_for(person.id), 201)


async def play_now(request: Request) -> Response:
    """A table with bots, which starts as soon as your salt is there."""
    person = await require_person(request)
    wish: p.PlayNow = await body(request, p.PlayNow)
    table = await registry_of(request).play_now(person, wish)
    return answer(table.table_for(person.id), 201)


async def get_table(request: Request) -> Response:
    """All that is open about a table."""
    person = await _asker(request)
    return answer((await _table(request)).table_for(person))


async def command(request: Request) -> Response:
    """Any command that also goes over the socket, but for hello."""
    person = await _asker(request)
    wish: p.Command = await body(request, p.Command)
    return answer(await (await _table(request)).ask(person, wish))


async def get_play(request: Request) -> Response:
    """The cards as you may see them; waits for news if asked to."""
    person = await _asker(request)
    table = await _table(request)
    lines = number(request, "lines", 0, MOST_LINES)
    turn = number(request, "turn", 0, MOST_LINES)
    seconds = number(request, "wait", 0, LONGEST_WAIT)
    if person is not None:
        table.viewers.has_polled(person)
    if seconds:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await table.wait_for_news(person, turn)
    return answer(table.play_for(person, lines))


async def get_record(request: Request) -> Response:
    """The record of a finished game, with the seal of its deal."""
    table = await _table(request)
    response = answer(records.record(table.state, table.match))
    name = f"{table.state.game}-{table.state.id[:8]}.json"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


async def get_frames(request: Request) -> Response:
    """A finished game move by move, from any eyes."""
    table = await _table(request)
    eyes: p.Eyes = request.query_params.get("eyes", "spectator")  # type: ignore[assignment]
    if eyes not in ("open", "spectator"):
        eyes = number(request, "eyes", 0, p.MOST_SEATS - 1)
    records.check_finished(table.state)
    people = registry_of(request).context.people
    names = [place.person and people.name_of(place.person) for place in table.state.places]
    return answer(await asyncio.to_thread(records.frames, table.state, table.game, eyes, names))


async def _asker(request: Request) -> str | None:
    person = await identify(request)
    return person.id if person else None


async def _table(request: Request) -> TableActor:
    return await registry_of(request).get(request.path_params["table"])
