"""Moves beside reviews: `python -m bench.review_beside_play [--rounds 20] [--disk]`.

Measures how long moves take to be acknowledged at a steady rate: without a review, while the server computes reviews
of finished games one after the other (their start and their end included), beside one long review, and beside one that
has waited for long and continues at a higher priority. Short periods of each kind alternate, so that other load on the
machine affects all of them; what is told is the median over rounds of the ratio of p99 to p99 without a review, with an
interval. The data are in memory: a disk that others use, too, delays single commits by 30 to 100 ms, with or without a
review (`--disk` includes that). The output has the CPU time of the reviews, because a review that got none proves
nothing, and that of other programs. Takes about five minutes.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from statistics import median

from bench.review_figures import play
from bench.server_load import flat_out, open_tables, steadily
from bench.server_players import People, Table, people_at, percentile, run
from bench.server_process import ServerProcess, family_seconds, machine_seconds, running_server

RATE = 200.0  # moves a second
DRAWN = 2000  # bootstrap samples of the rounds, for the interval
MEMORY = Path("/dev/shm")  # a file system in memory, on Linux
ALONE = "without a review"
ASKED = "while the server computes reviews"
PATIENCE: dict[str, float] = {"beside a long review": 1e9, "beside one that is late": 0.0}
KINDS = (ALONE, ASKED, *PATIENCE)
WORKER = """
import sys
from tavolino.coach import worker
worker.PATIENCE = float(sys.argv[1])
worker.main()
"""
Rounds = list[list[float]]  # the times of moves, for each round
Moves = dict[str, Rounds]


def begin_review(record: dict[str, object], patience: float) -> subprocess.Popen[bytes]:
    """A review of its own process: when this returns, it has begun."""
    child = subprocess.Popen(
        [sys.executable, "-c", WORKER, str(patience)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=os.environ.copy(),
    )
    assert child.stdin is not None
    assert child.stdout is not None
    child.stdin.write(json.dumps({"record": record, "seat": 0}).encode() + b"\n")
    child.stdin.flush()
    child.stdout.readline()
    return child


def end_review(child: subprocess.Popen[bytes]) -> None:
    """Not in the event loop: a process of low priority needs the processor to end."""
    child.kill()
    child.wait()


class Finished:
    """Finished tables whose reviews nobody has asked for."""

    def __init__(self, people: People, tables: list[Table]) -> None:
        self._people, self._tables = people, tables
        self._seen: set[str] = set()
        self._waiting: list[tuple[str, str]] = []
        self.reviews = 0

    def __len__(self) -> int:
        return len(self._waiting)

    async def watch(self) -> None:
        while True:
            for table in self._tables:
                if table.over and table.id not in self._seen:
                    self._seen.add(table.id)
                    self._waiting.append((table.id, table.tokens[0]))
            await asyncio.sleep(0.02)

    async def ask(self, until: asyncio.Event) -> None:
        """One review after the other; the last one is waited for."""
        while not until.is_set():
            table, token = self._waiting.pop()
            while json.loads(await self._people.get(f"/api/tables/{table}/review?seat=0", token))["review"] is None:
                await asyncio.sleep(0.1)
            self.reviews += 1


class Measuring:
    def __init__(self, server: ServerProcess, people: People, tables: list[Table], seconds: float) -> None:
        self._server, self._people, self.tables, self._seconds = server, people, tables, seconds
        self.finished = Finished(people, tables)
        self.had = dict.fromkeys(KINDS, 0.0)  # the CPU time of reviews
        self.record: dict[str, object] = {}

    async def period(self, kind: str) -> tuple[list[float], float]:
        """The times of moves, and the CPU time of other programs meanwhile."""
        async with self._beside(kind) as review:
            began, own, busy = time.perf_counter(), self._own(review), machine_seconds()
            reviews = self._reviews(review)
            took = await steadily(self._people, self.tables, self._seconds, RATE)
            foreign = (machine_seconds() - busy) - (self._own(review) - own)
            self.had[kind] += self._reviews(review) - reviews
            return took, foreign / (time.perf_counter() - began)

    def _reviews(self, review: int | None) -> float:
        children = family_seconds(self._server.process) - self._server.processor_seconds()
        return children + (0.0 if review is None else family_seconds(review))

    def _own(self, review: int | None) -> float:
        return time.process_time() + self._server.processor_seconds() + self._reviews(review)

    @asynccontextmanager
    async def _beside(self, kind: str) -> AsyncIterator[int | None]:
        if kind == ASKED:
            enough = asyncio.Event()
            asking = asyncio.create_task(self.finished.ask(enough))
            yield None
            enough.set()
            await asking
        elif kind in PATIENCE:
            child = await asyncio.to_thread(begin_review, self.record, PATIENCE[kind])
            yield child.pid
            await asyncio.to_thread(end_review, child)
        else:
            yield None


async def measure(server: ServerProcess, tables: int, seconds: float, rounds: int) -> None:
    *_, match = await asyncio.to_thread(lambda: list(play("splendor-marvel", "beside play")))
    took: Moves = {kind: [] for kind in KINDS}
    foreign = 0.0
    async with people_at(server.address) as people:
        measuring = Measuring(server, people, await open_tables(people, tables), seconds)
        measuring.record = match.record()
        watching = asyncio.create_task(measuring.finished.watch())
        while len(measuring.finished) < tables:
            await flat_out(people, measuring.tables, 1.0)
        for number in range(rounds):
            for kind in random.Random(number).sample(KINDS, len(KINDS)):
                moves, others = await measuring.period(kind)
                took[kind].append(moves)
                foreign += others / len(KINDS) / rounds
            late = ", ".join(f"{percentile(took[kind][-1], 0.99) * 1e3:.1f}" for kind in KINDS)
            print(f"round {number + 1}: p99 {late} ms", flush=True)
        watching.cancel()
    print(f"{measuring.finished.reviews} reviews by the server; other programs used {foreign:.2f} of a core")
    tell(took, {kind: had / rounds / seconds for kind, had in measuring.had.items()})


def tell(took: Moves, had: dict[str, float]) -> None:
    for kind, rounds in took.items():
        every = [each for moves in rounds for each in moves]
        middle, late = percentile(every, 0.5) * 1e3, median(percentile(moves, 0.99) for moves in rounds) * 1e3
        print(
            f"{kind}: {len(every)} moves, p50 {middle:.1f} ms, p99 {late:.1f} ms (median of {len(rounds)} rounds); "
            f"reviews {100 * had[kind]:.0f} % of a core"
        )
    for kind in KINDS[1:]:
        found = ratios(took[kind], took[ALONE])
        low, high = interval(found)
        print(f"p99 {kind} / {ALONE}: {median(found):.2f} (95 %: {low:.2f} to {high:.2f})")


def ratios(beside: Rounds, alone: Rounds) -> list[float]:
    """Of p99, round by round: both were measured within some seconds."""
    pairs = zip(beside, alone, strict=True)
    return [percentile(moves, 0.99) / percentile(others, 0.99) for moves, others in pairs]


def interval(found: list[float]) -> tuple[float, float]:
    """The interval of the median, by a bootstrap over rounds."""
    chance = random.Random(14)
    drawn = [median(chance.choices(found, k=len(found))) for _ in range(DRAWN)]
    return percentile(drawn, 0.025), percentile(drawn, 0.975)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=60)
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--disk", action="store_true", help="keep the data on the disk")
    wanted = parser.parse_args()
    folder = MEMORY if MEMORY.is_dir() and not wanted.disk else None
    with running_server(sheds_load=False, folder=folder) as server:
        run(measure(server, wanted.tables, wanted.seconds, wanted.rounds))


if __name__ == "__main__":
    main()
