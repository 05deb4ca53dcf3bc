"""Snapshots of a table's state, so that loading reads one row and the few entries after it.

A snapshot is only a short cut. One that this version cannot read is skipped, and all entries are replayed.
"""

from __future__ import annotations

import msgspec
from msgspec import Struct

from tavolino.server.kernel import entries as e
from tavolino.server.kernel.state import TableState
from tavolino.server.storage import Storage, TableDamaged

VERSION = 13  # of TableState's fields; raise it whenever one changes
EVERY = 64  # entries


class Snapshot(Struct):
    version: int
    state: TableState


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Snapshot).decode


def is_due(before: int, after: int) -> bool:
    """Whether a table that went from one number of entries to another has passed the next mark."""
    return before // EVERY != after // EVERY


def encode(state: TableState) -> bytes:
    return _encode(Snapshot(VERSION, state))


async def load_state(storage: Storage, table: str) -> TableState | None:
    """The table's state now, from its snapshot if there is one; None if there is no such table.

    The storage reads and checks all entries all the same: a snapshot must not hide that one is lost.
    """
    state = _read(await storage.snapshot(table)) or TableState(table)
    for entry in await storage.entries(table, after=state.number):
        try:
            state.apply(decode_entry(table, entry))
        except LookupError as error:
            raise TableDamaged(table, f"entry {state.number} cannot be read ({error})") from None
    return state if state.number else None


def decode_entry(table: str, entry: bytes) -> e.Entry:
    try:
        return e.decode(entry)
    except msgspec.DecodeError as error:
        raise TableDamaged(table, f"an entry cannot be read ({error})") from None


def _read(stored: tuple[int, bytes] | None) -> TableState | None:
    if stored is None:
        return None
    number, content = stored
    try:
        snapshot = _decode(content)
    except msgspec.DecodeError:
        return None
    if snapshot.version != VERSION or snapshot.state.number != number:
        return None
    return snapshot.state
