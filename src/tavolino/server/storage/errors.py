"""What a storage refuses, and why."""

from __future__ import annotations


class StorageError(Exception):
    """The operation failed, and nothing of it was stored."""


class StorageFull(StorageError):
    """The disk is full. Acknowledged writes are safe; new writes are refused until there is room."""


class NumberTaken(StorageError):
    """An entry with this number exists already: another server writes to the table."""


class ItemTaken(StorageError):
    """The person has an item of this name already."""


class LeaseLost(StorageError):
    """Another node drives this table now, so this node's automatic change was not written."""


class JournalReplaced(StorageError):
    """The stored entries do not continue those that were read before: a standby without the last entries has taken
    over, or a backup was restored."""


class TableDamaged(StorageError):
    """An entry of this table is missing or was changed after it was written."""

    def __init__(self, table: str, what: str) -> None:
        super().__init__(f"table {table}: {what}")
        self.table = table


class OutcomeUnknown(StorageError):
    """The storage did not answer in time, so it is unknown whether the write was stored. Read the table to find out."""


class StorageBroken(StorageError):
    """A write failed, and it is unknown whether it was stored. The server must restart to find out."""


class CannotOpen(StorageError):
    """The storage cannot be used; the message is one sentence for the operator."""


class StorageInUse(CannotOpen):
    """Another server uses this storage."""


class Conflict(StorageError):
    """A row with this key exists already, or a row that this one refers to does not."""
