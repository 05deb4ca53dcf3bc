"""The rows of people's tables, as they are stored beside the entries."""

from __future__ import annotations

from typing import NamedTuple

from tavolino.server.storage import Storage

COLUMNS = "person, id, game, phase, changed, card"


class PersonsTable(NamedTuple):
    """A table in the list of a person."""

    person: str
    table: str
    game: str
    phase: str
    changed: int
    card: bytes


class StoredTables:
    def __init__(self, storage: Storage) -> None:
        self._database = storage.database

    async def of(self, person: str, ended_since: int | None, changed_since: int) -> list[PersonsTable]:
        """A person's tables that have not ended, or ended since then, if they have changed since then."""
        query = f"""
            SELECT {COLUMNS} FROM members JOIN tables ON table_id = id WHERE person = :person
            AND changed >= :changed AND (phase <> 'ended' OR changed >= :ended) ORDER BY changed, id"""
        ended = 2**62 if ended_since is None else ended_since
        return await self._read(query, person=person, changed=changed_since, ended=ended)

    async def among(self, people: list[str], tables: list[str]) -> list[PersonsTable]:
        """Those of these tables that are in the lists of these people."""
        query = f"""
            SELECT {COLUMNS} FROM tables JOIN members ON table_id = id
            WHERE id IN :tables AND person IN :people ORDER BY changed, id"""
        return await self._read(query, people=people, tables=tables)

    async def recent(self, people: list[str], witnessed: int) -> list[PersonsTable]:
        """The tables of these people with a newer entry. Each half has an index on `witnessed`."""
        half = f"""
            SELECT {COLUMNS} FROM tables JOIN members ON table_id = id
            WHERE phase {{}} 'ended' AND witnessed >= :witnessed AND person IN :people"""
        query = f"{half.format('<>')} UNION ALL {half.format('=')} ORDER BY changed, id"
        return await self._read(query, people=people, witnessed=witnessed)

    async def _read(self, query: str, **values: object) -> list[PersonsTable]:
        return [PersonsTable(*row) for row in await self._database.rows(query, **values)]
