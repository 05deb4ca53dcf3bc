"""The orders that servers on one storage carry out: of operators, and of servers to each other."""

from __future__ import annotations

import msgspec
from msgspec import Struct


class _Order(Struct, tag_field="k"):
    made: float  # in witnessed time


class Announce(_Order, tag="announce"):
    """Show this text to everybody; an empty one takes it away."""

    text: str


class Ban(_Order, tag="ban"):
    """Keep a person (by id), an address or a network out until a moment in witnessed time."""

    target: str
    until: float


class Unban(_Order, tag="unban"):
    target: str


class CloseTable(_Order, tag="close"):
    table: str


class RemoveName(_Order, tag="remove-name"):
    """Give a person another name."""

    person: str


class PersonOut(_Order, tag="person-out"):
    """A server has deleted an identity or signed devices out: the others must refuse them, too."""

    person: str


Order = Announce | Ban | Unban | CloseTable | RemoveName | PersonOut
encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(Order).decode
