"""Compares the schema of a database with the one that the migrations make, of all features, switched on or not."""

from __future__ import annotations

import re

import asyncpg

from tavolino.server.storage.postgres.schema import MIGRATIONS, VERSION_TABLE, check_version
from tavolino.server.storage.schema_parts import Parts, check_parts

SCHEMA_NAME = re.compile(r"\b(tavolino|pg_temp)\.")
KINDS = {"i": "index", "r": "table", "S": "sequence", "v": "view", "m": "view"}
# Type, name and definition of each part of a schema, but for the names that PostgreSQL gives to row types.
PARTS = """
    SELECT relkind::text, relname::text, coalesce(pg_get_indexdef(indexrelid), '')
        FROM pg_class LEFT JOIN pg_index ON indexrelid = pg_class.oid WHERE relnamespace = $1::oid
    UNION ALL SELECT 'column', relname || '.' || attname,
            concat_ws(' ', format_type(atttypid, atttypmod), attcollation, attnotnull, attidentity,
                pg_get_expr(adbin, adrelid))
        FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
        LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
        WHERE relnamespace = $1::oid AND relkind = 'r' AND attnum > 0 AND NOT attisdropped
    UNION ALL SELECT 'constraint', relname || '.' || conname, pg_get_constraintdef(pg_constraint.oid)
        FROM pg_constraint JOIN pg_class ON conrelid = pg_class.oid WHERE connamespace = $1::oid AND contype <> 'n'
    UNION ALL SELECT 'trigger', relname || '.' || tgname, pg_get_triggerdef(pg_trigger.oid)
        FROM pg_trigger JOIN pg_class ON tgrelid = pg_class.oid WHERE relnamespace = $1::oid AND NOT tgisinternal
    UNION ALL SELECT 'rule', relname || '.' || rulename, pg_get_ruledef(pg_rewrite.oid)
        FROM pg_rewrite JOIN pg_class ON ev_class = pg_class.oid WHERE relnamespace = $1::oid
    UNION ALL SELECT 'function', proname::text, pg_get_function_identity_arguments(oid)
        FROM pg_proc WHERE pronamespace = $1::oid"""


async def check_schema(connection: asyncpg.Connection) -> None:
    """Raise CannotOpen if the schema is not that of its version. What the migrations make is made as temporary tables
    and not committed, so this writes nothing that anybody sees."""
    version = await check_version(connection)
    if version > len(MIGRATIONS):
        return
    transaction = connection.transaction()
    await transaction.start()
    try:
        await connection.execute("SET LOCAL search_path TO pg_temp")
        await connection.execute(VERSION_TABLE)
        for migration in MIGRATIONS[:version]:
            await connection.execute(migration.script)
            for index in migration.indexes:
                await connection.execute(f"CREATE INDEX {index}")
        expected = await _parts(connection, "pg_my_temp_schema()")
    finally:
        await transaction.rollback()
    check_parts(await _parts(connection, "'tavolino'::regnamespace"), expected)


async def _parts(connection: asyncpg.Connection, schema: str) -> Parts:
    number = await connection.fetchval(f"SELECT {schema}::oid")
    rows = await connection.fetch(PARTS, number)
    return {(KINDS.get(kind, kind), name): SCHEMA_NAME.sub("", made) for kind, name, made in rows}
