"""The messages on the bus. A node of another version skips messages that it cannot read."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from tavolino.server.protocol import RoomPosition, Said


class _Message(Struct, array_like=True, tag=True):
    node: str  # the sender


class NewEntries(_Message, tag="entries"):
    """Committed entries from `number` on, and the hash over all entries up to the last of them."""

    table: str
    number: int
    entries: list[bytes]
    hashed: bytes


class ChatMessages(_Message, tag="chat"):
    """Chat messages of a table, each for everybody or only for spectators; `is_history`: all so far."""

    table: str
    said: list[tuple[Said, bool]]
    is_history: bool


class Presence(_Message, tag="presence"):
    """Who is connected to this node at a table: people with their names, and how many without an identity."""

    table: str
    people: dict[str, str]
    nameless: int


class Poll(_Message, tag="poll"):
    """Somebody asks for a table at this node over HTTP."""

    table: str
    person: str


class TableLoaded(_Message, tag="loaded"):
    """A node has loaded a table. It asks who is connected elsewhere and, if it has none, for the chat."""

    table: str
    wants_chat: bool


class TableDropped(_Message, tag="dropped"):
    """A node does not have a table in memory any more."""

    table: str


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


class RoomChanged(_Message, tag="room"):
    """Changes of the room of a finished table, or all of it. Idempotent."""

    table: str
    people: dict[str, str]  # who are in the room at this node, with their names
    nameless: int
    head: Head | None = None
    variations: list[Variation] = []
    notes: list[Note] = []
    dropped: list[str] = []  # variations and notes


class PersonChanged(_Message, tag="person"):
    """Cached data of this person is out of date; `is_out`: so are connections of this person."""

    person: str
    is_out: bool


class LimitsCharged(_Message, tag="charged"):
    """What was counted against limits that all nodes share, by limit and by person or address."""

    charged: dict[str, dict[str, float]]


TableMessage = NewEntries | ChatMessages | Presence | Poll | TableLoaded | TableDropped | RoomChanged
Message = TableMessage | PersonChanged | LimitsCharged
encode = msgspec.msgpack.Encoder().encode
decode = msgspec.msgpack.Decoder(Message).decode
