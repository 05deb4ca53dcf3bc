"""The writer with a failing connection: a real one, at which single statements or calls are refused."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import apsw
import pytest

from tavolino.server.storage import CannotOpen, StorageBroken, StorageError
from tavolino.server.storage.opening import FILE, connect
from tavolino.server.storage.schema import MIGRATIONS
from tavolino.server.storage.writer import Writer


class Refusing(apsw.Connection):
    """Refuses statements of these words once, and closes with an error if it is told to."""

    refused: str | None = None
    fails_to_close = False

    def refuse_once(self, words: str) -> None:
        self.refused = words
        self.exec_trace = self._may_run

    def _may_run(self, cursor: apsw.Cursor, statement: str, bindings: Any) -> bool:
        if statement != self.refused:
            return True
        self.refused = None
        return False

    def close(self, force: bool = False) -> None:
        super().close(force)
        if self.fails_to_close:
            raise apsw.IOError("the disk is gone")


def with_writer(folder: Path, use: Callable[[Writer, Refusing], Coroutine[Any, Any, None]]) -> None:
    connection: Refusing

    def open_it() -> apsw.Connection:
        nonlocal connection
        connection = Refusing(str(folder / FILE))
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE moves (number INTEGER PRIMARY KEY)")
        return connection

    async def run() -> None:
        writer = Writer(open_it)
        await writer.start()
        await use(writer, connection)
        await writer.stop()

    asyncio.run(run())


def insert(connection: apsw.Connection, numbers: list[int]) -> None:
    connection.executemany("INSERT INTO moves VALUES (?)", [(number,) for number in numbers])


def insert_and_fail(connection: apsw.Connection) -> None:
    insert(connection, [1])
    raise StorageError("refused by the job")


def stored(folder: Path) -> list[int]:
    """What another connection sees: what is committed."""
    connection = apsw.Connection(str(folder / FILE))
    numbers = [number for (number,) in connection.execute("SELECT number FROM moves ORDER BY number")]
    connection.close()
    return numbers


def test_after_a_rollback_that_fails_nothing_is_acknowledged(tmp_path: Path) -> None:
    """The transaction is still open: what is written into it would be lost, however it is answered."""

    async def use(writer: Writer, connection: Refusing) -> None:
        connection.refuse_once("ROLLBACK")
        with pytest.raises(StorageBroken):
            await writer.do(insert_and_fail)
        with pytest.raises(StorageBroken):
            await writer.do_together(insert, 2)
        assert stored(tmp_path) == []

    with_writer(tmp_path, use)


def test_a_commit_that_fails_is_rolled_back_and_the_next_write_is_kept(tmp_path: Path) -> None:
    async def use(writer: Writer, connection: Refusing) -> None:
        connection.refuse_once("COMMIT")
        with pytest.raises(StorageError) as refused:
            await writer.do(lambda connection: insert(connection, [1]))
        assert not isinstance(refused.value, StorageBroken)
        await writer.do_together(insert, 2)
        assert stored(tmp_path) == [2]

    with_writer(tmp_path, use)


def test_a_connection_that_fails_to_close_ends_the_thread_without_a_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    uncaught: list[threading.ExceptHookArgs] = []
    monkeypatch.setattr(threading, "excepthook", uncaught.append)

    async def use(writer: Writer, connection: Refusing) -> None:
        await writer.do_together(insert, 1)
        connection.fails_to_close = True

    with_writer(tmp_path, use)
    assert not uncaught
    assert stored(tmp_path) == [1]


def open_files() -> list[str]:
    return [os.readlink(entry.path) for entry in os.scandir("/proc/self/fd") if os.path.islink(entry.path)]


def unnamed_files() -> list[str]:
    """SQLite's temporary files have no name."""
    return sorted(name for name in open_files() if name.endswith("(deleted)"))


def test_a_file_that_is_refused_at_opening_is_closed(tmp_path: Path) -> None:
    """While the error is being reported, whoever repairs the file must not meet a lock of ours."""
    newer = apsw.Connection(str(tmp_path / FILE))
    newer.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    newer.close()
    with pytest.raises(CannotOpen) as refused:
        connect(tmp_path / FILE)
    assert refused.tb, "its frames would keep an open connection"
    assert not [name for name in open_files() if name.startswith(str(tmp_path))]


def test_what_sqlite_puts_aside_takes_no_file(tmp_path: Path) -> None:
    """A write must not need a descriptor for a temporary file."""
    connection = connect(tmp_path / FILE)
    before = unnamed_files()
    connection.execute("CREATE TEMP TABLE aside (words TEXT)")
    connection.execute(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) "
        "INSERT INTO aside SELECT hex(randomblob(2000)) FROM n"
    )  # 20 MB: more than SQLite keeps in its cache
    assert unnamed_files() == before
    connection.close()
