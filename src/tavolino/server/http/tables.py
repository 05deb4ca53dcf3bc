"""Routes about tables: lists, opening, commands, play, and finished games."""

from __future__ import annotations

import asyncio
import contextlib
from contextlib import AbstractContextManager
from typing import cast

from starlette.requests import Request
from starlette.responses import Response

from tavolino.engine.languages import languages
from tavolino.engine.telling import Teller
from tavolino.server import access
from tavolino.server import protocol as p
from tavolino.server.access import answer, answer_encoded, encode, identify, registry_of, require_person
from tavolino.server.errors import Refused
from tavolino.server.games.build_cache import BuildCache
from tavolino.server.http.requests import body, body_by, number
from tavolino.server.kernel import records
from tavolino.server.kernel.actor import TableActor
from tavolino.server.tables.listings import Listings

LONGEST_WAIT = 25
MOST_LINES = 1_000_000
FRAME = 0.5  # milliseconds that a view takes to build and encode, about
SENDING = 1e-6  # milliseconds that a byte takes to be sent


async def my_tables(request: Request) -> Response:
    """The tables that you play and have played at."""
    person = await require_person(request)
    return answer(await Listings(registry_of(request)).of(person))


async def open_table(request: Request) -> Response:
    """Open a table; you sit on the first seat without a bot, and are the host."""
    person = await require_person(request)
    wanted: p.OpenTable = await body(request, p.OpenTable)
    table = await registry_of(request).open(person, wanted)
    return answer(table.table_for(person.id), 201)


async def play_now(request: Request) -> Response:
    """A table with bots, which starts as soon as your salt is there."""
    person = await require_person(request)
    wanted: p.PlayNow = await body(request, p.PlayNow)
    table = await registry_of(request).play_now(person, wanted)
    return answer(table.table_for(person.id), 201)


async def get_table(request: Request) -> Response:
    """All that is open about a table."""
    person = await _asker(request)
    return answer((await table_of(request, person)).table_for(person))


async def command(request: Request) -> Response:
    """Any command that is also sent over the socket, except hello."""
    person = await _asker(request)
    wanted = await body_by(request, registry_of(request).commands.decode)
    return answer(await (await table_of(request, person)).ask(person, wanted, access.address_of(request)))


async def get_play(request: Request) -> Response:
    """The cards as you may see them; waits for news if asked to."""
    person = await _asker(request)
    table = await table_of(request, person)
    lines = number(request, "lines", 0, MOST_LINES)
    turn = number(request, "turn", 0, MOST_LINES)
    seconds = number(request, "wait", 0, LONGEST_WAIT)
    if table.state.seat_of(person) is None and table.state.phase != "ended":
        registry_of(request).context.load.check_for_what_can_wait()
    if person is not None:
        table.viewers.has_polled(person)
    if seconds:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await table.wait_for_news(person, turn)
    with _charged(request):
        if (language := request.query_params.get("text")) is not None:
            return answer(_in_words(table, person, language, lines if "lines" in request.query_params else None))
        if table.state.phase != "ended" or lines:
            return answer(table.play_for(person, lines))
        key = (table.state.id, "play", table.state.seat_of(person))
        return answer_encoded(_build_cache(request).get_now(key, lambda: encode(table.play_for(person, 0))))


def _in_words(table: TableActor, person: str | None, language: str, lines: int | None) -> p.PlayText:
    """The table as this person may see it, in words; without `lines` the news begin with the last decision."""
    if language not in languages():
        raise Refused("no-such-language")
    seat = table.state.seat_of(person)
    if lines is None:
        lines = 0 if table.match is None else table.match.lines_before_decision(seat)
    shown = table.play_for(person, 0)
    text = Teller(table.game, language, seat).observation(shown.view, shown.lines[lines:])
    return p.PlayText(shown.turn, shown.view["legal"], table.state.phase == "ended", text)


async def get_record(request: Request) -> Response:
    """The record of a finished game, with the seal of its deal."""
    table = await table_of(request, await _asker(request))
    await table.tables.check_may_reveal(table.state)
    with _charged(request):
        key = (table.state.id, "record")
        content = _build_cache(request).get_now(key, lambda: encode(records.record(table.state, table.match)))
        response = answer_encoded(content)
    name = f"{table.state.game}-{table.state.id[:8]}.json"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


async def get_frames(request: Request) -> Response:
    """A finished game move by move, for any viewer; or a variation of it, from the frame with number `first` on."""
    table = await table_of(request, await _asker(request))
    await table.tables.check_may_reveal(table.state)
    first = number(request, "first", 0, MOST_LINES)
    name = "eyes" if "eyes" in request.query_params else "perspective"  # `eyes`: its name in version 0.1
    perspective: p.Perspective = request.query_params.get(name, "spectator")  # type: ignore[assignment]
    if perspective not in ("open", "spectator"):
        perspective = number(request, name, 0, p.MOST_SEATS - 1)
    state, game, context = table.state, table.game, registry_of(request).context
    records.check_frames(state, game, perspective)
    variation = request.query_params.get("variation")
    actions = state.actions if variation is None else _variation(request, state.id, variation)
    work, whose = context.limits.work, access.subscriber_of(request)
    key = (state.id, perspective, variation, len(actions), first)
    estimate = 0.0
    if not context.build_cache.has(key):
        context.load.check_for_what_can_wait()
        work.check(whose)
        estimate = FRAME * (len(actions) + 1) * (len(state.places) + 1 if perspective == "open" else 1)
        work.charge(whose, estimate)  # at once: a hundred requests may come before the first one is answered
    built = await context.build_cache.get(key, lambda: records.shown_frames(state, game, perspective, actions, first))
    work.charge(whose, 1000 * built.seconds - estimate + SENDING * len(built.content))
    await context.people.learn_names(state.people)
    names = [place.person and context.people.name_of(place.person) for place in state.places]
    return answer(records.frames(state, perspective, names, built.content))


def _variation(request: Request, table: str, name: str) -> list[str]:
    for line in registry_of(request).features.line:
        if (found := line(table, name)) is not None:
            return cast("list[str]", found)
    raise Refused("no-such-variation")


def _charged(request: Request) -> AbstractContextManager[None]:
    """Charge the work done for a request to the person who sent it; refused if they have used up their limit."""
    return registry_of(request).context.limits.work.charged(access.subscriber_of(request))


def _build_cache(request: Request) -> BuildCache:
    return registry_of(request).context.build_cache


async def _asker(request: Request) -> str | None:
    person = await identify(request)
    return person.id if person else None


async def table_of(request: Request, person: str | None) -> TableActor:
    """The table that a request names, if this person may see anything of it."""
    registry, table = registry_of(request), request.path_params["table"]
    access.charge_loading(request, table)
    found = await registry.get_fresh(table)
    await registry.check_may_see(found.state, person)
    await found.prepare()
    return found
