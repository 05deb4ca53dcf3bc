"""Bots at the tables: a few worker threads, a deadline, and a pace that tells nothing.

When a bot answers depends on the settings and on chance, never on its cards: an answer is given at the drawn
moment or, if the thinking took longer, at the next beat after it.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import sys
import threading
from asyncio import sleep
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeVar

from tavolino.bots import SeatDoor, hint, make_bot
from tavolino.engine.match import Match
from tavolino.server.protocol import Level
from tavolino.server.settings import Pace

BEAT_SECONDS = 0.5
THINKERS_NICENESS = 10
Answer = TypeVar("Answer")
Prepare = Callable[[str, Level], Awaitable[None]]
_chance = secrets.SystemRandom()


class Thinkers:
    """The worker threads that all tables share. Searching runs without the GIL, so play goes on beside it."""

    def __init__(self, workers: int, pace: Pace, prepare: Prepare) -> None:
        self.workers = workers
        self.pace = pace
        self._prepare = prepare
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix="thinker", initializer=_step_back)
        self.waiting = 0
        self.too_late = 0

    async def choose(self, match: Match, seat: int, level: Level) -> str:
        """A bot's choice, at its pace."""
        await self._prepare(match.game.name, level)
        loop = asyncio.get_running_loop()
        started = loop.time()
        action = await self.think(match, seat, level, self.pace.deadline)
        if not self.pace.is_instant:
            moment = started + self.pace.seconds + _chance.random() * self.pace.spread
            while moment < loop.time():
                moment += BEAT_SECONDS
            await sleep(moment - loop.time())
        return action

    async def think(self, match: Match, seat: int, level: Level, deadline: float) -> str:
        """A choice as soon as it is there; after the deadline a legal action drawn evenly."""
        try:
            return await self._in_pool(deadline, _choose, match, seat, level)
        except TimeoutError:
            self.too_late += 1
            return _chance.choice(match.legal())

    async def advise(self, match: Match, seat: int, seconds: float) -> tuple[str, float | None]:
        """What a hard bot would do, and its chance to win as far as it can tell."""
        await self._prepare(match.game.name, "hard")
        return await self._in_pool(seconds, _advise, match, seat)

    async def _in_pool(
        self, deadline: float, work: Callable[..., Answer], match: Match, seat: int, *rest: object
    ) -> Answer:
        world = match.clone()  # the table may be played on before a late thinker has noticed
        seed = secrets.randbits(62)
        loop = asyncio.get_running_loop()
        self.waiting += 1
        try:
            async with asyncio.timeout(deadline):
                return await loop.run_in_executor(self._pool, partial(work, world, seat, seed, *rest))
        finally:
            self.waiting -= 1

    def stop(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)


def _step_back() -> None:
    """A thinker's thread takes what the event loop leaves: people who move come first."""
    if sys.platform == "linux":  # elsewhere only whole processes have a priority
        own = threading.get_native_id()
        os.setpriority(os.PRIO_PROCESS, own, max(THINKERS_NICENESS, os.getpriority(os.PRIO_PROCESS, own)))


def _choose(match: Match, seat: int, seed: int, level: Level) -> str:
    return make_bot(level, match.game.name, seed).choose(SeatDoor(match, seat))


def _advise(match: Match, seat: int, seed: int) -> tuple[str, float | None]:
    advice = hint(SeatDoor(match, seat), seed)
    return advice["action"], advice["win"]
