"""A whole server on PostgreSQL, and moving there and back: move-data, backup, restore, orders."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import httpx
import pytest

from tavolino.cli.commands import run
from tavolino.server.operators.transfer import TABLES
from tavolino.server.storage.opening import FILE, connect
from tavolino.server.storage.postgres import PostgresStorage
from tests.postgresql import PASSWORD, Postgres, postgres
from tests.redis import redis
from tests.server.clients import Guest, seat_everybody, start
from tests.server.test_operators import StartServer, play, table_in_play


@pytest.mark.slow
def test_a_game_moves_to_postgresql_goes_on_is_backed_up_and_moves_back(
    start_server: StartServer, tmp_path: Path, capsys: pytest.CaptureFixture[str], database: Postgres
) -> None:
    url = database.new_database("moved")
    server = start_server(database=None)  # SQLite, also where the other tests use PostgreSQL
    people, _, table = table_in_play(server, moves=5)
    assert run(["move-data", str(tmp_path / "data"), url]) == 1  # a server runs
    assert "another server" in capsys.readouterr().err
    server.stop()
    assert run(["move-data", str(tmp_path / "data"), url]) == 0
    assert "Tables: 1; " in capsys.readouterr().out

    cluster = start_server(tmp_path / "other", database=url).ready("mantis")
    for person in people:
        person.address = cluster.address
    sockets = [person.socket(table) for person in people]
    for turn in range(5, 8):
        play(sockets, turn)
    assert run(["announce", "Hello", "--database", url]) == 0
    assert sockets[0].until("announcement")["text"] == "Hello"
    copy = tmp_path / "copy.sqlite"
    assert run(["backup", str(copy), "--database", url]) == 0
    assert oct(copy.stat().st_mode)[-3:] == "600"
    play(sockets, 8)
    assert run(["move-data", url, str(tmp_path / "back")]) == 1  # a server runs
    cluster.stop()
    capsys.readouterr()
    assert run(["restore", str(copy), "--check"]) == 0
    assert "Running tables replayed: 1; moves: 8." in capsys.readouterr().out

    assert run(["move-data", url, str(tmp_path / "back")]) == 0
    assert run(["move-data", url, str(tmp_path / "back")]) == 1  # it is not empty any more
    assert "there is data already" in capsys.readouterr().err
    again = start_server(tmp_path / "back", database=None).ready("mantis")
    assert httpx.get(f"{again.address}/api/tables/{table}/play").json()["turn"] == 9
    assert httpx.get(f"{again.address}/api/announcement").json()["text"] == "Hello"
    assert httpx.get(f"{again.address}/api/me", headers=people[0].headers).json()["name"] == "Ada"

    restored = database.new_database("restored")
    assert run(["restore", str(copy), "--database", restored]) == 0
    third = start_server(tmp_path / "third", database=restored).ready("mantis")
    assert httpx.get(f"{third.address}/api/tables/{table}/play").json()["turn"] == 8


def test_everything_that_is_stored_is_moved(tmp_path: Path, database: Postgres) -> None:
    """Whoever adds a column to one schema must add it to the other and to what is moved."""

    async def columns() -> tuple[dict[str, set[str]], dict[str, set[str]]]:
        storage = PostgresStorage(make_beforehand)
        await storage.open()
        query = "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'tavolino'"
        there: dict[str, set[str]] = {}
        for table, column in await storage.database.rows(query):
            there.setdefault(table, set()).add(column)
        await storage.close()
        connection = connect(tmp_path / FILE)
        names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        here = {name: {row[1] for row in connection.execute(f"PRAGMA table_info({name})")} for name in names}
        connection.close()
        return here, there

    make_beforehand = database.new_database("columns")
    here, there = asyncio.run(columns())
    here.pop("sqlite_sequence")
    there.pop("schema_version")
    there.pop("nodes")  # who drives a table now is nothing to move
    there["tables"] -= {"driver", "epoch"}
    there["moment"] -= {"kept"}
    assert here == there == {name: set(columns) for name, columns in TABLES.items()}


@pytest.mark.slow
def test_play_goes_on_while_postgresql_restarts(start_server: StartServer, tmp_path: Path) -> None:
    with postgres() as mortal:
        server = start_server(tmp_path / "data", database=mortal.url()).ready("mantis")
        people = [Guest(server.address, name) for name in ("Ada", "Bruno")]
        table = seat_everybody(people, "mantis")
        start(people, table)
        sockets = [person.socket(table) for person in people]
        for turn in range(3):
            play(sockets, turn)

        def stop_and_start() -> None:
            mortal.stop()
            mortal.start()

        restart = threading.Thread(target=stop_and_start)
        restart.start()
        for turn in range(3, 12):
            play(sockets, turn)  # a move waits as long as PostgreSQL is away
        restart.join()
        assert people[0].http.get("/healthz").json()["problems"] == []
        assert people[0].http.get(f"/api/tables/{table}/play").json()["turn"] == 12


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ("DROP INDEX circles_of_person", "it lacks index circles_of_person"),
        ("ALTER TABLE circle_members ALTER role DROP NOT NULL", "Tavolino has made another column circle_members.role"),
        (
            "CREATE RULE none AS ON INSERT TO entries DO INSTEAD NOTHING",
            "it contains what Tavolino has not made: rule entries.none",
        ),
    ],
)
def test_the_doctor_compares_the_schema_of_all_features(
    start_server: StartServer,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    database: Postgres,
    change: str,
    sentence: str,
) -> None:
    """Also of those that are switched off: their tables are there, and deletion and backup read them."""
    url = database.new_database()
    server = start_server(tmp_path / "other", database=url, without=("circles",))

    def examine() -> tuple[int, str]:
        code = run(["doctor", "--data", str(tmp_path / "data"), "--database", url, "--port", str(port)])
        return code, capsys.readouterr().out

    port = server.address.rsplit(":", 1)[1]
    code, said = examine()
    assert code == 0, said
    server.run(lambda: server.context.storage.database.rows(change))
    code, said = examine()
    assert code == 1
    assert f"cannot be used: {sentence}." in said


def test_the_doctor_looks_at_the_database(
    start_server: StartServer, tmp_path: Path, capsys: pytest.CaptureFixture[str], database: Postgres
) -> None:
    url = database.new_database("examined")

    def examine(address: str, *words: str) -> tuple[int, str]:
        code = run(["doctor", "--data", str(tmp_path / "data"), "--database", address, *words])
        printed = capsys.readouterr()
        assert PASSWORD not in printed.out + printed.err
        return code, printed.out

    with redis() as bus:  # before the first start, as the guide says
        code, said = examine(url, "--bus", bus.url)
    assert code == 0, said
    assert "is empty; the first start creates the tables." in said
    assert "A round trip to Redis takes" in said
    server = start_server(tmp_path / "other", database=url).ready("mantis")
    with redis() as bus:
        code, said = examine(url, "--port", server.address.rsplit(":", 1)[1], "--bus", bus.url)
    assert code == 0, said
    for sentence in (
        "a server is using it", "There is no standby", "A round trip to PostgreSQL takes",
        "The clocks of this machine and of PostgreSQL agree", "connections of PostgreSQL are in use",
        f"The server answers at {server.address} and is healthy.", "A round trip to Redis takes",
    ):  # fmt: skip
        assert sentence in said
    server.stop()
    code, said = examine(url, "--bus", bus.url)
    assert code == 1
    assert "no server is using it" in said
    assert f"FAILURE Redis at redis://127.0.0.1:{bus.port} does not answer (ConnectionError)" in said
    said = examine(f"postgresql://tavolino:{PASSWORD}@127.0.0.1:1/x", "--bus", bus.url)[1]
    assert "nothing listens there" in said
    assert "FAILURE Redis at" in said, "it is checked whatever the database says"
    assert run(["doctor", "--database", "mysql://x"]) == 2
