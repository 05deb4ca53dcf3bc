"""Errors that nobody has foreseen: in the jobs of a server they end nothing but what they happen in."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tavolino.server.features.ratings.feature import Ratings
from tavolino.server.features.ratings.stored import StoredResults
from tavolino.server.kernel.journal import Journal
from tavolino.server.storage import StorageError
from tavolino.server.tables import compaction, jobs
from tests.server.clients import Guest, dealt_table
from tests.server.conftest import Clock, Server
from tests.server.raw import wait_until

StartServer = Callable[..., Server]
DAY = 86_400


def finished(server: Server, count: int = 1) -> list[str]:
    """Tables that have ended, whose results are counted, and which are in memory no more."""
    people = [Guest(server.address, name) for name in ("Ada", "Bruno")]
    tables = [dealt_table(people, "mantis") for _ in range(count)]
    results = StoredResults(server.context.storage)
    for table in tables:
        people[0].do(table, "resign")
    wait_until(lambda: not server.run(partial(results.unsettled_results, count)))
    for table in tables:
        server.run(partial(server.registry.discard, table))
    return sorted(tables)


def crashes(server: Server) -> float:
    found: float = server.context.metrics.crashes._value.get()
    return found


def test_a_job_that_fails_is_logged_and_counted_and_begins_again(
    start_server: StartServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "AGAIN_SECONDS", 0.0)
    server = start_server()
    before, runs = crashes(server), []

    async def job() -> None:
        runs.append(1)
        if len(runs) < 3:
            raise KeyError("that nobody has foreseen")

    server.run(partial(jobs.keep_running, server.context, job))
    assert len(runs) == 3
    assert crashes(server) == before + 2
    assert server.log.getvalue().count("job failed") == 2
    assert "test_a_job_that_fails" in server.log.getvalue()


def test_the_jobs_of_a_server_begin_again(start_server: StartServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sweep stands for all: they are started together."""
    monkeypatch.setattr(jobs, "AGAIN_SECONDS", 0.0)
    runs = []

    async def sweep_forever(self: Any) -> None:
        runs.append(1)
        if len(runs) < 3:
            raise KeyError
        await asyncio.sleep(1e6)

    monkeypatch.setattr("tavolino.server.tables.housekeeping.Housekeeping.sweep_forever", sweep_forever)
    start_server()
    wait_until(lambda: len(runs) == 3)


def test_a_feature_that_fails_in_a_sweep_leaves_the_rest_of_it(
    start_server: StartServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    server = start_server(clock=clock, keep_days=7).ready("mantis")
    (table,) = finished(server)
    clock.advance(8 * DAY)

    async def fail(tables: Any) -> None:
        raise KeyError

    monkeypatch.setattr(server.registry.features, "sweep", (fail, *server.registry.features.sweep))
    server.run(server.housekeeping.sweep)
    assert server.run(lambda: server.context.storage.row(table)) is None
    assert crashes(server) == 1


def failing(work: Callable[..., Any], wrong: str) -> Callable[..., Any]:
    """That function, which fails for one table."""

    async def worked(*arguments: Any) -> Any:
        if wrong in arguments:
            raise KeyError(wrong)
        return await work(*arguments)

    return worked


def test_a_table_that_cannot_be_removed_leaves_the_others(
    start_server: StartServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    server = start_server(clock=clock, keep_days=7).ready("mantis")
    tables = finished(server, 3)
    clock.advance(8 * DAY)
    monkeypatch.setattr(server.registry, "remove", failing(server.registry.remove, tables[1]))
    server.run(server.housekeeping.sweep)
    assert [table for table in tables if server.run(partial(server.context.storage.row, table))] == [tables[1]]


def test_a_table_that_cannot_be_compacted_leaves_the_others(
    start_server: StartServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    server = start_server(clock=clock, compact_days=7).ready("mantis")
    tables = finished(server, 3)
    clock.advance(8 * DAY)
    monkeypatch.setattr(compaction, "compact", failing(compaction.compact, tables[1]))
    server.run(server.housekeeping.sweep)
    rows = server.run(lambda: server.context.storage.database.rows("SELECT id FROM tables WHERE compacted = 0"))
    assert [table for (table,) in rows] == [tables[1]]


def test_a_result_that_cannot_be_counted_leaves_the_others(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """As after a crash, before the results of these tables were counted."""
    server.ready("mantis")
    people = [Guest(server.address, name) for name in ("Ada", "Bruno")]
    tables = sorted(dealt_table(people, "mantis", rated=True) for _ in range(3))
    with monkeypatch.context() as crashed:

        async def stopped(self: Any, table: Any) -> None:
            raise StorageError("the server stopped")

        crashed.setattr(Ratings, "_settle", stopped)
        for table in tables:
            people[0].do(table, "resign")
    monkeypatch.setattr(server.registry, "get", failing(server.registry.get, tables[1]))
    server.run(server.housekeeping.sweep)
    results = StoredResults(server.context.storage)
    assert server.run(partial(results.unsettled_results, 10)) == [tables[1]]


def test_a_table_that_cannot_be_loaded_keeps_no_other_asleep(
    start_server: StartServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """After a start bots go on at the others, and the check of all tables begins."""
    server = start_server(tmp_path).ready("mantis")
    people = [Guest(server.address, name) for name in ("Ada", "Bruno")]
    tables = sorted(dealt_table(people, "mantis", seconds_per_move=60) for _ in range(3))
    server.stop()
    monkeypatch.setattr(Journal, "load", failing(Journal.load, tables[1]))
    again = start_server(tmp_path).ready("mantis")
    wait_until(again.housekeeping._is_awake.is_set)
    wait_until(lambda: sorted(again.registry.tables) == [tables[0], tables[2]])  # on PostgreSQL they are taken over
