"""The rooms of finished games in which people watch together (decision 084): in memory, up to a number.

A room outlives its table's time in memory, so that it is unchanged after a page reload; its notes are stored
(`room_notes.py`). Messages of other nodes are merged, in any order and any number of times.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from typing import NamedTuple

from tavolino.server.errors import Refused
from tavolino.server.features.rooms.messages import Head, Note, RoomChanged, Variation
from tavolino.server.features.rooms.protocol import RoomPosition

MOST_ROOMS = 300
MOST_NOTES = 60
MOST_VARIATIONS = 12
MOST_DECISIONS = 1_500  # of a variation, from the deal on
MOST_DROPPED = 500


class Elsewhere(NamedTuple):
    """Who is in the room at another node."""

    people: dict[str, str]
    nameless: int


class Room:
    def __init__(self) -> None:
        self.head = Head(0, "", None, RoomPosition())
        self.variations: dict[str, Variation] = {}
        self.notes: dict[str, Note] = {}
        self.elsewhere: dict[str, Elsewhere] = {}  # by node
        self.dropped: OrderedDict[str, None] = OrderedDict()
        self.is_read = False  # whether the stored notes are loaded

    def merge(self, change: RoomChanged) -> None:
        """Merge a message of another node."""
        self.elsewhere.pop(change.node, None)
        if change.people or change.nameless:
            self.elsewhere[change.node] = Elsewhere(change.people, change.nameless)
        for dropped in change.dropped:
            self.drop(dropped)
        self.add(change.variations, change.notes)
        if change.head is not None and _order(change.head) > _order(self.head):
            self.head = change.head

    def add(self, variations: Iterable[Variation], notes: Iterable[Note]) -> None:
        """Unless they were dropped."""
        for variation in variations:
            known = self.variations.get(variation.id)
            if variation.id not in self.dropped and (known is None or len(known.actions) < len(variation.actions)):
                self.variations[variation.id] = variation
        for note in notes:
            if note.id not in self.dropped and note.variation not in self.dropped:
                self.notes[note.id] = note

    def drop(self, name: str) -> None:
        """Remove a variation or a note permanently, with everything that depends on it."""
        self.dropped[name] = None
        while len(self.dropped) > MOST_DROPPED:
            self.dropped.popitem(last=False)
        self.variations.pop(name, None)
        self.notes.pop(name, None)
        for note in [note.id for note in self.notes.values() if note.variation == name]:
            self.drop(note)

    def line(self, played: list[str], variation: str | None) -> list[str]:
        """All decisions of the game as it was played, or of a variation."""
        if variation is None:
            return played
        if (found := self.variations.get(variation)) is None:
            raise Refused("no-such-variation")
        return found.actions

    def leave_nodes(self, living: frozenset[str]) -> None:
        self.elsewhere = {node: there for node, there in self.elsewhere.items() if node in living}


def _order(head: Head) -> tuple[int, str]:
    return head.version, head.node


class Rooms:
    """All rooms of a node; the least recently used one is dropped first."""

    def __init__(self, most: int = MOST_ROOMS) -> None:
        self._most = most
        self._rooms: OrderedDict[str, Room] = OrderedDict()

    def find(self, table: str) -> Room | None:
        return self._rooms.get(table)

    def open(self, table: str) -> Room:
        room = self._rooms.setdefault(table, Room())
        self._rooms.move_to_end(table)
        while len(self._rooms) > self._most:
            self._rooms.popitem(last=False)
        return room

    def forget(self, person: str) -> list[str]:
        """Remove what a person wrote, whose identity is deleted; the tables at which there was something."""
        found = []
        for table, room in self._rooms.items():
            written = [note.id for note in room.notes.values() if note.person == person]
            for note in written:
                room.drop(note)
            if written:
                found.append(table)
        return found
