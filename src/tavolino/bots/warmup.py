"""Compiling ahead: whatever playing a game needs, so that nobody waits for it at the table.

Machine code is cached on disk, so it is enough that some process has compiled it once: `warm_all` runs one
short process for each game, two at a time, and says how far it is. Such a process is
`python -m tavolino.bots.warmup NAME [LEVEL]... [--simulation]`.
"""

import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from tempfile import TemporaryFile
from typing import IO

from tavolino.bots.levels import make_bot
from tavolino.bots.seat_match import SeatMatch
from tavolino.engine.batches import Batch
from tavolino.engine.match import Match
from tavolino.games import games as all_games
from tavolino.games import load

PROCESSES = 2
POLL_SECONDS = 0.05
ENOUGH_DECISIONS = 3
ENOUGH_ITERATIONS = 10


@dataclass(frozen=True)
class Progress:
    """What has just happened: a game begins to be compiled (`seconds` is None), or is ready after so long."""

    game: str
    ready: int
    total: int
    seconds: float | None


@dataclass(frozen=True)
class _Compiling:
    process: subprocess.Popen[bytes]
    errors: IO[str]
    began: float


class WarmupFailed(RuntimeError):
    """A game did not compile. The sentence holds the end of what the compiler said."""


def warm(name: str, levels: Sequence[str] = ()) -> None:
    """Compile, in this process, what a match of the game needs, and what bots of these levels need."""
    game = load(name)
    players = game.players[0]
    match = game.start(players, "warm-up")
    match.clone().play(match.legal()[0])
    match.resample(0, "warm-up")
    for level in levels:
        _let_play(level, game.start(game.players[-1], "warm-up"))


def _let_play(level: str, match: Match) -> None:
    bot = make_bot(level, match.game.name, 0, iterations=ENOUGH_ITERATIONS)
    for _ in range(ENOUGH_DECISIONS):
        seat = match.to_act
        if seat is None:
            break
        match.play(bot.choose(SeatMatch(match, seat)))


def warm_simulation(name: str) -> None:
    """Compile, in this process, what simulating random games needs."""
    game = load(name)
    Batch(game, game.players[0]).play(first=0, games=1, seed=0)


def warm_all(
    progress: Callable[[Progress], None],
    games: Sequence[str] | None = None,
    levels: Sequence[str] = (),
    simulation: bool = False,
    processes: int = PROCESSES,
) -> None:
    """Compile games in processes of their own; tells `progress` whenever one begins or is ready."""
    names = list(all_games() if games is None else games)
    waiting, ready = list(names), 0
    running: dict[str, _Compiling] = {}
    try:
        while waiting or running:
            while waiting and len(running) < processes:
                name = waiting.pop(0)
                running[name] = _begin(name, levels, simulation)
                progress(Progress(name, ready, len(names), None))
            time.sleep(POLL_SECONDS)
            for name, compiling in list(running.items()):
                if compiling.process.poll() is not None:
                    del running[name]
                    _check(name, compiling)
                    ready += 1
                    progress(Progress(name, ready, len(names), time.monotonic() - compiling.began))
    finally:
        for compiling in running.values():
            compiling.process.kill()
            compiling.process.wait()
            compiling.errors.close()


def _begin(name: str, levels: Sequence[str], simulation: bool) -> _Compiling:
    command = [
        sys.executable,
        "-m",
        "tavolino.bots.warmup",
        name,
        *levels,
        *(["--simulation"] if simulation else []),
    ]
    errors = TemporaryFile("w+")  # noqa: SIM115 - closed when the process has ended
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors)
    return _Compiling(process, errors, time.monotonic())


def _check(name: str, compiling: _Compiling) -> None:
    with compiling.errors as errors:
        errors.seek(0)
        last = (errors.read().strip().splitlines() or ["no word of why"])[-1]
    if compiling.process.returncode:
        raise WarmupFailed(f"{name} could not be compiled: {last}")


def _main(words: list[str]) -> None:
    name, *levels = [word for word in words if word != "--simulation"]
    warm(name, levels)
    if "--simulation" in words:
        warm_simulation(name)


if __name__ == "__main__":
    _main(sys.argv[1:])
