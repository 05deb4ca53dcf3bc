"""A rematch: who gets a seat, and that it is there as a whole or not at all."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from tavolino.server.storage.sqlite import SqliteStorage
from tests.server.clients import Guest, dealt_table
from tests.server.conftest import Server
from tests.server.failing_disk import FailingDisk


def finished(server: Server, count: int) -> tuple[list[Guest], str]:
    people = [Guest(server.address, name) for name in ("Ada", "Bruno", "Celina")[:count]]
    table = dealt_table(people, "mantis")
    for person in people[:-1]:
        person.do(table, "resign")
    return people, table


def test_whoever_was_forgotten_gets_no_seat_at_a_rematch(server: Server) -> None:
    (ada, bruno, celina), table = finished(server, 3)
    assert bruno.http.delete("/api/me").status_code == 204
    again = celina.do(table, "rematch")["table"]
    shown = celina.http.get(f"/api/tables/{again}").json()
    assert [seat["kind"] for seat in shown["seats"]] == ["person", "person", "empty"]
    assert [seat["name"] for seat in shown["seats"]] == ["Celina", "Ada", None]
    assert shown["seats"][0]["host"]
    assert len(ada.http.get("/api/me/tables").json()["playing"]) == 1


def test_a_rematch_that_cannot_be_stored_leaves_no_table_behind(
    start_server: Callable[..., Server], tmp_path: Path
) -> None:
    """The disk is full at every write in turn: of both tables there is all, or nothing."""
    disk = FailingDisk("rematch")
    server = start_server(tmp_path / "data", storage=SqliteStorage(tmp_path / "data", disk.name)).ready("mantis")
    (ada, bruno), table = finished(server, 2)
    ada.do(table, "ping")  # by then the result of the game is written, too
    refused = 0
    for nth in range(1, 50):
        server.run(partial(disk.fail_at, "full", nth))
        answer = ada.command(table, "rematch")
        server.run(disk.heal)
        if answer.status_code == 200:
            break
        refused += 1
        assert answer.json()["code"] == "storage-full"
        assert ada.http.get("/api/me/tables").json()["playing"] == []
        assert len(server.registry.tables) == 1
    assert refused > 1
    again = answer.json()["table"]
    assert bruno.do(table, "rematch")["table"] == again
    assert [each["id"] for each in ada.http.get("/api/me/tables").json()["playing"]] == [again]
