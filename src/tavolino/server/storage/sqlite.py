"""The storage in one SQLite file: WAL, `synchronous=FULL`, one connection in one thread (see `writer.py`)."""

from __future__ import annotations

import contextlib
import os
from collections import OrderedDict
from pathlib import Path
from typing import NamedTuple

import apsw
import msgspec

from tavolino.server.clock import Moment
from tavolino.server.storage import (
    Appended,
    CannotOpen,
    ItemTaken,
    NumberTaken,
    StorageError,
    StoredOrder,
    TableDamaged,
    TableRow,
    chain,
)
from tavolino.server.storage.opening import FILE, LOCK, connect, connect_beside, is_in_use, lock, why_not
from tavolino.server.storage.private_files import create_private, make_private
from tavolino.server.storage.sqlite_circles import SqliteCircles
from tavolino.server.storage.sqlite_people import SqlitePeople
from tavolino.server.storage.sqlite_results import SqliteResults
from tavolino.server.storage.writer import Writer, empty_log

NOT_NEXT = "this number does not follow on the last one"
NAME_TAKEN = "there is an item of this name"
ROW_FIELDS = "id, game, phase, public, changed, witnessed, needs_waking, card"
# Entries and rows of many tables in one statement: each item is [table, number, entries, chain, row ..., members,
# item], bytes as hex. Members can change only before and after a game; during a game they are null.
APPENDING = f"""
    CREATE TEMP VIEW appended AS SELECT NULL AS item;
    CREATE TEMP TRIGGER append_item INSTEAD OF INSERT ON appended BEGIN
        SELECT raise(ABORT, '{NOT_NEXT}') WHERE
            (SELECT coalesce(max(number), 0) FROM entries WHERE table_id = NEW.item ->> 0) <> (NEW.item ->> 1) - 1;
        INSERT INTO entries SELECT NEW.item ->> 0, (NEW.item ->> 1) + key, unhex(value)
            FROM json_each(NEW.item, '$[2]');
        INSERT INTO tables ({ROW_FIELDS}, last, chain) VALUES (NEW.item ->> 0, NEW.item ->> 4, NEW.item ->> 5,
                NEW.item ->> 6, NEW.item ->> 7, NEW.item ->> 8, NEW.item ->> 9, unhex(NEW.item ->> 10),
                (NEW.item ->> 1) + json_array_length(NEW.item, '$[2]') - 1, unhex(NEW.item ->> 3))
            ON CONFLICT (id) DO UPDATE SET
            phase = excluded.phase, public = excluded.public, card = excluded.card,
            changed = CASE excluded.changed WHEN 0 THEN changed ELSE excluded.changed END,
            witnessed = excluded.witnessed, needs_waking = excluded.needs_waking,
            last = excluded.last, chain = excluded.chain;
        DELETE FROM members WHERE NEW.item ->> 11 IS NOT NULL AND table_id = NEW.item ->> 0;
        INSERT OR IGNORE INTO members SELECT value, NEW.item ->> 0 FROM json_each(NEW.item, '$[11]')
            WHERE value IS NOT NULL;
        SELECT raise(ABORT, '{NAME_TAKEN}') FROM items
            WHERE person = NEW.item ->> '$[12][0]' AND name = NEW.item ->> '$[12][1]';
        INSERT INTO items SELECT NEW.item ->> '$[12][0]', NEW.item ->> '$[12][1]', unhex(NEW.item ->> '$[12][2]')
            WHERE NEW.item ->> 12 IS NOT NULL;
    END"""
HEADS_KEPT = 20_000


class Head(NamedTuple):
    """Where a table's next entry is written: after which number, and on which hash."""

    last: int
    chain: bytes


class SqliteStorage(SqlitePeople, SqliteResults, SqliteCircles):
    nodes = None

    def __init__(self, folder: Path, vfs: str | None = None, is_beside: bool = False) -> None:
        """`vfs` is for tests that break the disk on purpose. `is_beside`: for a command of an operator while a server
        may run on the same folder. It takes no lock and changes no schema; it may read, and add orders."""
        self.folder = folder
        self._vfs, self._is_beside = vfs, is_beside
        self._lock = -1
        self._writer = Writer(self._connect)
        self._heads: OrderedDict[str, Head] = OrderedDict()  # used only in the writer's thread
        self._has_forgotten = False  # deleted data may still be in the log

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
                (
                    row.table,
                    number,
                    [entry.hex() for entry in entries],
                    after.chain.hex(),
                    row.game,
                    row.phase,
                    row.public,
                    row.changed,
                    row.witnessed,
                    row.needs_waking,
                    row.card.hex(),
                    row.members if row.phase != "playing" else None,
                    None if item is None else (item.person, item.name, item.content.hex()),
                )
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
                head = Head(found[0], found[1] or chain.extend(chain.begin(table), _entries(c, table)))
        return head

    async def entries(self, table: str, after: int = 0) -> list[bytes]:
        return (await self._writer.do(lambda c: _checked_entries(c, table)))[after:]

    async def check_tables(self, after: str, limit: int) -> tuple[str | None, list[TableDamaged]]:
        def job(c: apsw.Connection) -> tuple[str | None, list[TableDamaged]]:
            query = "SELECT id FROM tables WHERE id > ? ORDER BY id LIMIT ?"
            tables = [table for (table,) in c.execute(query, (after, limit))]
            damaged = []
            for table in tables:
                try:
                    _checked_entries(c, table)
                except TableDamaged as error:
                    damaged.append(error)
            return tables[-1] if len(tables) == limit else None, damaged

        return await self._writer.do(job)

    async def keep_snapshot(self, table: str, number: int, snapshot: bytes) -> None:
        query = "INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?)"
        await self._writer.do(lambda c: c.execute(query, (table, number, snapshot)) and None)

    async def snapshot(self, table: str) -> tuple[int, bytes] | None:
        query = "SELECT number, snapshot FROM snapshots WHERE table_id = ?"
        return await self._writer.do(lambda c: c.execute(query, (table,)).fetchone())

    async def keep_review(self, table: str, seat: int, version: int, review: bytes) -> None:
        query = "INSERT OR REPLACE INTO reviews SELECT id, ?, ?, ? FROM tables WHERE id = ?"
        await self._writer.do(lambda c: c.execute(query, (seat, version, review, table)) and None)

    async def review(self, table: str, seat: int, version: int) -> bytes | None:
        query = "SELECT review FROM reviews WHERE table_id = ? AND seat = ? AND version = ?"
        return await self._writer.do(lambda c: c.execute(query, (table, seat, version)).get)

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

    async def count_open(self) -> int:
        query = "SELECT count(*) FROM tables WHERE phase <> 'ended'"
        return await self._writer.do(lambda c: int(c.execute(query).get))

    async def waking_tables(self, game: str, after: str, limit: int) -> list[str]:
        query = (
            "SELECT id FROM tables WHERE needs_waking AND phase <> 'ended' AND game = ? AND id > ? ORDER BY id LIMIT ?"
        )
        return await self._writer.do(lambda c: [table for (table,) in c.execute(query, (game, after, limit))])

    async def idle_tables(self, witnessed: int, limit: int) -> list[tuple[str, int]]:
        query = "SELECT id, last FROM tables WHERE phase <> 'ended' AND witnessed <= ? ORDER BY witnessed LIMIT ?"
        return await self._writer.do(lambda c: list(c.execute(query, (witnessed, limit))))

    async def ended_tables(self, witnessed: int, limit: int) -> list[str]:
        query = "SELECT id FROM tables WHERE phase = 'ended' AND witnessed <= ? ORDER BY witnessed LIMIT ?"
        return await self._writer.do(lambda c: [table for (table,) in c.execute(query, (witnessed, limit))])

    async def _rows(self, where: str, values: tuple[object, ...]) -> list[TableRow]:
        def job(c: apsw.Connection) -> list[TableRow]:
            found = list(c.execute(f"SELECT {ROW_FIELDS} FROM tables {where}", values))
            return [_row(c, *each) for each in found]

        return await self._writer.do(job)

    async def remove_table(self, table: str) -> None:
        def job(c: apsw.Connection) -> None:
            c.execute("DELETE FROM tables WHERE id = ?", (table,))
            for name in ("entries", "snapshots", "members", "reviews", "calls", "results"):
                c.execute(f"DELETE FROM {name} WHERE table_id = ?", (table,))
            self._heads.pop(table, None)

        await self._writer.do(job)

    # people: more of it in sqlite_people.py

    async def forget(self, person: str) -> None:
        def job(c: apsw.Connection) -> None:
            c.execute("DELETE FROM people WHERE id = ?", (person,))
            c.execute("DELETE FROM members WHERE person = ?", (person,))

        await self._writer.do(job)
        self._has_forgotten = True
        await self._empty_log()

    async def remove_items(self, person: str, prefix: str) -> None:
        await super().remove_items(person, prefix)
        self._has_forgotten = True  # the log is emptied with the next heartbeat

    async def _empty_log(self) -> None:
        """Truncate the log. `secure_delete` overwrites deleted data in the database, but not in the log."""
        with contextlib.suppress(StorageError):  # tried again with the next heartbeat
            await self._writer.do_alone(empty_log)
            self._has_forgotten = False

    # time

    async def last_moment(self) -> Moment | None:
        query = "SELECT wall, up, witnessed FROM moment"
        found = await self._writer.do(lambda c: c.execute(query).fetchone())
        return None if found is None else Moment(*found)

    async def keep_moment(self, moment: Moment) -> None:
        query = """
            INSERT INTO moment VALUES (1, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET wall = excluded.wall,
            up = max(up, excluded.up), witnessed = max(witnessed, excluded.witnessed)"""
        await self._writer.do(lambda c: c.execute(query, moment) and None)
        if self._has_forgotten:
            await self._empty_log()

    # orders

    async def add_order(self, content: bytes) -> int:
        query = "INSERT INTO orders (content) VALUES (?) RETURNING number"
        return await self._writer.do(lambda c: int(c.execute(query, (content,)).get))

    async def orders(self, after: int) -> list[StoredOrder]:
        query = "SELECT number, content, outcome FROM orders WHERE number > ? ORDER BY number"
        return await self._writer.do(lambda c: [StoredOrder(*each) for each in c.execute(query, (after,))])

    async def settle_order(self, number: int, outcome: str) -> None:
        query = "UPDATE orders SET outcome = ? WHERE number = ?"
        await self._writer.do(lambda c: c.execute(query, (outcome, number)) and None)

    async def remove_orders(self, numbers: list[int]) -> None:
        query = "DELETE FROM orders WHERE number IN (SELECT value FROM json_each(?))"
        await self._writer.do(lambda c: c.execute(query, (msgspec.json.encode(numbers).decode(),)) and None)


def _entries(c: apsw.Connection, table: str) -> list[bytes]:
    query = "SELECT entry FROM entries WHERE table_id = ? ORDER BY number"
    return [bytes(entry) for (entry,) in c.execute(query, (table,))]


def _checked_entries(c: apsw.Connection, table: str) -> list[bytes]:
    """All entries of a table, checked against their hash."""
    try:
        found = c.execute("SELECT last, chain FROM tables WHERE id = ?", (table,)).fetchone()
        entries = _entries(c, table)
    except (apsw.CorruptError, TypeError) as error:  # a damaged page, or an entry that is not bytes
        raise TableDamaged(table, str(error)) from None
    last, hashed = found or (0, None)
    if len(entries) != last:
        raise TableDamaged(table, f"{len(entries)} entries are stored, {last} were written")
    if hashed is not None and chain.extend(chain.begin(table), entries) != hashed:
        raise TableDamaged(table, "an entry is not as it was written")
    return entries


def _row(
    c: apsw.Connection,
    table: str,
    game: str,
    phase: str,
    public: int,
    changed: int,
    witnessed: int,
    wakes: int,
    card: bytes,
) -> TableRow:
    people = c.execute("SELECT person FROM members WHERE table_id = ?", (table,))
    return TableRow(
        table=table,
        game=game,
        phase=phase,
        public=bool(public),
        changed=changed,
        witnessed=witnessed,
        needs_waking=bool(wakes),
        members=tuple(person for (person,) in people),
        card=bytes(card),
    )
