"""The storage: tables as append-only lists of entries, people, and time.

`Log` is all that the kernel uses. Other queries exist once, for all databases (`sql.py`), here or in the folder of the
feature that needs them; SQLite (`sqlite.py`) and PostgreSQL (`postgres/`) run them. `choosing.py` creates the storage,
and `tests/server/storage_contract.py` specifies it.
"""

from __future__ import annotations

from abc import abstractmethod

from tavolino.server.clock import Moment
from tavolino.server.storage.errors import (
    CannotOpen,
    Conflict,
    ItemTaken,
    JournalReplaced,
    LeaseLost,
    NumberTaken,
    OutcomeUnknown,
    StorageBroken,
    StorageError,
    StorageFull,
    StorageInUse,
    TableDamaged,
)
from tavolino.server.storage.items import Items
from tavolino.server.storage.log import Appended, Item, Log, StoredRow, TableRow
from tavolino.server.storage.nodes import Nodes
from tavolino.server.storage.orders import Orders, StoredOrder
from tavolino.server.storage.people import People, StoredToken
from tavolino.server.storage.sql import Database
from tavolino.server.storage.tables import Tables

__all__ = [
    "Appended",
    "CannotOpen",
    "Conflict",
    "Item",
    "ItemTaken",
    "JournalReplaced",
    "LeaseLost",
    "NumberTaken",
    "OutcomeUnknown",
    "Storage",
    "StorageBroken",
    "StorageError",
    "StorageFull",
    "StorageInUse",
    "StoredOrder",
    "StoredRow",
    "StoredToken",
    "TableDamaged",
    "TableRow",
]


class Storage(Tables, People, Items, Orders, Log):
    """All methods run on one event loop. A write is durable when its call returns."""

    nodes: Nodes | None = None  # None if one server uses this storage alone

    def __init__(self, database: Database) -> None:
        self.database = database

    @abstractmethod
    async def open(self) -> list[str]:
        """Raises `CannotOpen`. Returns notes for the operator, one sentence each."""

    @abstractmethod
    async def close(self) -> None: ...

    @abstractmethod
    def problems(self) -> list[str]:
        """Current problems, one sentence each, for the operator."""

    @abstractmethod
    async def until_broken(self) -> str:
        """Wait until the storage is broken (`StorageBroken`), and return the reason in one sentence."""

    @abstractmethod
    async def is_served(self) -> bool:
        """Whether a server uses this storage now. For the commands of operators."""

    async def last_moment(self) -> Moment | None:
        """The last moment that a server has stored; None for a new storage."""
        found = await self.database.first("SELECT wall, up, witnessed FROM moment")
        return None if found is None else Moment(*found)

    @abstractmethod
    async def keep_moment(self, moment: Moment) -> None:
        """Store a heartbeat. `up` and `witnessed` never decrease, even if several servers write."""
