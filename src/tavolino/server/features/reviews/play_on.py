"""The route that plays on from a position of a finished game."""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.responses import Response

from tavolino.server import protocol as p
from tavolino.server.access import answer, registry_of, require_person
from tavolino.server.features.reviews.checks import check_open
from tavolino.server.http.requests import body
from tavolino.server.http.route import AT_TABLE, Route
from tavolino.server.http.tables import table_of
from tavolino.server.kernel.continuation import PlayOn, continuation
from tavolino.server.kernel.journal import Step
from tavolino.server.kernel.state import TableState
from tavolino.server.kernel.tables import new_id


async def play_on(request: Request) -> Response:
    """A table of your own at a position of a finished game, with bots in the other seats."""
    registry, person = registry_of(request), await require_person(request)
    wanted: PlayOn = await body(request, PlayOn)
    table = await table_of(request, person.id)
    await registry.check_may_see(table.state, None)  # anyone who has its link can open the new table
    await check_open(registry.context, table, person.id, wanted.seat)
    registry.take_place(person.id)
    await registry.check_room(person.id)
    now = registry.context.clock.now()
    begun = await asyncio.to_thread(continuation, table.state, table.game, person.id, wanted, now)
    return answer((await registry.create(table.game, Step(TableState(new_id()), *begun))).table_for(person.id), 201)


ROUTES = (
    Route(
        "POST",
        f"{AT_TABLE}/play-on",
        play_on,
        p.Table,
        PlayOn,
        refusals=(
            "no-identity",
            "no-such-table",
            "not-started",
            "still-playing",
            "not-seated",
            "no-such-seat",
            "no-such-turn",
            "no-rules",
            "too-many-tables",
            "overloaded",
        ),
    ),
)
