"""PostgreSQL as source or target of a move of data."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Iterator

import asyncpg

from tavolino.server.operators.transfer import AT_ONCE, KEYS, TABLES, CannotMove, Row
from tavolino.server.storage import CannotOpen
from tavolino.server.storage.postgres import PostgresStorage
from tavolino.server.storage.postgres.connections import LOST, Connections, reason


class PostgresSide:
    def __init__(self, url: str, is_beside: bool = False) -> None:
        """`is_beside`: to read while a server works with it. Else servers are kept out."""
        self._storage = PostgresStorage(url, "beside" if is_beside else "alone")
        self._connections = Connections(url)
        self._connection: asyncpg.Connection | None = None
        self._transaction: asyncpg.transaction.Transaction | None = None

    async def open(self) -> None:
        try:
            await self._storage.open()
            self._connection = await self._connections.connect()
        except CannotOpen as error:
            raise CannotMove(str(error)) from None
        except LOST as error:
            await self._storage.close()
            raise CannotMove(f"the data in {self._storage.place} cannot be used: {reason(error)}") from None
        # One transaction: reads are consistent, and writes are all or nothing.
        with self._told():
            self._transaction = self._connection.transaction(isolation="repeatable_read")
            await self._transaction.start()

    @contextlib.contextmanager
    def _told(self) -> Iterator[None]:
        """Turn errors of PostgreSQL into one sentence."""
        try:
            yield
        except (asyncpg.PostgresError, *LOST) as error:
            raise CannotMove(f"{self._storage.place}: {reason(error)}") from None

    async def close(self) -> None:
        if self._connection is not None:
            with contextlib.suppress(*LOST):
                await self._connection.close(timeout=5)  # rolls back what is not committed
        await self._storage.close()

    async def read(self, table: str) -> AsyncIterator[list[Row]]:
        assert self._connection is not None
        columns = TABLES[table]
        order = ", ".join(columns[: KEYS.get(table, 1)])
        with self._told():
            cursor = await self._connection.cursor(f"SELECT {', '.join(columns)} FROM {table} ORDER BY {order}")
        while True:
            with self._told():
                found = await cursor.fetch(AT_ONCE)
            if not found:
                return
            yield [tuple(values) for values in found]

    async def write(self, table: str, rows: list[Row]) -> None:
        assert self._connection is not None
        with self._told():
            if table == "moment":
                await self._connection.execute("DELETE FROM moment")
            await self._connection.copy_records_to_table(table, records=rows, columns=TABLES[table])

    async def commit(self) -> None:
        assert self._connection is not None
        assert self._transaction is not None
        sequence = "pg_get_serial_sequence('orders', 'number')"
        numbers = f"SELECT setval({sequence}, max(number)) FROM orders HAVING count(*) > 0"
        with self._told():
            await self._connection.execute(numbers)
            await self._transaction.commit()
