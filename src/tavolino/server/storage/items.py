"""Items of one person, by name (`puzzle/...`), and secrets of deals that several tables share."""

from __future__ import annotations

from tavolino.server.storage.sql import Database

STARTS = "substr(name, 1, length(:prefix)) = :prefix"


class Items:
    database: Database

    async def keep_item(self, person: str, name: str, content: bytes) -> None:
        """Store an item, replacing one of the same name. No effect for a deleted person."""
        query = """
            INSERT INTO items SELECT id, :name, :content FROM people WHERE id = :person
            ON CONFLICT (person, name) DO UPDATE SET content = excluded.content"""
        await self.database.rows(query, person=person, name=name, content=content)

    async def items(self, person: str, prefix: str) -> dict[str, bytes]:
        """A person's items whose names begin with this prefix, in the order of their names."""
        query = f"SELECT name, content FROM items WHERE person = :person AND {STARTS} ORDER BY name"
        return dict(await self.database.rows(query, person=person, prefix=prefix))

    async def items_called(self, name: str) -> dict[str, bytes]:
        """The items with this name, by person."""
        query = "SELECT person, content FROM items WHERE name = :name ORDER BY person"
        return dict(await self.database.rows(query, name=name))

    async def remove_items(self, person: str, prefix: str) -> None:
        """Remove the items. A few seconds later no byte of them is left on disk."""
        query = f"DELETE FROM items WHERE person = :person AND {STARTS}"
        await self.database.rows(query, person=person, prefix=prefix)
        self.database.erase_later()

    async def remove_items_called(self, name: str) -> None:
        await self.database.rows("DELETE FROM items WHERE name = :name", name=name)

    # deals that several tables share

    async def deal_secret(self, name: str, fresh: str) -> str:
        """The secret of a shared deal. The first secret offered for a name is stored and returned from then on."""
        query = "INSERT INTO shared_deals VALUES (:name, :fresh) ON CONFLICT DO NOTHING"
        await self.database.rows(query, name=name, fresh=fresh)
        return await self.shared_secret(name) or fresh

    async def shared_secret(self, name: str) -> str | None:
        found: str | None = await self.database.value("SELECT secret FROM shared_deals WHERE name = :name", name=name)
        return found
