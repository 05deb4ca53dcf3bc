"""Snapshots of a table's state, so that loading reads one row and the few entries after it.

A snapshot is only a short cut. One that this version cannot read is skipped, and all entries are replayed.
"""

from __future__ import annotations

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from tavolino.server.kernel.compaction import restore
from tavolino.server.kernel.entry_kinds import EntryKinds
from tavolino.server.kernel.state import TableState
from tavolino.server.storage.errors import JournalReplaced
from tavolino.server.storage.log import Log

VERSION = 14  # of TableState's fields and of all slices; raise it whenever one changes
EVERY = 64  # entries


class Snapshot(Struct):
    version: int
    state: TableState
    slices: dict[str, Raw]


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Snapshot).decode


def is_due(before: int, after: int) -> bool:
    """Whether a table that went from one number of entries to another has passed the next mark."""
    return before // EVERY != after // EVERY


def encode(state: TableState) -> bytes:
    slices = {name: Raw(_encode(part)) for name, part in state.slices.items()}
    return _encode(Snapshot(VERSION, replace(state, slices={}), slices))


async def load_state(storage: Log, kinds: EntryKinds, table: str) -> TableState | None:
    """The table's state now, from compacted entries or a snapshot if there are any; None if there is no such table.

    The storage reads and checks all entries all the same: a snapshot must not hide that one is lost.
    """
    state = _read(await storage.snapshot(table), kinds) or TableState(table)
    try:
        entries = await storage.entries(table, after=state.number)
    except JournalReplaced:  # its first entries are compacted, perhaps just now
        if (compacted := await storage.compacted(table)) is None:
            raise
        state = restore(kinds, table, *compacted)
        entries = await storage.entries(table, after=state.number)
    kinds.replay(state, entries)
    return state if state.number else None


def _read(stored: tuple[int, bytes] | None, kinds: EntryKinds) -> TableState | None:
    if stored is None:
        return None
    number, content = stored
    try:
        snapshot = _decode(content)
        if snapshot.version != VERSION or snapshot.state.number != number:
            return None
        slices = {name: kinds.decode_slice(name, part) for name, part in snapshot.slices.items()}
    except msgspec.DecodeError:
        return None
    return replace(snapshot.state, slices=slices)
