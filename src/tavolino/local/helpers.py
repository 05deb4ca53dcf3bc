"""Helpers of local tables: beside the tables they search for bots and hints, and work out reviews.

In a browser a helper is a worker with the same Python (`helper.py`). One searches for bots and hints. Each review has
one of its own, which ends with it: so reviews never delay a move, and one that nobody waits for is stopped at once.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

from tavolino.engine.match import Match
from tavolino.local import helper
from tavolino.server.games.bot_runner import seconds_to_search
from tavolino.server.protocol import Level

Hear = Callable[[str], None]
# After a connection, until the helper is started: its start takes as long as that of the tables, and the first question
# comes before it.
WARM_SECONDS = 2.0


class Helper(Protocol):
    async def work(self, order: str, hear: Hear) -> str:
        """The answer to an order; raises if there is none. Orders wait for each other."""

    def end(self) -> None:
        """Whatever it does now."""


# Returns when the helper can work; raises if it cannot be started.
Start = Callable[[], Awaitable[Helper]]


class Thinker:
    """Where bots and hints of local tables search: in a helper, as soon as there is one; until then, or without one, in
    the thread of the tables."""

    def __init__(self, start: Start | None, log: Any) -> None:
        self._start, self._log = start, log
        self._helper: Helper | None = None
        self._starting: asyncio.Task[None] | None = None
        self._later: asyncio.TimerHandle | None = None
        self._turn = asyncio.Lock()

    def warm_soon(self) -> None:
        """Start the helper soon, unless a search starts it before. One that could not be started is tried again: it may
        have been loaded without a connection."""
        self._wait_no_longer()
        if self._helper is None and self._starting is not None and self._starting.done():
            self._starting = None
        self._later = asyncio.get_running_loop().call_later(WARM_SECONDS, self._warm)

    def _wait_no_longer(self) -> None:
        if self._later is not None:
            self._later.cancel()
            self._later = None

    def _warm(self) -> None:
        """Start the helper, once."""
        self._wait_no_longer()
        if self._start is not None and self._starting is None:
            self._starting = asyncio.create_task(self._start_helper(self._start))

    def rest(self) -> None:
        """End the helper if it does nothing, because memory is wanted elsewhere. The next search starts another."""
        self._wait_no_longer()
        if self._helper is not None and not self._turn.locked():
            self._helper.end()
            self._helper = self._starting = None

    async def _start_helper(self, start: Start) -> None:
        try:
            self._helper = await start()
        except Exception as problem:
            self._log.warning("no helper for bots and hints", problem=str(problem))

    async def search(self, match: Match, seat: int, level: Level, left: Callable[[], float]) -> str:
        seed = secrets.randbits(62)

        def order() -> dict[str, Any]:
            seconds = seconds_to_search(left())
            return {"work": "search", "seat": seat, "level": level, "seed": seed, "seconds": seconds}

        return await self._answer(match, order)

    async def hint(self, match: Match, seat: int) -> tuple[str, float | None]:
        action, chance = json.loads(await self._answer(match, lambda: {"work": "hint", "seat": seat}))
        return action, chance

    async def _answer(self, match: Match, order: Callable[[], dict[str, Any]]) -> str:
        """`order` is called when the helper is free. Who no longer waits does not make the next order begin early."""
        record = match.record()
        return await asyncio.shield(asyncio.create_task(self._in_turn(record, order)))

    async def _in_turn(self, record: dict[str, Any], order: Callable[[], dict[str, Any]]) -> str:
        async with self._turn:
            text = json.dumps({**order(), "record": record})
            self._warm()
            if self._helper is not None:
                try:
                    return await self._helper.work(text, _ignore)
                except Exception as problem:
                    self._log.warning("the helper has ended", problem=str(problem))
                    self._helper = None
            return helper.work(text)


def _ignore(line: str) -> None:
    """Searches tell nothing before their end."""
