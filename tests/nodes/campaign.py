"""A run of clients, nodes and nemesis, and what came of it.

    python -m tests.nodes.campaign --moves 1000000 --faults 500 --pieces 12 --minutes 20 --tally FILE

Faults come in proportion to moves, and, so that there are enough of them on a slow machine, in proportion to the time.
With `--pieces` a run does only a part of it, on new data and with a seed of its own; the file keeps the sums, and a run
that finds everything done ends at once.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import math
import re
import signal
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import uvloop

import tavolino
from tavolino.server.games import fairness
from tavolino.server.storage.postgres import PostgresStorage
from tests import tallies
from tests.nodes import cpu
from tests.nodes.fleet import Fleet, running
from tests.nodes.history import History, Made, Record, Violation, check
from tests.nodes.nemesis import Nemesis
from tests.nodes.networks import are_permitted
from tests.nodes.players import LoadGenerator, Tally

SETTINGS: list[dict[str, Any]] = [
    {"game": "mantis", "seats": 2},
    {"game": "mantis", "seats": 3, "bots": {"2": "medium"}},
    {"game": "infinity-gauntlet", "seats": 3},
    {"game": "splendor-marvel", "seats": 2},
    {"game": "splendor-marvel", "seats": 3},
]
PLACES = 12  # tables at a time
MANY_PLACES = 120  # enough to keep the nodes busy while some tables wait for a broken part
FIRST_SEED = 13
PROGRESS_SECONDS = 60.0
LATE = re.compile(r'"event": ?"([^"]+ late)"')


@dataclass(frozen=True)
class Plan:
    nodes: int = 3
    moves: int = 2_000
    faults: int = 15
    seconds: float = 600.0  # at most
    longest: float = 4.0  # longest fault, in seconds
    seed: int = 13
    fault: str = "none"  # planted
    only: tuple[str, ...] | None = None  # these kinds of faults
    games: tuple[str, ...] = ("mantis", "infinity-gauntlet")
    only_with_bots: bool = False
    think: float = 0.0  # the longest time that people take for a move, in seconds
    every_view: int = 1
    end_seconds: float = 120.0  # in which all games must end once nothing is broken any more
    places: int = PLACES
    tells: bool = False  # print progress


class Spent(NamedTuple):
    """CPU seconds by part."""

    clients: float  # with the checker, the balancer and the other links
    nodes: float
    stores: float  # PostgreSQL, its standby and Redis

    @classmethod
    def so_far(cls, fleet: Fleet) -> Spent:
        nodes = sum(node.cpu_seconds() for node in fleet.nodes)
        return cls(cpu.spent_here(), nodes, cpu.spent_below() - nodes)

    def since(self, before: Spent) -> Spent:
        return Spent(*(after - earlier for after, earlier in zip(self, before, strict=True)))


@dataclass
class Found:
    tally: Tally
    faults: dict[str, int]
    seconds: float
    spent: Spent
    violations: list[Violation] = field(default_factory=list)
    late: Counter[str] = field(default_factory=Counter)  # lines of the nodes' logs by their events

    def sums(self) -> tallies.Sums:
        return {
            "moves": self.tally.moves, "faults": sum(self.faults.values()), "violations": len(self.violations),
            "games": self.tally.games, "seconds": round(self.seconds), "CPU seconds": round(sum(self.spent)),
            "of each kind": self.faults,
        }  # fmt: skip

    def __str__(self) -> str:
        tally, pauses, delays = self.tally, sorted(self.tally.pauses), self.tally.delays
        lines = [
            f"{tally.moves} moves acknowledged in {tally.games} games, {sum(self.faults.values())} faults, "
            f"{self.seconds:.0f} s, {tally.connections} connections",
            f"longest pause of a table {max(pauses, default=0):.1f} s, median of the longest of each game "
            f"{pauses[len(pauses) // 2] if pauses else 0:.2f} s",
            f"longest time from the first viewer of a turn to the last {max(delays, default=0):.1f} s",
            f"late by the logs of the nodes: {dict(self.late)}",
            f"{tally.moves / self.seconds:.0f} moves a second, {tally.moves / sum(self.spent):.0f} a CPU second: "
            + ", ".join(f"{name} {seconds:.0f} s" for name, seconds in self.spent._asdict().items()),
            f"faults: {self.faults}",
            f"refusals: {dict(tally.refusals)}",
            f"violations: {len(self.violations)}",
        ]
        return "\n".join([*lines, *(f"  {kind}: {sentence}" for kind, sentence in self.violations[:20])])


async def campaign(plan: Plan, folder: Path) -> Found:
    async with running(
        folder, plan.nodes, plan.seed, list(plan.games), plan.fault, has_cable=plan.nodes > 1 and are_permitted()
    ) as fleet:
        begun, is_told_to_end, spent = time.monotonic(), asyncio.Event(), Spent.so_far(fleet)
        if plan.tells:  # a program: it ends as after its time, with its report
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, is_told_to_end.set)
        nemesis = Nemesis(fleet, plan.seed, plan.longest)

        def is_enough() -> bool:
            has_all = load.tally.moves >= plan.moves and nemesis.done.total() >= plan.faults
            return has_all or is_told_to_end.is_set() or time.monotonic() - begun > plan.seconds

        def is_due(done: int) -> bool:
            moves, seconds = load.tally.moves, time.monotonic() - begun
            return done < plan.faults * max(moves / max(1, plan.moves), seconds / plan.seconds)

        load = LoadGenerator(fleet.balancer.port, plan.seed, is_enough, plan.think)
        checker = Checker(fleet, load, plan.every_view)
        settings = [
            each for each in SETTINGS if each["game"] in plan.games and (each.get("bots") or not plan.only_with_bots)
        ]
        players = [asyncio.create_task(load.play_at(settings)) for _ in range(plan.places)]
        checking = asyncio.create_task(checker.run())
        telling = asyncio.create_task(tell(load, nemesis, checker) if plan.tells else asyncio.sleep(0))
        try:
            await nemesis.run(is_enough, list(plan.only) if plan.only is not None else None, is_due)
            _, unfinished = await asyncio.wait(players, timeout=plan.end_seconds)
        finally:
            for task in (*players, checking, telling):
                task.cancel()
            ended = await asyncio.gather(*players, checking, telling, return_exceptions=True)
            await load.close()
        for error in ended:
            if isinstance(error, Exception):
                raise error
        await checker.finish(list(load.tables) if unfinished else [])
        checker.violations += [Violation("stuck", sentence) for sentence in nemesis.stuck]
        seconds, spent = time.monotonic() - begun, Spent.so_far(fleet).since(spent)
        late = late_lines([node.log for node in fleet.nodes])
        return Found(load.tally, dict(nemesis.done), seconds, spent, checker.violations, late)


def late_lines(logs: list[Path]) -> Counter[str]:
    """What the nodes say about changes and bots that were late: it tells a slow store from a slow node."""
    said = (log.read_text(errors="replace") for log in logs if log.exists())
    return Counter(event for text in said for event in LATE.findall(text))


async def tell(load: LoadGenerator, nemesis: Nemesis, checker: Checker) -> None:
    begun = time.monotonic()
    while True:
        await asyncio.sleep(PROGRESS_SECONDS)
        print(
            f"{time.monotonic() - begun:.0f} s: {load.tally.moves} moves in {load.tally.games} games, "
            f"{nemesis.done.total()} faults, {len(checker.violations)} violations, {len(load.finished)} to check",
            *checker.violations[:3],
            flush=True,
        )


class Checker:
    """Checks each table when its game is over, and then drops its history; at the end checks that the tables have not
    changed since."""

    def __init__(self, fleet: Fleet, load: LoadGenerator, every_view: int) -> None:
        self.violations: list[Violation] = []
        self._fleet, self._load, self._every_view = fleet, load, every_view
        self._leases = Leases(fleet.leases)
        self._checked: dict[str, bytes] = {}  # table to the hash of its entries

    async def run(self) -> None:
        while True:
            await asyncio.sleep(0.2)
            while self._load.finished:
                try:
                    await self._check(self._load.finished[0].history)
                except (OSError, TimeoutError, asyncio.IncompleteReadError):
                    break  # PostgreSQL is not reachable
                except Exception as error:
                    if type(error).__module__.startswith("asyncpg"):
                        break
                    raise
                self._load.finished.pop(0)

    async def _check(self, history: History) -> None:
        found = await self._fleet.ask(
            "SELECT number, entry FROM entries WHERE table_id = $1 ORDER BY number", history.table
        )
        chain = await self._fleet.ask("SELECT chain FROM tables WHERE id = $1", history.table)
        self._checked[history.table] = chain[0]["chain"] if chain else b""
        entries = [json.loads(each["entry"]) for each in found]
        if [each["number"] for each in found] != list(range(1, len(found) + 1)):
            self.violations.append(Violation("damaged", f"{history.table}: the numbers of its entries have gaps"))
        await asyncio.to_thread(self._compare, history, entries)

    def _compare(self, history: History, entries: list[dict[str, Any]]) -> None:
        self.violations += check(history, record_of(history.table, entries), self._every_view)
        self.violations += self._leases.check(history.table)

    async def finish(self, unfinished: list[Any]) -> None:
        for table in [*self._load.finished, *unfinished]:
            await self._check(table.history)
        self._load.finished.clear()
        now = await self._fleet.ask("SELECT id, chain FROM tables")
        chains = {each["id"]: each["chain"] for each in now}
        for table, chain in self._checked.items():
            if chains.get(table) != chain:
                self.violations.append(Violation("lost", f"{table}: its entries have changed since the game ended"))
        storage = PostgresStorage(self._fleet.primary.url(), "beside")
        await storage.open()
        after: str | None = ""
        while after is not None:
            after, damaged = await storage.check_tables(after, 500)
            self.violations += [Violation("damaged", str(each)) for each in damaged]
        await storage.close()


def record_of(table: str, entries: list[dict[str, Any]]) -> Record:
    """The record in the database, built here from the entries alone."""
    opened = entries[0]
    salts: list[str | None] = [None] * opened["seats"]
    moves, has_ended, is_dealt = [], False, False
    for entry in entries:
        match entry["k"]:
            case "salted":
                salts[entry["seat"]] = entry["salt"]
            case "dealt":
                is_dealt = True
            case "moved":
                moves.append(Made(entry["seat"], entry["action"], entry.get("by", "person")))
            case "ended":
                has_ended = True
    seed = fairness.deal_seed(table, opened["secret"], salts)
    game = tavolino.load(opened["game"])
    option = {game.meta.seat_option: 0} if game.meta.seat_option else {}
    match = game.start(opened["seats"], seed, {**opened.get("options", {}), **option}, rules=opened["rules"])
    return Record(moves, match, (opened["secret"], seed.hex()), has_ended and is_dealt)


class Leases:
    """Automatic changes of nodes: a later entry never has a lower epoch than an earlier one.

    Some entries have no time, such as the end of the salts. If a node sends one again after a lost connection and finds
    the same bytes of another node, it takes them for its own, which changes nothing. So the lowest epoch of a number
    counts: that of the node that wrote it.
    """

    def __init__(self, file: Path) -> None:
        self._file, self._read = file, 0
        self._written: dict[str, list[tuple[int, int]]] = {}

    def check(self, table: str) -> list[Violation]:
        if self._file.exists():
            with self._file.open() as file:
                file.seek(self._read)
                new = file.read().rpartition("\n")[0]
            self._read += len(new) + 1 if new else 0
            for line in new.splitlines():
                whose, number, epoch = line.split()
                self._written.setdefault(whose, []).append((int(number), int(epoch)))
        lowest: dict[int, int] = {}
        for entry, under in self._written.pop(table, []):
            lowest[entry] = min(under, lowest.get(entry, under))
        return [
            Violation("lease", f"{table}: entry {entry} was written under epoch {under}, an earlier one under {before}")
            for (_, before), (entry, under) in itertools.pairwise(sorted(lowest.items()))
            if under < before
        ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", type=int, default=3)
    parser.add_argument("--moves", type=int, default=1_000_000)
    parser.add_argument("--faults", type=int, default=500)
    parser.add_argument("--minutes", type=float, default=120, help="of this run at most, before its games are ended")
    parser.add_argument("--longest", type=float, default=20.0, help="a fault, in seconds")
    parser.add_argument("--seed", type=int, help="else by the number of runs before")
    parser.add_argument("--tables", type=int, default=MANY_PLACES, help="at a time")
    parser.add_argument("--pieces", type=int, default=1, help="do one of so many parts")
    parser.add_argument("--tally", type=Path, help="the file with the sums of all runs")
    parser.add_argument("--plant", default="none")
    parser.add_argument("--only", action="append")
    given = parser.parse_args()
    before = tallies.read(given.tally)
    moves, faults = (
        part_left(total, given.pieces, before.get(name, 0))
        for total, name in ((given.moves, "moves"), (given.faults, "faults"))
    )
    if not moves and not faults:
        print("all goes:", tallies.told(before))
        sys.exit(1 if before["violations"] else 0)
    seed = given.seed if given.seed is not None else FIRST_SEED + before.get("goes", 0)
    plan = Plan(
        given.nodes, moves, faults, given.minutes * 60, given.longest, seed, given.plant,
        tuple(given.only) if given.only else None, tavolino.games(), every_view=10,
        end_seconds=600, places=given.tables, tells=True,
    )  # fmt: skip
    print(f"seed {seed}, {moves} moves and {faults} faults to do", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        found = uvloop.run(campaign(plan, Path(folder)))
    print(found)
    if given.tally is not None:
        print("all goes:", tallies.told(tallies.add(given.tally, found.sums())))
    sys.exit(1 if found.violations else 0)


def part_left(total: int, pieces: int, done: int) -> int:
    """The work of one run: one of so many parts, or what is left."""
    return max(0, min(math.ceil(total / pieces), total - done))


if __name__ == "__main__":
    main()
