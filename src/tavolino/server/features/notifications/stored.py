"""The key that signs notifications, and which of them were sent."""

from __future__ import annotations

from tavolino.server.storage import Storage
from tavolino.server.storage.sql import Steps, statement


class StoredNotifications:
    def __init__(self, storage: Storage) -> None:
        self._database = storage.database

    async def server_key(self, name: str, fresh: bytes) -> bytes:
        """A key that all servers on this storage share. The first key offered for a name is stored."""
        query = "INSERT INTO server_keys VALUES (:name, :fresh) ON CONFLICT DO NOTHING"
        await self._database.rows(query, name=name, fresh=fresh)
        kept: bytes = await self._database.value("SELECT content FROM server_keys WHERE name = :name", name=name)
        return kept

    async def claim(self, person: str, kind: str, turns: dict[str, int]) -> set[str]:
        """Claim the turns (by table) for which no notification of this kind was sent. Of several servers only one gets
        each turn. A lost notification is preferred to a second one."""
        query = """
            INSERT INTO calls SELECT tables.id, people.id, :kind, :turn FROM tables, people
            WHERE tables.id = :table AND people.id = :person
            ON CONFLICT (table_id, person, kind) DO UPDATE SET turn = excluded.turn WHERE calls.turn < excluded.turn
            RETURNING table_id"""

        def steps() -> Steps[set[str]]:
            claimed: set[str] = set()
            for table, turn in sorted(turns.items()):  # the same order at all nodes, to avoid deadlocks
                found = yield statement(query, person=person, kind=kind, table=table, turn=turn)
                claimed.update(table for (table,) in found)
            return claimed

        return await self._database.run(steps)
