"""Creates the storage: SQLite in a folder, or a PostgreSQL database."""

from __future__ import annotations

from pathlib import Path

from tavolino.engine.extras import require
from tavolino.server.storage import Storage
from tavolino.server.storage.sqlite import SqliteStorage

SCHEMES = ("postgresql://", "postgres://")


def make_storage(folder: Path, database: str | None, is_beside: bool = False) -> Storage:
    """`database` is a PostgreSQL URL, or None for SQLite. `is_beside`: for an operator's command that runs beside the
    server."""
    if database is None:
        return SqliteStorage(folder, is_beside=is_beside)
    require("cluster", "asyncpg")
    from tavolino.server.storage.postgres import PostgresStorage

    return PostgresStorage(database, "beside" if is_beside else "node")
