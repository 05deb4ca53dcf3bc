"""What comes into a table's inbox: commands of people, choices of bots, and moments that have come."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tavolino.server import protocol as p

if TYPE_CHECKING:
    from tavolino.server.connections import Connection

Reply = Callable[[p.News], None]


@dataclass(slots=True)
class Asked:
    """A command, who asks, and where the answer goes."""

    person: str | None
    command: p.Command
    reply: Reply
    connection: Connection | None = None


@dataclass(slots=True)
class BotChose:
    turn: int
    seat: int
    action: str


@dataclass(slots=True)
class Gone:
    connection: Connection


@dataclass(slots=True)
class Abandon:
    idle_since: float


class Tick:
    """A moment has come: a clock ran out, a salt was waited for long enough, a game was compiled."""


Item = Asked | BotChose | Gone | Abandon | Tick


def ref_of(command: p.Command) -> str | None:
    ref: str | None = getattr(command, "ref", None)
    return ref
