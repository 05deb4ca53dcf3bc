"""Runs bots in worker threads, with a deadline and at a pace that reveals nothing.

When a bot answers depends on the settings and on chance, never on its cards: an answer is given at the drawn moment
or, if the thinking took longer, at the next beat after it.

This is the only module of the server that imports `tavolino.bots`.
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

from tavolino.bots import LEVELS, SeatMatch, hint, make_bot
from tavolino.engine.game import Game
from tavolino.engine.match import Match
from tavolino.server.protocol import Level
from tavolino.server.settings import Pace

__all__ = ["LEVELS", "BotRunner", "try_bot"]

BEAT_SECONDS = 0.5
HINT_SECONDS = 1.0
MOST_HINTS = 8  # waiting at once; more are refused as busy
NICENESS = 10  # of the worker threads
Answer = TypeVar("Answer")
Prepare = Callable[[str, Level], Awaitable[None]]
_chance = secrets.SystemRandom()


class BotRunner:
    """The worker threads that all tables share. Searching releases the GIL, so play goes on beside it.

    Hints have a thread of their own: many of them delay no bot, and how long one takes does not depend on what a bot
    is thinking about at the same time.
    """

    def __init__(self, workers: int, pace: Pace, prepare: Prepare) -> None:
        self.workers = workers
        self.pace = pace
        self._prepare = prepare
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix="bot", initializer=_lower_priority)
        self._hint_pool = ThreadPoolExecutor(1, thread_name_prefix="hint", initializer=_lower_priority)
        self.waiting = 0
        self.too_late = 0
        self._hints = 0

    async def choose(self, match: Match, seat: int, level: Level) -> str:
        """A bot's choice, at its pace."""
        await self._prepare(match.game.name, level)
        self.waiting += 1  # until it answers: how long it thought must stay unknown
        try:
            begun = asyncio.get_running_loop().time()
            action = await self.think(match, seat, level, self.pace.deadline)
            await self._take_time(begun, self.pace.seconds + _chance.random() * self.pace.spread)
            return action
        finally:
            self.waiting -= 1

    async def think(self, match: Match, seat: int, level: Level, deadline: float) -> str:
        """A choice as soon as it is found; after the deadline that of a medium bot, which takes no time."""
        try:
            return await self._work(self._pool, deadline, _choose, match, seat, level)
        except TimeoutError:
            self.too_late += 1
            await self._prepare(match.game.name, "medium")
            return await asyncio.to_thread(_choose_quickly, match.clone(), seat, secrets.randbits(62))

    @property
    def can_hint(self) -> bool:
        return self._hints < MOST_HINTS

    async def hint(self, match: Match, seat: int, seconds: float) -> tuple[str, float | None]:
        """What a hard bot would do, and its chance to win as far as it can tell."""
        self._hints += 1
        try:
            await self._prepare(match.game.name, "hard")
            begun = asyncio.get_running_loop().time()
            found = await self._work(self._hint_pool, seconds, _hint, match, seat)
            await self._take_time(begun, HINT_SECONDS)
            return found
        finally:
            self._hints -= 1

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
        """Work in a thread. The deadline counts from when it begins, so that a queue makes bots slow but not weak."""
        world = match.clone()  # the table may be played on while a late bot still thinks
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
        for pool in (self._pool, self._hint_pool):
            pool.shutdown(wait=False, cancel_futures=True)


def _lower_priority() -> None:
    """Give worker threads a lower priority than the event loop."""
    if sys.platform == "linux":  # elsewhere only whole processes have a priority
        own = threading.get_native_id()
        os.setpriority(os.PRIO_PROCESS, own, max(NICENESS, os.getpriority(os.PRIO_PROCESS, own)))


def try_bot(game: Game, level: Level) -> None:
    """Let a bot choose once, so that its code is loaded; raises what it raises."""
    match = game.start(players=game.players[0], seed=0)
    seat = match.to_act
    assert seat is not None
    make_bot(level, game.name, 0).choose(SeatMatch(match, seat))


def _choose(match: Match, seat: int, seed: int, level: Level) -> str:
    return make_bot(level, match.game.name, seed).choose(SeatMatch(match, seat))


def _choose_quickly(match: Match, seat: int, seed: int) -> str:
    return make_bot("medium", match.game.name, seed).choose(SeatMatch(match, seat))


def _hint(match: Match, seat: int, seed: int) -> tuple[str, float | None]:
    found = hint(SeatMatch(match, seat), seed)
    return found["action"], found["win"]
