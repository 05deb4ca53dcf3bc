"""Orders of operators to running servers (`tavolino admin`, `tavolino announce`)."""

from __future__ import annotations

from typing import NamedTuple

from tavolino.server.storage.sql import Database


class StoredOrder(NamedTuple):
    """An operator's order to the servers on this storage; `outcome` once one of them has carried it out."""

    number: int
    content: bytes
    outcome: str | None


class Orders:
    database: Database

    async def add_order(self, content: bytes) -> int:
        """Returns the order's number. Numbers increase and are never reused."""
        query = "INSERT INTO orders (content) VALUES (:content) RETURNING number"
        return int(await self.database.value(query, content=content))

    async def orders(self, after: int) -> list[StoredOrder]:
        """The orders with higher numbers, the oldest first."""
        query = "SELECT number, content, outcome FROM orders WHERE number > :after ORDER BY number"
        return [StoredOrder(*found) for found in await self.database.rows(query, after=after)]

    async def settle_order(self, number: int, outcome: str) -> None:
        """Store the outcome of an order."""
        query = "UPDATE orders SET outcome = :outcome WHERE number = :number"
        await self.database.rows(query, number=number, outcome=outcome)

    async def remove_orders(self, numbers: list[int]) -> None:
        await self.database.rows("DELETE FROM orders WHERE number IN :numbers", numbers=numbers)
