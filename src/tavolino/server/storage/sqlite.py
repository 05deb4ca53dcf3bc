"""The storage in one SQLite file: WAL, `synchronous=FULL`, one connection in one thread (see `writer.py`)."""

from __future__ import annotations

import contextlib
import os
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import msgspec

from tavolino.server.clock import Moment
from tavolino.server.storage import (
    Appended,
    CannotOpen,
    ItemTaken,
    NumberTaken,
    Storage,
    StorageError,
    TableDamaged,
    chain,
)
from tavolino.server.storage.journals import CompactRow, StoredJournal
from tavolino.server.storage.log import Head
from tavolino.server.storage.opening import FILE, LOCK, connect, connect_beside, is_in_use, lock, why_not
from tavolino.server.storage.private_files import create_private, make_private
from tavolino.server.storage.sql import Answer, Database, Row, Steps, for_sqlite, read_sql
from tavolino.server.storage.writer import Writer, empty_log

APPENDING = read_sql(__package__, "append.sql")
NOT_NEXT, NAME_TAKEN = "this number does not follow on the last one", "there is an item of this name"  # there
HEADS_KEPT = 20_000


class SqliteDatabase(Database):
    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self._has_deleted = False  # deleted data may still be in the log

    async def rows(self, text: str, /, **values: Any) -> list[Row]:
        query = for_sqlite(text, values)
        return await self._writer.do(lambda c: list(c.execute(*query)))

    async def run(self, steps: Callable[[], Steps[Answer]]) -> Answer:
        return await self._writer.do(lambda c: _run(c, steps()))

    async def erase(self) -> None:
        """Truncate the log. `secure_delete` overwrites deleted data in the database, but not in the log."""
        self._has_deleted = True
        with contextlib.suppress(StorageError):  # tried again with the next heartbeat
            await self._writer.do_alone(empty_log)
            self._has_deleted = False

    def erase_later(self) -> None:
        self._has_deleted = True

    async def erase_if_due(self) -> None:
        if self._has_deleted:
            await self.erase()


def _run(c: apsw.Connection, steps: Steps[Answer]) -> Answer:
    try:
        following = next(steps)
        while True:
            following = steps.send(list(c.execute(*for_sqlite(*following))))
    except StopIteration as end:
        answer: Answer = end.value
        return answer


class SqliteStorage(Storage):
    def __init__(self, folder: Path, vfs: str | None = None, is_beside: bool = False) -> None:
        """`vfs` is for tests that break the disk on purpose. `is_beside`: for a command of an operator while a server
        may run on the same folder. It takes no lock and changes no schema; it may read, and add orders."""
        self.folder = folder
        self._vfs, self._is_beside = vfs, is_beside
        self._lock = -1
        self._writer = Writer(self._connect)
        self._sqlite = SqliteDatabase(self._writer)
        super().__init__(self._sqlite)
        self._heads: OrderedDict[str, Head] = OrderedDict()  # used only in the writer's thread

    async def open(self) -> list[str]:
        if self._is_beside:
            await self._start()
            return []
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            said = make_private(self.folder)
            self._lock = lock(self.folder / LOCK)
        except (FileExistsError, NotADirectoryError):
            raise CannotOpen(f"data cannot be stored in {self.folder}: that is not a folder") from None
        except OSError as error:
            raise CannotOpen(f"data cannot be stored in {self.folder}: {error.strerror}") from None
        try:
            create_private(self.folder / FILE)
            await self._start()
        except BaseException:
            os.close(self._lock)
            raise
        return said

    async def _start(self) -> None:
        try:
            await self._writer.start()
        except BaseException as error:
            if (reason := why_not(error)) is not None:
                raise CannotOpen(f"the data in {self.folder} cannot be used: {reason}") from None
            raise

    async def close(self) -> None:
        await self._writer.stop()
        if not self._is_beside:
            os.close(self._lock)

    def problems(self) -> list[str]:
        found = [] if self._writer.broken is None else [self._writer.broken]
        if self._writer.is_full:
            found.append("the disk is full: nothing new can be kept")
        if self._writer.is_damaged:
            found.append(f"{FILE} is damaged: restore a backup")
        return found

    async def until_broken(self) -> str:
        return await self._writer.until_broken()

    async def is_served(self) -> bool:
        return is_in_use(self.folder)

    def _connect(self) -> apsw.Connection:
        if self._is_beside:
            return connect_beside(self.folder / FILE)
        connection = connect(self.folder / FILE, self._vfs)
        connection.execute(APPENDING)
        return connection

    async def pragma(self, name: str) -> object:
        return await self._writer.do(lambda c: c.pragma(name))

    # tables

    async def append(self, *appended: Appended) -> None:
        await self._writer.do_together(self._append_all, appended)

    def _append_all(self, c: apsw.Connection, requests: list[tuple[Appended, ...]]) -> None:
        """Append the entries and update the rows of many tables, all or nothing."""
        items = [item for request in requests for item in request]
        heads: dict[str, Head] = {}
        written = []
        for row, number, entries, _, item in items:
            before = heads.get(row.table) or self._head(c, row.table, number - 1)
            after = heads[row.table] = Head(number - 1 + len(entries), chain.extend(before.chain, entries))
            written.append(
                {
                    "table": row.table,
                    "number": number,
                    "entries": [entry.hex() for entry in entries],
                    "last": after.last,
                    "chain": after.chain.hex(),
                    "game": row.game,
                    "phase": row.phase,
                    "public": row.public,
                    "changed": row.changed,
                    "witnessed": row.witnessed,
                    "needs_waking": row.needs_waking,
                    "card": row.card.hex(),
                    "members": row.members if row.phase != "playing" else None,
                    "item": None if item is None else {**item._asdict(), "content": item.content.hex()},
                }
            )
            self._heads.pop(row.table, None)  # until this is committed
        try:
            c.execute("INSERT INTO appended SELECT value FROM json_each(?)", (msgspec.json.encode(written).decode(),))
        except apsw.ConstraintError as error:
            if NAME_TAKEN in str(error):
                raise ItemTaken(str(error)) from None
            if NOT_NEXT not in str(error):
                raise
            raise NumberTaken(f"tables {[(row.table, number) for row, number, *_ in items]}: {NOT_NEXT}") from None
        if not c.in_transaction:  # inside a transaction a later statement may still fail
            self._heads.update(heads)
        while len(self._heads) > HEADS_KEPT:
            self._heads.popitem(last=False)

    def _head(self, c: apsw.Connection, table: str, last: int) -> Head:
        """The number and hash of a table's last entry. If the stored ones differ, the statement refuses the write."""
        head = self._heads.get(table)
        if head is None or head.last != last:
            found = c.execute("SELECT last, chain FROM tables WHERE id = ?", (table,)).fetchone()
            if found is None:
                head = Head(0, chain.begin(table))
            else:  # a table of 0.1 has no hash yet
                head = Head(found[0], found[1] or _checked(c, table).check())
        return head

    async def entries(self, table: str, after: int = 0) -> list[bytes]:
        return (await self._writer.do(lambda c: _checked(c, table))).after(after)

    async def check_tables(self, after: str, limit: int) -> tuple[str | None, list[TableDamaged]]:
        def job(c: apsw.Connection) -> tuple[str | None, list[TableDamaged]]:
            query = "SELECT id FROM tables WHERE id > ? ORDER BY id LIMIT ?"
            tables = [table for (table,) in c.execute(query, (after, limit))]
            damaged = []
            for table in tables:
                try:
                    _checked(c, table)
                except TableDamaged as error:
                    damaged.append(error)
            return tables[-1] if len(tables) == limit else None, damaged

        return await self._writer.do(job)

    def forget_head(self, table: str) -> None:
        self._heads.pop(table, None)

    # time

    async def keep_moment(self, moment: Moment) -> None:
        query = """
            INSERT INTO moment VALUES (1, :wall, :up, :witnessed) ON CONFLICT (id) DO UPDATE SET wall = excluded.wall,
            up = max(up, excluded.up), witnessed = max(witnessed, excluded.witnessed)"""
        await self._sqlite.rows(query, **moment._asdict())
        await self._sqlite.erase_if_due()


def _checked(c: apsw.Connection, table: str) -> StoredJournal:
    """All that is stored of a table, checked against its hashes."""
    query = """
        SELECT last, tables.chain, compacted, compact_entries.chain, digest, content
        FROM tables LEFT JOIN compact_entries ON table_id = id WHERE id = ?"""
    try:
        last, hashed, compacted, *row = c.execute(query, (table,)).fetchone() or (0, None, 0, None)
        query = "SELECT number, entry FROM entries WHERE table_id = ? ORDER BY number"
        found: list[tuple[int, bytes]] = c.execute(query, (table,)).fetchall()  # type: ignore[assignment]
        entries = [bytes(entry) for _, entry in found]
    except (apsw.CorruptError, TypeError) as error:  # a damaged page, or an entry that is not bytes
        raise TableDamaged(table, str(error)) from None
    short = None if row[0] is None else CompactRow(*row)
    journal = StoredJournal(table, last, hashed, compacted, short, [number for number, _ in found], entries)
    journal.check()
    return journal
