"""Appends entries: one statement, one round trip and one commit for the moves of many tables.

A table's row is updated only if its last number and hash are those that the new entries follow on. Entries are inserted
only for updated rows, and their primary key refuses a second writer in any case.

When a connection is lost it is unknown whether the statement was committed, so it is sent again. If its number is taken
by our own entries, it had been committed; if it had not, the second statement prevents the first from being committed
later. Callers are answered only after that.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import Any

import asyncpg

from tavolino.server.storage import Appended, ItemTaken, LeaseLost, NumberTaken, StorageError, chain
from tavolino.server.storage.log import Head as Head
from tavolino.server.storage.nodes import FIRST_EPOCH
from tavolino.server.storage.postgres.connections import Connections
from tavolino.server.storage.sql import for_postgres, read_sql

LARGEST_BATCH = 256  # tables
BATCHES_AT_ONCE = 4
HEADS_KEPT = 50_000
APPEND = read_sql(__package__, "append.sql")
DRIVEN = "SELECT id, epoch FROM tables WHERE id = ANY($1::text[])"
ADD_ITEM = "INSERT INTO items VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING name"
HAS_ITEM = "SELECT EXISTS (SELECT FROM items WHERE person = $1 AND name = $2)"
STORED = "SELECT entry FROM entries WHERE table_id = $1 AND number >= $2 ORDER BY number LIMIT $3"


class Appending:
    def __init__(self, connections: Connections, node: str = "") -> None:
        """`node`: who drives the tables that are opened."""
        self._connections, self._node = connections, node
        self._heads: OrderedDict[str, Head] = OrderedDict()
        self._waiting: list[tuple[Appended, asyncio.Future[None]]] = []
        self._tasks: set[asyncio.Task[None]] = set()

    def note_head(self, table: str, last: int, hashed: bytes) -> None:
        """Remember what a read has found, so that the next append need not query it."""
        self._heads[table] = Head(last, hashed)
        self._heads.move_to_end(table)
        while len(self._heads) > HEADS_KEPT:
            self._heads.popitem(last=False)

    def forget_head(self, table: str) -> None:
        self._heads.pop(table, None)

    def head(self, table: str) -> Head | None:
        """The last number and hash of a table that this node knows."""
        return self._heads.get(table)

    async def append(self, *appended: Appended) -> None:
        if len(appended) == 1 and appended[0].item is None:
            future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.append((appended[0], future))
            self._start()
            await future
        elif appended:
            for error in (await self._write(list(appended), in_one_piece=True)).values():
                raise error

    def _start(self) -> None:
        if len(self._tasks) < BATCHES_AT_ONCE:
            task = asyncio.create_task(self._work())
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _work(self) -> None:
        """Write waiting items until there are none. All that was requested in one iteration of the event loop goes
        together."""
        await asyncio.sleep(0)
        while self._waiting:
            batch: dict[str, tuple[Appended, asyncio.Future[None]]] = {}
            later = []
            for each in self._waiting:
                is_next = each[0].row.table not in batch and len(batch) < LARGEST_BATCH
                if is_next:
                    batch[each[0].row.table] = each
                else:  # one item for each table
                    later.append(each)
            self._waiting = later
            # The same order at all nodes, to avoid deadlocks.
            items = sorted((item for item, _ in batch.values()), key=lambda item: item.row.table)
            try:
                refused = await self._write(items)
            except BaseException as error:
                for _, future in batch.values():
                    if not future.done():
                        future.set_exception(error if isinstance(error, Exception) else asyncio.CancelledError())
                if not isinstance(error, Exception):
                    raise
                continue
            for table, (_, future) in batch.items():
                if future.done():
                    continue
                if table in refused:
                    future.set_exception(refused[table])
                else:
                    future.set_result(None)

    async def _write(self, items: list[Appended], in_one_piece: bool = False) -> dict[str, StorageError]:
        """Write these items, and return the reason for each that was refused. `in_one_piece`: all are written, or
        none."""
        heads = {}
        for item in items:
            heads[item.row.table] = await self._head(item)
        values = _columns(items, heads) | {"driver": self._node, "epoch": FIRST_EPOCH if self._node else 0}
        is_repeated = False

        async def work(connection: asyncpg.Connection) -> dict[str, StorageError]:
            nonlocal is_repeated
            was_sent_before, is_repeated = is_repeated, True
            if in_one_piece:
                done = await _all_or_none(connection, values, items)
            else:
                done = await _append(connection, values)
            refused = [item for item in items if item.row.table not in done]
            if was_sent_before:
                refused = [item for item in refused if not await _is_stored(connection, item)]
            return await _reasons(connection, refused) if refused else {}

        for item in items:
            self.forget_head(item.row.table)  # until the outcome is known
        refused = await self._connections.do(work)
        for item in items:
            table, before = item.row.table, heads[item.row.table]
            if table not in refused:
                self.note_head(table, item.number - 1 + len(item.entries), chain.extend(before.chain, item.entries))
            elif before.last > 0:
                self.note_head(table, *before)  # the next write must follow on this
        return refused

    async def _head(self, item: Appended) -> Head:
        table, last = item.row.table, item.number - 1
        if last <= 0:
            return Head(last, chain.begin(table))
        head = self._heads.get(table)
        if head is None or head.last != last:
            query = "SELECT last, chain FROM tables WHERE id = $1"
            found = await self._connections.do(lambda c: c.fetchrow(query, table))
            head = Head(0, b"") if found is None else Head(found["last"], found["chain"])
        return head if head.last == last else Head(-1, b"")  # no entry can follow on this, so the write is refused


async def _append(connection: asyncpg.Connection, values: dict[str, Any]) -> set[str]:
    """The tables to which entries were added."""
    query, listed = for_postgres(APPEND, values)
    return {found["id"] for found in await connection.fetch(query, *listed)}


async def _all_or_none(connection: asyncpg.Connection, values: dict[str, Any], appended: list[Appended]) -> set[str]:
    items = [each.item for each in appended if each.item is not None]
    transaction = connection.transaction()
    await transaction.start()
    try:
        are_added = all([await connection.fetchval(ADD_ITEM, *item) for item in items])
        done = await _append(connection, values) if are_added else set()
    except BaseException:
        await transaction.rollback()
        raise
    if len(done) < len(appended):
        await transaction.rollback()
        return set()
    await transaction.commit()
    return done


async def _is_stored(connection: asyncpg.Connection, item: Appended) -> bool:
    """Whether the entries with these numbers are ours: then the statement without an answer was committed."""
    found = await connection.fetch(STORED, item.row.table, item.number, len(item.entries))
    return [each["entry"] for each in found] == item.entries


async def _reasons(connection: asyncpg.Connection, refused: list[Appended]) -> dict[str, StorageError]:
    """Why these items were not written."""
    epochs = {}
    if driven := [item.row.table for item in refused if item.epoch]:
        epochs = dict(await connection.fetch(DRIVEN, driven))
    reasons: dict[str, StorageError] = {}
    for item in refused:
        table = item.row.table
        if item.epoch and epochs.get(table) not in (None, item.epoch):
            reasons[table] = LeaseLost(f"table {table}: another node drives it (epoch {epochs[table]})")
        elif item.item is not None and await connection.fetchval(HAS_ITEM, item.item.person, item.item.name):
            reasons[table] = ItemTaken(f"table {table}: there is an item of the name {item.item.name}")
        else:
            reasons[table] = NumberTaken(f"table {table}: number {item.number} does not follow on the last one")
    return reasons


def _columns(items: list[Appended], heads: dict[str, Head]) -> dict[str, Any]:
    """The lists of `append.sql`."""
    befores = [heads[item.row.table] for item in items]
    # Members can change only before and after a game, and are written only then.
    have_members = [item.row.phase != "playing" or item.number == 1 for item in items]
    return {
        "ids": [item.row.table for item in items],
        "befores": [head.last for head in befores],
        "chains_before": [head.chain for head in befores],
        "lasts": [item.number - 1 + len(item.entries) for item in items],
        "chains": [chain.extend(head.chain or b"\0", item.entries) for item, head in zip(items, befores, strict=True)],
        "games": [item.row.game for item in items],
        "phases": [item.row.phase for item in items],
        "publics": [item.row.public for item in items],
        "changed": [item.row.changed for item in items],
        "witnessed": [item.row.witnessed for item in items],
        "wakings": [item.row.needs_waking for item in items],
        "cards": [item.row.card for item in items],
        "have_members": have_members,
        "epochs": [item.epoch for item in items],
        "entry_ids": [item.row.table for item in items for _ in item.entries],
        "numbers": [item.number + nth for item in items for nth in range(len(item.entries))],
        "entries": [entry for item in items for entry in item.entries],
        "people": [person for item, has in zip(items, have_members, strict=True) if has for person in item.row.members],
        "seated_ids": [
            item.row.table for item, has in zip(items, have_members, strict=True) if has for _ in item.row.members
        ],
    }
