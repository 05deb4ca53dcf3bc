"""The games of a server and whether their rules and bots are compiled yet.

A first compile takes tens of seconds of a core and would hold up every socket, so it happens in a process
beside the server, which fills the cache on disk; this process then only loads what is there. The rules and
the quick bots are compiled when the server starts, the search of the hard ones when it is first wanted.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar, cast

import tavolino
from tavolino.bots import SeatDoor, make_bot
from tavolino.engine.game import Game
from tavolino.server import protocol as p

# Nicer than the server itself: people who already play come first.
COMPILE = "import os, sys; os.nice(5); from tavolino.bots.warmup import warm; warm(sys.argv[1], sys.argv[2:])"
BESIDE = 2  # processes at a time
QUICK: p.Level = "medium"
Argument = TypeVar("Argument")
Answer = TypeVar("Answer")


class Shelf:
    STEPS = 2  # compiled beside us; loaded here

    def __init__(self, log: Any) -> None:
        self._log = log
        self._games: dict[str, Game] = {}
        self._loading = asyncio.Lock()
        self._exercising = asyncio.Lock()
        self._beside = asyncio.Semaphore(BESIDE)
        self._done = dict.fromkeys(tavolino.games(), 0)
        self._ready = {name: asyncio.Event() for name in tavolino.games()}
        self._searches: dict[str, asyncio.Task[None]] = {}
        self.failed: set[str] = set()
        self.on_progress: Callable[[str], None] = lambda name: None

    def __iter__(self) -> Iterator[str]:
        return iter(self._ready)

    async def game(self, name: str) -> Game:
        """A game by name; the first time this imports the compiler, in a thread."""
        if name not in self._games:
            async with self._loading:
                if name not in self._games:
                    self._games[name] = await _aside(tavolino.load, name)
        return self._games[name]

    async def all_games(self) -> list[Game]:
        """The games that can be loaded; one that cannot is in the log, and the others are still offered."""
        found = []
        for name in self._ready:
            try:
                found.append(await self.game(name))
            except Exception as error:
                self._log.error("game cannot be loaded", game=name, error=str(error)[:500])
        return found

    def readiness(self, name: str) -> p.Readiness:
        return p.Readiness(self.is_ready(name), self._done.get(name, 0), self.STEPS)

    def is_ready(self, name: str) -> bool:
        return name in self._ready and self._ready[name].is_set()

    async def warm_up(self, beside: bool) -> None:
        """Make every game ready, two at a time. Without processes beside us, for a cache that is warm."""
        await asyncio.gather(*(self._make_ready(name, beside) for name in sorted(self._ready, key=_size)))

    async def prepare(self, name: str, level: p.Level) -> None:
        """Wait until bots of a level can think without compiling first."""
        if level == "hard":
            if name not in self._searches:
                self._searches[name] = asyncio.create_task(self._prepare_search(name))
            await asyncio.shield(self._searches[name])

    def stop(self) -> None:
        for task in self._searches.values():
            task.cancel()

    async def _make_ready(self, name: str, beside: bool) -> None:
        try:
            if beside:
                await self._compile_beside(name, QUICK)
            self._done[name] = 1
            self.on_progress(name)
            game = await self.game(name)
            async with self._exercising:
                await _aside(_exercise, game)
                await self._try_bots(game)
        except Exception as error:
            self.failed.add(name)
            self._log.error("game cannot be loaded", game=name, error=f"{type(error).__name__}: {error}"[:500])
            return
        self._done[name] = self.STEPS
        self._ready[name].set()
        self._log.info("game ready", game=name)
        self.on_progress(name)

    async def _try_bots(self, game: Game) -> None:
        try:
            await _aside(_let_choose, game)
        except Exception as error:  # people can still play it
            self._log.error("bots cannot play", game=game.name, error=f"{type(error).__name__}: {error}"[:500])

    async def _prepare_search(self, name: str) -> None:
        await self._compile_beside(name, "hard")
        self._log.info("search ready", game=name)

    async def _compile_beside(self, name: str, level: p.Level) -> None:
        async with self._beside:
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-c", COMPILE, name, level, stdout=asyncio.subprocess.DEVNULL
            )
            try:
                if await process.wait() != 0:
                    self._log.warning("compiling beside the server failed", game=name, level=level)
            finally:
                if process.returncode is None:
                    process.kill()
                    await process.wait()


async def _aside(work: Callable[[Argument], Answer], argument: Argument) -> Answer:
    """Like `asyncio.to_thread`, but nothing waits for it at the end: a server that compiles stops at once."""
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
        with contextlib.suppress(RuntimeError):  # the loop is gone, and with it whoever waited
            loop.call_soon_threadsafe(settle, *outcome)

    threading.Thread(target=run, daemon=True).start()
    return await future


def _size(name: str) -> int:
    """How much there is to compile: the smallest game comes first, so that somebody can play soon."""
    folder = Path(tavolino.__file__).parent / "games" / name.replace("-", "_")
    return sum(path.stat().st_size for path in folder.glob("*.py"))


def _exercise(game: Game) -> None:
    """Touch what a table uses, so that nothing is compiled or loaded at the first move."""
    match = game.start(players=game.players[0], seed=0)
    match.clone().play(match.legal()[0])
    match.view(0)
    match.resample(0, 0)


def _let_choose(game: Game) -> None:
    match = game.start(players=game.players[0], seed=0)
    seat = match.to_act
    assert seat is not None
    make_bot(QUICK, game.name, 0).choose(SeatDoor(match, seat))
