"""The messages of a table to one viewer. Built in one place, `kernel/messages.py`."""

from __future__ import annotations

from typing import Any

from msgspec import field

from tavolino.server.protocol.common import (
    Body,
    Clock,
    Line,
    Message,
    Problem,
    Table,
    View,
)


class News(Message):
    """What a table sends to a connection. Features have messages of their own (`Feature.messages`)."""


class TableNews(News, tag="table"):
    """The table's open state, whole, whenever something of it changed. The first answer to a hello."""

    table: Table


class Play(News, tag="play"):
    """The cards as this viewer may see them, after every decision and after a hello.

    `view` has no `log`: `lines` are the new lines of it, the first of them being number `from_line`.
    """

    turn: int
    view: View
    from_line: int
    lines: list[Line]
    clock: Clock | None
    remarks: list[str] = field(default_factory=list)  # keys that may be said now, in games without free chat
    take_back: bool = False  # you may ask to take your last decision back
    since: int = 0  # number of the first line after your last decision; 0: you have decided nothing yet


class PlayText(Message, tag="play-text"):
    """The table in words, for programs that read: what happened since your last decision, and your numbered choices."""

    turn: int
    legal: list[str]  # what you may choose, in the order of the numbers
    over: bool
    text: str


class Accepted(News, tag="accepted"):
    """The command with this ref was carried out and is durable."""

    ref: str | None
    turn: int | None = None  # after a move: the number of decisions made now
    table: str | None = None  # after a rematch: the new table


class Refused(News, tag="refused"):
    """The command with this ref changed nothing."""

    ref: str | None
    problem: Problem


class Reason(Body):
    """A fact about an action: the key of its sentence in the game's texts, its parameters, the rule behind it, and the
    cards, seats, colours and locations that it speaks of."""

    key: str
    params: dict[str, Any]
    rule: str | None
    about: dict[str, list[Any]] = field(default_factory=dict)


class Closing(News, tag="closing"):
    """The server ends this connection; `code` says why, and whether to come back at once."""

    code: str
    come_back: bool


class Pong(News, tag="pong"):
    ref: str | None
