"""The interface for several servers ("nodes") on one storage: leases of tables, and entries that other nodes have
written (decision 052). A storage for a single server does not implement it."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from tavolino.server.clock import Moment
from tavolino.server.storage.errors import CannotOpen

FEATURES = "features "  # before the list of features in what a node sends with its heartbeat
COMPACTION = "compaction"  # among it: this node can read compacted tables
FIRST_EPOCH = 1  # of the node that opens a table


class Lease(NamedTuple):
    """This node drives a table: its bots and clocks run here. The next node that drives it has a higher epoch."""

    table: str
    epoch: int


class Beat(NamedTuple):
    """The answer to a heartbeat."""

    moment: Moment  # the time of all nodes
    others: frozenset[str]  # nodes that live besides this one


class Known(NamedTuple):
    """What a node holds of a table in memory; the epoch is 0 if the node does not drive it."""

    table: str
    last: int
    epoch: int


class Difference(NamedTuple):
    """The stored state of a table, where it differs from what a node holds; `last` is None if the table was removed."""

    table: str
    last: int | None
    epoch: int
    is_free: bool  # no living node drives it


class Nodes(Protocol):
    id: str

    async def beat(self, moment: Moment, rules: list[str]) -> Beat:
        """Send a heartbeat with this node's time and the rules versions that it knows."""

    async def take_over(self, limit: int, games: list[str], but: list[str]) -> list[Lease]:
        """Take leases of tables of these games that have automatic changes and no living driver."""

    async def driven(self) -> list[Lease]:
        """The tables with automatic changes that this node drives."""

    async def take(self, tables: list[str]) -> list[Lease]:
        """Take leases of those tables that no other living node drives."""

    async def give_back(self, tables: list[str]) -> None:
        """Release the leases of these tables."""

    async def leave(self) -> None:
        """This node stops: release all its leases."""

    async def forget_dead(self) -> None:
        """Remove the rows of nodes that died long ago."""

    async def differences(self, known: list[Known]) -> list[Difference]:
        """One query for all tables in memory."""

    async def knows_rules(self, rules: str) -> bool:
        """Whether another living node knows this version of a game's rules."""

    async def announced(self) -> list[list[str]]:
        """What each other living node has sent with its heartbeat."""

    def hash_of(self, table: str, last: int) -> bytes | None:
        """The hash of the entries up to this number, if it is in memory."""

    def follow(self, table: str, number: int, entries: list[bytes], hashed: bytes) -> bool:
        """Another node has written these entries. False if they do not continue what is known here."""


async def check_same_features(nodes: Nodes, own: str) -> None:
    """Refuse to run beside a node with other features: it would not do what this one promises at the same tables."""
    for said in await nodes.announced():
        for other in said:
            if other.startswith(FEATURES) and other != own:
                raise CannotOpen(
                    f"another server on this database has other features ({other.removeprefix(FEATURES)}; here: "
                    f"{own.removeprefix(FEATURES)}); stop it first, or start this one with the same --without and --for"
                )
