"""Help for a player, from what the seat knows: the notebook, and what the judge would do.

A hint is sent when it is ready; the table goes on meanwhile.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from msgspec import Raw, field

from tavolino.coach.reasons import reasons
from tavolino.coach.written import fact_json
from tavolino.engine.match import Match
from tavolino.server import protocol as p
from tavolino.server.errors import Refused
from tavolino.server.features.advice.notebooks import Notebooks
from tavolino.server.kernel import messages
from tavolino.server.kernel.checks import dealt
from tavolino.server.kernel.deal import seat_to_act
from tavolino.server.kernel.feature import Feature, Needs, NoSlice, Request, handles
from tavolino.server.kernel.inbox import Reply

if TYPE_CHECKING:
    from tavolino.server.context import Context
    from tavolino.server.kernel.actor import TableActor

KNOWLEDGE = Needs.SEAT | Needs.RULES | Needs.WORLDS


class AskNotebook(p.CommandMessage, tag="notebook"):
    pass


class AskHint(p.CommandMessage, tag="hint"):
    pass


class Notebook(p.News, tag="notebook"):
    ref: str | None
    turn: int
    notebook: dict[str, Any]


class Hint(p.News, tag="hint"):
    ref: str | None
    turn: int
    action: str
    chance: float | None  # to win, from this seat's knowledge; null when the game has no estimate
    reasons: list[p.Reason] = field(default_factory=list)  # why, in facts that the seat could know


class Advice(Feature[NoSlice]):
    name = "advice"
    refusals = (("no-hints", 403),)

    def __init__(self, server: Context) -> None:
        self._server = server
        self.notebooks = Notebooks(server.limits.work)

    @handles(AskNotebook, needs=KNOWLEDGE, limit=None, answer=Notebook)
    async def notebook(self, request: Request) -> Notebook:
        state, match, turn = request.state, dealt(request.match), request.state.turn
        content = await self.notebooks.get(
            state.id, state.number, request.seat, match, messages.notebook, (request.asked.payer, request.person)
        )
        return Notebook(request.command.ref, turn, Raw(content))  # type: ignore[arg-type]

    @handles(AskHint, needs=KNOWLEDGE, limit=None, answer=Hint)
    def hint(self, request: Request) -> None:
        table, state, match, seat = request.table, request.state, request.match, request.seat
        if state.phase != "playing" or match is None:
            raise Refused("not-playing")
        if not state.settings.hints:
            raise Refused("no-hints")
        if seat_to_act(state, match) != seat:
            raise Refused("not-your-turn")
        self._server.load.check_for_what_can_wait()
        self._server.limits.hints.take(request.person)
        if not self._server.bots.can_hint:
            raise Refused("busy")
        work = self._work_out(match, seat, state.id, state.turn, request.command.ref, request.asked.reply)
        task = asyncio.create_task(work)
        tasks: set[asyncio.Task[None]] = table.attached.setdefault(self.name, set())
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    async def _work_out(self, match: Match, seat: int, table: str, turn: int, ref: str | None, reply: Reply) -> None:
        try:
            asked = match.clone()  # the table may be played on meanwhile
            action, chance = await self._server.bots.hint(asked, seat, self._server.settings.hint_seconds)
            said = await asyncio.to_thread(_reasons, asked, seat, action)
            reply(Hint(ref, turn, action, chance, said))
        except Exception:
            self._server.log.exception("hint failed", table=table)
            reply(p.Refused(ref, Refused("internal").problem))

    def stopped(self, table: TableActor) -> None:
        tasks: set[asyncio.Task[None]] = table.attached.get(self.name, set())
        for task in tasks:
            task.cancel()
        self.notebooks.drop(table.state.id)


FEATURE = Advice


def _reasons(match: Match, seat: int, action: str) -> list[p.Reason]:
    return [p.Reason(**fact_json(fact)) for fact in reasons(match, seat, action)]
