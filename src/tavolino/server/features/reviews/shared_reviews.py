"""Reviews of private tables that their player has opened to everybody with the link (decision 093).

It is an item of that player: deleted with the identity, and with the table.
"""

from __future__ import annotations

from tavolino.server.storage import Storage


def name_of(table: str) -> str:
    return f"shared-review/{table}"


async def is_shared(storage: Storage, table: str, person: str | None) -> bool:
    """Whether this person has shared the review of their own seat."""
    return person is not None and person in await storage.items_called(name_of(table))


async def share(storage: Storage, table: str, person: str) -> None:
    await storage.keep_item(person, name_of(table), b"")


async def stop_sharing(storage: Storage, table: str, person: str) -> None:
    await storage.remove_items(person, name_of(table))
