"""The games of a server, and whether their rules and bots are compiled yet.

A first compile takes seconds of a core and would block every socket, so it runs in child processes, which fill the
cache on disk; this process then only loads the result. Rules and quick bots come first, and the game that somebody asks
for before all others. Then a game is ready. Worlds (for notebook, hints, plans and take-backs) and the search of the
hard bots follow while people play; requests for them before that are refused with `still-compiling`.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar, cast

import tavolino
from tavolino.bots.warmup import CompileQueue, Part, WarmupFailed, is_compiled
from tavolino.engine.game import Game
from tavolino.games import package_of
from tavolino.server import protocol as p
from tavolino.server.games.bot_runner import try_bot

NICE = 5  # compile at a lower priority than the server
RETRY_SECONDS = 2.0  # after a failure; twice as long after each further one
LONGEST_RETRY_SECONDS = 60.0
QUICK: p.Level = "medium"
Argument = TypeVar("Argument")
Answer = TypeVar("Answer")


class Library:
    """The games by name. Each is ready in three steps: rules compiled, quick bots compiled, loaded here."""

    STEPS = 3

    def __init__(self, log: Any) -> None:
        self._log = log
        self._games: dict[str, Game] = {}
        self._loading = asyncio.Lock()
        self._exercising = asyncio.Lock()
        self._queue = CompileQueue(nice=NICE, on_start=self._tell_start)
        self._done = dict.fromkeys(tavolino.games(), 0)
        self._ready = {name: asyncio.Event() for name in tavolino.games()}
        self._with_worlds: set[str] = set()
        self._with_search: set[str] = set()
        self._progress: asyncio.Queue[str] = asyncio.Queue()
        self._retrying: set[asyncio.Task[None]] = set()
        self.failed: dict[str, str] = {}  # games that could not be made ready, and why; they are tried again

    def __iter__(self) -> Iterator[str]:
        return iter(self._ready)

    async def game(self, name: str) -> Game:
        """A game by name. The first call imports the compiler, in a thread. `UnknownGame` if there is none."""
        if name not in self._games:
            async with self._loading:
                if name not in self._games:
                    self._games[name] = await _in_daemon_thread(tavolino.load, name)
        return self._games[name]

    async def all_games(self) -> list[Game]:
        """The games that can be loaded. One that cannot is logged, and the others are still offered."""
        found = []
        for name in self._ready:
            try:
                found.append(await self.game(name))
            except Exception as error:
                self._log.error("game cannot be loaded", game=name, error=str(error)[:500])
        return found

    def readiness(self, name: str) -> p.Readiness:
        return p.Readiness(self.is_ready(name), self._done.get(name, 0), self.STEPS, name in self._with_search)

    def is_ready(self, name: str) -> bool:
        return name in self._ready and self._ready[name].is_set()

    def has_worlds(self, name: str) -> bool:
        """Whether notebooks and hints work without compiling first."""
        return name in self._with_worlds

    def want(self, name: str) -> None:
        """Compile this game before the others, because somebody waits for it."""
        if not self.is_ready(name):
            self._queue.prefer(name)

    async def progress(self) -> AsyncIterator[str]:
        """The name of each game whose readiness has changed, as it changes. For one reader."""
        while True:
            yield await self._progress.get()

    async def warm_up(self, in_subprocesses: bool, tried: Callable[[str], Awaitable[None]]) -> None:
        """Make every game ready, the smallest first. Without subprocesses if the cache is known to be warm.

        Calls `tried` with each game that was tried once, and returns when that is done for all. Those that failed are
        tried again, at ever longer intervals.
        """

        async def try_once(name: str) -> None:
            await self._make_ready(name, in_subprocesses)
            if not self.is_ready(name):
                task = asyncio.create_task(self._retry(name, in_subprocesses))
                self._retrying.add(task)
                task.add_done_callback(self._retrying.discard)
            await tried(name)

        await asyncio.gather(*map(try_once, sorted(self._ready, key=_size)))

    async def _retry(self, name: str, in_subprocesses: bool) -> None:
        pauses = _pauses()
        while not self.is_ready(name):
            await asyncio.sleep(next(pauses))
            await self._make_ready(name, in_subprocesses)
        await self._prepare_worlds(name)

    async def warm_up_later_parts(self) -> None:
        """Compile what a game can be played without: first the worlds, then what the hard bots need.

        Side by side, so that a game whose worlds cannot be compiled does not hold up the others.
        """
        await asyncio.gather(*(self._warm_up_later_parts(name) for name in self._ready))

    async def _warm_up_later_parts(self, name: str) -> None:
        if self.is_ready(name):
            await self._prepare_worlds(name)
        with contextlib.suppress(WarmupFailed):  # tried again, and logged, when somebody wants to play it
            await self.prepare(name, "hard")

    async def _prepare_worlds(self, name: str) -> None:
        pauses = _pauses()
        while not self.has_worlds(name):
            try:
                await self._queue.compile(Part(name, "worlds"))
                await self._load_worlds(await self.game(name))
            except Exception as error:
                self._log.error("worlds cannot be drawn yet", game=name, error=f"{type(error).__name__}: {error}"[:500])
                await asyncio.sleep(next(pauses))

    async def prepare(self, name: str, level: p.Level) -> None:
        """Wait until bots of a level can play without compiling first."""
        if level in ("hard", "expert"):
            await self._queue.compile(Part(name, "hard"))
            if name not in self._with_search:
                self._with_search.add(name)
                self._progress.put_nowait(name)

    def stop(self) -> None:
        self._queue.stop()
        for task in self._retrying:
            task.cancel()

    def _step_done(self, name: str, done: int) -> None:
        self._done[name] = done
        self._progress.put_nowait(name)

    async def _make_ready(self, name: str, in_subprocess: bool) -> None:
        try:
            if in_subprocess:
                await asyncio.gather(self._compile(name, "rules"), self._compile(name, QUICK))
            game = await self.game(name)
            async with self._exercising:
                await _in_daemon_thread(_exercise, game)
                await self._try_bots(game)
                if not in_subprocess or await asyncio.to_thread(is_compiled, Part(name, "worlds")):
                    await self._load_worlds(game)
        except Exception as error:
            self.failed[name] = f"{type(error).__name__}: {error}"[:500]
            self._log.error("game cannot be loaded, and is tried again", game=name, error=self.failed[name])
            return
        self.failed.pop(name, None)
        self._ready[name].set()
        ready = sum(event.is_set() for event in self._ready.values())
        self._log.info("game ready", game=name, games=f"{ready} of {len(self._ready)}")
        self._step_done(name, self.STEPS)

    async def _load_worlds(self, game: Game) -> None:
        await _in_daemon_thread(_exercise_worlds, game)
        self._with_worlds.add(game.name)

    async def _compile(self, name: str, part: str) -> None:
        try:
            await self._queue.compile(Part(name, part))
        except WarmupFailed as failed:  # this process tries as well, and logs more
            self._log.warning("compiling in a child process failed", game=name, part=part, error=str(failed))
        self._step_done(name, min(self._done[name] + 1, self.STEPS - 1))

    def _tell_start(self, part: Part) -> None:
        self._log.info("compiling, at the first start only", game=part.game, part=part.name)

    async def _try_bots(self, game: Game) -> None:
        try:
            await _in_daemon_thread(_let_choose, game)
        except Exception as error:  # people can still play it
            self._log.error("bots cannot play", game=game.name, error=f"{type(error).__name__}: {error}"[:500])


def _pauses() -> Iterator[float]:
    """How long to wait before each further try."""
    seconds = RETRY_SECONDS
    while True:
        yield seconds
        seconds = min(2 * seconds, LONGEST_RETRY_SECONDS)


async def _in_daemon_thread(work: Callable[[Argument], Answer], argument: Argument) -> Answer:
    """Like `asyncio.to_thread`, but the process does not wait for it at exit: a server that compiles stops at once."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Answer] = loop.create_future()

    def settle(answer: Answer | None, error: Exception | None) -> None:
        if future.done():
            return
        if error is None:
            future.set_result(cast(Answer, answer))
        else:
            future.set_exception(error)

    def run() -> None:
        outcome: tuple[Answer | None, Exception | None]
        try:
            outcome = work(argument), None
        except Exception as error:
            outcome = None, error
        with contextlib.suppress(RuntimeError):  # the loop is closed, and nobody waits any more
            loop.call_soon_threadsafe(settle, *outcome)

    threading.Thread(target=run, daemon=True).start()
    return await future


def _size(name: str) -> int:
    """How much there is to compile, in bytes of source: the smallest game is made ready first."""
    found = find_spec(package_of(name))
    folders = (found.submodule_search_locations if found else None) or ()
    return sum(path.stat().st_size for folder in folders for path in Path(folder).glob("*.py"))


def _exercise(game: Game) -> None:
    """Call what a table uses, so that nothing is compiled or loaded at the first move."""
    match = game.start(players=game.players[0], seed=0)
    match.clone().play(match.legal()[0])
    match.view(0)


def _exercise_worlds(game: Game) -> None:
    match = game.start(players=game.players[0], seed=0)
    match.notebook(0)
    match.resample(0, 0)


def _let_choose(game: Game) -> None:
    try_bot(game, QUICK)
