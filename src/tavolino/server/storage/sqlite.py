"""The storage in one SQLite file: WAL, `synchronous=FULL`, one connection in one thread (see `writer.py`)."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

import apsw
import msgspec

from tavolino.server.storage import NumberTaken, Run, StorageInUse, TableRow
from tavolino.server.storage.schema import migrate
from tavolino.server.storage.writer import Writer

FILE = "tavolino.sqlite"
LOCK = "tavolino.lock"
NOT_NEXT = "this number does not follow on the last one"
ROW_FIELDS = "id, game, phase, public, changed, card"
# Many tables' entries and rows in one statement: each item is [table, number, entries, row ..., members]. Entries
# and cards are hex. The members are those of tables where somebody may still sit down or get up; null during a game.
APPENDING = f"""
    CREATE TEMP VIEW appended AS SELECT NULL AS item;
    CREATE TEMP TRIGGER append_item INSTEAD OF INSERT ON appended BEGIN
        SELECT raise(ABORT, '{NOT_NEXT}') WHERE
            (SELECT coalesce(max(number), 0) FROM entries WHERE table_id = NEW.item ->> 0) <> (NEW.item ->> 1) - 1;
        INSERT INTO entries SELECT NEW.item ->> 0, (NEW.item ->> 1) + key, unhex(value)
            FROM json_each(NEW.item, '$[2]');
        INSERT INTO tables ({ROW_FIELDS}) VALUES (NEW.item ->> 0, NEW.item ->> 3, NEW.item ->> 4, NEW.item ->> 5,
                NEW.item ->> 6, unhex(NEW.item ->> 7))
            ON CONFLICT (id) DO UPDATE SET
            phase = excluded.phase, public = excluded.public, changed = excluded.changed, card = excluded.card;
        DELETE FROM members WHERE NEW.item ->> 8 IS NOT NULL AND table_id = NEW.item ->> 0;
        INSERT OR IGNORE INTO members SELECT value, NEW.item ->> 0 FROM json_each(NEW.item, '$[8]')
            WHERE value IS NOT NULL;
    END"""
RUNS_KEPT = 1_000  # only runs within one move's time matter, and a move takes seven days at most


class SqliteStorage:
    def __init__(self, folder: Path, vfs: str | None = None) -> None:
        """`vfs` is for tests that break the disk on purpose."""
        self.folder = folder
        self._vfs = vfs
        self._lock = -1
        self._writer = Writer(self._connect)

    async def open(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._lock = _locked(self.folder / LOCK)
        try:
            await self._writer.start()
        except BaseException:
            os.close(self._lock)
            raise

    async def close(self) -> None:
        await self._writer.stop()
        os.close(self._lock)

    def _connect(self) -> apsw.Connection:
        connection = apsw.Connection(str(self.folder / FILE), vfs=self._vfs)
        if self._vfs is not None:
            # A VFS written in Python has no shared memory; an exclusive connection keeps the WAL's index.
            connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        connection.execute("PRAGMA journal_mode = WAL")
        # FULL syncs the WAL at every commit: NORMAL would lose acknowledged moves in a power cut.
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA busy_timeout = 5000")
        connection.execute("PRAGMA wal_autocheckpoint = 4000")
        migrate(connection)
        connection.execute(APPENDING)
        return connection

    async def pragma(self, name: str) -> object:
        return await self._writer.do(lambda c: c.pragma(name))

    # tables

    async def append(self, row: TableRow, number: int, entries: list[bytes]) -> None:
        await self._writer.do_together(append_all, (row, number, entries))

    async def entries(self, table: str, after: int = 0) -> list[bytes]:
        query = "SELECT entry FROM entries WHERE table_id = ? AND number > ? ORDER BY number"
        return await self._writer.do(lambda c: [bytes(e) for (e,) in c.execute(query, (table, after))])

    async def keep_snapshot(self, table: str, number: int, snapshot: bytes) -> None:
        query = "INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?)"
        await self._writer.do(lambda c: c.execute(query, (table, number, snapshot)) and None)

    async def snapshot(self, table: str) -> tuple[int, bytes] | None:
        query = "SELECT number, snapshot FROM snapshots WHERE table_id = ?"
        return await self._writer.do(lambda c: c.execute(query, (table,)).fetchone())

    async def row(self, table: str) -> TableRow | None:
        rows = await self._rows("WHERE id = ?", (table,))
        return rows[0] if rows else None

    async def public_rows(self, limit: int) -> list[TableRow]:
        return await self._rows("WHERE public AND phase <> 'ended' ORDER BY changed DESC LIMIT ?", (limit,))

    async def rows_of(self, person: str, limit: int) -> list[TableRow]:
        return await self._rows(
            "WHERE id IN (SELECT table_id FROM members WHERE person = ?) ORDER BY changed DESC LIMIT ?",
            (person, limit),
        )

    async def open_rows(self) -> list[TableRow]:
        return await self._rows("WHERE phase <> 'ended' ORDER BY id", ())

    async def _rows(self, where: str, values: tuple[object, ...]) -> list[TableRow]:
        def job(c: apsw.Connection) -> list[TableRow]:
            found = list(c.execute(f"SELECT {ROW_FIELDS} FROM tables {where}", values))
            return [_row(c, *each) for each in found]

        return await self._writer.do(job)

    async def ended_before(self, moment: int) -> list[str]:
        query = "SELECT id FROM tables WHERE phase = 'ended' AND changed < ?"
        return await self._writer.do(lambda c: [table for (table,) in c.execute(query, (moment,))])

    async def remove_table(self, table: str) -> None:
        def job(c: apsw.Connection) -> None:
            c.execute("DELETE FROM tables WHERE id = ?", (table,))
            for name in ("entries", "snapshots", "members"):
                c.execute(f"DELETE FROM {name} WHERE table_id = ?", (table,))

        await self._writer.do(job)

    # people

    async def add_person(self, person: str, name: str, token_hash: bytes, now: int) -> None:
        def job(c: apsw.Connection) -> None:
            c.execute("INSERT INTO people VALUES (?, ?, ?)", (person, name, now))
            c.execute("INSERT INTO tokens VALUES (?, ?, ?)", (token_hash, person, now))

        await self._writer.do(job)

    async def add_token(self, person: str, token_hash: bytes, now: int) -> None:
        query = "INSERT INTO tokens VALUES (?, ?, ?)"
        await self._writer.do(lambda c: c.execute(query, (token_hash, person, now)) and None)

    async def person_of(self, token_hash: bytes) -> tuple[str, str] | None:
        query = "SELECT people.id, name FROM tokens JOIN people ON person = people.id WHERE hash = ?"
        return await self._writer.do(lambda c: c.execute(query, (token_hash,)).fetchone())

    async def rename(self, person: str, name: str) -> None:
        query = "UPDATE people SET name = ? WHERE id = ?"
        await self._writer.do(lambda c: c.execute(query, (name, person)) and None)

    async def names(self, people: list[str]) -> dict[str, str]:
        def job(c: apsw.Connection) -> dict[str, str]:
            marks = ", ".join("?" * len(people))
            return dict(c.execute(f"SELECT id, name FROM people WHERE id IN ({marks})", tuple(people)))

        return await self._writer.do(job)

    async def forget(self, person: str) -> None:
        def job(c: apsw.Connection) -> None:
            c.execute("DELETE FROM people WHERE id = ?", (person,))
            c.execute("DELETE FROM members WHERE person = ?", (person,))

        await self._writer.do(job)

    async def add_return_code(self, code_hash: bytes, person: str, expires: int) -> None:
        query = "INSERT INTO return_codes VALUES (?, ?, ?)"
        await self._writer.do(lambda c: c.execute(query, (code_hash, person, expires)) and None)

    async def use_return_code(self, code_hash: bytes, now: int) -> str | None:
        def job(c: apsw.Connection) -> str | None:
            c.execute("DELETE FROM return_codes WHERE expires <= ?", (now,))
            query = "DELETE FROM return_codes WHERE hash = ? RETURNING person"
            found: Iterator[tuple[str]] = c.execute(query, (code_hash,))
            return next((person for (person,) in list(found)), None)

        return await self._writer.do(job)

    # runs

    async def begin_run(self, now: float) -> None:
        def job(c: apsw.Connection) -> None:
            c.execute("INSERT INTO runs (started, alive) VALUES (?, ?)", (now, now))
            c.execute("DELETE FROM runs WHERE id <= (SELECT max(id) FROM runs) - ?", (RUNS_KEPT,))

        await self._writer.do(job)

    async def still_alive(self, now: float) -> None:
        query = "UPDATE runs SET alive = ? WHERE id = (SELECT max(id) FROM runs)"
        await self._writer.do(lambda c: c.execute(query, (now,)) and None)

    async def runs(self) -> list[Run]:
        query = "SELECT started, alive FROM runs ORDER BY id"
        return await self._writer.do(lambda c: [Run(*each) for each in c.execute(query)])


def append_all(c: apsw.Connection, items: list[tuple[TableRow, int, list[bytes]]]) -> None:
    """The entries and rows of many tables, all or nothing."""
    written = [
        (
            row.table,
            number,
            [entry.hex() for entry in entries],
            row.game,
            row.phase,
            row.public,
            row.changed,
            row.card.hex(),
            row.members if row.phase != "playing" else None,
        )
        for row, number, entries in items
    ]
    try:
        c.execute("INSERT INTO appended SELECT value FROM json_each(?)", (msgspec.json.encode(written).decode(),))
    except apsw.ConstraintError as error:
        if NOT_NEXT not in str(error):
            raise
        raise NumberTaken(f"tables {[(row.table, number) for row, number, _ in items]}: {NOT_NEXT}") from None


def _row(c: apsw.Connection, table: str, game: str, phase: str, public: int, changed: int, card: bytes) -> TableRow:
    people = c.execute("SELECT person FROM members WHERE table_id = ?", (table,))
    members = tuple(person for (person,) in people)
    return TableRow(table, game, phase, bool(public), changed, members, bytes(card))


def check_free(folder: Path) -> None:
    """Fail early if another server uses this folder. The lock itself is taken when the storage is opened."""
    if folder.is_dir():
        os.close(_locked(folder / LOCK))


def _locked(path: Path) -> int:
    """Lock this data folder (flock) until the process ends, however it ends."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        owner = os.read(handle, 100).decode(errors="replace").strip()
        os.close(handle)
        raise StorageInUse(
            f"another server (process {owner or 'unknown'}) works with the data in {path.parent}: "
            "stop it first, or give this one a folder of its own with --data"
        ) from None
    os.truncate(handle, 0)
    os.write(handle, f"{os.getpid()}\n".encode())
    return handle
