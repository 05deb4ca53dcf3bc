"""What a move costs with one node and with several: CPU of the nodes, and how long a move takes, in one run.

    python -m bench.nodes --seconds 20 --rounds 2

People play Mantis, with a proxy that sends each table to one node, and with one that sends every connection to any
node: then every node has every table and hears of every move. Rounds take turns, so that a busy machine hits all alike.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import tempfile
import time
import zlib
from pathlib import Path
from typing import NamedTuple

import uvloop
from tests.nodes.fleet import Fleet, running
from tests.nodes.players import House

PLACES = 16
IDLE_SECONDS = 5.0


def cpu_seconds(fleet: Fleet) -> float:
    total = 0
    for node in fleet.nodes:
        fields = Path(f"/proc/{node.process}/stat").read_text().rsplit(")", 1)[1].split()
        total += int(fields[11]) + int(fields[12])
    return total / os.sysconf("SC_CLK_TCK")


class Measured(NamedTuple):
    cpu: float  # seconds of all nodes a move, besides what they take when nobody plays
    idle: float  # CPU seconds of a node a second when nobody plays
    rate: float  # moves a second
    median: float  # seconds until a move was answered, as its player saw it
    p99: float


async def play(count: int, is_hashed: bool, seconds: float, think: float, tables: int) -> Measured:
    is_over = False
    with tempfile.TemporaryDirectory() as folder:
        async with running(Path(folder), count, 7, ["mantis"], has_standby=False) as fleet:
            house = House(fleet.balancer.port, 7, lambda: is_over, think)
            if is_hashed:
                ports = [node.port for node in fleet.nodes]
                house.port_of = lambda table: ports[zlib.crc32(table.encode()) % count]
            idle = await spent_within(fleet, IDLE_SECONDS) / IDLE_SECONDS
            places = [asyncio.create_task(house.play_at([{"game": "mantis", "seats": 2}])) for _ in range(tables)]
            await asyncio.sleep(3)
            moves, began = house.tally.moves, time.monotonic()
            house.tally.answers.clear()
            cpu = await spent_within(fleet, seconds)
            moves, lasted = house.tally.moves - moves, time.monotonic() - began
            answers = list(house.tally.answers)
            is_over = True
            await asyncio.wait(places, timeout=60)
            for place in places:
                place.cancel()
            await asyncio.gather(*places, return_exceptions=True)
            await house.close()
    slowest = statistics.quantiles(answers, n=100)[98]
    return Measured((cpu - idle * lasted) / moves, idle / count, moves / lasted, statistics.median(answers), slowest)


async def spent_within(fleet: Fleet, seconds: float) -> float:
    before = cpu_seconds(fleet)
    await asyncio.sleep(seconds)
    return cpu_seconds(fleet) - before


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--seconds", type=float, default=20)
    options.add_argument("--rounds", type=int, default=2)
    options.add_argument("--places", type=int, default=PLACES, help="tables at a time")
    options.add_argument("--think", type=float, default=0.0, help="seconds that people take for a move at most")
    chosen = options.parse_args()
    found: dict[tuple[int, bool], list[Measured]] = {(1, False): [], (2, True): [], (2, False): []}
    for _ in range(chosen.rounds):
        for how, results in found.items():
            results.append(uvloop.run(play(*how, chosen.seconds, chosen.think, chosen.places)))
    alone = statistics.median(each.cpu for each in found[1, False])
    for (count, is_hashed), results in found.items():
        cpu, idle, rate, median, p99 = (statistics.median(each[n] for each in results) for n in range(5))
        where = "each table at one" if is_hashed else "connections at any"
        print(
            f"{count} nodes, {where}: {1e6 * cpu:.0f} µs of CPU a move ({cpu / alone:.2f} times that of one; with a "
            f"core each {count * alone / cpu:.2f} times its moves), {1e3 * idle:.0f} ms a second and node idle, "
            f"{rate:.0f} moves/s, answered within {1e3 * median:.0f} ms (median), {1e3 * p99:.0f} ms (p99)"
        )


if __name__ == "__main__":
    main()
