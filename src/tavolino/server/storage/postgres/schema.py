"""The PostgreSQL schema as a list of migrations. Never edit a released migration: add a new one.

Servers of two versions share a database during a rolling update. So a migration only adds (expand); what the previous
version no longer uses is removed one release later (contract). `oldest` is the oldest schema version whose servers can
work with this one.
"""

from __future__ import annotations

import asyncio
from typing import NamedTuple

import asyncpg

from tavolino.server.storage import CannotOpen

LOCK = 0x7461766F  # of the migrations: "tavo"
VERSION_TABLE = "CREATE TABLE IF NOT EXISTS schema_version (version integer NOT NULL, oldest integer NOT NULL)"
LOCK_PAUSE = 0.1
LOCK_TIMEOUT, ATTEMPTS = "1s", 60


class Migration(NamedTuple):
    """`indexes` are built concurrently, because older servers write to these tables meanwhile: `name ON table (...)`.
    An index within the script would block their writes until it is built."""

    oldest: int
    script: str
    indexes: tuple[str, ...] = ()


MIGRATIONS = (
    Migration(
        1,
        """
        CREATE TABLE tables (
            id text COLLATE "C" PRIMARY KEY,
            game text NOT NULL,
            phase text NOT NULL,
            public boolean NOT NULL,
            changed bigint NOT NULL,
            witnessed bigint NOT NULL,
            needs_waking boolean NOT NULL,
            card bytea NOT NULL,
            last integer NOT NULL,
            chain bytea NOT NULL
        );
        CREATE INDEX public_tables ON tables (changed) WHERE public AND phase <> 'ended';
        CREATE INDEX open_tables ON tables (witnessed) WHERE phase <> 'ended';
        CREATE INDEX ended_tables ON tables (witnessed) WHERE phase = 'ended';
        CREATE INDEX waking_tables ON tables (id) WHERE needs_waking AND phase <> 'ended';

        -- The key is what refuses a second writer.
        CREATE TABLE entries (
            table_id text COLLATE "C" NOT NULL,
            number integer NOT NULL,
            entry bytea NOT NULL,
            PRIMARY KEY (table_id, number)
        );
        CREATE TABLE snapshots (
            table_id text COLLATE "C" PRIMARY KEY,
            number integer NOT NULL,
            snapshot bytea NOT NULL
        );
        CREATE TABLE members (
            person text COLLATE "C" NOT NULL,
            table_id text COLLATE "C" NOT NULL,
            PRIMARY KEY (person, table_id)
        );
        CREATE INDEX members_of_table ON members (table_id);

        CREATE TABLE people (
            id text COLLATE "C" PRIMARY KEY,
            name text NOT NULL,
            made bigint NOT NULL,
            new_name text
        );
        CREATE TABLE tokens (
            hash bytea PRIMARY KEY,
            person text COLLATE "C" NOT NULL REFERENCES people ON DELETE CASCADE,
            made bigint NOT NULL,
            used bigint NOT NULL,
            used_witnessed bigint NOT NULL
        );
        CREATE INDEX tokens_of_person ON tokens (person);
        CREATE INDEX tokens_by_use ON tokens (used_witnessed);
        CREATE TABLE return_codes (
            hash bytea PRIMARY KEY,
            person text COLLATE "C" NOT NULL REFERENCES people ON DELETE CASCADE,
            expires bigint NOT NULL
        );
        CREATE INDEX return_codes_of_person ON return_codes (person);
        CREATE TABLE moment (
            id integer PRIMARY KEY CHECK (id = 1),
            wall double precision NOT NULL,
            up double precision NOT NULL,
            witnessed double precision NOT NULL
        );
        CREATE TABLE orders (
            number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            content bytea NOT NULL,
            outcome text
        );
        """,
    ),
    Migration(
        1,
        """
        -- Who drives a table, and since which change of the driver. '' is nobody: a node that never lives.
        ALTER TABLE tables ADD COLUMN driver text COLLATE "C" NOT NULL DEFAULT '';
        ALTER TABLE tables ADD COLUMN epoch bigint NOT NULL DEFAULT 0;
        CREATE TABLE nodes (
            id text COLLATE "C" PRIMARY KEY,
            until timestamptz NOT NULL,
            rules text[] NOT NULL DEFAULT '{}'
        );
        INSERT INTO nodes VALUES ('', '-infinity');
        ALTER TABLE moment ADD COLUMN kept timestamptz NOT NULL DEFAULT '-infinity';
        """,
        ("driven_tables ON tables (driver) WHERE needs_waking AND phase <> 'ended'",),
    ),
    Migration(
        1,
        """
        CREATE TABLE items (
            person text COLLATE "C" NOT NULL REFERENCES people ON DELETE CASCADE,
            name text COLLATE "C" NOT NULL,
            content bytea NOT NULL,
            PRIMARY KEY (person, name)
        );
        CREATE INDEX items_by_name ON items (name);
        CREATE TABLE shared_deals (name text COLLATE "C" PRIMARY KEY, secret text NOT NULL);
        """,
    ),
    Migration(
        1,
        """
        CREATE TABLE reviews (
            table_id text COLLATE "C" NOT NULL,
            seat integer NOT NULL,
            version integer NOT NULL,
            review bytea NOT NULL,
            PRIMARY KEY (table_id, seat)
        );
        """,
    ),
    Migration(
        1,
        """
        -- For which turn of a table a person was last called, by each kind of call.
        CREATE TABLE calls (
            table_id text COLLATE "C" NOT NULL,
            person text COLLATE "C" NOT NULL REFERENCES people ON DELETE CASCADE,
            kind text COLLATE "C" NOT NULL,
            turn integer NOT NULL,
            PRIMARY KEY (table_id, person, kind)
        );
        CREATE INDEX calls_of_person ON calls (person);
        CREATE TABLE server_keys (name text COLLATE "C" PRIMARY KEY, content bytea NOT NULL);
        """,
    ),
    Migration(
        1,
        """
        CREATE TABLE results (table_id text COLLATE "C" PRIMARY KEY, settled boolean NOT NULL);
        CREATE INDEX expected_results ON results (table_id) WHERE NOT settled;
        CREATE TABLE ratings (
            person text COLLATE "C" NOT NULL REFERENCES people ON DELETE CASCADE,
            game text COLLATE "C" NOT NULL,
            number integer NOT NULL,
            table_id text COLLATE "C" NOT NULL,
            ended bigint NOT NULL,
            mu double precision NOT NULL,
            sigma double precision NOT NULL,
            PRIMARY KEY (person, game, number)
        );
        CREATE UNIQUE INDEX rated_once ON ratings (person, table_id);
        """,
    ),
    Migration(
        1,
        """
        CREATE TABLE circles (id text COLLATE "C" PRIMARY KEY, name text NOT NULL, made bigint NOT NULL);
        CREATE TABLE circle_members (
            circle text COLLATE "C" NOT NULL REFERENCES circles ON DELETE CASCADE,
            person text COLLATE "C" NOT NULL REFERENCES people ON DELETE CASCADE,
            joined bigint NOT NULL,
            role text NOT NULL,
            PRIMARY KEY (circle, person)
        );
        CREATE INDEX circles_of_person ON circle_members (person);
        CREATE TABLE circle_results (
            circle text COLLATE "C" NOT NULL REFERENCES circles ON DELETE CASCADE,
            table_id text COLLATE "C" NOT NULL,
            person text COLLATE "C" NOT NULL REFERENCES people ON DELETE CASCADE,
            game text NOT NULL,
            ended bigint NOT NULL,
            won boolean NOT NULL,
            PRIMARY KEY (circle, table_id, person)
        );
        CREATE INDEX circle_results_of_person ON circle_results (person);
        """,
    ),
    Migration(
        1,
        """
        CREATE TABLE series (
            id text COLLATE "C" PRIMARY KEY,
            circle text COLLATE "C" NOT NULL REFERENCES circles ON DELETE CASCADE,
            game text NOT NULL,
            seats integer NOT NULL,
            deals integer NOT NULL,
            opened bigint NOT NULL,
            closes bigint NOT NULL,
            closed bigint
        );
        CREATE INDEX series_of_circle ON series (circle);
        """,
    ),
    Migration(1, "ALTER TABLE ratings ADD COLUMN limited double precision NOT NULL DEFAULT 0"),
    Migration(
        10,  # older servers would take the entries of a compacted table for lost
        """
        ALTER TABLE tables ADD COLUMN compacted integer NOT NULL DEFAULT 0;
        CREATE TABLE compact_entries (
            table_id text COLLATE "C" PRIMARY KEY,
            chain bytea NOT NULL,
            digest bytea NOT NULL,
            content bytea NOT NULL
        );
        CREATE TABLE mentions (
            person text COLLATE "C" NOT NULL REFERENCES people ON DELETE CASCADE,
            table_id text COLLATE "C" NOT NULL,
            PRIMARY KEY (person, table_id)
        );
        CREATE INDEX mentions_of_table ON mentions (table_id);
        """,
        ("tables_to_compact ON tables (witnessed, id) WHERE phase = 'ended' AND compacted = 0",),
    ),
    Migration(
        10,
        """
        CREATE TABLE tournaments (
            id text COLLATE "C" PRIMARY KEY,
            title text NOT NULL,
            game text NOT NULL,
            seats integer NOT NULL,
            deals integer NOT NULL,
            at_once integer NOT NULL,
            seconds integer NOT NULL,
            opens bigint NOT NULL,
            closes bigint NOT NULL
        );
        """,
    ),
)


async def migrate(connection: asyncpg.Connection, migrations: tuple[Migration, ...] = MIGRATIONS) -> None:
    """Migrate the database to the newest schema, one server at a time. The next server completes an interrupted
    step."""
    # Poll for the lock instead of waiting in a statement: CREATE INDEX CONCURRENTLY waits until all statements have
    # ended that began before it, including one that waits for this lock: a deadlock.
    while not await connection.fetchval("SELECT pg_try_advisory_lock($1)", LOCK):
        await asyncio.sleep(LOCK_PAUSE)
    try:
        await connection.execute("CREATE SCHEMA IF NOT EXISTS tavolino")
        await connection.execute(VERSION_TABLE)
        version = await check_version(connection, migrations)
        for number, migration in enumerate(migrations[version:], start=version + 1):
            await _run(connection, number, migration)
        await _build_indexes(connection, migrations)
    finally:
        if not connection.is_closed():
            await connection.execute("SELECT pg_advisory_unlock($1)", LOCK)


async def _run(connection: asyncpg.Connection, number: int, migration: Migration) -> None:
    """One atomic step. An ALTER TABLE waits for readers such as a backup, and blocks all later statements meanwhile; so
    it has a short timeout and is retried."""
    for attempt in range(ATTEMPTS):
        try:
            async with connection.transaction():
                await connection.execute(f"SET LOCAL lock_timeout = '{LOCK_TIMEOUT}'")
                await connection.execute(migration.script)
                await connection.execute("DELETE FROM schema_version")
                await connection.execute("INSERT INTO schema_version VALUES ($1, $2)", number, migration.oldest)
            return
        except asyncpg.LockNotAvailableError:
            if attempt == ATTEMPTS - 1:
                raise CannotOpen("its tables cannot be changed while something else reads them: try again") from None
            await asyncio.sleep(LOCK_PAUSE)


async def _build_indexes(connection: asyncpg.Connection, migrations: tuple[Migration, ...]) -> None:
    """Build missing indexes while older servers write, and rebuild one that was interrupted."""
    wanted = {index.split()[0]: index for migration in migrations for index in migration.indexes}
    query = """
        SELECT relname FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
        WHERE relnamespace = 'tavolino'::regnamespace AND indisvalid AND relname = ANY($1::text[])"""
    there = {name for (name,) in await connection.fetch(query, list(wanted))}
    for name in wanted.keys() - there:
        await connection.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {name}")
        await connection.execute(f"CREATE INDEX CONCURRENTLY {wanted[name]}")


async def check_version(connection: asyncpg.Connection, migrations: tuple[Migration, ...] = MIGRATIONS) -> int:
    """The schema version of this database. A newer one is accepted if it says that it supports this version."""
    found = await connection.fetchrow("SELECT version, oldest FROM schema_version")
    version, oldest = (0, 0) if found is None else (found["version"], found["oldest"])
    if oldest > len(migrations):
        raise CannotOpen(
            f"it was written by a newer Tavolino (schema {version}, this one knows {len(migrations)}): "
            "install that version, or restore a backup"
        )
    return int(version)
