"""Hints: what the judge would do in a seat, from that seat's knowledge. Each is sent when it is ready."""

from __future__ import annotations

import asyncio

from tavolino.coach.reasons import reasons
from tavolino.engine.match import Match
from tavolino.server import protocol as p
from tavolino.server.context import Context
from tavolino.server.errors import Refused
from tavolino.server.kernel.deal import seat_to_act
from tavolino.server.kernel.inbox import Reply
from tavolino.server.kernel.preconditions import seated
from tavolino.server.kernel.state import TableState


class Hints:
    """The hints that are being computed at one table."""

    __slots__ = ("_context", "_tasks")

    def __init__(self, context: Context) -> None:
        self._context = context
        self._tasks: set[asyncio.Task[None]] = set()

    def ask(self, state: TableState, match: Match | None, person: str, ref: str | None, reply: Reply) -> None:
        seat = seated(state, person)
        if state.phase != "playing" or match is None:
            raise Refused("not-playing")
        if not state.settings.hints:
            raise Refused("no-hints")
        if seat_to_act(state, match) != seat:
            raise Refused("not-your-turn")
        self._context.load.check_for_what_can_wait()
        self._context.limits.hints.take(person)
        if not self._context.bots.can_hint:
            raise Refused("busy")
        task = asyncio.create_task(self._work_out(match, seat, state.id, state.turn, ref, reply))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _work_out(self, match: Match, seat: int, table: str, turn: int, ref: str | None, reply: Reply) -> None:
        try:
            asked = match.clone()  # the table may be played on meanwhile
            action, chance = await self._context.bots.hint(asked, seat, self._context.settings.hint_seconds)
            reply(p.Hint(ref, turn, action, chance, _reasons(asked, seat, action)))
        except Exception:
            self._context.log.exception("hint failed", table=table)
            reply(p.Refused(ref, Refused("internal").problem))

    def stop(self) -> None:
        for task in self._tasks:
            task.cancel()


def _reasons(match: Match, seat: int, action: str) -> list[p.Reason]:
    return [p.Reason(f"reason.{fact.key}", dict(fact.params), fact.rule) for fact in reasons(match, seat, action)]
