"""What nodes tell each other about the room of a finished table."""

from __future__ import annotations

from msgspec import Struct, field

from tavolino.server.features.rooms.protocol import RoomPosition
from tavolino.server.peers import PeerMessage


class Head(Struct, array_like=True):
    """Who leads a room, and what is shown there. The higher version wins."""

    version: int
    node: str
    leader: str | None
    at: RoomPosition


class Variation(Struct, array_like=True):
    """A variation: `turn` decisions of its origin, and others after them. It only grows."""

    id: str
    origin: str | None
    turn: int
    actions: list[str]  # from the deal on
    is_over: bool


class Note(Struct, array_like=True):
    id: str
    person: str
    name: str
    variation: str | None
    move: int
    text: str
    written: float = 0.0  # seconds since 1970


class RoomChanged(PeerMessage, tag="room"):
    """Changes of the room of a finished table, or all of it. Idempotent."""

    people: dict[str, str]  # who are in the room at this node, with their names
    nameless: int
    head: Head | None = None
    variations: list[Variation] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)  # variations and notes
