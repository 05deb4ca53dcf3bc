"""Lists of tables: public ones, and those of one person."""

from __future__ import annotations

from tavolino.server import protocol as p
from tavolino.server.kernel import cards, messages
from tavolino.server.people.identities import Person
from tavolino.server.storage import StoredRow, TableDamaged
from tavolino.server.tables.registry import Registry

LISTED = 100


class Listings:
    def __init__(self, registry: Registry) -> None:
        self._registry, self._context = registry, registry.context

    async def public(self, person: Person | None) -> list[p.TableCard]:
        return await self._cards(await self._context.storage.public_rows(LISTED), person)

    async def of(self, person: Person) -> p.MyTables:
        rows_found = await self._context.storage.rows_of(person.id, LISTED)
        return cards.sorted_out(await self._cards(rows_found, person))

    async def finished(self, person: Person, most: int) -> list[p.TableCard]:
        """The newest first."""
        rows_found = [row for row in await self._context.storage.rows_of(person.id, most) if row.phase == "ended"]
        shown = await self._cards(rows_found, person)
        return [card for card in shown if card.your_seat is not None and card.ending is not None]

    async def _cards(self, found: list[StoredRow], person: Person | None) -> list[p.TableCard]:
        await self._context.people.learn_names(sorted({member for row in found for member in row.members}))
        shown = []
        for row in found:
            try:
                shown.append(self._card(row, person.id if person else None))
            except TableDamaged as damaged:  # one table must not hide the others
                self._registry.note_damage(damaged)
        return shown

    def _card(self, row: StoredRow, person: str | None) -> p.TableCard:
        """A table as a list shows it to one person."""
        name_of: messages.NameOf = self._context.people.name_of
        online: set[int] = set()
        if (table := self._registry.tables.get(row.table)) is not None:
            name_of, online = table.name_of, table.viewers.online(table.state)
        return cards.card(row, person, name_of, online, self._registry.features)
