"""Stored reviews: what the coach says of finished tables."""

from __future__ import annotations

from tavolino.server.storage import Storage


class StoredReviews:
    def __init__(self, storage: Storage) -> None:
        self._database = storage.database

    async def keep(self, table: str, seat: int, version: int, review: bytes) -> None:
        """Store the review of a table for a seat, replacing an earlier one; no effect if the table was removed."""
        query = """
            INSERT INTO reviews SELECT id, :seat, :version, :review FROM tables WHERE id = :table
            ON CONFLICT (table_id, seat) DO UPDATE SET version = excluded.version, review = excluded.review"""
        await self._database.rows(query, table=table, seat=seat, version=version, review=review)

    async def find(self, table: str, seat: int, version: int) -> bytes | None:
        """The stored review, if it has this version."""
        query = "SELECT review FROM reviews WHERE table_id = :table AND seat = :seat AND version = :version"
        found: bytes | None = await self._database.value(query, table=table, seat=seat, version=version)
        return found
