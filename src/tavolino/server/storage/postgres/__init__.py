"""The storage in a PostgreSQL database: for more than one server, or for data on another machine.

Any number of nodes share a database (decision 052). They hold a shared advisory lock. Commands that need the data for
themselves take the lock exclusively, so nodes and such commands exclude each other (`_guard`).
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from functools import partial
from typing import Any, Literal

import asyncpg

from tavolino.server.clock import Moment
from tavolino.server.stopping import stop
from tavolino.server.storage import (
    Appended,
    CannotOpen,
    JournalReplaced,
    Storage,
    StorageError,
    StorageInUse,
    TableDamaged,
    chain,
)
from tavolino.server.storage.journals import CompactRow, StoredJournal
from tavolino.server.storage.old_webhooks import BEGINNING
from tavolino.server.storage.postgres.appending import Appending
from tavolino.server.storage.postgres.connections import LOST, UNTIL_REPLICATED, Connections, place_of, reason
from tavolino.server.storage.postgres.nodes import PostgresNodes
from tavolino.server.storage.postgres.old_webhooks import clean_entries, clean_snapshots
from tavolino.server.storage.sql import Answer, Database, Row, Steps, for_postgres

SERVING = 0x7461766E  # the advisory lock of everybody who uses this database
Use = Literal["node", "alone", "beside"]
GUARD_SECONDS = 1.0
RETAKEN_WITHIN = 5  # tries


class PostgresDatabase(Database):
    """Statements are repeated after a lost connection (`Connections.do`)."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    async def rows(self, text: str, /, **values: Any) -> list[Row]:
        query, listed = for_postgres(text, values)
        found: list[Row] = await self._connections.do(lambda c: c.fetch(query, *listed))
        return found

    async def run(self, steps: Callable[[], Steps[Answer]]) -> Answer:
        async def work(connection: asyncpg.Connection) -> Answer:
            async with connection.transaction():
                return await _run(connection, steps())

        return await self._connections.do(work)

    async def erase(self) -> None:
        """Autovacuum removes what was deleted."""

    def erase_later(self) -> None: ...


async def _run(connection: asyncpg.Connection, steps: Steps[Answer]) -> Answer:
    try:
        following = next(steps)
        while True:
            query, listed = for_postgres(*following)
            following = steps.send(await connection.fetch(query, *listed))
    except StopIteration as end:
        answer: Answer = end.value
        return answer


class PostgresStorage(Storage):
    def __init__(self, url: str, use: Use = "node") -> None:
        """A node works with it beside others. A command of an operator has it alone, or looks at it beside the nodes:
        then it may read, and add orders."""
        self.place = place_of(url)
        self._use: Use = use
        self._connections = Connections(url)
        super().__init__(PostgresDatabase(self._connections))
        self.nodes = PostgresNodes(self._connections) if use == "node" else None
        self._appending = Appending(self._connections) if self.nodes is None else self.nodes.appending
        self._held: asyncpg.Connection | None = None  # holds the lock
        self._guarding: asyncio.Task[None] | None = None
        self._broken: str | None = None
        self._has_broken = asyncio.Event()

    async def open(self) -> list[str]:
        said = await self._connections.open(self._use == "beside")
        if self._use != "beside":
            try:
                self._held = await self._take_lock()
                if self._held is None:
                    raise StorageInUse(self._in_use)
            except LOST as error:
                await self._connections.close()
                raise CannotOpen(f"the data in {self.place} cannot be used: {reason(error)}") from None
            except BaseException:
                await self._connections.close()
                raise
            self._guarding = asyncio.create_task(self._guard())
        return said

    @property
    def _in_use(self) -> str:
        if self._use == "node":
            return f"a command such as move-data or restore is using the data in {self.place}: wait until it ends"
        return f"another server is using the data in {self.place}: stop all servers first"

    async def close(self) -> None:
        if self._guarding is not None:
            await stop(self._guarding)
        if self._held is not None:
            with contextlib.suppress(*LOST):
                await self._held.close(timeout=2)
        await self._connections.close()

    async def _take_lock(self) -> asyncpg.Connection | None:
        """A connection that holds the lock until it is closed; None if the lock cannot be had."""
        connection = await self._connections.connect()
        lock = "pg_try_advisory_lock_shared" if self._use == "node" else "pg_try_advisory_lock"
        if await connection.fetchval(f"SELECT {lock}($1)", SERVING):
            return connection
        await connection.close()
        return None

    async def _guard(self) -> None:
        """Keep the lock, and take it again after a restart of PostgreSQL. Stop if a command has taken it."""
        assert self._held is not None
        process = self._held.get_server_pid()
        while True:
            await asyncio.sleep(GUARD_SECONDS)
            try:
                await self._held.fetchval("SELECT 1", timeout=5)
            except LOST:
                with contextlib.suppress(
                    *LOST, StorageError
                ):  # PostgreSQL is not reachable: the next round tries again
                    self._held.terminate()
                    again = await self._take_lock_again(process)
                    if again is None:
                        self._broken = f"somebody else has begun to work with the data in {self.place}"
                        self._has_broken.set()
                        return
                    self._held, process = again, again.get_server_pid()

    async def _take_lock_again(self, lost: int) -> asyncpg.Connection | None:
        """Take the lock after a lost connection. PostgreSQL may not have noticed that the old connection is dead, so
        terminate it."""
        for _ in range(RETAKEN_WITHIN):
            if (connection := await self._take_lock()) is not None:
                return connection
            query = (
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = :lost AND usename = current_user"
            )
            await self.database.rows(query, lost=lost)
            await asyncio.sleep(GUARD_SECONDS)
        return None

    def problems(self) -> list[str]:
        return [trouble for trouble in (self._broken, self._connections.trouble) if trouble is not None]

    async def until_broken(self) -> str:
        await self._has_broken.wait()
        assert self._broken is not None
        return self._broken

    async def is_served(self) -> bool:
        query = """
            SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = :lock AND granted
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))"""
        return bool(await self.database.value(query, lock=SERVING))

    # tables

    async def append(self, *appended: Appended) -> None:
        await self._appending.append(*appended)

    async def entries(self, table: str, after: int = 0) -> list[bytes]:
        head = self._appending.head(table)
        if not after or head is None or head.last != after:
            journal = await self._checked(table)
            return [] if journal is None else journal.after(after)
        query = f"""
            SELECT last, chain, ARRAY(SELECT entry FROM entries WHERE table_id = id AND number > $2 ORDER BY number)
                AS entries, CASE WHEN last > $2 THEN {UNTIL_REPLICATED} END FROM tables WHERE id = $1"""
        found = await self._connections.do(lambda c: c.fetchrow(query, table, after))
        if found is None:
            return []
        entries: list[bytes] = found["entries"]
        if len(entries) == found["last"] - after and chain.extend(head.chain, entries) == found["chain"]:
            self._appending.note_head(table, found["last"], found["chain"])
            return entries
        await self._checked(table)
        raise JournalReplaced(f"table {table}: what is stored does not go on from entry {after}")

    async def _checked(self, table: str) -> StoredJournal | None:
        """All that is stored of a table, checked against its hashes. One statement, so that it is consistent."""
        query = f"""
            SELECT last, tables.chain, compacted, compact_entries.chain AS chain_before, digest, content,
                ARRAY(SELECT entry FROM entries WHERE table_id = id ORDER BY number) AS entries,
                ARRAY(SELECT number FROM entries WHERE table_id = id ORDER BY number) AS numbers, {UNTIL_REPLICATED}
            FROM tables LEFT JOIN compact_entries ON table_id = id WHERE id = $1"""
        found = await self._connections.do(lambda c: c.fetchrow(query, table))
        if found is None:
            return None
        row = None if found["digest"] is None else CompactRow(found["chain_before"], found["digest"], found["content"])
        journal = StoredJournal(
            table, found["last"], found["chain"], found["compacted"], row, found["numbers"], found["entries"]
        )
        journal.check()
        self._appending.note_head(table, found["last"], found["chain"])
        return journal

    async def check_tables(self, after: str, limit: int) -> tuple[str | None, list[TableDamaged]]:
        query = "SELECT id FROM tables WHERE id > :after ORDER BY id LIMIT :limit"
        tables: list[str] = [table for (table,) in await self.database.rows(query, after=after, limit=limit)]
        damaged = []
        for table in tables:
            try:
                journal = await self._checked(table)
                has_address = journal is not None and any(entry.startswith(BEGINNING) for entry in journal.entries)
            except TableDamaged as error:
                damaged.append(error)
                has_address = True  # perhaps
            if has_address:
                await self._connections.do(partial(clean_entries, table=table))
                self.forget_head(table)
        await self._connections.do(partial(clean_snapshots, tables=tables))
        return tables[-1] if len(tables) == limit else None, damaged

    def forget_head(self, table: str) -> None:
        self._appending.forget_head(table)

    # time

    async def keep_moment(self, moment: Moment) -> None:
        query = """
            INSERT INTO moment VALUES (1, :wall, :up, :witnessed, now()) ON CONFLICT (id) DO UPDATE SET
            wall = excluded.wall, up = greatest(moment.up, excluded.up),
            witnessed = greatest(moment.witnessed, excluded.witnessed), kept = greatest(moment.kept, excluded.kept)"""
        await self.database.rows(query, **moment._asdict())
