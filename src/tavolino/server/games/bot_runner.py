"""Runs bots in worker threads, at a pace that reveals nothing (decision 046).

The moment of an answer is drawn before the thinking begins. What the bot has found by then it plays, and else what it
would do by heuristic: neither its own cards, nor what other tables' bots think about, move the moment.

This is the only module of the server that imports `tavolino.bots`.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import sys
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import Any, Protocol, TypeVar

from tavolino.bots import LEVELS, SeatMatch, make_bot
from tavolino.bots.levels import TIME_LIMIT
from tavolino.bots.policies import kind_of, settings_of
from tavolino.coach.judge import advise
from tavolino.engine.game import Game
from tavolino.engine.match import Match
from tavolino.server.protocol import Level
from tavolino.server.settings import Pace

__all__ = ["LEVELS", "BotRunner", "try_bot"]

BEAT_SECONDS = 0.5
HINT_SECONDS = 1.0
MOST_HINTS = 8  # at once, each in a thread of its own; more are refused as busy
MARGIN_SECONDS = 0.05  # by which a search ends before its moment
LEAST_SECONDS = 0.02  # a search with less time is not started
COMPILING_SECONDS = 10.0  # that people wait for a search to be compiled, before the bot moves without it
LATE_SECONDS = 2.0  # beyond its pace: such an answer is logged
NICENESS = 10  # of the worker threads
Answer = TypeVar("Answer")
Prepare = Callable[[str, Level], Awaitable[None]]
_chance = secrets.SystemRandom()


class Elsewhere(Protocol):
    """Searches outside of this process, instead of in its threads."""

    async def search(self, match: Match, seat: int, level: Level, left: Callable[[], float]) -> str:
        """`left`: the seconds that are left, when the search is about to begin."""

    async def hint(self, match: Match, seat: int) -> tuple[str, float | None]: ...


class NoTimeLeft(Exception):
    """A search waited for a worker until its moment."""


class BotRunner:
    """The worker threads that all tables share. Searching releases the GIL, so play goes on beside it.

    Those who search, those who do not, and hints have threads of their own: none of them waits for another kind. Hints
    do not wait for each other, either.
    """

    def __init__(
        self, workers: int, pace: Pace, prepare: Prepare, log: Any, elsewhere: Elsewhere | None = None
    ) -> None:
        self._elsewhere = elsewhere
        self.workers = workers
        self.pace = pace
        self._prepare = prepare
        self._log = log
        self._pool: Executor = _threads(workers, "bot")
        self._quick_pool: Executor = _threads(1, "quick-bot")
        self._hint_pool: Executor = _threads(MOST_HINTS, "hint")
        self.waiting = 0
        self.too_late = 0  # answers by heuristic, because the search was not done
        self.failed = 0  # answers by heuristic, because the bot failed
        self._hints = 0

    async def choose(self, match: Match, seat: int, level: Level) -> str:
        """A bot's choice, at its pace."""
        begun = _now()
        choice = await self._choose_at_its_pace(match, seat, level)
        if (late := _now() - begun - self.pace.longest) > LATE_SECONDS:
            self._log.warning("bot answered late", game=match.game.name, level=level, seconds_late=round(late, 2))
        return choice

    async def _choose_at_its_pace(self, match: Match, seat: int, level: Level) -> str:
        searches = await self._is_ready_to_search(match.game.name, level)
        self.waiting += 1  # until it answers: how long it thought must stay unknown
        try:
            # Drawn before anything starts, so that the moment depends on nothing else.
            moment = _now() + self.pace.seconds + _chance.random() * self.pace.spread
            if not searches:
                return await self._choose_by_habit(match, seat, level, moment)
            if self.pace.is_instant:
                return await self._search_at_once(match, seat, level)
            return await self._search_until(match, seat, level, moment + self.pace.search)
        finally:
            self.waiting -= 1

    async def choose_at_once(self, match: Match) -> str:
        """What a medium would do for the seat to act, without a pace or a search: the cards are known to all."""
        seat = match.to_act
        assert seat is not None
        return await self._begin(self._quick_pool, _choose, match, seat, _habit("medium", match.game.name))

    async def _is_ready_to_search(self, game: str, level: Level) -> bool:
        """Whether this level searches, and its search is compiled. If it cannot be, or takes too long, it plays by
        heuristic this time."""
        if kind_of(level, game) != "search":
            return False
        try:
            async with asyncio.timeout(COMPILING_SECONDS):
                await self._prepare(game, level)
        except TimeoutError:
            self.too_late += 1
            return False
        except Exception as error:
            self._note_failure(game, level, error)
            return False
        return True

    async def _choose_by_habit(self, match: Match, seat: int, level: Level, moment: float) -> str:
        choice = self._begin(self._quick_pool, _choose, match, seat, _habit(level, match.game.name))
        return await self._answer(match, level, moment, choice)

    async def _search_until(self, match: Match, seat: int, level: Level, moment: float) -> str:
        # Both start at once, so that the heuristic choice is also ready in time.
        by_habit = self._begin(self._quick_pool, _choose, match, seat, _habit(level, match.game.name))
        loop = asyncio.get_running_loop()
        searched = self._begin_search(match, seat, level, lambda: moment - loop.time())
        return await self._answer(match, level, moment, searched, by_habit)

    def _begin_search(self, match: Match, seat: int, level: Level, left: Callable[[], float]) -> asyncio.Future[str]:
        if self._elsewhere is not None:
            return asyncio.ensure_future(self._elsewhere.search(match.clone(), seat, level, left))
        return self._begin(self._pool, _search, match, seat, level, left)

    async def _answer(self, match: Match, level: Level, moment: float, *choices: asyncio.Future[str]) -> str:
        """The first of the choices that is ready at the moment, or else at the next tick after it."""
        if self.pace.is_instant:
            await asyncio.wait(choices, timeout=self.pace.deadline)
        await asyncio.sleep(moment - _now())
        while not any(map(_is_found, choices)) and not all(choice.done() for choice in choices):
            moment += BEAT_SECONDS
            await asyncio.sleep(moment - _now())
        failures = [error for choice in choices if (error := _failure(choice)) is not None]
        for error in failures:
            self._note_failure(match.game.name, level, error)
        if not failures and not _is_found(choices[0]):
            self.too_late += 1
        found = next((choice.result() for choice in choices if _is_found(choice)), None)
        for choice in choices:
            choice.cancel()
        return _chance.choice(match.legal()) if found is None else found

    async def _search_at_once(self, match: Match, seat: int, level: Level) -> str:
        """A choice as soon as it is found, for bots without a pace."""
        try:
            if self._elsewhere is not None:
                async with asyncio.timeout(self.pace.deadline):
                    return await self._elsewhere.search(match.clone(), seat, level, lambda: TIME_LIMIT)
            return await self._work(self._pool, self.pace.deadline, _search, match, seat, level, lambda: TIME_LIMIT)
        except TimeoutError:
            self.too_late += 1
        except Exception as error:
            self._note_failure(match.game.name, level, error)
        return await self._choose_by_habit(match, seat, level, 0)

    def _note_failure(self, game: str, level: Level, error: BaseException) -> None:
        self.failed += 1
        self._log.error("bot failed", game=game, level=level, exc_info=error)

    @property
    def can_hint(self) -> bool:
        return self._hints < MOST_HINTS

    async def hint(self, match: Match, seat: int, seconds: float) -> tuple[str, float | None]:
        """What the judge would do, and its estimated chance to win."""
        self._hints += 1
        try:
            await self._prepare(match.game.name, "hard")
            moment = _now() + HINT_SECONDS
            found = await self._hint(match, seat, seconds)
            if not self.pace.is_instant:
                while moment < _now():
                    moment += BEAT_SECONDS
                await asyncio.sleep(moment - _now())
            return found
        finally:
            self._hints -= 1

    async def _hint(self, match: Match, seat: int, seconds: float) -> tuple[str, float | None]:
        if self._elsewhere is None:
            return await self._work(self._hint_pool, seconds, _hint, match, seat)
        async with asyncio.timeout(seconds):
            return await self._elsewhere.hint(match.clone(), seat)

    def _begin(
        self, pool: Executor, work: Callable[..., Answer], match: Match, seat: int, *rest: object
    ) -> asyncio.Future[Answer]:
        """Run in a thread, on a copy: the table may continue while a late bot still searches."""
        loop = asyncio.get_running_loop()
        return loop.run_in_executor(pool, work, match.clone(), seat, secrets.randbits(62), *rest)

    async def _work(
        self,
        pool: Executor,
        deadline: float,
        work: Callable[..., Answer],
        match: Match,
        seat: int,
        *rest: object,
    ) -> Answer:
        """Run in a thread. The deadline starts when the thread does, so that a queue causes delay but no failure."""
        loop, has_begun = asyncio.get_running_loop(), asyncio.Event()

        def begin(*arguments: object) -> Answer:
            loop.call_soon_threadsafe(has_begun.set)
            return work(*arguments)

        answer = self._begin(pool, begin, match, seat, *rest)
        try:
            await has_begun.wait()
            async with asyncio.timeout(deadline):
                return await answer
        finally:
            answer.cancel()

    def stop(self) -> None:
        for pool in (self._pool, self._quick_pool, self._hint_pool):
            pool.shutdown(wait=False, cancel_futures=True)


def _now() -> float:
    return asyncio.get_running_loop().time()


def _is_found(choice: asyncio.Future[str]) -> bool:
    return choice.done() and not choice.cancelled() and choice.exception() is None


def _failure(choice: asyncio.Future[str]) -> BaseException | None:
    if not choice.done() or choice.cancelled() or isinstance(choice.exception(), NoTimeLeft):
        return None
    return choice.exception()


def _threads(workers: int, name: str) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(workers, thread_name_prefix=name, initializer=_lower_priority)


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


def _habit(level: Level, game: str) -> Level:
    """The level whose choice takes no time: the level itself, or the best one that does not search."""
    return next(each for each in (level, "medium", "easy") if kind_of(each, game) != "search")


def _choose(match: Match, seat: int, seed: int, level: Level) -> str:
    return make_bot(level, match.game.name, seed).choose(SeatMatch(match, seat))


def _search(match: Match, seat: int, seed: int, level: Level, left: Callable[[], float]) -> str:
    """Search in the time that is left when a worker is free."""
    seconds, name = seconds_to_search(left()), match.game.name
    return make_bot(level, name, seed, settings_of(level, name).iterations, seconds).choose(SeatMatch(match, seat))


def seconds_to_search(left: float) -> float:
    """How long a search may take if so many seconds are left; raises NoTimeLeft."""
    seconds = min(TIME_LIMIT, left - MARGIN_SECONDS)
    if seconds < LEAST_SECONDS:
        raise NoTimeLeft
    return seconds


def _hint(match: Match, seat: int, _seed: int) -> tuple[str, float | None]:
    advice = advise(match, seat)  # the seat's own knowledge is the seed: a review repeats this search
    return advice.action, advice.chance
