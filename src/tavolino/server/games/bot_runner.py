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
from typing import TypeVar

from tavolino.bots import SeatDoor, hint, make_bot
from tavolino.engine.match import Match
from tavolino.server.protocol import Level
from tavolino.server.settings import Pace

BEAT_SECONDS = 0.5
HINT_SECONDS = 1.0
MOST_HINTS = 8  # that wait; whoever asks then is asked to come again
THINKERS_NICENESS = 10
Answer = TypeVar("Answer")
Prepare = Callable[[str, Level], Awaitable[None]]
_chance = secrets.SystemRandom()


class Thinkers:
    """The worker threads that all tables share. Searching runs without the GIL, so play goes on beside it.

    Hints have a thread of their own: whoever asks for many makes no bot wait, and learns nothing from how long one's
    own hint took about what a bot holds and thinks over meanwhile.
    """

    def __init__(self, workers: int, pace: Pace, prepare: Prepare) -> None:
        self.workers = workers
        self.pace = pace
        self._prepare = prepare
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix="thinker", initializer=_step_back)
        self._advisers = ThreadPoolExecutor(1, thread_name_prefix="adviser", initializer=_step_back)
        self.waiting = 0
        self.too_late = 0
        self._advising = 0

    async def choose(self, match: Match, seat: int, level: Level) -> str:
        """A bot's choice, at its pace."""
        await self._prepare(match.game.name, level)
        self.waiting += 1  # until it answers: how long it thought is its secret
        try:
            begun = asyncio.get_running_loop().time()
            action = await self.think(match, seat, level, self.pace.deadline)
            await self._take_time(begun, self.pace.seconds + _chance.random() * self.pace.spread)
            return action
        finally:
            self.waiting -= 1

    async def think(self, match: Match, seat: int, level: Level, deadline: float) -> str:
        """A choice as soon as it is there; after the deadline that of a player by habit, which takes no time."""
        try:
            return await self._work(self._pool, deadline, _choose, match, seat, level)
        except TimeoutError:
            self.too_late += 1
            await self._prepare(match.game.name, "medium")
            return await asyncio.to_thread(_choose_by_habit, match.clone(), seat, secrets.randbits(62))

    @property
    def can_advise(self) -> bool:
        return self._advising < MOST_HINTS

    async def advise(self, match: Match, seat: int, seconds: float) -> tuple[str, float | None]:
        """What a hard bot would do, and its chance to win as far as it can tell."""
        self._advising += 1
        try:
            await self._prepare(match.game.name, "hard")
            begun = asyncio.get_running_loop().time()
            advice = await self._work(self._advisers, seconds, _advise, match, seat)
            await self._take_time(begun, HINT_SECONDS)
            return advice
        finally:
            self._advising -= 1

    async def _take_time(self, begun: float, seconds: float) -> None:
        """Wait for the moment of an answer, or for the next beat after it."""
        if not self.pace.is_instant:
            now, moment = asyncio.get_running_loop().time(), begun + seconds
            while moment < now:
                moment += BEAT_SECONDS
            await sleep(moment - now)

    async def _work(
        self,
        pool: ThreadPoolExecutor,
        deadline: float,
        work: Callable[..., Answer],
        match: Match,
        seat: int,
        *rest: object,
    ) -> Answer:
        """Work in a thread; the deadline counts from when it begins, so that a queue makes bots slow but not stupid."""
        world = match.clone()  # the table may be played on before a late thinker has noticed
        loop, has_begun = asyncio.get_running_loop(), asyncio.Event()

        def begin(seed: int) -> Answer:
            loop.call_soon_threadsafe(has_begun.set)
            return work(world, seat, seed, *rest)

        answer = loop.run_in_executor(pool, begin, secrets.randbits(62))
        try:
            await has_begun.wait()
            async with asyncio.timeout(deadline):
                return await answer
        finally:
            answer.cancel()

    def stop(self) -> None:
        for pool in (self._pool, self._advisers):
            pool.shutdown(wait=False, cancel_futures=True)


def _step_back() -> None:
    """A thinker's thread takes what the event loop leaves: people who move come first."""
    if sys.platform == "linux":  # elsewhere only whole processes have a priority
        own = threading.get_native_id()
        os.setpriority(os.PRIO_PROCESS, own, max(THINKERS_NICENESS, os.getpriority(os.PRIO_PROCESS, own)))


def _choose(match: Match, seat: int, seed: int, level: Level) -> str:
    return make_bot(level, match.game.name, seed).choose(SeatDoor(match, seat))


def _choose_by_habit(match: Match, seat: int, seed: int) -> str:
    return make_bot("medium", match.game.name, seed).choose(SeatDoor(match, seat))


def _advise(match: Match, seat: int, seed: int) -> tuple[str, float | None]:
    advice = hint(SeatDoor(match, seat), seed)
    return advice["action"], advice["win"]
