"""Simulation: many random games in compiled batches, on one core, several, or a Ray cluster.

Games are numbered, and the number selects the random stream. So the same seed gives the same figures for any
distribution over workers. Workers are processes; all of them compile before the time is measured.
"""

import multiprocessing
import signal
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from math import ceil
from multiprocessing.connection import Connection, wait
from typing import Any

import numpy as np
from numpy.typing import NDArray

import tavolino
from tavolino.coach.intervals import wilson
from tavolino.engine.batches import DECISIONS, REASON, WINNERS, Batch, stream_seed
from tavolino.engine.game import Game, Seed
from tavolino.lab.ray_cluster import ray_tasks
from tavolino.lab.workers import fitting_workers, hand_out

CHUNK_SECONDS = 0.2  # how often progress is reported and Ctrl-C is noticed
FIRST_CHUNK = 200
LARGEST_CHUNK = 200_000

Progress = Callable[[int], None]


@dataclass(frozen=True)
class Plan:
    """What to simulate."""

    game: str
    players: int
    games: int
    seed: Seed
    options: Mapping[str, Any] = field(default_factory=dict)
    workers: int = 1


@dataclass
class Tally:
    """The figures of the games so far."""

    players: int
    games: int = 0
    decisions: int = 0
    shortest: int | None = None
    longest: int = 0
    wins: NDArray[np.int64] = field(init=False)  # by seat; a shared win counts for each of the winners
    shared: int = 0
    reasons: dict[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.wins = np.zeros(self.players, dtype=np.int64)

    def add(self, outcomes: NDArray[np.int32]) -> None:
        lengths = outcomes[:, DECISIONS]
        winners = outcomes[:, WINNERS, None] >> np.arange(self.players) & 1
        self.games += len(outcomes)
        self.decisions += int(lengths.sum(dtype=np.int64))
        self.longest = max(self.longest, int(lengths.max()))
        self.shortest = min(int(lengths.min()), self.longest if self.shortest is None else self.shortest)
        self.wins += winners.sum(axis=0)
        self.shared += int((winners.sum(axis=1) > 1).sum())
        for reason, count in zip(*np.unique(outcomes[:, REASON], return_counts=True), strict=True):
            self.reasons[int(reason)] = self.reasons.get(int(reason), 0) + int(count)


def simulate(plan: Plan, progress: Progress = lambda games: None, ray: str | None = None) -> dict[str, Any]:
    """Play the games. Returns the figures as a dict for JSON; after Ctrl-C those so far, and `stopped` is true."""
    game = tavolino.load(plan.game)
    batch = Batch(game, plan.players, plan.options)
    if plan.games < 1:
        raise ValueError(f"There must be at least 1 game, not {plan.games}.")
    if plan.workers < 1:
        raise ValueError(f"There must be at least 1 worker, not {plan.workers}.")
    tally = Tally(plan.players)
    is_stopped = False
    plan = replace(plan, workers=fitting_workers(plan.workers, ceil(plan.games / FIRST_CHUNK)))
    executor = _on_ray(plan, ray) if ray is not None else _alone(batch, plan) if plan.workers == 1 else _processes(plan)
    with executor as chunks:
        began = time.perf_counter()
        try:
            for outcomes in chunks:
                tally.add(outcomes)
                progress(tally.games)
        except KeyboardInterrupt:
            is_stopped = True
        seconds = time.perf_counter() - began
    return _figures(plan, game, batch.options, tally, seconds, is_stopped)


def _figures(
    plan: Plan, game: Game, options: Mapping[str, Any], tally: Tally, seconds: float, is_stopped: bool
) -> dict[str, Any]:
    def share(count: int) -> dict[str, Any]:
        low, high = wilson(count, tally.games)
        return {
            "games": count,
            "share": count / tally.games if tally.games else 0.0,
            "low": low,
            "high": high,
        }

    return {
        "game": plan.game,
        "rules": game.rules,
        "players": plan.players,
        "options": dict(options),
        "bots": "random",
        "seed": plan.seed,
        "workers": plan.workers,
        "stopped": is_stopped,
        "games": tally.games,
        "decisions": tally.decisions,
        "seconds": seconds,
        "wins": [{"seat": seat, **share(int(count))} for seat, count in enumerate(tally.wins)],
        "shared_wins": tally.shared,
        "reasons": {game.reasons[number] or "": share(tally.reasons[number]) for number in sorted(tally.reasons)},
        "length": {
            "mean": tally.decisions / tally.games if tally.games else 0.0,
            "shortest": tally.shortest or 0,
            "longest": tally.longest,
        },
    }


# -- one worker: this process


@contextmanager
def _alone(batch: Batch, plan: Plan) -> Iterator[Iterator[NDArray[np.int32]]]:
    batch.play(0, 1, 0)  # compiled, or loaded from the cache, before time is measured
    yield _chunks_alone(batch, plan)


def _chunks_alone(batch: Batch, plan: Plan) -> Iterator[NDArray[np.int32]]:
    seed, first, size = stream_seed(plan.seed), 0, FIRST_CHUNK
    while first < plan.games:
        size = min(size, plan.games - first)
        began = time.perf_counter()
        yield batch.play(first, size, seed)
        first += size
        size = _next_size(size, time.perf_counter() - began)


def _next_size(size: int, seconds: float) -> int:
    """As many games as take about CHUNK_SECONDS, growing at most fourfold at a time."""
    fitting = int(size * CHUNK_SECONDS / max(seconds, 1e-6))
    return max(1, min(fitting, size * 4, LARGEST_CHUNK))


# -- several workers: processes that request the next chunk


@contextmanager
def _processes(plan: Plan) -> Iterator[Iterator[NDArray[np.int32]]]:
    context = multiprocessing.get_context("spawn")
    workers: dict[Connection, Any] = {}
    try:
        with _ignoring_ctrl_c():
            for _ in range(plan.workers):
                ours, theirs = context.Pipe()
                process = context.Process(target=_work, args=(theirs, plan), daemon=True)
                process.start()
                theirs.close()
                workers[ours] = process
        for connection in workers:
            connection.recv()  # it has compiled
        yield _chunks_of(workers, plan)
    finally:
        for connection, process in workers.items():
            connection.close()  # a worker whose connection is closed ends
            process.join(timeout=2)
            if process.is_alive():
                process.terminate()
                process.join()


@contextmanager
def _ignoring_ctrl_c() -> Iterator[None]:
    """Ignore Ctrl-C, also in processes started meanwhile: only the process that collects the figures handles it."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _chunks_of(workers: Mapping[Connection, Any], plan: Plan) -> Iterator[NDArray[np.int32]]:
    first = 0
    sizes = dict.fromkeys(workers, FIRST_CHUNK)
    busy: dict[Connection, float] = {}
    while first < plan.games or busy:
        for connection in workers:
            if connection not in busy and first < plan.games:
                sizes[connection] = min(sizes[connection], plan.games - first)
                connection.send((first, sizes[connection]))
                first += sizes[connection]
                busy[connection] = time.perf_counter()
        for ready in wait(list(busy)):
            assert isinstance(ready, Connection)
            yield ready.recv()
            sizes[ready] = _next_size(sizes[ready], time.perf_counter() - busy.pop(ready))


def _work(connection: Connection, plan: Plan) -> None:
    batch = Batch(tavolino.load(plan.game), plan.players, plan.options)
    batch.play(0, 1, 0)
    seed = stream_seed(plan.seed)
    try:
        connection.send("warm")
        while True:
            first, games = connection.recv()
            connection.send(batch.play(first, games, seed))
    except (EOFError, OSError):
        connection.close()


# -- a Ray cluster

_batch: tuple[Plan, Batch] | None = None  # of a worker process


@contextmanager
def _on_ray(plan: Plan, address: str) -> Iterator[Iterator[NDArray[np.int32]]]:
    with ray_tasks(address, _work_for_ray) as (submit, cores):
        submit(plan, 0, 1).result()
        yield hand_out(plan.games, 2 * cores, FIRST_CHUNK, lambda first, games: submit(plan, first, games), _next_size)


def _work_for_ray(plan: Plan, first: int, games: int) -> tuple[NDArray[np.int32], float]:
    global _batch
    if _batch is None or _batch[0] != plan:
        _batch = plan, Batch(tavolino.load(plan.game), plan.players, plan.options)
        _batch[1].play(0, 1, 0)
    began = time.perf_counter()
    outcomes = _batch[1].play(first, games, stream_seed(plan.seed))
    return outcomes, time.perf_counter() - began
