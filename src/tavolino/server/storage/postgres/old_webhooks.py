"""Removes webhook addresses from entries in PostgreSQL (see `storage/old_webhooks.py`).

Servers of the previous version may run beside this one and write more of them, so this runs with every check of tables.
A node that has such a table in memory finds its entries replaced at its next write, and reads them again.
"""

from __future__ import annotations

import asyncpg

from tavolino.server.storage.old_webhooks import clean, item_name

# Those servers store the address in snapshots, too. Snapshots can be deleted: they are made again.
SNAPSHOTS = """
    DELETE FROM snapshots WHERE table_id = ANY($1::text[]) AND encode(snapshot, 'escape') ~* '"webhook":"[a-z]+://'"""


async def clean_snapshots(connection: asyncpg.Connection, tables: list[str]) -> None:
    await connection.execute(SNAPSHOTS, tables)


async def clean_entries(connection: asyncpg.Connection, table: str) -> None:
    async with connection.transaction():
        # The row lock delays appends until this is committed; then they find another hash.
        hashed = await connection.fetchval("SELECT chain FROM tables WHERE id = $1 FOR UPDATE", table)
        found = await connection.fetch("SELECT entry FROM entries WHERE table_id = $1 ORDER BY number", table)
        changed, hashed, person, address = clean(table, [entry for (entry,) in found], hashed)
        if not changed:
            return
        for number, entry in changed:
            query = "UPDATE entries SET entry = $3 WHERE table_id = $1 AND number = $2"
            await connection.execute(query, table, number, entry)
        await connection.execute("UPDATE tables SET chain = $2 WHERE id = $1", table, hashed)
        keep = """
            INSERT INTO items SELECT id, $2, $3 FROM people WHERE id = $1
            ON CONFLICT (person, name) DO UPDATE SET content = excluded.content"""
        await connection.execute(keep, person, item_name(table), address.encode())
