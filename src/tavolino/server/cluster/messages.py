"""The messages on the bus, besides those of features. A node of another version skips messages that it cannot read."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce
from operator import or_
from typing import Any

import msgspec
from msgspec import Struct

from tavolino.server.peers import PeerMessage


class NewEntries(PeerMessage, tag="entries"):
    """Committed entries from `number` on, and the hash over all entries up to the last of them."""

    number: int
    entries: list[bytes]
    hashed: bytes


class Presence(PeerMessage, tag="presence"):
    """Who is connected to this node at a table: people with their names, and how many without an identity."""

    people: dict[str, str]
    nameless: int


class Poll(PeerMessage, tag="poll"):
    """Somebody asks for a table at this node over HTTP."""

    person: str


class TableLoaded(PeerMessage, tag="loaded"):
    """A node has loaded a table. It asks who is connected elsewhere and, if it has none, for the chat."""

    wants_chat: bool


class TableDropped(PeerMessage, tag="dropped"):
    """A node does not have a table in memory any more."""


class PersonChanged(Struct, array_like=True, tag="person"):
    """Cached data of this person is out of date; `is_out`: so are connections of this person."""

    node: str
    person: str
    is_out: bool


class LimitsCharged(Struct, array_like=True, tag="charged"):
    """What was counted against limits that all nodes share, by limit and by person or address."""

    node: str
    charged: dict[str, dict[str, float]]


class WhoHas(Struct, array_like=True, tag="who-has"):
    """Which of these tables another node has in memory."""

    node: str
    tables: list[str]


class Has(Struct, array_like=True, tag="has"):
    """The answer to `WhoHas`, if there are any."""

    node: str
    tables: list[str]


OWN = (NewEntries, Presence, Poll, TableLoaded, TableDropped, PersonChanged, LimitsCharged, WhoHas, Has)
Message = PeerMessage | PersonChanged | LimitsCharged | WhoHas | Has
encode = msgspec.msgpack.Encoder().encode


def decoder(of_features: Iterable[type[PeerMessage]] = ()) -> Callable[[bytes], Message]:
    """Decodes these messages and those of features."""
    kinds: Any = reduce(or_, (*OWN, *of_features))
    return msgspec.msgpack.Decoder(kinds).decode


decode = decoder()
