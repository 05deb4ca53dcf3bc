"""Copies all data from one storage into another, empty one: SQLite to PostgreSQL or back.

All data is read in one transaction. What was written is read again and compared.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import AsyncIterator
from hashlib import blake2b
from pathlib import Path
from typing import Any, Protocol

import apsw

from tavolino.engine.extras import require
from tavolino.server.storage import CannotOpen, chain
from tavolino.server.storage.choosing import SCHEMES
from tavolino.server.storage.old_webhooks import clean_file
from tavolino.server.storage.opening import FILE, LOCK, connect, lock, why_not
from tavolino.server.storage.private_files import create_private

Row = tuple[Any, ...]
AT_ONCE = 1_000
# The columns of each table, the key first. Tables that refer to people come after `people`.
TABLES = {
    "people": ("id", "name", "made", "new_name"),
    "tokens": ("hash", "person", "made", "used", "used_witnessed"),
    "return_codes": ("hash", "person", "expires"),
    "tables": (
        "id", "game", "phase", "public", "changed", "witnessed", "needs_waking", "card", "last", "chain",
        "compacted",
    ),
    "entries": ("table_id", "number", "entry"),
    "compact_entries": ("table_id", "chain", "digest", "content"),
    "snapshots": ("table_id", "number", "snapshot"),
    "members": ("person", "table_id"),
    "mentions": ("person", "table_id"),
    "reviews": ("table_id", "seat", "version", "review"),
    "results": ("table_id", "settled"),
    "ratings": ("person", "game", "number", "table_id", "ended", "mu", "sigma", "limited"),
    "circles": ("id", "name", "made"),
    "circle_members": ("circle", "person", "joined", "role"),
    "circle_results": ("circle", "table_id", "person", "game", "ended", "won"),
    "series": ("id", "circle", "game", "seats", "deals", "opened", "closes", "closed"),
    "tournaments": ("id", "title", "game", "seats", "deals", "at_once", "seconds", "opens", "closes"),
    "moment": ("id", "wall", "up", "witnessed"),
    "orders": ("number", "content", "outcome"),
    "items": ("person", "name", "content"),
    "shared_deals": ("name", "secret"),
    "calls": ("table_id", "person", "kind", "turn"),
    "server_keys": ("name", "content"),
}  # fmt: skip
# The number of columns of the key, where it is not one.
KEYS = {
    "entries": 2, "members": 2, "mentions": 2, "items": 2, "reviews": 2, "calls": 3, "ratings": 3, "circle_members": 2,
    "circle_results": 3,
}  # fmt: skip
BOOLEANS = frozenset({"public", "needs_waking", "settled", "won"})


class CannotMove(Exception):
    """The data was not moved; the message is one sentence for the operator."""


class Side(Protocol):
    """The source or the target of a move. Nothing else uses it meanwhile."""

    async def open(self) -> None: ...

    async def close(self) -> None: ...

    def read(self, table: str) -> AsyncIterator[list[Row]]:
        """All rows in the order of their keys, as Python values."""

    async def write(self, table: str, rows: list[Row]) -> None: ...

    async def commit(self) -> None:
        """Make everything durable. Without it nothing is stored."""


def side_of(place: str) -> Side:
    """The side for a folder or a PostgreSQL URL."""
    if place.startswith(SCHEMES):
        require("cluster", "asyncpg")
        from tavolino.server.operators.transfer_postgres import PostgresSide

        return PostgresSide(place)
    return SqliteSide(Path(place))


async def move_data(source: Side, target: Side) -> dict[str, int]:
    """Copy and compare everything; returns the number of rows of each table."""
    async with _opened(source), _opened(target):
        for table in TABLES:
            async for rows in target.read(table):
                if rows and table != "moment":
                    raise CannotMove("there is data already where it should go; nothing was changed")
        counted, written = {}, {}
        for table in TABLES:
            digest, count = blake2b(), 0
            async for rows in source.read(table):
                await target.write(table, rows)
                count += len(rows)
                _add(digest, rows)
            counted[table], written[table] = count, digest.digest()
        for table in TABLES:
            digest = blake2b()
            async for rows in target.read(table):
                _add(digest, rows)
            if digest.digest() != written[table]:
                raise CannotMove(f"what was written is not what was read ({table}); nothing was kept")
        await target.commit()
        return counted


@contextlib.asynccontextmanager
async def _opened(side: Side) -> AsyncIterator[None]:
    await side.open()
    try:
        yield
    finally:
        await side.close()


def _add(digest: Any, rows: list[Row]) -> None:
    for row in rows:
        digest.update(repr(row).encode())


class SqliteSide:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = -1
        self._connection: apsw.Connection | None = None

    async def open(self) -> None:
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._lock = lock(self._folder / LOCK)
            create_private(self._folder / FILE)
            self._connection = connect(self._folder / FILE)
            self._connection.execute("BEGIN IMMEDIATE")
        except (apsw.Error, OSError, CannotOpen) as error:
            await self.close()
            raise CannotMove(f"the data in {self._folder} cannot be used: {why_not(error)}") from None

    async def close(self) -> None:
        if self._connection is not None:
            self._connection.close()  # rolls back what is not committed
        if self._lock >= 0:
            os.close(self._lock)

    async def read(self, table: str) -> AsyncIterator[list[Row]]:
        assert self._connection is not None
        columns = TABLES[table]
        order = ", ".join(columns[: KEYS.get(table, 1)])
        found = self._connection.execute(f"SELECT {', '.join(columns)} FROM {table} ORDER BY {order}")
        rows: list[Row] = []
        for values in found:
            rows.append(self._as_row(table, values))
            if len(rows) == AT_ONCE:
                yield rows
                rows = []
        if rows:
            yield rows

    def _as_row(self, table: str, values: Row) -> Row:
        named = dict(zip(TABLES[table], values, strict=True))
        for name in BOOLEANS & named.keys():
            named[name] = bool(named[name])
        if table == "tables" and named["chain"] is None:  # from version 0.1, without an entry since
            assert self._connection is not None
            query = "SELECT entry FROM entries WHERE table_id = ? ORDER BY number"
            entries = [entry for (entry,) in self._connection.execute(query, (named["id"],))]
            named["chain"] = chain.extend(chain.begin(named["id"]), entries)
        return tuple(named.values())

    async def write(self, table: str, rows: list[Row]) -> None:
        assert self._connection is not None
        columns = TABLES[table]
        marks = ", ".join("?" * len(columns))
        query = f"INSERT OR REPLACE INTO {table} ({', '.join(columns)}) VALUES ({marks})"
        self._connection.executemany(query, rows)

    async def commit(self) -> None:
        assert self._connection is not None
        clean_file(self._connection)  # nodes of the previous version may have written addresses to PostgreSQL
        self._connection.execute("COMMIT")
