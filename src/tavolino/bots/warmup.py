"""Compiles games ahead of time, so that nobody waits for the compiler at a table.

A game is compiled in parts (`PARTS`), each in a short child process that fills the cache on disk, so that the compiler
never blocks an event loop. `CompileQueue` runs at most two at a time; a game that somebody waits for comes first.
A child process is `python -m tavolino.bots.warmup GAME PART`.
"""

import asyncio
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from tavolino.bots.heuristic import decide
from tavolino.bots.levels import make_bot
from tavolino.bots.policies import policy_of
from tavolino.bots.search import grow
from tavolino.bots.seat_match import SeatMatch
from tavolino.engine.batches import Batch
from tavolino.engine.cache_folder import writable_root
from tavolino.engine.compiled import compile_for, is_ready
from tavolino.engine.loops import advance, draw_world, random_games
from tavolino.engine.modes import NoCodeAhead
from tavolino.games import games as all_games
from tavolino.games import load

PROCESSES = 2
STEP_BACK = 19  # the nice value of children while somebody waits for another game
ENOUGH_DECISIONS = 3
ENOUGH_ITERATIONS = 10


class Part(NamedTuple):
    game: str
    name: str  # "rules", "medium", "worlds", "hard", "simulation"


@dataclass(frozen=True)
class Progress:
    """A game begins to compile (`seconds` is None), or is ready after this many seconds."""

    game: str
    ready: int
    total: int
    seconds: float | None


class WarmupFailed(RuntimeError):
    """A game did not compile. The message contains the end of the compiler's output."""


# -- in this process


def _compile_rules(name: str) -> None:
    game = load(name)
    match = game.start(game.players[0], "warm-up")
    match.clone().play(match.legal()[0])


def _compile_worlds(name: str) -> None:
    game = load(name)
    match = game.start(game.players[0], "warm-up")
    match.notebook(0)
    match.resample(0, "warm-up")  # last, because `is_compiled` checks for it


def _compile_policy(name: str) -> None:
    """Does not call it: a position would need the rules, which another process may be compiling."""
    if not policy_of(name).has_heuristic:  # then `medium` searches
        return _compile_search(name)
    game = load(name)
    weights = policy_of(name).weights_of("medium")
    actions, scores = np.zeros(game.action_count, np.int32), np.zeros(game.action_count)
    return compile_for(decide, game.new_states(), 0, weights, actions, 1, scores)


def _compile_search(name: str) -> None:
    game = load(name)
    match = game.start(game.players[-1], "warm-up")
    bot = make_bot("hard", name, 0, iterations=ENOUGH_ITERATIONS)
    for _ in range(ENOUGH_DECISIONS):
        seat = match.to_act
        if seat is None:
            break
        match.play(bot.choose(SeatMatch(match, seat)))


def _compile_simulation(name: str) -> None:
    game = load(name)
    Batch(game, game.players[0]).play(first=0, games=1, seed=0)


PARTS = {
    "rules": _compile_rules,
    "medium": _compile_policy,
    "worlds": _compile_worlds,
    "hard": _compile_search,
    "simulation": _compile_simulation,
}
SIDE_BY_SIDE = ("rules", "medium")  # the others use what these have stored in the cache
_ENTRY_POINTS: dict[str, Callable[..., Any]] = {
    "rules": advance,
    "medium": decide,
    "worlds": draw_world,
    "hard": grow,
    "simulation": random_games,
}


def parts_for(levels: Collection[str]) -> list[str]:
    """The parts that a table with bots of these levels needs, including the notebook."""
    same = {"easy": "medium", "expert": "hard"}
    needed = {"rules", "worlds", *(same.get(level, level) for level in levels)}
    return [part for part in PARTS if part in needed]


def compile_part(part: Part) -> None:
    """Compile a part, or load it from the cache, in this process."""
    PARTS[part.name](part.game)


def is_compiled(part: Part) -> bool:
    """Whether this part was compiled ahead, or the cache has it, or it is not compiled at all."""
    is_searching = part.name == "medium" and not policy_of(part.game).has_heuristic
    return is_ready(grow if is_searching else _ENTRY_POINTS[part.name], load(part.game).record)


# -- in child processes


class CompileQueue:
    """Compiles parts of games in child processes. To be used from one event loop."""

    def __init__(self, processes: int = PROCESSES, nice: int = 0, on_start: Callable[[Part], None] = lambda part: None):
        self._processes, self._nice, self._on_start = processes, nice, on_start
        self._tasks: dict[Part, asyncio.Task[None]] = {}
        self._waiting: dict[Part, asyncio.Event] = {}
        self._running: dict[Part, asyncio.subprocess.Process | None] = {}
        self._wanted: str | None = None

    async def compile(self, part: Part) -> None:
        """Wait until the cache has a part; WarmupFailed if it cannot be compiled. The next call tries again."""
        if part not in self._tasks:
            self._tasks[part] = asyncio.create_task(self._compile(part))
        try:
            await asyncio.shield(self._tasks[part])
        except Exception:
            self._tasks.pop(part, None)
            raise

    def prefer(self, game: str) -> None:
        """Somebody waits for this game: its parts start at once, and those of other games get a lower priority."""
        self._wanted = game
        for part, process in self._running.items():
            if part.game != game and process is not None:
                self._set_nice(process, STEP_BACK)
        self._start_waiting()

    def stop(self) -> None:
        for task in self._tasks.values():
            task.cancel()

    async def _compile(self, part: Part) -> None:
        try:
            await self._look_and_compile(part)
        except OSError as error:  # out of descriptors, processes or memory
            raise WarmupFailed(f"{part.game} could not be compiled: {error}") from error

    async def _look_and_compile(self, part: Part) -> None:
        if await asyncio.to_thread(is_compiled, part):
            return
        await asyncio.to_thread(writable_root)  # if the folder is not writable, the children share a temporary one
        self._waiting[part] = may_start = asyncio.Event()
        self._start_waiting()
        try:
            await may_start.wait()
            await self._run(part)
        finally:
            self._waiting.pop(part, None)
            self._running.pop(part, None)
            self._start_waiting()

    def _start_waiting(self) -> None:
        """Start waiting parts in order, up to the limit; parts of the preferred game start anyway."""
        for part, may_start in list(self._waiting.items()):
            if part.game == self._wanted or len(self._running) < self._processes:
                del self._waiting[part]
                self._running[part] = None
                may_start.set()

    async def _run(self, part: Part) -> None:
        command = (sys.executable, "-m", __name__, *part)
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.PIPE,  # kept open: the child ends when this process has ended
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
        )
        self._running[part] = process
        self._on_start(part)
        if self._wanted not in (None, part.game):
            self._set_nice(process, STEP_BACK)
        elif self._nice:
            self._set_nice(process, self._nice)
        assert process.stderr is not None
        try:
            errors = await process.stderr.read()  # `communicate` would close stdin
            await process.wait()
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        if process.returncode:
            last = (errors.decode(errors="replace").strip().splitlines() or ["no word of why"])[-1]
            raise WarmupFailed(f"{part.game} could not be compiled: {last}")

    @staticmethod
    def _set_nice(process: asyncio.subprocess.Process, value: int) -> None:
        with suppress(OSError):  # it has just ended
            os.setpriority(os.PRIO_PROCESS, process.pid, value)


def warm_all(
    progress: Callable[[Progress], None],
    games: Sequence[str] | None = None,
    parts: Sequence[str] = tuple(PARTS),
) -> None:
    """Compile parts of games in child processes; calls `progress` whenever a game begins or is ready."""
    asyncio.run(_warm_all(progress, list(all_games() if games is None else games), parts))


async def _warm_all(progress: Callable[[Progress], None], games: list[str], parts: Sequence[str]) -> None:
    queue, ready = CompileQueue(), 0

    async def warm(game: str) -> None:
        nonlocal ready
        began = time.monotonic()
        progress(Progress(game, ready, len(games), None))
        await asyncio.gather(*(queue.compile(Part(game, part)) for part in parts if part in SIDE_BY_SIDE))
        for part in parts:
            await queue.compile(Part(game, part))
        ready += 1
        progress(Progress(game, ready, len(games), time.monotonic() - began))

    failures: Sequence[BaseException] = ()
    try:
        async with asyncio.TaskGroup() as group:
            for game in games:
                group.create_task(warm(game))
    except* (WarmupFailed, NoCodeAhead) as failed:
        failures = failed.exceptions  # what is raised here may be put into a group again: Python 3.11.2 does
    finally:
        queue.stop()
    if failures:
        raise failures[0]


def _main(words: list[str]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl-C
    threading.Thread(target=_end_with_parent, daemon=True).start()
    compile_part(Part(*words))


def _end_with_parent() -> None:
    os.read(0, 1)  # nothing is ever sent: it returns when the parent has ended
    os._exit(1)


if __name__ == "__main__":
    _main(sys.argv[1:])
