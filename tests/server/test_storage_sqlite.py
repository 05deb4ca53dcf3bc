"""The SQLite storage: the contract, and syncing, locking, migrations, a full disk, power cuts."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import apsw
import pytest

from tavolino.server.storage import Appended, CannotOpen, Storage, StorageBroken, StorageFull, StorageInUse
from tavolino.server.storage.opening import FILE
from tavolino.server.storage.schema import MIGRATIONS, migrate
from tavolino.server.storage.sqlite import SqliteStorage
from tavolino.server.storage.writer import Writer
from tests.server.failing_disk import FailingDisk
from tests.server.storage_contract import StorageContract, row


class TestSqlite(StorageContract):
    def make(self, folder: Path) -> Storage:
        return SqliteStorage(folder)


def test_threat_18_the_file_is_in_wal_mode_and_synced_at_every_commit(tmp_path: Path) -> None:
    async def look() -> tuple[object, object]:
        storage = SqliteStorage(tmp_path)
        await storage.open()
        found = await storage.pragma("journal_mode"), await storage.pragma("synchronous")
        await storage.close()
        return found

    assert asyncio.run(look()) == ("wal", 2)  # 2 is FULL


def _write_until_cut(disk: FailingDisk, folder: Path, moves: int, checkpoint_pages: int) -> list[bytes]:
    """Moves that were acknowledged before the power went."""
    acknowledged: list[bytes] = []

    async def play() -> None:
        storage = SqliteStorage(folder, vfs=disk.name)
        await storage.open()
        await storage._writer.do(lambda c: c.pragma("wal_autocheckpoint", checkpoint_pages))
        for number in range(1, moves + 1):
            move = b"move %d" % number
            await storage.append(Appended(row("t", "playing"), number, [move]))
            acknowledged.append(move)
        disk.cut_power(folder.parent / "after")
        await storage.close()

    asyncio.run(play())
    return acknowledged


async def _entries(folder: Path) -> list[bytes]:
    storage = SqliteStorage(folder)
    await storage.open()
    try:
        return await storage.entries("t")
    finally:
        await storage.close()


@pytest.mark.parametrize(("moves", "checkpoint_pages"), [(1, 4000), (7, 4000), (40, 1), (40, 20)])
def test_threat_18_a_power_cut_loses_no_acknowledged_move(tmp_path: Path, moves: int, checkpoint_pages: int) -> None:
    disk = FailingDisk(f"power-{moves}-{checkpoint_pages}")
    acknowledged = _write_until_cut(disk, tmp_path / "before", moves, checkpoint_pages)
    assert len(acknowledged) == moves
    assert asyncio.run(_entries(tmp_path / "after")) == acknowledged


def test_threat_18_the_power_cut_notices_a_missing_sync(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same cut with `synchronous=OFF` loses moves: so the test above can fail."""
    connect = SqliteStorage._connect

    def careless(self: SqliteStorage) -> apsw.Connection:
        connection = connect(self)
        connection.pragma("synchronous", "OFF")
        return connection

    monkeypatch.setattr(SqliteStorage, "_connect", careless)
    disk = FailingDisk("power-careless")
    acknowledged = _write_until_cut(disk, tmp_path / "before", 20, 4000)
    monkeypatch.undo()
    try:
        left = asyncio.run(_entries(tmp_path / "after"))
    except apsw.Error:
        left = []
    assert left != acknowledged


def test_threat_18_a_full_disk_refuses_loses_nothing_and_goes_on(tmp_path: Path) -> None:
    async def work() -> None:
        disk = FailingDisk("full")
        storage = SqliteStorage(tmp_path, vfs=disk.name)
        await storage.open()
        await storage.append(Appended(row("t"), 1, [b"one"]))
        disk.is_full = True
        for _ in range(3):
            with pytest.raises(StorageFull):
                await storage.append(Appended(row("t"), 2, [b"two"]))
        assert await storage.entries("t") == [b"one"]
        disk.is_full = False
        await storage.append(Appended(row("t"), 2, [b"two"]))
        assert await storage.entries("t") == [b"one", b"two"]
        await storage.close()

    asyncio.run(work())


def test_one_job_that_fails_does_not_fail_those_beside_it(tmp_path: Path) -> None:
    async def work() -> None:
        storage = SqliteStorage(tmp_path)
        await storage.open()
        await storage.add_person("p", "Ada", b"h", 1)
        jobs = [storage.append(Appended(row(f"t{n}"), 1, [b"x"])) for n in range(5)]
        jobs.insert(2, storage.add_token("nobody", b"h2", 1))  # there is no such person
        results = await asyncio.gather(*jobs, return_exceptions=True)
        assert [result is None for result in results] == [True, True, False, True, True, True]
        await storage.close()

    asyncio.run(work())


def test_a_fault_of_the_writer_itself_lets_nobody_wait_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What nobody has thought of: then nothing more is written, and a new start tells what was kept."""

    def fail(*_: object) -> None:
        raise RuntimeError("nobody has thought of this")

    async def work() -> None:
        storage = SqliteStorage(tmp_path)
        await storage.open()
        with monkeypatch.context() as patch:
            patch.setattr(Writer, "_commit", fail)
            with pytest.raises(StorageBroken, match="nobody has thought of this"):
                await asyncio.wait_for(storage.append(Appended(row("t"), 1, [b"one"])), 20)
        with pytest.raises(StorageBroken):
            await asyncio.wait_for(storage.append(Appended(row("t"), 1, [b"one"])), 20)
        assert "must start again" in storage.problems()[0]
        await storage.close()

    asyncio.run(work())


def test_moves_that_wait_together_are_committed_together(tmp_path: Path) -> None:
    async def work() -> None:
        storage = SqliteStorage(tmp_path)
        await storage.open()
        before = storage._writer.commits
        await asyncio.gather(*(storage.append(Appended(row(f"t{n}"), 1, [b"x"])) for n in range(400)))
        assert storage._writer.commits - before < 100
        await storage.close()

    asyncio.run(work())


def test_threat_19_a_second_server_on_the_same_folder_refuses_and_says_why(tmp_path: Path) -> None:
    program = (
        "import asyncio, sys; from pathlib import Path\n"
        "from tavolino.server.storage.sqlite import SqliteStorage\n"
        "asyncio.run(SqliteStorage(Path(sys.argv[1])).open())"
    )

    async def work() -> None:
        storage = SqliteStorage(tmp_path)
        await storage.open()
        with pytest.raises(StorageInUse, match="another server"):
            await SqliteStorage(tmp_path).open()
        other = subprocess.run(
            [sys.executable, "-c", program, str(tmp_path)], capture_output=True, text=True, timeout=240
        )
        assert other.returncode != 0
        assert "another server" in other.stderr
        await storage.close()
        again = SqliteStorage(tmp_path)
        await again.open()
        await again.close()

    asyncio.run(work())


def test_migrations_run_once_and_in_order(tmp_path: Path) -> None:
    connection = apsw.Connection(str(tmp_path / FILE))
    steps = (MIGRATIONS[0], "ALTER TABLE people ADD COLUMN colour TEXT DEFAULT 'red'")
    migrate(connection, steps[:1])
    connection.execute("INSERT INTO people VALUES ('p', 'Ada', 1)")
    migrate(connection, steps)
    migrate(connection, steps)
    assert connection.execute("SELECT colour FROM people").get == "red"
    assert connection.pragma("user_version") == 2


def test_a_migration_that_fails_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    connection = apsw.Connection(str(tmp_path / FILE))
    migrate(connection)
    with pytest.raises(apsw.SQLError):
        migrate(connection, (*MIGRATIONS, "CREATE TABLE fine (x); CREATE TABLE fine (x)"))
    assert connection.pragma("user_version") == len(MIGRATIONS)
    migrate(connection, (*MIGRATIONS, "CREATE TABLE fine (x)"))


def test_data_of_a_newer_version_is_refused_with_a_clear_word(tmp_path: Path) -> None:
    connection = apsw.Connection(str(tmp_path / FILE))
    connection.execute("PRAGMA user_version = 99")
    with pytest.raises(CannotOpen, match="schema 99"):
        migrate(connection)
