"""Live moves while every bot worker thinks: the time to acknowledgement beside an idle server's.

python -m bench.server_bots [--tables 50] [--seconds 10] [--level hard]
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from pathlib import Path

from bench.server_load import open_tables, steadily
from bench.server_players import People, people_at, percentile, run
from bench.server_process import ServerProcess

BOT_TABLES = 12
RATE = 100  # moves a second


async def let_bots_play(people: People, level: str, tables: int) -> None:
    """Tables whose person has resigned to the bots' company: nobody but bots moves, again and again."""
    for _ in range(tables):
        (token, *_) = await people.newcomers()
        table = await people.call("/api/play-now", {"game": "mantis", "level": level, "seats": 6}, token)
        path = f"/api/tables/{table['id']}/commands"
        await people.call(path, {"type": "salt", "salt": "0" * 64}, token)


async def keep_bots_busy(people: People, level: str) -> None:
    while True:
        await let_bots_play(people, level, BOT_TABLES)
        await asyncio.sleep(4)


async def measure(server: ServerProcess, count: int, seconds: float, level: str) -> None:
    async with people_at(server.address) as people:
        tables = await open_tables(people, count)
        idle = await steadily(people, tables, seconds, RATE)
        crowd = asyncio.create_task(keep_bots_busy(people, level))
        await asyncio.sleep(3)
        busy = await steadily(people, tables, seconds, RATE)
        waiting = (await people.get("/metrics")).split("\ntavolino_bots_waiting ")[1].split()[0]
        crowd.cancel()
    for name, took in (("idle", idle), ("busy", busy)):
        print(
            f"{name}: {len(took)} moves, p50 {percentile(took, 0.5) * 1e3:.1f} ms, "
            f"p99 {percentile(took, 0.99) * 1e3:.1f} ms"
        )
    print(f"ratio of p99: {percentile(busy, 0.99) / percentile(idle, 0.99):.2f}; bots waiting at the end: {waiting}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--level", default="hard")
    wish = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = ServerProcess(Path(folder), workers=1)
        try:
            run(measure(server, wish.tables, wish.seconds, wish.level))
        finally:
            server.stop()


if __name__ == "__main__":
    main()
