"""What this node sends to the others, and what it knows about them."""

from __future__ import annotations

import time
from collections.abc import Sequence

from tavolino.server.bus import ALL, Bus
from tavolino.server.bus import messages as m
from tavolino.server.protocol import Said
from tavolino.server.storage.nodes import Nodes

SETTLING_SECONDS = 5.0  # after a reconnect to the bus nobody counts as absent for this long


class OtherNodes:
    def __init__(self, bus: Bus, nodes: Nodes | None) -> None:
        self.bus, self.nodes = bus, nodes
        self.living: frozenset[str] = frozenset()
        self.connected_at: float | None = None  # monotonic; None: not now
        self._holders: dict[str, set[str]] = {}  # other nodes that have a table in memory, too

    @property
    def is_presence_known(self) -> bool:
        """Whether this node has the presence of the others, over the bus."""
        if not self.living:
            return True
        return self.connected_at is not None and time.monotonic() - self.connected_at > SETTLING_SECONDS

    # -- which nodes have a table in memory

    def note_holder(self, table: str, node: str) -> None:
        self._holders.setdefault(table, set()).add(node)

    def forget_holder(self, table: str, node: str) -> None:
        if (holders := self._holders.get(table)) is not None:
            holders.discard(node)
            if not holders:
                del self._holders[table]

    def forget_dead_holders(self) -> None:
        self._holders = {table: left for table, nodes in self._holders.items() if (left := nodes & self.living)}

    def table_loaded(self, table: str, wants_chat: bool) -> None:
        """This node has a table in memory from now on, or asks again who else has it."""
        if self.nodes is not None:
            self.bus.subscribe(table, m.encode(m.TableLoaded(self.nodes.id, table, wants_chat)))

    def table_dropped(self, table: str) -> None:
        if self.nodes is not None:
            self._holders.pop(table, None)
            self.bus.unsubscribe(table)
            if self.living:
                self._publish(table, m.TableDropped(self.nodes.id, table))

    # -- what happens here

    def publish_entries(self, table: str, last: int, entries: list[bytes]) -> None:
        """Entries of a table are committed; `last` is the number of the last one. Published only if other nodes are
        known to have the table: another one finds them in the journal, and then announces itself."""
        if self.nodes is not None and table in self._holders:
            hashed = self.nodes.hash_of(table, last)
            if hashed is not None:
                number = last + 1 - len(entries)
                self._publish(table, m.NewEntries(self.nodes.id, table, number, entries, hashed))

    def publish_chat(self, table: str, said: Sequence[tuple[Said, bool]], is_history: bool = False) -> None:
        if self.nodes is not None and self.living and said:
            all_said = [(each, for_seats) for each, for_seats in said]
            self._publish(table, m.ChatMessages(self.nodes.id, table, all_said, is_history))

    def publish_presence(self, table: str, people: dict[str, str], nameless: int) -> None:
        if self.nodes is not None and self.living:
            self._publish(table, m.Presence(self.nodes.id, table, people, nameless))

    def publish_poll(self, table: str, person: str) -> None:
        if self.nodes is not None and self.living:
            self._publish(table, m.Poll(self.nodes.id, table, person))

    def publish_person_change(self, person: str, is_out: bool) -> None:
        if self.nodes is not None:
            self._publish(ALL, m.PersonChanged(self.nodes.id, person, is_out))

    def publish_charges(self, charged: dict[str, dict[str, float]]) -> None:
        if self.nodes is not None and self.living and charged:
            self._publish(ALL, m.LimitsCharged(self.nodes.id, charged))

    def publish_room(self, change: m.RoomChanged) -> None:
        if self.living:
            self._publish(change.table, change)

    @property
    def own_id(self) -> str:
        """The name of this node; a server alone has none."""
        return "" if self.nodes is None else self.nodes.id

    def _publish(self, channel: str, message: m.Message) -> None:
        self.bus.publish(channel, m.encode(message))
