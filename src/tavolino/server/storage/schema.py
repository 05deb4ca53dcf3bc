"""The tables of the SQLite file, as a list of migrations. Never edit one that was released: add the next."""

from __future__ import annotations

import apsw

MIGRATIONS = (
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
)


class SchemaTooNew(Exception):
    """The file was written by a newer Tavolino."""


def migrate(connection: apsw.Connection, migrations: tuple[str, ...] = MIGRATIONS) -> None:
    """Bring the file to the newest schema, one transaction for each step."""
    version = int(connection.pragma("user_version"))
    if version > len(migrations):
        raise SchemaTooNew(f"the data is of schema {version}, this Tavolino knows {len(migrations)}: use a newer one")
    for number, script in enumerate(migrations[version:], start=version + 1):
        with connection:
            connection.execute(script)
            connection.execute(f"PRAGMA user_version = {number}")
