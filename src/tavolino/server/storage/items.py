"""Items of one person, by name (`puzzle/...`); what tables or servers share under a name; claimed notifications."""

from __future__ import annotations

from tavolino.server.storage.sql import Database, Steps, statement

STARTS = "substr(name, 1, length(:prefix)) = :prefix"


class Items:
    _database: Database

    async def keep_item(self, person: str, name: str, content: bytes) -> None:
        """Store an item, replacing one of the same name. No effect for a deleted person."""
        query = """
            INSERT INTO items SELECT id, :name, :content FROM people WHERE id = :person
            ON CONFLICT (person, name) DO UPDATE SET content = excluded.content"""
        await self._database.rows(query, person=person, name=name, content=content)

    async def items(self, person: str, prefix: str) -> dict[str, bytes]:
        """A person's items whose names begin with this prefix, in the order of their names."""
        query = f"SELECT name, content FROM items WHERE person = :person AND {STARTS} ORDER BY name"
        return dict(await self._database.rows(query, person=person, prefix=prefix))

    async def items_called(self, name: str) -> dict[str, bytes]:
        """The items with this name, by person."""
        query = "SELECT person, content FROM items WHERE name = :name ORDER BY person"
        return dict(await self._database.rows(query, name=name))

    async def remove_items(self, person: str, prefix: str) -> None:
        """Remove the items. A few seconds later no byte of them is left on disk."""
        query = f"DELETE FROM items WHERE person = :person AND {STARTS}"
        await self._database.rows(query, person=person, prefix=prefix)
        self._database.erase_later()

    async def remove_items_called(self, name: str) -> None:
        await self._database.rows("DELETE FROM items WHERE name = :name", name=name)

    # deals that several tables share, and keys of the server

    async def deal_secret(self, name: str, fresh: str) -> str:
        """The secret of a shared deal. The first secret offered for a name is stored and returned from then on."""
        query = "INSERT INTO shared_deals VALUES (:name, :fresh) ON CONFLICT DO NOTHING"
        await self._database.rows(query, name=name, fresh=fresh)
        return await self.shared_secret(name) or fresh

    async def shared_secret(self, name: str) -> str | None:
        found: str | None = await self._database.value("SELECT secret FROM shared_deals WHERE name = :name", name=name)
        return found

    async def server_key(self, name: str, fresh: bytes) -> bytes:
        """A key that all servers on this storage share. The first key offered for a name is stored."""
        query = "INSERT INTO server_keys VALUES (:name, :fresh) ON CONFLICT DO NOTHING"
        await self._database.rows(query, name=name, fresh=fresh)
        kept: bytes = await self._database.value("SELECT content FROM server_keys WHERE name = :name", name=name)
        return kept

    async def claim_notifications(self, person: str, kind: str, turns: dict[str, int]) -> set[str]:
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
