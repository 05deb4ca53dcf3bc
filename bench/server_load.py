"""Many tables at once: durable moves a second, and how long a move takes to be acknowledged.

    python -m bench.server_load [--tables 250] [--seconds 15]

One server process, the players in this one. Moves as fast as they are answered, first while every table plays its
first game, then with new tables opened where games end; at a steady 500 a second, the time from a move to its
acknowledgement. Memory: what a table adds to the process, alone and with all its sockets open. For more than the
server can do there is `bench/server_overload.py`.
"""

from __future__ import annotations

import argparse
import asyncio
import time

from bench.server_players import NotNow, People, Table, people_at, percentile, run
from bench.server_process import ServerProcess, running_server

STEADY = 500  # moves a second
AT_FIRST = 200  # tables opened before memory is measured, so that what is loaded once does not count


async def open_tables(people: People, count: int) -> list[Table]:
    return [await people.open_table(await people.newcomers()) for _ in range(count)]


async def play_on(people: People, tables: list[Table], n: int) -> list[float]:
    """One move at table n. When a game is over, its people first open another table, if they may."""
    if tables[n].over:
        await tables[n].close()
        try:
            tables[n] = await people.open_table(tables[n].tokens)
        except NotNow:
            people.refused += 1
            await asyncio.sleep(1)
            return []
    return [await tables[n].move()]


async def first_games(tables: list[Table]) -> list[float]:
    """Every table moves as soon as its last move was seen by all four, until the first game is over."""
    took: list[float] = []

    async def keep_playing(table: Table) -> None:
        while not any(each.over for each in tables):
            took.append(await table.move())

    await asyncio.gather(*(keep_playing(table) for table in tables))
    return took


async def flat_out(people: People, tables: list[Table], seconds: float) -> list[float]:
    """The same for a fixed time, including games that end and new tables."""
    end = time.perf_counter() + seconds
    took: list[float] = []

    async def keep_playing(n: int) -> None:
        while time.perf_counter() < end:
            took.extend(await play_on(people, tables, n))

    await asyncio.gather(*(keep_playing(n) for n in range(len(tables))))
    return took


async def steadily(people: People, tables: list[Table], seconds: float, rate: float) -> list[float]:
    """Moves at a steady rate, one table after the other."""
    end = time.perf_counter() + seconds
    took: list[float] = []

    async def keep_playing(n: int) -> None:
        interval = len(tables) / rate
        moment = time.perf_counter() + interval * n / len(tables)
        while moment < end:
            await asyncio.sleep(max(0.0, moment - time.perf_counter()))
            took.extend(await play_on(people, tables, n))
            moment += interval

    await asyncio.gather(*(keep_playing(n) for n in range(len(tables))))
    return took


class Period:
    """A period of play: the CPU time of the server and of the players."""

    def __init__(self, server: ServerProcess, name: str) -> None:
        self._server, self._name = server, name
        self._started, self._busy, self._own = time.perf_counter(), server.processor_seconds(), time.process_time()

    def tell(self, took: list[float]) -> None:
        elapsed = time.perf_counter() - self._started
        busy, own = self._server.processor_seconds() - self._busy, time.process_time() - self._own
        print(
            f"  {self._name}: {len(took)} moves, {len(took) / elapsed:.0f} a second; to the acknowledgement "
            f"p50 {percentile(took, 0.5) * 1e3:.1f} ms, p99 {percentile(took, 0.99) * 1e3:.1f} ms; "
            f"the server used {busy / elapsed:.2f} of a core ({busy / len(took) * 1e6:.0f} µs a move), "
            f"the players {own / elapsed:.2f}",
            flush=True,
        )


async def measure(server: ServerProcess, count: int, seconds: float) -> None:
    print(f"{count} tables of 4 sockets")
    async with people_at(server.address) as people:
        for table in await open_tables(people, AT_FIRST):
            await table.move()
        before = server.memory()
        tables = [await people.deal_table(await people.newcomers()) for _ in range(count)]
        dealt = server.memory()
        for table in tables:
            await table.connect()
        connected = server.memory()
        period = Period(server, "flat out, first games")
        period.tell(await first_games(tables))
        period = Period(server, f"at {STEADY} moves/s")
        period.tell(await steadily(people, tables, seconds, STEADY))
        period = Period(server, "flat out, new tables included")
        period.tell(await flat_out(people, tables, seconds))
        after = server.memory()
    print(
        f"  memory a table: {(dealt - before) / count / 1000:.1f} kB dealt, "
        f"{(connected - before) / count / 1000:.1f} kB with its sockets, "
        f"{(after - before) / count / 1000:.1f} kB after play"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=250)
    parser.add_argument("--seconds", type=float, default=15)
    args = parser.parse_args()
    with running_server(sheds_load=False) as server:
        run(measure(server, args.tables, args.seconds))


if __name__ == "__main__":
    main()
