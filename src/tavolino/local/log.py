"""The journals of local tables. What `append` has returned for is kept by the page: in a browser, in IndexedDB."""

from __future__ import annotations

from typing import Any, Protocol

import msgspec

from tavolino.server.storage.errors import NumberTaken, StorageError, StorageFull, TableDamaged
from tavolino.server.storage.log import Appended, StoredRow, TableRow

FULL, TAKEN = "full", "taken"


class Kept(msgspec.Struct, frozen=True):
    """Entries of a table from a number on, and its row, as the page keeps them."""

    table: str
    number: int
    entries: list[str]
    row: StoredRow


class Keeper(Protocol):
    """What keeps journals. Each method returns when that is done, and raises if it could not be done."""

    async def keep(self, kept: str) -> str | None:
        """Keep several `Kept`, all or nothing; `FULL` if there is no room, `TAKEN` if there is an entry
        of a number already: another tab has written it."""

    async def entries(self, table: str) -> list[str]:
        """All entries of a table, in order."""

    async def rows(self) -> list[str]:
        """The rows of all tables."""

    async def remove(self, table: str) -> None: ...

    async def keep_review(self, table: str, seat: int, version: int, review: str) -> None: ...

    async def review(self, table: str, seat: int, version: int) -> str | None: ...


_encode = msgspec.json.Encoder().encode
_decode_row = msgspec.json.Decoder(StoredRow).decode


class LocalLog:
    """The kernel's log over a keeper. One process writes here, so what was read or written is known in memory."""

    def __init__(self, keeper: Keeper) -> None:
        self._keeper = keeper
        self._entries: dict[str, list[bytes]] = {}
        self.rows: dict[str, StoredRow] = {}

    async def open(self) -> None:
        for text in await self._keeper.rows():
            row = _decode_row(text)
            self.rows[row.table] = row

    async def append(self, *appended: Appended) -> None:
        kept = []
        for each in appended:
            if each.number != len(await self.entries(each.row.table)) + 1:
                raise NumberTaken(f"{each.row.table} has another entry {each.number} already")
            row = self._stored(each.row)
            kept.append(Kept(row.table, each.number, [entry.decode() for entry in each.entries], row))
        try:
            problem = await self._keeper.keep(_encode(kept).decode())
        except Exception as error:
            raise StorageError(f"the page could not keep it: {error}") from None
        if problem == FULL:
            raise StorageFull("there is no room on this device")
        if problem == TAKEN:
            for kept_one in kept:
                self._entries.pop(kept_one.table, None)
            raise NumberTaken("another tab has written more")
        for each, kept_one in zip(appended, kept, strict=True):
            self._entries[kept_one.table].extend(each.entries)
            self.rows[kept_one.table] = kept_one.row

    def _stored(self, row: TableRow) -> StoredRow:
        fields: dict[str, Any] = msgspec.structs.asdict(row)
        if row.changed is None:
            fields["changed"] = self.rows[row.table].changed
        return StoredRow(**fields)

    async def entries(self, table: str, after: int = 0) -> list[bytes]:
        if table not in self._entries:
            try:
                read = [str(entry).encode() for entry in await self._keeper.entries(table)]
            except Exception as error:
                raise StorageError(f"the page could not read it: {error}") from None
            self._entries.setdefault(table, read)
        return self._entries[table][after:]

    async def keep_snapshot(self, table: str, number: int, snapshot: bytes) -> None:
        """None are kept: the entries of one person's games are few."""

    async def snapshot(self, table: str) -> tuple[int, bytes] | None:
        return None

    async def compacted(self, table: str) -> tuple[int, bytes] | None:
        """None is: the entries of one person's games are few."""
        return None

    async def check_tables(self, after: str, limit: int) -> tuple[str | None, list[TableDamaged]]:
        return None, []

    async def remove_table(self, table: str) -> None:
        await self._keeper.remove(table)
        self._entries.pop(table, None)
        self.rows.pop(table, None)
