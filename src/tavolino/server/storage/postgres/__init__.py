"""The storage in a PostgreSQL database: for more than one server, or for data on another machine.

Any number of nodes share a database (decision 052). They hold a shared advisory lock. Commands that need the data for
themselves take the lock exclusively, so nodes and such commands exclude each other (`_guard`).
"""

from __future__ import annotations

import asyncio
import contextlib
from functools import partial
from typing import Any, Literal

import asyncpg

from tavolino.server.clock import Moment
from tavolino.server.stopping import stop
from tavolino.server.storage import (
    Appended,
    CannotOpen,
    JournalReplaced,
    StorageError,
    StorageInUse,
    StoredOrder,
    TableDamaged,
    TableRow,
    chain,
)
from tavolino.server.storage.old_webhooks import BEGINNING
from tavolino.server.storage.postgres.appending import Appending
from tavolino.server.storage.postgres.circles import PostgresCircles
from tavolino.server.storage.postgres.connections import LOST, UNTIL_REPLICATED, Connections, place_of, reason
from tavolino.server.storage.postgres.nodes import PostgresNodes
from tavolino.server.storage.postgres.old_webhooks import clean_entries, clean_snapshots
from tavolino.server.storage.postgres.people import PostgresPeople
from tavolino.server.storage.postgres.results import PostgresResults

SERVING = 0x7461766E  # the advisory lock of everybody who uses this database
Use = Literal["node", "alone", "beside"]
GUARD_SECONDS = 1.0
RETAKEN_WITHIN = 5  # tries
ROW = """
    SELECT id, game, phase, public, changed, witnessed, needs_waking, card,
        ARRAY(SELECT person FROM members WHERE table_id = id) AS members FROM tables """


class PostgresStorage(PostgresPeople, PostgresResults, PostgresCircles):
    def __init__(self, url: str, use: Use = "node") -> None:
        """A node works with it beside others. A command of an operator has it alone, or looks at it beside the nodes:
        then it may read, and add orders."""
        self.place = place_of(url)
        self._use: Use = use
        self._connections = Connections(url)
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
            query = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = $1 AND usename = current_user"
            await self._value(query, lost)
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
            SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = $1 AND granted
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))"""
        return bool(await self._value(query, SERVING))

    # tables

    async def append(self, *appended: Appended) -> None:
        await self._appending.append(*appended)

    async def entries(self, table: str, after: int = 0) -> list[bytes]:
        head = self._appending.head(table)
        if not after or head is None or head.last != after:
            return (await self._checked_entries(table))[after:]
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
        await self._checked_entries(table)
        raise JournalReplaced(f"table {table}: what is stored does not go on from entry {after}")

    async def _checked_entries(self, table: str) -> list[bytes]:
        """All entries of a table, checked against their hash. One statement, so that they are consistent."""
        query = f"""
            SELECT last, chain, ARRAY(SELECT entry FROM entries WHERE table_id = id ORDER BY number) AS entries,
                ARRAY(SELECT number FROM entries WHERE table_id = id ORDER BY number) AS numbers, {UNTIL_REPLICATED}
            FROM tables WHERE id = $1"""
        found = await self._connections.do(lambda c: c.fetchrow(query, table))
        if found is None:
            return []
        entries: list[bytes] = found["entries"]
        if len(entries) != found["last"] or found["numbers"] != list(range(1, len(entries) + 1)):
            raise TableDamaged(table, f"{len(entries)} entries are stored, {found['last']} were written")
        if chain.extend(chain.begin(table), entries) != found["chain"]:
            raise TableDamaged(table, "an entry is not as it was written")
        self._appending.note_head(table, found["last"], found["chain"])
        return entries

    async def check_tables(self, after: str, limit: int) -> tuple[str | None, list[TableDamaged]]:
        query = "SELECT id FROM tables WHERE id > $1 ORDER BY id LIMIT $2"
        tables: list[str] = [table for (table,) in await self._fetch(query, after, limit)]
        damaged = []
        for table in tables:
            try:
                has_address = any(entry.startswith(BEGINNING) for entry in await self._checked_entries(table))
            except TableDamaged as error:
                damaged.append(error)
                has_address = True  # perhaps
            if has_address:
                await self._connections.do(partial(clean_entries, table=table))
                self._appending.forget_head(table)
        await self._connections.do(partial(clean_snapshots, tables=tables))
        return tables[-1] if len(tables) == limit else None, damaged

    async def keep_snapshot(self, table: str, number: int, snapshot: bytes) -> None:
        query = """
            INSERT INTO snapshots VALUES ($1, $2, $3) ON CONFLICT (table_id) DO UPDATE SET
            number = excluded.number, snapshot = excluded.snapshot WHERE snapshots.number <= excluded.number"""
        await self._execute(query, table, number, snapshot)

    async def snapshot(self, table: str) -> tuple[int, bytes] | None:
        found = await self._fetch("SELECT number, snapshot FROM snapshots WHERE table_id = $1", table)
        return (found[0]["number"], found[0]["snapshot"]) if found else None

    async def keep_review(self, table: str, seat: int, version: int, review: bytes) -> None:
        query = """
            INSERT INTO reviews SELECT id, $2, $3, $4 FROM tables WHERE id = $1 ON CONFLICT (table_id, seat) DO UPDATE
            SET version = excluded.version, review = excluded.review"""
        await self._execute(query, table, seat, version, review)

    async def review(self, table: str, seat: int, version: int) -> bytes | None:
        query = "SELECT review FROM reviews WHERE table_id = $1 AND seat = $2 AND version = $3"
        found: bytes | None = await self._value(query, table, seat, version)
        return found

    async def row(self, table: str) -> TableRow | None:
        rows = await self._rows("WHERE id = $1", table)
        return rows[0] if rows else None

    async def public_rows(self, limit: int) -> list[TableRow]:
        return await self._rows("WHERE public AND phase <> 'ended' ORDER BY changed DESC LIMIT $1", limit)

    async def rows_of(self, person: str, limit: int) -> list[TableRow]:
        where = "WHERE id IN (SELECT table_id FROM members WHERE person = $1) ORDER BY changed DESC LIMIT $2"
        return await self._rows(where, person, limit)

    async def _rows(self, where: str, *values: Any) -> list[TableRow]:
        return [
            TableRow(
                table=found["id"],
                game=found["game"],
                phase=found["phase"],
                public=found["public"],
                changed=found["changed"],
                witnessed=found["witnessed"],
                needs_waking=found["needs_waking"],
                members=tuple(found["members"]),
                card=found["card"],
            )
            for found in await self._fetch(ROW + where, *values)
        ]

    async def count_open(self) -> int:
        return int(await self._value("SELECT count(*) FROM tables WHERE phase <> 'ended'"))

    async def waking_tables(self, game: str, after: str, limit: int) -> list[str]:
        query = (
            "SELECT id FROM tables WHERE needs_waking AND phase <> 'ended' AND game = $1 AND id > $2 "
            "ORDER BY id LIMIT $3"
        )
        return [table for (table,) in await self._fetch(query, game, after, limit)]

    async def idle_tables(self, witnessed: int, limit: int) -> list[tuple[str, int]]:
        query = "SELECT id, last FROM tables WHERE phase <> 'ended' AND witnessed <= $1 ORDER BY witnessed LIMIT $2"
        return [(table, last) for table, last in await self._fetch(query, witnessed, limit)]

    async def ended_tables(self, witnessed: int, limit: int) -> list[str]:
        query = "SELECT id FROM tables WHERE phase = 'ended' AND witnessed <= $1 ORDER BY witnessed LIMIT $2"
        return [table for (table,) in await self._fetch(query, witnessed, limit)]

    async def remove_table(self, table: str) -> None:
        self._appending.forget_head(table)
        await self._execute(
            """
            WITH a AS (DELETE FROM entries WHERE table_id = $1), b AS (DELETE FROM snapshots WHERE table_id = $1),
            c AS (DELETE FROM members WHERE table_id = $1), d AS (DELETE FROM reviews WHERE table_id = $1),
            e AS (DELETE FROM calls WHERE table_id = $1), f AS (DELETE FROM results WHERE table_id = $1)
            DELETE FROM tables WHERE id = $1""",
            table,
        )

    # time

    async def last_moment(self) -> Moment | None:
        found = await self._fetch("SELECT wall, up, witnessed FROM moment")
        return Moment(*found[0]) if found else None

    async def keep_moment(self, moment: Moment) -> None:
        query = """
            INSERT INTO moment VALUES (1, $1, $2, $3, now()) ON CONFLICT (id) DO UPDATE SET wall = excluded.wall,
            up = greatest(moment.up, excluded.up), witnessed = greatest(moment.witnessed, excluded.witnessed),
            kept = greatest(moment.kept, excluded.kept)"""
        await self._execute(query, *moment)

    # orders

    async def add_order(self, content: bytes) -> int:
        return int(await self._value("INSERT INTO orders (content) VALUES ($1) RETURNING number", content))

    async def orders(self, after: int) -> list[StoredOrder]:
        query = "SELECT number, content, outcome FROM orders WHERE number > $1 ORDER BY number"
        return [StoredOrder(*found) for found in await self._fetch(query, after)]

    async def settle_order(self, number: int, outcome: str) -> None:
        await self._execute("UPDATE orders SET outcome = $1 WHERE number = $2", outcome, number)

    async def remove_orders(self, numbers: list[int]) -> None:
        await self._execute("DELETE FROM orders WHERE number = ANY($1::bigint[])", numbers)
