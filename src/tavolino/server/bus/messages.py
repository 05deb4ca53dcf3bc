"""What nodes say to each other over the bus. A node of another version skips what it cannot read."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from tavolino.server.protocol import Said


class _Message(Struct, array_like=True, tag=True):
    node: str  # who says it


class Wrote(_Message, tag="wrote"):
    """Entries that are committed: those from `number` on, and the hash over all up to the last of them."""

    table: str
    number: int
    entries: list[bytes]
    hashed: bytes


class Spoke(_Message, tag="spoke"):
    """Things that were said at a table, each for seats too or for spectators only; `is_history`: all so far."""

    table: str
    said: list[tuple[Said, bool]]
    is_history: bool


class Present(_Message, tag="present"):
    """Who is connected to this node at a table: people with their names, and how many without an identity."""

    table: str
    people: dict[str, str]
    nameless: int


class Polled(_Message, tag="polled"):
    """Somebody asks for a table at this node over HTTP."""

    table: str
    person: str


class Arrived(_Message, tag="arrived"):
    """A node has loaded a table, and asks who is there and, if it has not heard it, what was said."""

    table: str
    wants_talk: bool


class PersonChanged(_Message, tag="person"):
    """What is remembered of this person must be read again; `is_out`: also who is connected as this person."""

    person: str
    is_out: bool


class Spent(_Message, tag="spent"):
    """What was counted against limits that protect the whole, by limit and by person or address."""

    spent: dict[str, dict[str, float]]


Message = Wrote | Spoke | Present | Polled | Arrived | PersonChanged | Spent
encode = msgspec.msgpack.Encoder().encode
decode = msgspec.msgpack.Decoder(Message).decode
