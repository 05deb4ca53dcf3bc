"""Thousands of idle tables: housekeeping must not delay the games."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from functools import partial
from pathlib import Path
from typing import Any

import apsw
import pytest

from tavolino.server import protocol as p
from tavolino.server.people.identities import Person
from tavolino.server.storage import Appended
from tavolino.server.storage.sqlite import SqliteStorage
from tests.server.clients import Guest
from tests.server.conftest import Clock, Server
from tests.server.storage_contract import row

TABLES = 5_000
LONGEST_STALL = 0.02  # it was 0.5 s for 30,000 tables in memory; a slice takes 2 ms


async def longest_stall(work: Callable[[], Coroutine[Any, Any, None]]) -> float:
    """The longest time that the event loop was blocked meanwhile: in CPU seconds of its own thread, so
    that other programs on the machine do not count."""
    longest, last, done = 0.0, time.thread_time(), False

    async def watch() -> None:
        nonlocal longest, last
        while not done:
            await asyncio.sleep(0)
            now = time.thread_time()
            longest, last = max(longest, now - last), now

    watching = asyncio.create_task(watch())
    await asyncio.sleep(0.05)
    longest = 0.0
    await work()
    done = True
    await watching
    return longest


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_threat_47_sweeps_do_not_stall_the_loop_however_many_tables_wait(start_server: Callable[..., Server]) -> None:
    clock = Clock()
    server = start_server(clock=clock).ready("mantis")
    registry, housekeeping = server.registry, server.housekeeping

    async def open_many() -> None:
        people = [Person((await registry.context.people.add(f"P{n}"))[0].id, "P") for n in range(TABLES // 100)]
        for host in people:
            settings = p.OpenTable(game="mantis", seats=2)
            await asyncio.gather(*(registry.open(host, settings) for _ in range(100)))

    async def sweep() -> None:
        await housekeeping.sweep()
        housekeeping.collect_garbage()

    server.run(open_many)
    server.run(sweep)  # what is new is looked at once
    assert len(registry.tables) == TABLES
    stalls = {"in use": server.run(lambda: longest_stall(sweep))}
    clock.advance(1_000)
    stalls["dropped"] = server.run(lambda: longest_stall(housekeeping.sweep))
    assert len(registry.tables) == 0
    server.run(sweep)
    stalls["stored"] = server.run(lambda: longest_stall(sweep))
    print({what: f"{1000 * seconds:.0f} ms" for what, seconds in stalls.items()})
    assert max(stalls.values()) < LONGEST_STALL, stalls


def plan_of(query: str, values: Any, c: apsw.Connection) -> list[str]:
    return [step for (_, _, _, step) in c.execute(f"EXPLAIN QUERY PLAN {query}", values)]


def test_threat_47_what_is_due_is_found_by_an_index(tmp_path: Path) -> None:
    async def work() -> list[str]:
        storage = SqliteStorage(tmp_path)
        await storage.open()
        await storage.append(Appended(row("t"), 1, [b"x"]))
        asked: list[tuple[str, Any]] = []

        def note(cursor: apsw.Cursor, query: str, values: Any) -> bool:
            if query.startswith("SELECT id"):
                asked.append((query, values))
            return True

        await storage._writer.do(lambda c: setattr(c, "exec_trace", note))
        await storage.idle_tables(9, 9)
        await storage.ended_tables(9, 9)
        await storage.waking_tables("mantis", "", 9)
        await storage._writer.do(lambda c: setattr(c, "exec_trace", None))
        assert len(asked) == 3
        plans = []
        for query, values in asked:
            plans += await storage._writer.do(partial(plan_of, query, values))
        await storage.close()
        return plans

    plans = asyncio.run(work())
    assert all(step.startswith("SEARCH tables USING") for step in plans), plans


def test_abandoned_tables_beyond_one_slice_come_with_the_next_sweeps(start_server: Callable[..., Server]) -> None:
    clock = Clock()
    server = start_server(clock=clock).ready("mantis")
    ada = Guest(server.address)
    tables = [ada.open("mantis", 2) for _ in range(120)]
    clock.advance(31 * 86_400)
    for _ in range(2):
        server.run(server.housekeeping.sweep)
        end = time.monotonic() + 20
        while (waiting := server.run(server.context.storage.count_open)) > 20 and time.monotonic() < end:
            time.sleep(0.05)
    while (waiting := server.run(server.context.storage.count_open)) and time.monotonic() < end:
        time.sleep(0.05)
    assert waiting == 0
    assert ada.http.get(f"/api/tables/{tables[0]}").json()["ending"]["how"] == "abandoned"
