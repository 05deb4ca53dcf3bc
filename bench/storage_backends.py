"""What a move costs on SQLite and on PostgreSQL: CPU of the server's process, and moves a second, in one run.

    python -m bench.storage_backends --tables 50 --moves 100 --rounds 5

PostgreSQL is started by this program (Debian's, see tests/postgresql.py); its own CPU is not counted. Rounds of both
take turns, so that a busy machine hits both; the median of the rounds is shown.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import tempfile
import time
from pathlib import Path

from tests.postgresql import postgres
from tests.server.storage_contract import row

from tavolino.server.storage import Appended, Storage
from tavolino.server.storage.postgres import PostgresStorage
from tavolino.server.storage.sqlite import SqliteStorage

ENTRY = b'{"k":"moved","seat":1,"action":"steal 3","at":1790000000.25,"up":12345.5}'
CARD = b"{" + b"x" * 300 + b"}"


async def play(storage: Storage, tables: list[str], first: int, moves: int) -> tuple[float, float]:
    """CPU and wall seconds for so many moves at each table: sequential at one table, tables in parallel."""

    async def at(table: str) -> None:
        for number in range(first, first + moves):
            await storage.append(Appended(row(table, "playing", card=CARD), number, [ENTRY]))

    cpu, began = time.process_time(), time.perf_counter()
    await asyncio.gather(*map(at, tables))
    return time.process_time() - cpu, time.perf_counter() - began


async def compare(folder: Path, url: str, tables: int, moves: int, rounds: int) -> None:
    storages: dict[str, Storage] = {"SQLite": SqliteStorage(folder), "PostgreSQL": PostgresStorage(url)}
    spent: dict[str, list[tuple[float, float]]] = {name: [] for name in storages}
    names = [f"table-{n}" for n in range(tables)]
    for storage in storages.values():
        await storage.open()
        await play(storage, names, 1, 10)  # warm
    for each in range(rounds):
        for name, storage in storages.items():
            spent[name].append(await play(storage, names, 11 + each * moves, moves))
    for storage in storages.values():
        await storage.close()
    count = tables * moves
    cpu = {name: statistics.median(cpu for cpu, _ in found) / count for name, found in spent.items()}
    for name, found in spent.items():
        seconds = statistics.median(seconds for _, seconds in found)
        print(f"{name:10}  {1e6 * cpu[name]:6.0f} µs of CPU a move  {count / seconds:8.0f} moves/s")
    print(f"ratio of CPU, PostgreSQL to SQLite: {cpu['PostgreSQL'] / cpu['SQLite']:.2f}")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--tables", type=int, default=50)
    options.add_argument("--moves", type=int, default=100)
    options.add_argument("--rounds", type=int, default=5)
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as folder, postgres() as server:
        asyncio.run(compare(Path(folder), server.url(), chosen.tables, chosen.moves, chosen.rounds))


if __name__ == "__main__":
    main()
