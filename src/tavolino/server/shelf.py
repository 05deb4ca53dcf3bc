"""The games of a server and whether their rules are compiled yet.

A first compile takes tens of seconds of a core and would hold up every socket, so it happens in a process
beside the server, which fills the cache on disk; this process then only loads what is there.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterator
from typing import Any

import tavolino
from tavolino.engine.game import Game
from tavolino.server import protocol as p

COMPILE = "import sys; from tavolino.engine.warmup import warm; warm(sys.argv[1])"


class Shelf:
    def __init__(self, log: Any) -> None:
        self._log = log
        self._games: dict[str, Game] = {}
        self._loading = asyncio.Lock()
        self._done = dict.fromkeys(tavolino.games(), 0)
        self._ready = {name: asyncio.Event() for name in tavolino.games()}
        self._failed: set[str] = set()
        self.on_progress: Callable[[str], None] = lambda name: None

    STEPS = 2  # compiled beside us; loaded here

    def __iter__(self) -> Iterator[str]:
        return iter(self._ready)

    async def game(self, name: str) -> Game:
        """A game by name; the first time this imports the compiler, in a thread."""
        if name not in self._games:
            async with self._loading:
                if name not in self._games:
                    self._games[name] = await asyncio.to_thread(tavolino.load, name)
        return self._games[name]

    def readiness(self, name: str) -> p.Readiness:
        done = self._done.get(name, 0)
        return p.Readiness(self.is_ready(name), done, self.STEPS)

    def is_ready(self, name: str) -> bool:
        return name in self._ready and self._ready[name].is_set()

    async def wait(self, name: str) -> None:
        await self._ready[name].wait()

    async def warm_up(self) -> None:
        """Make every game ready, one after the other, the quickest first."""
        for name in sorted(tavolino.games(), key=["mantis", "splendor-marvel", "infinity-gauntlet"].index):
            try:
                await self._compile_beside(name)
                self._step(name)
                await self._load_here(name)
            except Exception as error:
                self._failed.add(name)
                self._log.error("game cannot be loaded", game=name, error=str(error)[:500])

    async def _compile_beside(self, name: str) -> None:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", COMPILE, name, stdout=asyncio.subprocess.DEVNULL
        )
        try:
            if await process.wait() != 0:
                self._log.warning("compiling beside the server failed", game=name)
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()

    async def _load_here(self, name: str) -> None:
        game = await self.game(name)
        await asyncio.to_thread(_exercise, game)
        self._done[name] = self.STEPS
        self._ready[name].set()
        self._log.info("game ready", game=name)
        self.on_progress(name)

    def _step(self, name: str) -> None:
        self._done[name] += 1
        self.on_progress(name)

    async def all_games(self) -> list[Game]:
        """The games that can be loaded; one that cannot is in the log, and the others are still offered."""
        found = []
        for name in self._ready:
            try:
                found.append(await self.game(name))
            except Exception as error:
                self._log.error("game cannot be loaded", game=name, error=str(error)[:500])
        return found

    async def load_only(self) -> None:
        """Make every game ready without a process beside us: for tests and tools with a warm cache."""
        for name in tavolino.games():
            try:
                await self._load_here(name)
            except ModuleNotFoundError:
                self._failed.add(name)


def _exercise(game: Game) -> None:
    """Touch what a table uses, so that nothing is compiled or loaded at the first move."""
    match = game.start(players=game.players[0], seed=0)
    match.clone().play(match.legal()[0])
    match.view(0)
    match.resample(0, 0)
