"""The notes of rooms in the storage (decision 084): an item of whoever wrote them, deleted with the identity.

A note at a variation keeps the variation with it, and those that it comes from: without them it would be about nothing.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping

import msgspec
from msgspec import Struct

from tavolino.server.features.rooms.messages import Note, Variation
from tavolino.server.features.rooms.protocol import WriteNote
from tavolino.server.people.text_policy import clean_text
from tavolino.server.storage import Storage


class _Kept(Struct):
    notes: list[Note]
    variations: list[Variation]


def name_of(table: str) -> str:
    return f"notes/{table}"


def new(name: str, person: str, person_name: str, command: WriteNote, now: float) -> Note:
    """The note that a person has written."""
    return Note(name, person, person_name, command.variation, command.move, clean_text(command.text), now)


async def read(storage: Storage, table: str) -> tuple[list[Variation], list[Note]]:
    """What everybody has written about the game of this table."""
    variations, notes = [], []
    for content in (await storage.items_called(name_of(table))).values():
        kept = msgspec.json.decode(zlib.decompress(content), type=_Kept)
        variations += kept.variations
        notes += kept.notes
    return variations, sorted(notes, key=lambda note: note.written)


async def keep(
    storage: Storage, table: str, person: str, notes: list[Note], variations: Mapping[str, Variation]
) -> None:
    """All notes of a person about the game of this table, in place of those before."""
    if not notes:
        await storage.remove_items(person, name_of(table))
        return
    wanted: dict[str, Variation] = {}
    for note in notes:
        name = note.variation
        while name is not None and name not in wanted and name in variations:
            wanted[name] = variations[name]
            name = variations[name].origin
    kept = msgspec.json.encode(_Kept(notes, list(wanted.values())))
    await storage.keep_item(person, name_of(table), zlib.compress(kept))
