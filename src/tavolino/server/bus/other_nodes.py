"""What this node tells the others, and what it knows of them."""

from __future__ import annotations

import time
from collections.abc import Sequence

from tavolino.server.bus import ALL, Bus
from tavolino.server.bus import messages as m
from tavolino.server.protocol import Said
from tavolino.server.storage.nodes import Nodes

SETTLING_SECONDS = 5.0  # after the bus is there again: so long nobody is taken for absent


class OtherNodes:
    def __init__(self, bus: Bus, nodes: Nodes | None) -> None:
        self.bus, self.nodes = bus, nodes
        self.living: frozenset[str] = frozenset()
        self.connected_at: float | None = None  # monotonic; None: not now

    @property
    def are_heard(self) -> bool:
        """Whether what happens at other nodes is known here, as far as it goes over the bus."""
        if not self.living:
            return True
        return self.connected_at is not None and time.monotonic() - self.connected_at > SETTLING_SECONDS

    def wrote(self, table: str, last: int, entries: list[bytes]) -> None:
        """Entries of a table are committed; `last` is the number of the last one."""
        if self.nodes is not None and self.living:
            hashed = self.nodes.hash_of(table, last)
            if hashed is not None:
                self._tell(table, m.Wrote(self.nodes.id, table, last + 1 - len(entries), entries, hashed))

    def spoke(self, table: str, said: Sequence[tuple[Said, bool]], is_history: bool = False) -> None:
        if self.nodes is not None and self.living and said:
            self._tell(
                table, m.Spoke(self.nodes.id, table, [(each, for_seats) for each, for_seats in said], is_history)
            )

    def present(self, table: str, people: dict[str, str], nameless: int) -> None:
        if self.nodes is not None and self.living:
            self._tell(table, m.Present(self.nodes.id, table, people, nameless))

    def polled(self, table: str, person: str) -> None:
        if self.nodes is not None and self.living:
            self._tell(table, m.Polled(self.nodes.id, table, person))

    def arrived(self, table: str, wants_talk: bool) -> None:
        """This node has a table in memory from now on."""
        if self.nodes is not None:
            self.bus.follow(table)
            self._tell(table, m.Arrived(self.nodes.id, table, wants_talk))

    def left(self, table: str) -> None:
        if self.nodes is not None:
            self.bus.leave(table)

    def person_changed(self, person: str, is_out: bool) -> None:
        if self.nodes is not None:
            self._tell(ALL, m.PersonChanged(self.nodes.id, person, is_out))

    def spent(self, spent: dict[str, dict[str, float]]) -> None:
        if self.nodes is not None and self.living and spent:
            self._tell(ALL, m.Spent(self.nodes.id, spent))

    def _tell(self, channel: str, message: m.Message) -> None:
        self.bus.publish(channel, m.encode(message))
