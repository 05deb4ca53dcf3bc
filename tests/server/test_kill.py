"""No acknowledged move and no rating is lost or counted twice: real processes, real sockets, `kill -9`."""

from __future__ import annotations

import contextlib
import signal
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.postgresql import Postgres
from tests.redis import Redis
from tests.server.clients import NO_TLS, Guest, dealt_table
from tests.server.killing import KillableServer, kill_again_and_again
from tests.server.raw import wait_until


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_threat_18_fifty_kills_lose_no_acknowledged_move(tmp_path: Path) -> None:
    tally = kill_again_and_again(tmp_path, kills=50, tables=3, seed=18, longest=0.5)
    assert tally.kills == 50
    assert tally.acknowledged > 200
    assert tally.lost == 0
    assert tally.wrong == []


def ratings_at(address: str, person: Guest) -> list[dict[str, Any]]:
    """The rated games of a person."""
    profile = httpx.get(f"{address}/api/me/profile", headers=person.headers, verify=NO_TLS, timeout=60).json()
    return [game for rating in profile["ratings"] for game in rating["games"]]


def resign(person: Guest, table: str) -> None:
    """The server may die of it, before or after its answer."""
    with contextlib.suppress(httpx.TransportError):
        person.do(table, "resign")


MOMENTS = ["before", "after"]  # of counting a result: when a server is killed


@pytest.mark.slow
def test_a_server_killed_at_the_ratings_of_games_counts_each_once(tmp_path: Path) -> None:
    server = KillableServer(tmp_path, dies=MOMENTS, sweep_seconds=0.2)
    server.start()
    people = [Guest(server.address, name) for name in ("Ada", "Bruno")]
    tables: list[str] = []
    try:
        for _ in MOMENTS:
            tables.append(dealt_table(people, "mantis", rated=True))
            resign(people[0], tables[-1])
            server.wait_for_end()
            server.start()
            wait_until(lambda: len(ratings_at(server.address, people[0])) >= len(tables), 60)
        tables.append(dealt_table(people, "mantis", rated=True))  # counted after them, and they are not again
        people[0].do(tables[-1], "resign")
        wait_until(lambda: len(ratings_at(server.address, people[0])) >= len(tables), 60)
        assert [game["table"] for game in ratings_at(server.address, people[0])] == tables
        assert ratings_at(server.address, people[1]) == []  # nobody gains from who resigns at once
    finally:
        server.kill()
        server.close()


@pytest.mark.slow
def test_games_whose_node_is_killed_at_their_ratings_are_counted_once_by_another_node(
    tmp_path: Path, database: Postgres, bus: Redis
) -> None:
    shared = {"database": database.new_database(), "bus": bus.url, "drain_seconds": 0.2, "sweep_seconds": 0.2}
    first = KillableServer(tmp_path / "first", dies=MOMENTS, **shared)
    second = KillableServer(tmp_path / "second", **shared)
    for node in (first, second):
        node.start()
    people = [Guest(first.address, name) for name in ("Ada", "Bruno")]
    tables: list[str] = []
    try:
        for _ in MOMENTS:
            tables.append(dealt_table(people, "mantis", rated=True))
            second.send(signal.SIGSTOP)  # so that it cannot be quicker
            resign(people[0], tables[-1])
            first.wait_for_end()
            second.send(signal.SIGCONT)
            wait_until(lambda: len(ratings_at(second.address, people[0])) >= len(tables), 60)
            first.start()
        tables.append(dealt_table(people, "mantis", rated=True))
        people[0].do(tables[-1], "resign")
        wait_until(lambda: len(ratings_at(first.address, people[0])) >= len(tables), 60)
        for node in (first, second):
            assert [game["table"] for game in ratings_at(node.address, people[0])] == tables
            assert ratings_at(node.address, people[1]) == []  # nobody gains from who resigns at once
    finally:
        for node in (first, second):
            node.kill()
            node.close()
