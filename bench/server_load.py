"""Many tables at once: durable moves a second, and how long a move takes to be acknowledged.

    python -m bench.server_load [--tables 250] [--seconds 15]

One server process, the players in this one. Two figures: moves as fast as they are answered, and at a steady 500 a
second the time from a move to its acknowledgement. Memory: what a table adds to the process, all its sockets open.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from pathlib import Path

from bench.server_players import People, Table, people_at, percentile
from bench.server_process import ServerProcess

STEADY = 500  # moves a second


async def open_tables(people: People, count: int) -> list[Table]:
    tables = []
    for _ in range(count):
        tables.append(await people.open_table(await people.newcomers()))
    return tables


async def play_on(people: People, tables: list[Table], n: int) -> float:
    """One move at table n; where a game is over, the same people first open another table."""
    if tables[n].over:
        await tables[n].close()
        tables[n] = await people.open_table(tables[n].tokens)
    return await tables[n].move()


async def flat_out(people: People, tables: list[Table], seconds: float) -> tuple[int, list[float]]:
    """Every table moves as soon as its last move was seen by all four."""
    end = time.perf_counter() + seconds
    took: list[float] = []

    async def keep_playing(n: int) -> None:
        while time.perf_counter() < end:
            took.append(await play_on(people, tables, n))

    await asyncio.gather(*(keep_playing(n) for n in range(len(tables))))
    return len(took), took


async def steadily(people: People, tables: list[Table], seconds: float, rate: float) -> list[float]:
    """Moves at a steady rate, the tables taking turns."""
    end = time.perf_counter() + seconds
    took: list[float] = []

    async def keep_playing(n: int) -> None:
        interval = len(tables) / rate
        moment = time.perf_counter() + interval * n / len(tables)
        while moment < end:
            await asyncio.sleep(max(0.0, moment - time.perf_counter()))
            took.append(await play_on(people, tables, n))
            moment += interval

    await asyncio.gather(*(keep_playing(n) for n in range(len(tables))))
    return took


async def measure(server: ServerProcess, count: int, seconds: float) -> None:
    async with people_at(server.address) as people:
        (first,) = await open_tables(people, 1)  # what the first table loads is not a table's cost
        await first.move()
        before = server.memory()
        tables = await open_tables(people, count)
        opened = server.memory()
        steady = await steadily(people, tables, seconds, STEADY)
        busy, started = server.processor_seconds(), time.perf_counter()
        moves, took = await flat_out(people, tables, seconds)
        elapsed = time.perf_counter() - started
        used = server.processor_seconds() - busy
        after = server.memory()
    print(f"{count} tables of 4 sockets")
    print(
        f"  at {STEADY} moves/s: {len(steady)} moves, move to acknowledgement "
        f"p50 {percentile(steady, 0.5) * 1e3:.1f} ms, p99 {percentile(steady, 0.99) * 1e3:.1f} ms"
    )
    print(
        f"  flat out: {moves / elapsed:.0f} durable moves/s, p50 {percentile(took, 0.5) * 1e3:.1f} ms, "
        f"p99 {percentile(took, 0.99) * 1e3:.1f} ms"
    )
    print(
        f"  the server used {used / elapsed:.2f} of a core, {used / moves * 1e6:.0f} µs of it a move "
        f"(new tables included), so a core to itself makes {moves / used:.0f} moves/s"
    )
    print(
        f"  memory a table: {(opened - before) / count / 1000:.1f} kB opened, "
        f"{(after - before) / count / 1000:.1f} kB after play"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=250)
    parser.add_argument("--seconds", type=float, default=15)
    wish = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = ServerProcess(Path(folder))
        try:
            asyncio.run(measure(server, wish.tables, wish.seconds))
        finally:
            server.stop()


if __name__ == "__main__":
    main()
