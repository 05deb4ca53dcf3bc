"""The data folder: permissions, deleted names leave no trace, errors for unusable data."""

from __future__ import annotations

import asyncio
import json
import os
import resource
import shutil
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from tavolino.server.clock import Moment
from tavolino.server.features import entry_kinds
from tavolino.server.features.notifications.feature import Notifications
from tavolino.server.kernel import snapshots
from tavolino.server.storage import CannotOpen, StorageError, chain
from tavolino.server.storage.old_webhooks import clean_file
from tavolino.server.storage.opening import FILE
from tavolino.server.storage.private_files import make_private
from tavolino.server.storage.schema import MIGRATIONS, migrate
from tavolino.server.storage.sqlite import SqliteStorage
from tavolino.server.tables import housekeeping
from tests.ports import free_port
from tests.server.clients import Guest, Socket, dealt_table, seat_everybody, socket_url, start
from tests.server.conftest import Server
from tests.server.failing_disk import FailingDisk
from tests.server.raw import wait_until
from tests.server.storage_contract import old_entries_with_webhook
from tests.server.test_data_of_0_1 import STORED

StartServer = Callable[..., Server]


def modes(folder: Path) -> dict[str, str]:
    return {path.name: oct(stat.S_IMODE(path.stat().st_mode)) for path in (folder, *folder.rglob("*"))}


# -- permissions


def test_threat_43_the_data_is_for_its_owner_alone_also_where_it_was_not(
    start_server: StartServer, tmp_path: Path
) -> None:
    folder = tmp_path / "data"
    (folder / "crashes").mkdir(parents=True)
    shutil.copy(STORED / FILE, folder / FILE)
    for name in ("tavolino.sqlite-wal", "tavolino.sqlite.backup", "crashes/some-table-3.json"):
        (folder / name).write_bytes(b"")
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    (folder / "notes.txt").write_text("not ours")
    (folder / "notes.txt").chmod(0o644)
    server = start_server(folder)
    Guest(server.address)
    found = modes(folder)
    assert found.pop("notes.txt") == "0o644"
    assert found.pop("data") == found.pop("crashes") == "0o700"
    assert {"tavolino.sqlite", "tavolino.sqlite-wal", "tavolino.sqlite-shm", "tavolino.lock"} <= set(found)
    assert set(found.values()) == {"0o600"}
    said = [json.loads(line)["event"] for line in server.log.getvalue().splitlines() if line.startswith("{")]
    assert any("could read the data; now only its owner can" in sentence for sentence in said)


def test_a_new_folder_is_private_whatever_the_umask_and_needs_no_word(
    start_server: StartServer, tmp_path: Path
) -> None:
    before = os.umask(0)
    try:
        server = start_server(tmp_path / "new" / "data")
        Guest(server.address)
        found = modes(tmp_path / "new" / "data")
    finally:
        os.umask(before)
    assert found.pop("data") == "0o700"
    assert set(found.values()) == {"0o600"}
    assert "only its owner can" not in server.log.getvalue()


def test_a_folder_that_everybody_uses_is_not_taken_away_from_them(tmp_path: Path) -> None:
    tmp_path.chmod(0o1777)
    (tmp_path / FILE).write_bytes(b"")
    (tmp_path / FILE).chmod(0o644)
    said = make_private(tmp_path)
    assert modes(tmp_path) == {tmp_path.name: "0o1777", FILE: "0o600"}
    assert any("give the server a folder of its own" in sentence for sentence in said)


# -- deleted names, and secret addresses


def bytes_of(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


def test_threat_44_no_byte_of_a_forgotten_name_stays_in_any_file(start_server: StartServer, tmp_path: Path) -> None:
    server = start_server(tmp_path / "data").ready("mantis")
    people = [Guest(server.address, name) for name in ("Zuleika-Unique", "Bruno-Stays")]
    table = seat_everybody(people, "mantis")
    start(people, table)
    people[0].http.post("/api/me", json={"name": "Zuleika-Renamed"})
    assert b"Zuleika-Renamed" in bytes_of(tmp_path / "data")
    assert people[0].http.delete("/api/me").status_code == 204
    assert b"Zuleika" not in bytes_of(tmp_path / "data"), "while the server runs"
    assert b"Bruno-Stays" in bytes_of(tmp_path / "data")
    server.stop()
    assert b"Zuleika" not in bytes_of(tmp_path / "data")


ROOM = "https://discord.com/api/webhooks/1/"


def test_threat_44_no_byte_of_a_webhook_stays_in_any_file(start_server: StartServer, tmp_path: Path) -> None:
    """Whoever knows its address can write there: it goes when it is removed or replaced, when the table has ended, and
    with the person who gave it, who need not sit at the table any more."""
    server = start_server(tmp_path / "data").ready("mantis")
    ada, bruno, celina = (Guest(server.address, name) for name in ("Ada", "Bruno", "Celina"))
    removed, replaced, ended = (seat_everybody([ada, bruno], "mantis") for _ in range(3))
    celinas, left = (seat_everybody([celina, bruno], "mantis") for _ in range(2))
    for table, name in ((removed, "Removed"), (replaced, "Replaced"), (ended, "Ended")):
        ada.do(table, "webhook", url=f"{ROOM}Secret{name}")
    for table, name in ((celinas, "Hers"), (left, "Left")):
        celina.do(table, "webhook", url=f"{ROOM}Secret{name}")
    celina.do(left, "leave")
    stored = bytes_of(tmp_path / "data")
    assert all(name in stored for name in (b"SecretRemoved", b"SecretReplaced", b"SecretEnded", b"SecretHers"))
    ada.do(removed, "webhook", url=None)
    ada.do(replaced, "webhook", url=f"{ROOM}SecondOne")
    start([ada, bruno], ended)
    ada.do(ended, "resign")
    assert celina.http.delete("/api/me").status_code == 204
    shown = {table: bruno.http.get(f"/api/tables/{table}").json() for table in (replaced, ended, celinas, left)}
    assert [each["webhook"] for each in shown.values()] == [True, False, False, False]
    notifier = server.feature(Notifications).notifier
    wait_until(lambda: not notifier._tasks)  # at the end of a game it is removed beside it
    server.run(lambda: server.context.storage.keep_moment(server.clock.now()))  # the next heartbeat
    assert b"/Secret" not in bytes_of(tmp_path / "data")
    assert b"SecondOne" in bytes_of(tmp_path / "data")
    server.stop()
    assert b"/Secret" not in bytes_of(tmp_path / "data")


def test_webhooks_in_entries_of_an_older_version_become_items_of_who_gave_them(tmp_path: Path) -> None:
    url = f"{ROOM}Secret"
    entries = old_entries_with_webhook(url)
    connection = apsw.Connection(str(tmp_path / FILE))
    migrate(connection, MIGRATIONS[: MIGRATIONS.index(clean_file)])  # the schema before
    for table, mark in (("t", b""), ("removed", b'{"k":"webhook","url":null}'), ("damaged", b"")):
        written = [*entries, mark] if mark else entries
        hashed = chain.extend(chain.begin(table), written)
        values = (table, b"{}", len(written), bytes(16) if table == "damaged" else hashed)
        connection.execute(
            """INSERT INTO tables (id, game, phase, public, changed, card, last, chain)
            VALUES (?, 'mantis', 'waiting', 0, 1, ?, ?, ?)""",
            values,
        )
        connection.executemany(
            "INSERT INTO entries VALUES (?, ?, ?)", [(table, n, entry) for n, entry in enumerate(written, start=1)]
        )
    connection.execute("INSERT INTO people (id, name, made) VALUES ('ada', 'Ada', 1), ('bo', 'Bo', 1)")
    connection.execute("INSERT INTO snapshots VALUES ('t', 4, ?)", (f'{{"webhook":"{url}"}}'.encode(),))
    connection.close()
    assert b"Secret" in bytes_of(tmp_path)

    async def work() -> None:
        storage = SqliteStorage(tmp_path)
        await storage.open()
        for table in ("t", "removed"):
            state = await snapshots.load_state(storage, entry_kinds(), table)
            assert state is not None
            assert Notifications.of(state).webhook == ("bo" if table == "t" else None)
        assert await storage.items("bo", "") == {f"webhook/{table}": url.encode() for table in ("damaged", "t")}
        assert [str(each) for each in (await storage.check_tables("", 9))[1]] == [
            "table damaged: an entry is not as it was written"
        ]
        await storage.remove_items("bo", "webhook/")
        await storage.keep_moment(Moment(1, 1, 1))
        assert b"Secret" not in bytes_of(tmp_path)
        await storage.close()

    asyncio.run(work())


def test_what_0_1_had_deleted_leaves_the_file_at_the_first_start(start_server: StartServer, tmp_path: Path) -> None:
    shutil.copy(STORED / FILE, tmp_path / FILE)
    connection = apsw.Connection(str(tmp_path / FILE))
    connection.execute("PRAGMA secure_delete = OFF")
    connection.execute("INSERT INTO people VALUES ('gone', 'Zuleika-Unique', 1)")
    connection.execute("DELETE FROM people WHERE id = 'gone'")
    connection.close()
    assert b"Zuleika" in bytes_of(tmp_path)
    start_server(tmp_path)
    assert b"Zuleika" not in bytes_of(tmp_path)


# -- health


def health(server: Server) -> tuple[int, str]:
    answer = httpx.get(f"{server.address}/healthz")
    return answer.status_code, " ".join(answer.json()["problems"])


def test_threat_45_health_says_that_the_disk_is_full(start_server: StartServer, tmp_path: Path) -> None:
    disk = FailingDisk("health-full")
    server = start_server(tmp_path / "data", storage=SqliteStorage(tmp_path / "data", disk.name)).ready("mantis")
    ada = Guest(server.address)
    assert health(server) == (200, "")
    disk.is_full = True
    assert ada.http.post("/api/tables", json={"game": "mantis", "seats": 2}).json()["code"] == "storage-full"
    status, problems = health(server)
    disk.is_full = False
    assert status == 503
    assert "the disk is full" in problems


DAMAGE = {
    "an entry is missing in the middle": "DELETE FROM entries WHERE number = 3",
    "the last entry is missing": "DELETE FROM entries WHERE number = (SELECT max(number) FROM entries)",
    "an entry has changed": "UPDATE entries SET entry = replace(entry, '\"score\"', '\"steal 1\"')",
    "two entries have changed places": "UPDATE entries SET number = CASE number WHEN 2 THEN -3 WHEN 3 THEN -2 END"
    " WHERE number IN (2, 3); UPDATE entries SET number = -number WHERE number < 0",
    "the last entry of a table of 0.1 is missing": "UPDATE tables SET chain = NULL; DELETE FROM entries WHERE number ="
    " (SELECT max(number) FROM entries)",
    "an entry cannot be read": "UPDATE entries SET entry = x'00ff' WHERE number = 2",
}


@pytest.mark.parametrize("what", DAMAGE)
def test_threat_45_a_damaged_or_missing_entry_is_noticed_and_health_says_so(
    start_server: StartServer, tmp_path: Path, what: str
) -> None:
    server = start_server(tmp_path / "data").ready("mantis")
    people = [Guest(server.address, name) for name in ("Ada", "Bruno")]
    table = dealt_table(people, "mantis", first_seat=0)
    people[0].do(table, "move", turn=0, action="score")
    server.stop()
    connection = apsw.Connection(str(tmp_path / "data" / FILE))
    connection.execute(DAMAGE[what])
    connection.close()
    again = start_server(tmp_path / "data").ready("mantis")
    answer = httpx.get(f"{again.address}/api/tables/{table}")
    assert answer.status_code == 500
    assert answer.json()["code"] == "table-damaged"
    with Socket(socket_url(again.address, table), {}, hello=False) as socket:
        assert socket.until("closing")["code"] == "table-damaged"
        with pytest.raises(ConnectionClosed):
            socket.receive()
        assert socket.close_code == 1011
    assert "KeyError" not in again.log.getvalue()
    status, problems = health(again)
    assert status == 503
    assert "damaged or missing at 1 tables" in problems
    assert table not in problems, "who knows a table's id may watch it"
    assert table in again.log.getvalue()
    assert Guest(again.address).open("mantis", 2), "other tables go on"


def test_a_row_that_cannot_be_read_does_not_hide_the_other_tables(start_server: StartServer, tmp_path: Path) -> None:
    server = start_server(tmp_path / "data").ready("mantis")
    ada = Guest(server.address)
    tables = [ada.open("mantis", 2, public=True) for _ in range(2)]
    connection = apsw.Connection(str(tmp_path / "data" / FILE))
    connection.execute("UPDATE tables SET card = x'00' WHERE id = ?", (tables[0],))
    connection.close()
    assert [card["id"] for card in ada.http.get("/api/tables").json()] == [tables[1]]
    assert health(server)[0] == 503


def wait_for_bad_health(server: Server) -> None:
    end = time.monotonic() + 60
    while health(server)[0] == 200:
        assert time.monotonic() < end
        time.sleep(0.05)
    assert "damaged or missing at 1 tables" in health(server)[1]


def test_threat_45_damage_is_found_at_tables_that_nobody_asks_for(start_server: StartServer, tmp_path: Path) -> None:
    server = start_server(tmp_path / "data").ready("mantis")
    Guest(server.address).open("mantis", 2)
    server.stop()
    connection = apsw.Connection(str(tmp_path / "data" / FILE))
    connection.execute("DELETE FROM entries WHERE number = 2")
    connection.close()
    wait_for_bad_health(start_server(tmp_path / "data"))


def test_threat_45_damage_is_found_while_the_server_runs(
    start_server: StartServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(housekeeping, "CHECK_SECONDS", 0.1)
    server = start_server(tmp_path / "data").ready("mantis")
    ada = Guest(server.address)
    table = ada.open("mantis", 2)
    assert health(server)[0] == 200
    connection = apsw.Connection(str(tmp_path / "data" / FILE))
    connection.execute("DELETE FROM entries WHERE number = 1")
    connection.close()
    wait_for_bad_health(server)
    assert table in server.log.getvalue()


def test_threat_45_health_is_back_soon_after_the_storage_is(
    start_server: StartServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The check of all tables is repeated at once, not with the next check of all tables."""
    monkeypatch.setattr(housekeeping, "RETRY_SECONDS", 0.05)
    server = start_server().ready("mantis")
    storage, outage = server.context.storage, 3
    check = storage.check_tables

    async def check_tables(after: str, limit: int) -> Any:
        nonlocal outage
        if outage:
            outage -= 1
            raise StorageError("the database is away")
        return await check(after, limit)

    monkeypatch.setattr(storage, "check_tables", check_tables)
    asyncio.run_coroutine_threadsafe(server.housekeeping.check_forever(), server._loop())
    wait_until(lambda: outage == 0 and server.registry.unreadable is None)
    assert "the database is away" in server.log.getvalue()
    assert health(server)[0] == 200


def damage_page_of(path: Path, name: str) -> None:
    """Overwrite the first page of a table or an index; opening the file does not read it."""
    connection = apsw.Connection(str(path))
    connection.execute("PRAGMA journal_mode = DELETE")
    page = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", (name,)).get
    size = connection.pragma("page_size")
    connection.close()
    with path.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * size)


@pytest.mark.parametrize("name", ["people", "waking_tables", "entries"])
def test_threat_45_damage_anywhere_in_the_file_is_told_by_the_health(
    start_server: StartServer, tmp_path: Path, name: str
) -> None:
    server = start_server(tmp_path / "data").ready("mantis")
    Guest(server.address).open("mantis", 2)
    server.stop()
    damage_page_of(tmp_path / "data" / FILE, name)
    again = start_server(tmp_path / "data")
    httpx.get(f"{again.address}/api/me", headers={"Authorization": "Bearer of-nobody"})
    httpx.post(f"{again.address}/api/me", json={"name": "Bruno"})
    end = time.monotonic() + 60
    while health(again)[0] == 200:
        assert time.monotonic() < end
        time.sleep(0.05)
    assert "damaged" in health(again)[1]


def test_a_snapshot_does_not_hide_that_an_entry_before_it_is_lost(start_server: StartServer, tmp_path: Path) -> None:
    server = start_server(tmp_path / "data").ready("mantis")
    ada = Guest(server.address)
    table = ada.open("mantis", 2)
    for n in range(70):
        ada.do(table, "salt", salt=f"{n:064x}")
    server.stop()
    connection = apsw.Connection(str(tmp_path / "data" / FILE))
    assert connection.execute("SELECT count(*) FROM snapshots").get == 1
    connection.execute("DELETE FROM entries WHERE number = 9")
    connection.close()
    again = start_server(tmp_path / "data")
    assert httpx.get(f"{again.address}/api/tables/{table}").json()["code"] == "table-damaged"


# -- data that cannot be used


def start_and_fail(folder: Path, largest_file: int = resource.RLIM_INFINITY) -> str:
    """The one line that a server prints when it cannot start."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (largest_file, largest_file))

    call = [sys.executable, "-m", "tavolino", "serve", "--port", str(free_port()), "--data", str(folder)]
    done = subprocess.run(call, capture_output=True, text=True, timeout=240, preexec_fn=limit)
    assert done.returncode == 1
    assert done.stdout == ""
    (sentence,) = done.stderr.splitlines()
    assert sentence.startswith("tavolino: ")
    return sentence


def test_threat_46_data_of_a_newer_version_is_told_in_one_sentence(tmp_path: Path) -> None:
    shutil.copy(STORED / FILE, tmp_path / FILE)
    connection = apsw.Connection(str(tmp_path / FILE))
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    assert "written by a newer Tavolino (schema 99" in start_and_fail(tmp_path)


def test_threat_46_a_file_that_is_no_database_is_told_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"this is a letter, not a database" * 100)
    assert "is not a database; restore a backup" in start_and_fail(tmp_path)


def test_threat_46_a_damaged_database_is_told_in_one_sentence(tmp_path: Path) -> None:
    content = (STORED / FILE).read_bytes()
    (tmp_path / FILE).write_bytes(content[:4096] + bytes(len(content) - 4096))
    assert "is damaged" in start_and_fail(tmp_path)


@pytest.mark.parametrize("name", ["moment", "orders", "open_tables"])
def test_threat_46_damage_that_only_shows_when_it_is_read_is_told_in_one_sentence(tmp_path: Path, name: str) -> None:
    async def make() -> None:
        storage = SqliteStorage(tmp_path)
        await storage.open()
        await storage.keep_moment(Moment(1, 2, 3))
        await storage.close()

    asyncio.run(make())
    damage_page_of(tmp_path / FILE, name)
    assert "restore a backup" in start_and_fail(tmp_path)


def test_threat_46_a_disk_that_cannot_be_written_is_told_in_one_sentence(tmp_path: Path) -> None:
    """A limit on the size of files needs no privileges, and holds for root, too."""
    assert f"the data in {tmp_path} cannot be used" in start_and_fail(tmp_path, largest_file=8192)


def test_threat_46_a_full_disk_at_the_start_is_told_in_one_sentence(tmp_path: Path) -> None:
    async def work() -> None:
        disk = FailingDisk("start-full")
        for is_full in (False, True):  # also on data that is there already
            disk.is_full = is_full
            storage = SqliteStorage(tmp_path, disk.name)
            if is_full:
                with pytest.raises(CannotOpen, match="the disk is full; make room and start again"):
                    await storage.open()
            else:
                await storage.open()
                await storage.close()

    asyncio.run(work())
