"""What a move costs with one node and with several: CPU of the nodes, and how long a move takes, in one run.

    python -m bench.nodes --seconds 20 --rounds 2 --rate 500

People play a game: with all that concerns a table at one node, as behind a proxy that hashes by table id, and with
every connection at any node, so that every node has every table and hears of every move. A hashing proxy opens half of
the tables at the other node, which costs something once a table and is not counted here. They play as fast as they can,
and then at a rate that is the same for all. CPU is that of the node processes, user and system. Nodes with a core each
make as many moves more as their cost of a move allows. Rounds take turns, so that a busy machine hits all alike.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import uvloop
from tests.nodes.fleet import Fleet, running
from tests.nodes.players import LoadGenerator

PLACES = 16
IDLE_SECONDS = 5.0
OPEN_SECONDS = 180.0  # at most, until people play at all tables


class Measured(NamedTuple):
    cpu: float  # seconds of all nodes a move
    extra: float  # the same without what they take when nobody plays
    idle: float  # CPU seconds of a node a second when nobody plays
    rate: float  # moves a second
    median: float  # seconds until a move was answered, as its player saw it
    p99: float


async def play(
    game: str, count: int, is_hashed: bool, seconds: float, rates: list[float], places: int
) -> list[Measured]:
    """For each rate; 0: as fast as possible."""
    is_over = False
    found = []
    with tempfile.TemporaryDirectory() as folder:
        async with running(Path(folder), count, 7, [game], has_standby=False) as fleet:
            ports = [node.port for node in fleet.nodes] if is_hashed else [fleet.balancer.port]
            loads = [LoadGenerator(port, seed, lambda: is_over) for seed, port in enumerate(ports, 7)]
            idle = await spent_within(fleet, IDLE_SECONDS) / IDLE_SECONDS
            players = [
                asyncio.create_task(loads[place % len(loads)].play_at([{"game": game, "seats": 2}]))
                for place in range(places)
            ]
            async with asyncio.timeout(OPEN_SECONDS):
                while sum(len(load.tables) for load in loads) < places:
                    await asyncio.sleep(0.1)
            for rate in rates:
                for load in loads:
                    load.rate = rate / len(loads)
                await asyncio.sleep(3)
                before, began = sum(load.tally.moves for load in loads), time.monotonic()
                for load in loads:
                    load.tally.answers.clear()
                cpu = await spent_within(fleet, seconds)
                moves, lasted = sum(load.tally.moves for load in loads) - before, time.monotonic() - began
                answers = [answer for load in loads for answer in load.tally.answers]
                p99 = statistics.quantiles(answers, n=100)[98]
                extra = (cpu - idle * lasted) / moves
                found.append(
                    Measured(cpu / moves, extra, idle / count, moves / lasted, statistics.median(answers), p99)
                )
            is_over = True
            for load in loads:
                load.rate = 0
            await asyncio.wait(players, timeout=60)
            for player in players:
                player.cancel()
            await asyncio.gather(*players, return_exceptions=True)
            for load in loads:
                await load.close()
    return found


async def spent_within(fleet: Fleet, seconds: float) -> float:
    before = sum(node.cpu_seconds() for node in fleet.nodes)
    await asyncio.sleep(seconds)
    return sum(node.cpu_seconds() for node in fleet.nodes) - before


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--game", default="mantis", help="in long games, opening a table weighs less")
    options.add_argument("--seconds", type=float, default=20)
    options.add_argument("--rounds", type=int, default=2)
    options.add_argument("--places", type=int, default=PLACES, help="tables at a time for each node")
    options.add_argument("--rate", type=float, default=500, help="moves a second of all tables together")
    chosen = options.parse_args()
    rates = [0.0, chosen.rate]
    found: dict[tuple[int, bool], list[list[Measured]]] = {(1, False): [], (2, True): [], (2, False): []}
    for _ in range(chosen.rounds):
        for how, results in found.items():
            results.append(uvloop.run(play(chosen.game, *how, chosen.seconds, rates, how[0] * chosen.places)))
    for number, rate in enumerate(rates):
        print(f"at {rate:.0f} moves a second:" if rate else "as fast as possible:")
        alone = statistics.median(each[number].cpu for each in found[1, False])
        for (count, is_hashed), results in found.items():
            columns = zip(*(each[number] for each in results), strict=True)
            cpu, extra, idle, reached, median, p99 = map(statistics.median, columns)
            where = "each table at one" if is_hashed else "connections at any"
            print(
                f"  {count} nodes, {where}: {1e6 * cpu:.0f} µs of CPU a move ({cpu / alone:.2f} times that of one; "
                f"with a core each {count * alone / cpu:.2f} times its moves), {1e6 * extra:.0f} µs beyond the "
                f"{1e3 * idle:.0f} ms a second and node idle, {reached:.0f} moves/s, "
                f"answered within {1e3 * median:.0f} ms (median), {1e3 * p99:.0f} ms (p99)"
            )


if __name__ == "__main__":
    main()
