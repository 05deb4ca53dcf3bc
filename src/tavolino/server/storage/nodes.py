"""What several servers ("nodes") on one storage ask of it: who drives a table, what others have written (decision 052).

A storage that one server has for itself has none of this.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

from tavolino.server.clock import Moment

FIRST_EPOCH = 1  # of the node that opens a table


class Lease(NamedTuple):
    """This node drives a table: its bots and clocks run here. The next node that drives it has a higher epoch."""

    table: str
    epoch: int


class Beat(NamedTuple):
    """What a heartbeat is answered with."""

    moment: Moment  # the time of all nodes
    others: frozenset[str]  # nodes that live besides this one


class Known(NamedTuple):
    """What a node has of a table in memory; the epoch is 0 if it does not drive it."""

    table: str
    last: int
    epoch: int


class Difference(NamedTuple):
    """What is stored of a table that a node knows otherwise; `last` is None if it was removed."""

    table: str
    last: int | None
    epoch: int
    is_free: bool  # no living node drives it


class Nodes(Protocol):
    id: str

    async def beat(self, moment: Moment, rules: list[str]) -> Beat:
        """Say that this node lives, at what time of its own, and which versions of rules it knows."""

    async def take_over(self, limit: int, games: list[str], but: list[str]) -> list[Lease]:
        """Drive tables of these games that no living node drives and where something happens by itself."""

    async def driven(self) -> list[Lease]:
        """The tables that this node drives and where something happens by itself."""

    async def take(self, tables: list[str]) -> list[Lease]:
        """Drive those of these tables that no other living node drives."""

    async def give_back(self, tables: list[str]) -> None:
        """Let others drive these tables."""

    async def leave(self) -> None:
        """This node stops: let others drive all its tables."""

    async def forget_dead(self) -> None:
        """Remove what is kept of nodes that were killed long ago."""

    async def differences(self, known: list[Known]) -> list[Difference]:
        """One query for all tables in memory."""

    async def knows_rules(self, rules: str) -> bool:
        """Whether another living node knows this version of a game's rules."""

    def hash_of(self, table: str, last: int) -> bytes | None:
        """The hash over all entries up to this number, if it is known without asking."""

    def follow(self, table: str, number: int, entries: list[bytes], hashed: bytes) -> bool:
        """Another node says that it has written these entries. False if they do not follow on what is known here."""
