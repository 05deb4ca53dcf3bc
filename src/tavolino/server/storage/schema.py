"""The SQLite schema as a list of migrations. Never edit a released migration: add a new one."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import apsw

from tavolino.server.storage import CannotOpen
from tavolino.server.storage.old_webhooks import clean_file
from tavolino.server.storage.schema_parts import Parts, check_parts

Migration = str | Callable[[apsw.Connection], None]
MIGRATIONS: tuple[Migration, ...] = (
    """
    CREATE TABLE tables (
        id TEXT PRIMARY KEY,
        game TEXT NOT NULL,
        phase TEXT NOT NULL,
        public INTEGER NOT NULL,
        changed INTEGER NOT NULL,
        card BLOB NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX tables_by_phase ON tables (phase, changed);
    CREATE INDEX public_tables ON tables (changed) WHERE public AND phase <> 'ended';

    -- The key is what refuses a second writer.
    CREATE TABLE entries (
        table_id TEXT NOT NULL,
        number INTEGER NOT NULL,
        entry BLOB NOT NULL,
        PRIMARY KEY (table_id, number)
    ) WITHOUT ROWID;
    CREATE TABLE snapshots (
        table_id TEXT PRIMARY KEY,
        number INTEGER NOT NULL,
        snapshot BLOB NOT NULL
    ) WITHOUT ROWID;

    CREATE TABLE people (id TEXT PRIMARY KEY, name TEXT NOT NULL, made INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE tokens (
        hash BLOB PRIMARY KEY,
        person TEXT NOT NULL REFERENCES people ON DELETE CASCADE,
        made INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX tokens_of_person ON tokens (person);
    CREATE TABLE return_codes (
        hash BLOB PRIMARY KEY,
        person TEXT NOT NULL REFERENCES people ON DELETE CASCADE,
        expires INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX return_codes_of_person ON return_codes (person);
    CREATE TABLE members (
        person TEXT NOT NULL,
        table_id TEXT NOT NULL,
        PRIMARY KEY (person, table_id)
    ) WITHOUT ROWID;
    CREATE INDEX members_of_table ON members (table_id);

    CREATE TABLE runs (id INTEGER PRIMARY KEY, started REAL NOT NULL, alive REAL NOT NULL);
    """,
    """
    -- Time is counted, not read off the wall clock (decision 040). All ages begin with this version.
    CREATE TABLE moment (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        wall REAL NOT NULL,
        up REAL NOT NULL,
        witnessed REAL NOT NULL
    );
    INSERT INTO moment SELECT 1, max(alive), 0, 0 FROM runs HAVING count(*) > 0;
    DROP TABLE runs;
    ALTER TABLE tables ADD COLUMN witnessed INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE tables ADD COLUMN needs_waking INTEGER NOT NULL DEFAULT 0;

    -- The number of the last entry, and the hash of all of them; null until the next entry of a table of 0.1.
    ALTER TABLE tables ADD COLUMN last INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE tables ADD COLUMN chain BLOB;
    UPDATE tables SET
        last = (SELECT coalesce(max(number), 0) FROM entries WHERE table_id = id),
        needs_waking = CASE WHEN json_valid(CAST(card AS TEXT))
            THEN coalesce(CAST(card AS TEXT) ->> '$.needs_waking', 0) ELSE 0 END;

    DROP INDEX tables_by_phase;
    CREATE INDEX open_tables ON tables (witnessed) WHERE phase <> 'ended';
    CREATE INDEX ended_tables ON tables (witnessed) WHERE phase = 'ended';
    CREATE INDEX waking_tables ON tables (id) WHERE needs_waking AND phase <> 'ended';
    """,
    """
    -- What operators ask of the server, which looks here every second. AUTOINCREMENT: no number comes twice.
    CREATE TABLE orders (number INTEGER PRIMARY KEY AUTOINCREMENT, content BLOB NOT NULL, outcome TEXT);
    """,
    """
    -- When a token was last used: by the wall clock, for people, and in witnessed time, by which it expires.
    ALTER TABLE tokens ADD COLUMN used INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE tokens ADD COLUMN used_witnessed INTEGER NOT NULL DEFAULT 0;
    UPDATE tokens SET used = made, used_witnessed = coalesce((SELECT CAST(witnessed AS INTEGER) FROM moment), 0);
    CREATE INDEX tokens_by_use ON tokens (used_witnessed);
    -- A name that is shown once the person's games without free talk are over.
    ALTER TABLE people ADD COLUMN new_name TEXT;
    -- Return codes expire in counted uptime from now on; those that are there do so now.
    DELETE FROM return_codes;
    """,
    """
    -- What is kept for one person, by name: progress in puzzles, positions to see again, results of daily deals.
    CREATE TABLE items (
        person TEXT NOT NULL REFERENCES people ON DELETE CASCADE,
        name TEXT NOT NULL,
        content BLOB NOT NULL,
        PRIMARY KEY (person, name)
    ) WITHOUT ROWID;
    CREATE INDEX items_by_name ON items (name);
    -- Secrets of deals that several tables share.
    CREATE TABLE shared_deals (name TEXT PRIMARY KEY, secret TEXT NOT NULL) WITHOUT ROWID;
    """,
    """
    -- What the coach says of a finished game. What an older coach (`version`) has said is worked out anew.
    CREATE TABLE reviews (
        table_id TEXT NOT NULL,
        seat INTEGER NOT NULL,
        version INTEGER NOT NULL,
        review BLOB NOT NULL,
        PRIMARY KEY (table_id, seat)
    ) WITHOUT ROWID;
    """,
    """
    -- For which turn of a table a person was last called, by each kind of call.
    CREATE TABLE calls (
        table_id TEXT NOT NULL,
        person TEXT NOT NULL REFERENCES people ON DELETE CASCADE,
        kind TEXT NOT NULL,
        turn INTEGER NOT NULL,
        PRIMARY KEY (table_id, person, kind)
    ) WITHOUT ROWID;
    CREATE INDEX calls_of_person ON calls (person);
    CREATE TABLE server_keys (name TEXT PRIMARY KEY, content BLOB NOT NULL) WITHOUT ROWID;
    """,
    """
    -- Tables whose result counts, and whether it has been counted: written before the cards are dealt.
    CREATE TABLE results (table_id TEXT PRIMARY KEY, settled INTEGER NOT NULL) WITHOUT ROWID;
    CREATE INDEX expected_results ON results (table_id) WHERE NOT settled;
    CREATE TABLE ratings (
        person TEXT NOT NULL REFERENCES people ON DELETE CASCADE,
        game TEXT NOT NULL,
        number INTEGER NOT NULL,
        table_id TEXT NOT NULL,
        ended INTEGER NOT NULL,
        mu REAL NOT NULL,
        sigma REAL NOT NULL,
        PRIMARY KEY (person, game, number)
    ) WITHOUT ROWID;
    CREATE UNIQUE INDEX rated_once ON ratings (person, table_id);
    """,
    """
    -- Circles of friends, and the results of games that only members have played.
    CREATE TABLE circles (id TEXT PRIMARY KEY, name TEXT NOT NULL, made INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE circle_members (
        circle TEXT NOT NULL REFERENCES circles ON DELETE CASCADE,
        person TEXT NOT NULL REFERENCES people ON DELETE CASCADE,
        joined INTEGER NOT NULL,
        role TEXT NOT NULL,
        PRIMARY KEY (circle, person)
    ) WITHOUT ROWID;
    CREATE INDEX circles_of_person ON circle_members (person);
    CREATE TABLE circle_results (
        circle TEXT NOT NULL REFERENCES circles ON DELETE CASCADE,
        table_id TEXT NOT NULL,
        person TEXT NOT NULL REFERENCES people ON DELETE CASCADE,
        game TEXT NOT NULL,
        ended INTEGER NOT NULL,
        won INTEGER NOT NULL,
        PRIMARY KEY (circle, table_id, person)
    ) WITHOUT ROWID;
    CREATE INDEX circle_results_of_person ON circle_results (person);
    """,
    """
    -- Series of deals that all members of a circle play. `closed`: before its time, because all have played.
    CREATE TABLE series (
        id TEXT PRIMARY KEY,
        circle TEXT NOT NULL REFERENCES circles ON DELETE CASCADE,
        game TEXT NOT NULL,
        seats INTEGER NOT NULL,
        deals INTEGER NOT NULL,
        opened INTEGER NOT NULL,
        closes INTEGER NOT NULL,
        closed INTEGER
    ) WITHOUT ROWID;
    CREATE INDEX series_of_circle ON series (circle);
    """,
    clean_file,
    "ALTER TABLE ratings ADD COLUMN limited REAL NOT NULL DEFAULT 0",
    """
    -- The first entries of a table that ended some days ago, in one row (decision 101): how many they were, their hash,
    -- and the hash of the row. `mentions`: people who do not sit at such a table and are named in its row.
    ALTER TABLE tables ADD COLUMN compacted INTEGER NOT NULL DEFAULT 0;
    CREATE TABLE compact_entries (
        table_id TEXT PRIMARY KEY,
        chain BLOB NOT NULL,
        digest BLOB NOT NULL,
        content BLOB NOT NULL
    );
    CREATE TABLE mentions (
        person TEXT NOT NULL REFERENCES people ON DELETE CASCADE,
        table_id TEXT NOT NULL,
        PRIMARY KEY (person, table_id)
    ) WITHOUT ROWID;
    CREATE INDEX mentions_of_table ON mentions (table_id);
    CREATE INDEX tables_to_compact ON tables (witnessed, id) WHERE phase = 'ended' AND compacted = 0;
    """,
    """
    -- Who has entered, and the tables of the deals, are items of people (decision 162). Times are seconds since 1970.
    CREATE TABLE tournaments (
        id TEXT PRIMARY KEY,
        title TEXT NOT NULL,
        game TEXT NOT NULL,
        seats INTEGER NOT NULL,
        deals INTEGER NOT NULL,
        at_once INTEGER NOT NULL,
        seconds INTEGER NOT NULL,
        opens INTEGER NOT NULL,
        closes INTEGER NOT NULL
    ) WITHOUT ROWID;
    """,
)


def migrate(connection: apsw.Connection, migrations: tuple[Migration, ...] = MIGRATIONS) -> None:
    """Migrate the file to the newest schema, one transaction for each step."""
    version = int(connection.pragma("user_version"))
    if version > len(migrations):
        raise CannotOpen(
            f"it was written by a newer Tavolino (schema {version}, this one knows {len(migrations)}): "
            "install that version, or restore a backup"
        )
    for number, migration in enumerate(migrations[version:], start=version + 1):
        with connection:
            if isinstance(migration, str):
                connection.execute(migration)
            else:
                migration(connection)
            connection.execute(f"PRAGMA user_version = {number}")


def check_schema(path: Path) -> None:
    """Refuse a file whose schema is not the one that the migrations up to its version make: a trigger, a view or an
    index of somebody else would run with every statement of the server."""
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    made = apsw.Connection(":memory:")
    try:
        version = int(connection.pragma("user_version"))
        migrate(made, MIGRATIONS[: max(version, 0)])
        expected, found = _schema(made), _schema(connection)
    except apsw.Error:
        return  # not a database, or a damaged one: opening it says so
    finally:
        made.close()
        connection.close()
    if version > len(MIGRATIONS):  # of a newer version, which opening it says
        return
    check_parts(found, expected)


def _schema(connection: apsw.Connection) -> Parts:
    """What makes each part of the schema, by its type and name, without comments and spaces."""
    rows = connection.execute("SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_master")
    own = re.compile("sqlite_(sequence|stat[0-9])")  # SQLite makes these tables when it needs them
    return {
        (str(kind), str(name)): (str(table), re.sub(r"--[^\n]*|\s", "", str(sql)).lower())
        for kind, name, table, sql in rows
        if not (kind == "table" and own.fullmatch(str(name)))
    }
