"""The journal of a table as a database holds it: its entries, of which the first may be compacted into one row."""

from __future__ import annotations

from typing import NamedTuple

from tavolino.server.storage import chain
from tavolino.server.storage.errors import JournalReplaced, TableDamaged


class CompactRow(NamedTuple):
    """The row in place of the first entries: their last hash, and the hash of the content on top of it."""

    chain: bytes
    digest: bytes
    content: bytes


class StoredJournal(NamedTuple):
    """What is stored of a table, read in one transaction."""

    table: str
    last: int  # the number of the last entry
    chain: bytes | None  # the hash of all entries; None: a table of 0.1 without an entry since
    compacted: int  # how many entries are in the compact row
    row: CompactRow | None
    numbers: list[int]  # of the entries that are stored one by one
    entries: list[bytes]

    def check(self) -> bytes:
        """`TableDamaged` unless everything is as it was written. Returns the hash of all entries."""
        if self.numbers != list(range(self.compacted + 1, self.last + 1)) or (self.row is None) != (not self.compacted):
            stored = (self.compacted if self.row else 0) + len(self.entries)
            raise TableDamaged(self.table, f"{stored} entries are stored, {self.last} were written")
        before = chain.begin(self.table)
        if self.row is not None:
            before = self.row.chain
            if digest(before, self.row.content) != self.row.digest:
                raise TableDamaged(self.table, "its compacted entries are not as they were written")
        computed = chain.extend(before, self.entries)
        if self.chain not in (None, computed):
            raise TableDamaged(self.table, "an entry is not as it was written")
        return computed

    def after(self, number: int) -> list[bytes]:
        """The entries after a number. `JournalReplaced` if they are not stored one by one any more."""
        if number < self.compacted:
            raise JournalReplaced(f"table {self.table}: its first {self.compacted} entries are compacted")
        return self.entries[number - self.compacted :]


def digest(before: bytes, content: bytes) -> bytes:
    return chain.extend(before, [content])
