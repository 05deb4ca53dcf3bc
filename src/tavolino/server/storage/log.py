"""The journals of tables, as the kernel uses them: append-only lists of entries, and snapshots."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from msgspec import Struct

from tavolino.server.storage.errors import TableDamaged


class TableRow(Struct, frozen=True, kw_only=True):
    """The data of a table for lists, written beside its entries so that no list has to replay a game."""

    table: str
    game: str
    phase: str
    public: bool
    changed: int | None  # seconds since 1970; None: as it was, for entries that others must not notice
    witnessed: int  # the same moment in witnessed time, for ages
    needs_waking: bool  # something happens here even when nobody is connected
    members: tuple[str, ...]  # person ids
    card: bytes  # the rest, as the server encodes it


class StoredRow(TableRow, frozen=True, kw_only=True):
    """The data of a table as it is read."""

    changed: int


class Item(NamedTuple):
    """Something that is stored for a person under a name."""

    person: str
    name: str
    content: bytes


class Appended(NamedTuple):
    """Entries `number`, `number + 1`, ... of a table, and its new row. `epoch`: the epoch of the lease for an automatic
    change; 0 for a change that somebody requested. `item` is stored with them: a table and its item exist together, or
    neither does."""

    row: TableRow
    number: int
    entries: list[bytes]
    epoch: int = 0
    item: Item | None = None


class Head(NamedTuple):
    """Where a table's next entry is written: after which number, and on which hash."""

    last: int
    chain: bytes


class Log(Protocol):
    """A write is durable when its call returns."""

    async def append(self, *appended: Appended) -> None:
        """Add entries to tables, all or nothing. `NumberTaken` unless each number follows directly on the last one of
        its table; `LeaseLost` if the epoch of a lease is not that of the table; `ItemTaken` if an item has a name that
        its person uses already."""

    async def entries(self, table: str, after: int = 0) -> list[bytes]:
        """The entries after a number. `TableDamaged` if any entry of the table is not as it was written;
        `JournalReplaced` if those up to the number are not the ones that were read before, or if some of those after it
        are compacted."""

    async def compacted(self, table: str) -> tuple[int, bytes] | None:
        """How many entries of a table are compacted into one row, and the row; None if they are not."""

    async def keep_snapshot(self, table: str, number: int, snapshot: bytes) -> None: ...

    async def snapshot(self, table: str) -> tuple[int, bytes] | None: ...

    async def check_tables(self, after: str, limit: int) -> tuple[str | None, list[TableDamaged]]:
        """Check the next tables in the order of their ids. Returns the last id checked (None at the end) and the
        damaged tables. Also removes addresses of webhooks that older servers have written into entries."""

    async def remove_table(self, table: str) -> None: ...
