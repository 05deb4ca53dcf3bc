"""Other servers ("nodes") on the same data, as tables, features and the registry use them (decision 052)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from msgspec import Struct


class PeerMessage(Struct, array_like=True, tag=True):
    """A message to the other nodes that have a table in memory. A node of another version skips what it cannot read."""

    node: str  # the sender
    table: str


class Elsewhere(NamedTuple):
    """Who is connected to another node: names by person, and how many have no identity."""

    people: dict[str, str]
    nameless: int


class Peers:
    """No other nodes, for a server alone. `cluster/other_nodes.py` overrides all of it."""

    is_alone = True
    own_id = ""
    living: frozenset[str] = frozenset()
    first_epoch: int | None = None  # of the lease of a table that is opened here; None: no leases are needed

    @property
    def is_presence_known(self) -> bool:
        """Whether this node knows who is connected to the others."""
        return True

    def elsewhere(self, table: str) -> Iterable[Elsewhere]:
        """Who is connected to other nodes at a table, for each of them."""
        return ()

    # -- leases and entries

    async def lease(self, table: str) -> int:
        """Drive a table that is loaded here, unless another node does: the epoch of the lease; 0 without one."""
        return 0

    async def has_news(self, table: str, last: int) -> bool:
        """Whether other nodes have written entries after this number."""
        return False

    async def knows_rules(self, rules: str) -> bool:
        """Whether another living node knows this version of a game's rules."""
        return False

    def follow(self, table: str, number: int, entries: list[bytes], hashed: bytes) -> bool:
        """Another node has written these entries. False if they do not continue what is known here."""
        return False

    async def held(self, tables: list[str]) -> set[str]:
        """Those of these tables that another node may have in memory."""
        return set()

    # -- what happens here

    def table_loaded(self, table: str, wants_chat: bool) -> None:
        """This node has a table in memory from now on, or asks again who else has it."""

    def table_dropped(self, table: str) -> None: ...

    def publish_entries(self, table: str, last: int, entries: list[bytes]) -> None:
        """Entries of a table are committed; `last` is the number of the last one."""

    def publish_presence(self, table: str, people: dict[str, str], nameless: int) -> None:
        """Who is connected to this node at a table."""

    def publish_poll(self, table: str, person: str) -> None:
        """Somebody asks for a table at this node over HTTP."""

    def publish_person_change(self, person: str, is_out: bool) -> None:
        """Cached data of this person is out of date; `is_out`: so are connections of this person."""

    def publish(self, message: PeerMessage) -> None:
        """A message of a feature."""
