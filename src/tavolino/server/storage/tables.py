"""Snapshots, and lists of tables."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import NamedTuple

from tavolino.server.storage.journals import CompactRow, StoredJournal, digest
from tavolino.server.storage.log import StoredRow
from tavolino.server.storage.sql import Database, Steps, statement

# Ids contain no spaces.
ROW = """
    SELECT id, game, phase, public, changed, witnessed, needs_waking,
        (SELECT string_agg(person, ' ') FROM members WHERE table_id = id) AS members, card FROM tables """
OF_A_TABLE = ("entries", "compact_entries", "snapshots", "members", "mentions", "reviews", "calls", "results")


class Short(NamedTuple):
    """What is stored in place of a table's journal."""

    content: bytes
    card: bytes
    mentions: set[str]  # people who are named in it and do not sit at the table


class Tables(ABC):
    database: Database

    @abstractmethod
    def forget_head(self, table: str) -> None:
        """The last number and hash in memory are no longer those of the table."""

    async def keep_snapshot(self, table: str, number: int, snapshot: bytes) -> None:
        query = """
            INSERT INTO snapshots VALUES (:table, :number, :snapshot) ON CONFLICT (table_id) DO UPDATE SET
            number = excluded.number, snapshot = excluded.snapshot WHERE snapshots.number <= excluded.number"""
        await self.database.rows(query, table=table, number=number, snapshot=snapshot)

    async def snapshot(self, table: str) -> tuple[int, bytes] | None:
        query = "SELECT number, snapshot FROM snapshots WHERE table_id = :table"
        found = await self.database.first(query, table=table)
        return None if found is None else (found[0], found[1])

    async def compacted(self, table: str) -> tuple[int, bytes] | None:
        query = "SELECT compacted, content FROM tables JOIN compact_entries ON table_id = id WHERE id = :table"
        found = await self.database.first(query, table=table)
        return None if found is None else (found[0], found[1])

    async def tables_to_compact(self, witnessed: int, after: tuple[int, str], limit: int) -> list[tuple[int, str]]:
        """Tables that had ended by then and are not compacted, with the time at which they ended; those after one."""
        query = """
            SELECT witnessed, id FROM tables WHERE phase = 'ended' AND compacted = 0 AND witnessed <= :witnessed
            AND (witnessed, id) > (:ended, :table) ORDER BY witnessed, id LIMIT :limit"""
        ended, table = after
        found = await self.database.rows(query, witnessed=witnessed, ended=ended, table=table, limit=limit)
        return [(ended, table) for ended, table in found]

    async def finished_tables_of(self, person: str) -> list[str]:
        """The finished tables in whose compacted entries a person may be named."""
        query = """
            SELECT id FROM tables WHERE phase = 'ended' AND id IN (SELECT table_id FROM members WHERE person = :person
            UNION ALL SELECT table_id FROM mentions WHERE person = :person) ORDER BY id"""
        return [table for (table,) in await self.database.rows(query, person=person)]

    async def compacted_among(self, tables: list[str]) -> list[str]:
        query = "SELECT id FROM tables WHERE compacted > 0 AND id IN :tables ORDER BY id"
        return [table for (table,) in await self.database.rows(query, tables=tables)]

    async def compact(self, table: str, shorten: Callable[[StoredJournal, bytes], Steps[Short | None]]) -> bool:
        """Replace the journal of a finished table by one row, which `shorten` makes of the journal and of the card of
        the table; None: leave it. Number and hash of the last entry stay. Returns whether it was replaced."""

        def steps() -> Steps[bool]:
            # On PostgreSQL the lock of the row delays appends until this is committed.
            lock = """
                UPDATE tables SET compacted = compacted WHERE id = :table AND phase = 'ended'
                RETURNING last, chain, compacted, card"""
            if not (locked := (yield statement(lock, table=table))):
                return False
            last, hashed, compacted, card = locked[0]
            read = "SELECT chain, digest, content FROM compact_entries WHERE table_id = :table"
            row = [CompactRow(*each) for each in (yield statement(read, table=table))]
            read = "SELECT number, entry FROM entries WHERE table_id = :table ORDER BY number"
            found = yield statement(read, table=table)
            entries = [bytes(entry) for _, entry in found]
            journal = StoredJournal(
                table, last, hashed, compacted, row[0] if row else None, [number for number, _ in found], entries
            )
            chain = journal.check()
            if (short := (yield from shorten(journal, card))) is None:
                return False
            for name in ("entries", "compact_entries", "snapshots", "mentions"):
                yield statement(f"DELETE FROM {name} WHERE table_id = :table", table=table)
            add = "INSERT INTO compact_entries VALUES (:table, :chain, :digest, :content)"
            content = short.content
            yield statement(add, table=table, chain=chain, digest=digest(chain, content), content=content)
            change = "UPDATE tables SET compacted = :last, chain = :chain, card = :card WHERE id = :table"
            yield statement(change, table=table, last=last, chain=chain, card=short.card)
            for person in short.mentions:
                add = "INSERT INTO mentions SELECT id, :table FROM people WHERE id = :person"
                yield statement(add, table=table, person=person)
            return True

        return await self.database.run(steps)

    async def row(self, table: str) -> StoredRow | None:
        rows = await self._rows("WHERE id = :table", table=table)
        return rows[0] if rows else None

    async def public_rows(self, limit: int) -> list[StoredRow]:
        """Public tables that have not ended, the last changed first."""
        return await self._rows("WHERE public AND phase <> 'ended' ORDER BY changed DESC, id LIMIT :limit", limit=limit)

    async def rows_of(self, person: str, limit: int) -> list[StoredRow]:
        where = (
            "WHERE id IN (SELECT table_id FROM members WHERE person = :person) ORDER BY changed DESC, id LIMIT :limit"
        )
        return await self._rows(where, person=person, limit=limit)

    async def _rows(self, where: str, **values: object) -> list[StoredRow]:
        found = await self.database.rows(ROW + where, **values)
        return [_row(*each) for each in found]

    async def count_open(self) -> int:
        """The number of tables that have not ended."""
        return int(await self.database.value("SELECT count(*) FROM tables WHERE phase <> 'ended'"))

    async def waking_tables(self, game: str, after: str, limit: int) -> list[str]:
        """Tables of a game with automatic changes, by id. Not for nodes: they use `Nodes.take_over`."""
        query = """
            SELECT id FROM tables WHERE needs_waking AND phase <> 'ended' AND game = :game AND id > :after
            ORDER BY id LIMIT :limit"""
        return [table for (table,) in await self.database.rows(query, game=game, after=after, limit=limit)]

    async def idle_tables(self, witnessed: int, limit: int) -> list[tuple[str, int]]:
        """Tables that have not ended or changed since then, with the number of their last entry."""
        query = """
            SELECT id, last FROM tables WHERE phase <> 'ended' AND witnessed <= :witnessed
            ORDER BY witnessed, id LIMIT :limit"""
        return [(table, last) for table, last in await self.database.rows(query, witnessed=witnessed, limit=limit)]

    async def ended_tables(self, witnessed: int, limit: int) -> list[str]:
        """Tables that had ended by then."""
        query = """
            SELECT id FROM tables WHERE phase = 'ended' AND witnessed <= :witnessed
            ORDER BY witnessed, id LIMIT :limit"""
        return [table for (table,) in await self.database.rows(query, witnessed=witnessed, limit=limit)]

    async def remove_table(self, table: str) -> None:
        def steps() -> Steps[None]:
            yield statement("DELETE FROM tables WHERE id = :table", table=table)
            for name in OF_A_TABLE:
                yield statement(f"DELETE FROM {name} WHERE table_id = :table", table=table)
            self.forget_head(table)

        await self.database.run(steps)


def _row(
    table: str,
    game: str,
    phase: str,
    public: bool,
    changed: int,
    witnessed: int,
    needs_waking: bool,
    members: str | None,
    card: bytes,
) -> StoredRow:
    return StoredRow(
        table=table,
        game=game,
        phase=phase,
        public=bool(public),  # SQLite has no booleans
        changed=changed,
        witnessed=witnessed,
        needs_waking=bool(needs_waking),
        members=tuple((members or "").split()),
        card=card,
    )
