"""Finished tables become one row each in the storage, some days after their end (decision 101)."""

from __future__ import annotations

from functools import partial

from tavolino.server.kernel import compaction
from tavolino.server.kernel.entry_kinds import EntryKinds
from tavolino.server.storage import Storage, TableDamaged
from tavolino.server.storage.journals import StoredJournal
from tavolino.server.storage.old_webhooks import BEGINNING
from tavolino.server.storage.sql import Steps, statement
from tavolino.server.storage.tables import Short
from tavolino.server.tables.jobs import attempt
from tavolino.server.tables.registry import Registry

SLICE = 100  # tables at a time
START = (-1, "")


class Compaction:
    """Goes through all tables that have ended and are not compacted, again and again: some cannot be compacted yet."""

    def __init__(self, registry: Registry) -> None:
        self._registry, self._context = registry, registry.context
        self._after = START

    async def sweep(self, witnessed: int) -> None:
        """Compact the next tables that had ended by then."""
        found = await self._context.storage.tables_to_compact(witnessed, self._after, SLICE)
        self._after = found[-1] if len(found) == SLICE else START
        if tables := [table for _, table in found]:
            held = await self._context.others.held(tables)
            for table in tables:
                if table not in held:
                    await attempt(self._context, partial(self._compact, table), table=table)

    async def _compact(self, table: str) -> None:
        try:
            if not self._registry.has(table) and not await self._registry.is_awaited(table):
                await compact(self._context.storage, self._registry.kinds, table)
        except TableDamaged as damaged:  # it stays as it is
            self._registry.note_damage(damaged)


async def compact(storage: Storage, kinds: EntryKinds, table: str) -> bool:
    """Compact a table; one that is compacted already loses the ids of people who have been deleted since. Returns
    whether that was done."""

    def shorten(journal: StoredJournal, card: bytes) -> Steps[Short | None]:
        before = [] if journal.row is None else compaction.unpack(table, journal.row.content)
        entries = [*before, *journal.entries]
        if any(entry.startswith(BEGINNING) for entry in entries):  # the storage removes the address first
            return None
        query = "SELECT id FROM people WHERE id IN :people"
        living = yield statement(query, people=sorted(compaction.people_in(entries)))
        short = compaction.compact(kinds, table, entries, {person for (person,) in living})
        if short is None:
            return None
        return Short(short.content, compaction.replace_ids(card, short.new_ids), short.mentions)

    return await storage.compact(table, shorten)
