"""How many nodes so many tables need, and what breaks first: a small simulation from measured costs.

    python -m bench.capacity                      # with the costs that were measured last (COSTS)
    python -m bench.capacity --measure            # measure what the database takes, here and now; needs PostgreSQL

Every table moves at random, on average once in so many seconds. A node is one core for its event loop: moves queue for
it, are served one after the other, and wait for a commit. The simulation plays a minute of one node with the load that
it would have, and says how long moves take. Memory, disk, WAL and messages follow by multiplication.
"""

from __future__ import annotations

import argparse
import asyncio
import heapq
import math
import os
import random
import statistics
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import asyncpg
from tests.postgresql import postgres
from tests.server.storage_contract import row

from tavolino.server.clock import Moment
from tavolino.server.storage import Appended
from tavolino.server.storage.nodes import Known
from tavolino.server.storage.postgres import PostgresStorage

MICRO, KILO, MEGA, GIGA = 1e-6, 1e3, 1e6, 1e9
BUSY = 0.6  # of a node's core, at most: above that it opens no new tables
TABLES_OF_A_NODE = 30_000  # two sockets each: what one process may have as descriptors
ENTRY = b'{"k":"moved","seat":1,"action":"steal 3","at":1790000000.25,"up":12345.5}'
AT_ONCE = 4
CARD = b"{" + b"x" * 300 + b"}"


@dataclass(frozen=True)
class Costs:
    """What was measured, a table or a move."""

    node_move: float = 435.0  # microseconds of a node's core, with four sockets a table: bench.server_load
    node_table: float = 45 * KILO  # bytes in memory, with three sockets open
    node_more: float = 130.0  # microseconds more a move as soon as there are other nodes: bench.nodes, with hashing
    node_hint: float = 190.0  # and so many more for a table that a second node has, too: bench.nodes, without
    node_look: float = 3.0  # microseconds a second for each table in memory: the look at its number
    database_move: float = 130.0  # microseconds of PostgreSQL's processors
    database_look: float = 2.0  # microseconds a second for each table that a node has in memory
    commit: float = 2_000.0  # microseconds until a commit returns, a synchronous standby included
    wal_move: float = 1_100.0  # bytes
    disk_move: float = 220.0  # bytes that stay


@dataclass(frozen=True)
class Plan:
    tables: int
    seconds_a_move: float
    nodes: int
    move_median: float  # seconds, from its arrival to its acknowledgement
    move_p99: float
    node_busy: float  # share of its core
    node_memory: float
    database_cores: float
    wal_second: float
    disk_day: float
    hints_second: float


def plan(tables: int, seconds_a_move: float, costs: Costs, elsewhere: float, seed: int = 1) -> Plan:
    """`elsewhere`: the share of tables that a second node has in memory, too (1 without hashing by table id)."""
    moves = tables / seconds_a_move
    nodes = max(1, math.ceil(tables / TABLES_OF_A_NODE))
    more = costs.node_more + elsewhere * costs.node_hint
    while True:
        here = tables / nodes
        busy = here / seconds_a_move * costs.node_move * MICRO + here * costs.node_look * MICRO
        if nodes > 1:
            busy += here / seconds_a_move * more * MICRO
        if busy <= BUSY:
            break
        nodes += 1
    costs = replace(costs, node_move=costs.node_move + (more if nodes > 1 else 0.0))
    waits = simulate(here / seconds_a_move, costs, random.Random(seed), busy)
    database_cores = (moves * costs.database_move + tables * costs.database_look) * MICRO
    return Plan(
        tables, seconds_a_move, nodes, statistics.median(waits), statistics.quantiles(waits, n=100)[98], busy,
        here * costs.node_table * (1 + elsewhere), database_cores,
        moves * costs.wal_move, moves * costs.disk_move * 86_400, moves * elsewhere if nodes > 1 else 0.0,
    )  # fmt: skip


def simulate(moves_a_second: float, costs: Costs, chance: random.Random, busy: float) -> list[float]:
    """How long moves take at one node: a queue for its core, twice a move (decide, then apply and show), and a commit
    in between. Moves arrive at random; the look at all tables blocks the core once a second."""
    rest = max(0.0, busy - moves_a_second * costs.node_move * MICRO)  # of the core: looks
    work: list[tuple[float, int, float, float]] = []  # when, kind, how long it takes, when its move has arrived
    arrives, seconds = 0.0, min(60.0, 20_000 / max(moves_a_second, 1))
    while arrives < seconds:
        arrives += chance.expovariate(moves_a_second)
        heapq.heappush(work, (arrives, 0, chance.gammavariate(4, costs.node_move * MICRO / 8), arrives))
    for second in range(int(seconds)):
        heapq.heappush(work, (second + 0.5, 2, rest, 0.0))
    free, taken = 0.0, []
    while work:
        when, kind, lasts, arrived = heapq.heappop(work)
        free = max(free, when) + lasts
        if kind == 0:
            commit = chance.gammavariate(4, costs.commit * MICRO / 4)
            heapq.heappush(work, (free + commit, 1, chance.gammavariate(4, costs.node_move * MICRO / 8), arrived))
        elif kind == 1:
            taken.append(free - arrived)
    return taken


# -- measuring


async def measure(costs: Costs, tables: int, moves: int) -> Costs:
    """What a move and a look take of the database, with so many tables stored."""
    with postgres() as server:
        storage = PostgresStorage(server.url())
        await storage.open()
        assert storage.nodes is not None
        await storage.nodes.beat(Moment(time.time(), 1.0, 1.0), [])
        names = [f"table-{number:07d}-abcdefgh" for number in range(tables)]
        await asyncio.gather(*(storage.append(Appended(row(name, "playing", card=CARD), 1, [ENTRY])) for name in names))
        connection = await asyncpg.connect(server.url(), server_settings={"search_path": "tavolino"})

        async def wal() -> Any:
            return await connection.fetchval("SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8")

        async def play(first: int) -> None:
            """A few tables at once, as moves arrive at a node with much to do: they are written together."""
            for number in range(first, first + moves):
                for n in range(0, tables, AT_ONCE):
                    items = [
                        Appended(row(name, "playing", card=CARD), number, [ENTRY]) for name in names[n : n + AT_ONCE]
                    ]
                    await asyncio.gather(*map(storage.append, items))

        await play(2)
        await connection.execute("CHECKPOINT")
        before = (await wal(), processor_seconds(server.port), await size(connection))
        began = time.perf_counter()
        await play(2 + moves)
        lasted = time.perf_counter() - began
        count = tables * moves
        log, database, stored = (await wal(), processor_seconds(server.port), await size(connection))
        known = [Known(name, 2 * moves + 1, 1) for name in names]
        own, theirs = time.process_time(), processor_seconds(server.port)
        for _ in range(10):
            await storage.nodes.differences(known)
        own, theirs = time.process_time() - own, processor_seconds(server.port) - theirs
        await connection.close()
        await storage.close()
    print(f"{count} moves at {tables} tables in {lasted:.1f} s")
    return replace(
        costs,
        database_move=(database - before[1]) / count / MICRO,
        wal_move=(log - before[0]) / count,
        disk_move=(stored - before[2]) / count,
        node_look=own / 10 / tables / MICRO,
        database_look=theirs / 10 / tables / MICRO,
    )


async def size(connection: Any) -> float:
    return float(await connection.fetchval("SELECT pg_total_relation_size('entries')"))


def processor_seconds(port: int) -> float:
    """CPU seconds of all processes of a PostgreSQL. Its main process has the port in its command line and includes the
    time of children that have ended."""
    total, parents = 0.0, set()
    stats = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rsplit(")", 1)[1].split()
            stats[int(folder.name)] = fields
            if f"--port={port}".encode() in (folder / "cmdline").read_bytes().split(b"\0"):
                parents.add(int(folder.name))
        except OSError:
            continue
    for process, fields in stats.items():
        if process in parents or int(fields[1]) in parents:
            total += sum(map(int, fields[11:15] if process in parents else fields[11:13]))
    return total / os.sysconf("SC_CLK_TCK")


# -- showing


def show(costs: Costs, seconds_a_move: float, elsewhere: float) -> None:
    print(
        f"a move in {seconds_a_move:.0f} s at each table, {elsewhere:.0%} of the moves heard at a second node; {costs}"
    )
    print(
        "| tables | moves/s | nodes | busy | median | p99 | node memory | database cores | WAL | disk a day | hints |"
    )
    print("|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
    for tables in (1_000, 10_000, 100_000, 1_000_000):
        found = plan(tables, seconds_a_move, costs, elsewhere)
        print(
            f"| {tables:,} | {tables / seconds_a_move:,.0f} | {found.nodes} | {found.node_busy:.0%} "
            f"| {1e3 * found.move_median:.1f} ms | {1e3 * found.move_p99:.1f} ms | {found.node_memory / GIGA:.2f} GB "
            f"| {found.database_cores:.1f} | {found.wal_second / MEGA:.1f} MB/s | {found.disk_day / GIGA:.1f} GB "
            f"| {found.hints_second:,.0f}/s |"
        )


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--measure", action="store_true")
    options.add_argument("--tables", type=int, default=2_000, help="stored while it is measured")
    options.add_argument("--moves", type=int, default=10, help="of each of them")
    options.add_argument("--seconds-a-move", type=float, default=12.0)
    options.add_argument("--elsewhere", type=float, default=0.1)
    chosen = options.parse_args()
    costs = Costs()
    if chosen.measure:
        costs = asyncio.run(measure(costs, chosen.tables, chosen.moves))
    show(costs, chosen.seconds_a_move, chosen.elsewhere)


if __name__ == "__main__":
    main()
