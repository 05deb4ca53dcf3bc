"""A server with many stored tables: how soon it is ready, and how long opening any one of them takes.

python -m bench.server_start [--tables 1000]
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from pathlib import Path

import httpx
from bench.server_players import percentile
from bench.server_process import ServerProcess

import tavolino
from tavolino.server.clock import Moment
from tavolino.server.features import entry_kinds
from tavolino.server.games import fairness
from tavolino.server.kernel import deal, rows
from tavolino.server.kernel import entries as e
from tavolino.server.kernel.state import TableState
from tavolino.server.storage import Appended
from tavolino.server.storage.sqlite import SqliteStorage

PLAYED = 60  # decisions at most in each stored table


async def store(folder: Path, count: int) -> list[str]:
    """Tables in the middle of their games, as play would have left them."""
    game = tavolino.load("mantis")
    storage = SqliteStorage(folder)
    await storage.open()
    tables = []
    for n in range(count):
        state = TableState(f"{n:022d}")
        people = [f"person-{n}-{seat}" for seat in range(4)]
        opened = e.Opened("mantis", game.rules, people[0], fairness.new_secret(), time.time(), seats=4)
        entries: list[e.Entry] = [opened, *(e.Joined(seat, person) for seat, person in enumerate(people))]
        entries += [e.Sealing(time.time()), e.Sealed(), e.Dealt(time.time())]
        for entry in entries:
            entry_kinds().apply(state, entry)
        match = deal.deal(state, game)
        for turn in range(PLAYED):
            if match.to_act is None or len(match.legal()) < 2:
                break
            twin = match.clone()
            action = match.legal()[(n + turn) % len(match.legal())]
            twin.play(action)
            if twin.over:
                break
            entries.append(e.Moved(match.to_act, action, time.time()))
            entry_kinds().apply(state, entries[-1])
            match = twin
        row = rows.row_of(state, match, Moment(time.time(), 0, 0), entry_kinds())
        await storage.append(Appended(row, 1, [e.encode(entry) for entry in entries]))
        tables.append(state.id)
    await storage.close()
    return tables


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=1_000)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        tables = asyncio.run(store(Path(folder), args.tables))
        server = ServerProcess(Path(folder))
        try:
            processor = server.processor_seconds()
            took = []
            with httpx.Client(base_url=server.address) as client:
                client.get("/healthz")
                for table in tables[:300]:
                    started = time.perf_counter()
                    assert client.get(f"/api/tables/{table}/play").status_code == 200
                    took.append(time.perf_counter() - started)
            print(
                f"{args.tables} stored tables: first answer {server.first_answer:.2f} s after the start, "
                f"Mantis ready after {max(server.first_answer, server.game_ready):.2f} s "
                f"({processor:.2f} s of a core)"
            )
            print(
                f"opening a table: p50 {percentile(took, 0.5) * 1e3:.1f} ms, "
                f"p99 {percentile(took, 0.99) * 1e3:.1f} ms, most {max(took) * 1e3:.1f} ms"
            )
        finally:
            server.stop()


if __name__ == "__main__":
    main()
