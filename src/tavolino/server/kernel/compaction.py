"""The journal of a finished table in one row: the entries that still matter, compressed (decision 101).

Entries keep their meaning for ever, so the row is a list of entries, too; applying them gives the state of the table.
What is left out: entries that features name in `passing`, the times of moves, and the ids of people who are deleted or
have left before the start.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from typing import NamedTuple

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tavolino.server.kernel import entries as e
from tavolino.server.kernel.entry_kinds import EntryKinds
from tavolino.server.kernel.state import TableState
from tavolino.server.programs import is_program, new_person_id
from tavolino.server.storage.errors import TableDamaged

LEVEL = 9  # a game has a few kilobytes


class Naming(Struct):
    """The fields in which entries name people."""

    person: str | None = None
    host: str | None = None


class Compacted(NamedTuple):
    content: bytes
    new_ids: dict[str, str]  # in place of those that are left out
    mentions: set[str]  # people who are named in it and do not sit at the table


_naming = msgspec.json.Decoder(Naming).decode


def unpack(table: str, content: bytes) -> list[bytes]:
    """The entries in a row."""
    try:
        entries = msgspec.json.decode(zlib.decompress(content), type=list[msgspec.Raw])
    except (zlib.error, msgspec.DecodeError) as error:
        raise TableDamaged(table, f"its compacted entries cannot be read ({error})") from None
    return [bytes(entry) for entry in entries]


def restore(kinds: EntryKinds, table: str, number: int, content: bytes) -> TableState:
    """The state of a table after the first `number` entries, which are compacted into this row."""
    state = kinds.replay(TableState(table), unpack(table, content))
    state.number = number
    return state


def people_in(entries: Iterable[bytes]) -> set[str]:
    """The ids of all people whom these entries name."""
    named = [_naming(entry) for entry in entries]
    return {person for each in named for person in (each.person, each.host) if person}


def compact(kinds: EntryKinds, table: str, entries: list[bytes], living: set[str]) -> Compacted | None:
    """One row in place of all entries of a finished table; `living`: the people who are not deleted. None if the table
    would not be the same afterwards."""
    before = kinds.replay(TableState(table), entries)
    staying = {*kinds.members(before), *before.kicked} & living
    new_ids = {person: new_person_id(is_program(person)) for person in people_in(entries) - staying}
    entries = [replace_ids(entry, new_ids) for entry in entries]
    kept = [e.encode(_without_times(entry)) for entry in kinds.decoded(table, entries) if not kinds.is_passing(entry)]
    old, new = kinds.replay(TableState(table), entries), kinds.replay(TableState(table), kept)
    if _lasting(kinds, new) != _lasting(kinds, old):
        return None
    content = zlib.compress(b"[%s]" % b",".join(kept), LEVEL)
    return Compacted(content, new_ids, staying & before.kicked)


def replace_ids(content: bytes, new_ids: dict[str, str]) -> bytes:
    """Ids are random and long: the same characters are nothing else."""
    for old, new in new_ids.items():
        content = content.replace(old.encode(), new.encode())
    return content


def _without_times(entry: e.Entry) -> e.Entry:
    """When each move was made does not matter once the game is over, and takes more room than the moves."""
    return replace(entry, at=0, up=0) if isinstance(entry, e.Moved) else entry


def _lasting(kinds: EntryKinds, state: TableState) -> TableState:
    """What must be the same before and after."""
    slices = {name: part for name, part in state.slices.items() if name not in kinds.passing_slices}
    return replace(state, number=0, asked_at=0, slices=slices)
