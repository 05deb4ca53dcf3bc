"""What this node sends to the others, and what it knows about them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable

from tavolino.server.cluster import messages as m
from tavolino.server.cluster.bus import ALL, Bus
from tavolino.server.peers import Elsewhere, PeerMessage, Peers
from tavolino.server.storage.nodes import COMPACTION, FIRST_EPOCH, Known, Nodes

SETTLING_SECONDS = 5.0  # after a reconnect to the bus nobody counts as absent for this long
NOBODY = Elsewhere({}, 0)
ANSWER_SECONDS = 1.0  # for other nodes to say which tables they have


class OtherNodes(Peers):
    is_alone = False
    first_epoch = FIRST_EPOCH

    def __init__(self, bus: Bus, nodes: Nodes) -> None:
        self.bus, self.nodes, self.own_id = bus, nodes, nodes.id
        self.connected_at: float | None = None  # monotonic; None: not now
        self._holders: dict[str, set[str]] = {}  # other nodes that have a table in memory, too
        self._elsewhere: dict[str, dict[str, Elsewhere]] = {}  # by table and node
        self.has_elsewhere: set[str] = set()  # tables that other nodes have in memory, as they have answered

    @property
    def is_presence_known(self) -> bool:
        if not self.living:
            return True
        return self.connected_at is not None and time.monotonic() - self.connected_at > SETTLING_SECONDS

    def elsewhere(self, table: str) -> Iterable[Elsewhere]:
        return self._elsewhere.get(table, {}).values()

    def note_presence(self, table: str, node: str, people: dict[str, str], nameless: int) -> set[str] | None:
        """Who is connected to another node. Returns who no longer is; None if nothing is new."""
        nodes = self._elsewhere.setdefault(table, {})
        before, after = nodes.pop(node, NOBODY), Elsewhere(people, nameless)
        if after != NOBODY:
            nodes[node] = after
        if not nodes:
            del self._elsewhere[table]
        return None if before == after else before.people.keys() - people.keys()

    # -- leases and entries

    async def lease(self, table: str) -> int:
        taken = await self.nodes.take([table])
        return taken[0].epoch if taken else 0

    async def has_news(self, table: str, last: int) -> bool:
        # Also if no other node seems to live: one that is late with its heartbeat still writes what people ask for.
        return any(each.last != last for each in await self.nodes.differences([Known(table, last, 0)]))

    async def knows_rules(self, rules: str) -> bool:
        return await self.nodes.knows_rules(rules)

    def follow(self, table: str, number: int, entries: list[bytes], hashed: bytes) -> bool:
        return self.nodes.follow(table, number, entries, hashed)

    async def held(self, tables: list[str]) -> set[str]:
        """Asks all living nodes over the bus. All tables, if nobody can be asked, or if a node is of a version that
        cannot read compacted tables."""
        announced = await self.nodes.announced()
        if not announced:
            return set()
        if not self.bus.is_connected or not all(COMPACTION in said for said in announced):
            return set(tables)
        self.has_elsewhere.clear()
        self.bus.publish(ALL, m.encode(m.WhoHas(self.own_id, tables)))
        await asyncio.sleep(ANSWER_SECONDS)
        return self.has_elsewhere & set(tables)

    # -- which nodes have a table in memory

    def note_holder(self, table: str, node: str) -> None:
        self._holders.setdefault(table, set()).add(node)

    def forget_holder(self, table: str, node: str) -> None:
        if (holders := self._holders.get(table)) is not None:
            holders.discard(node)
            if not holders:
                del self._holders[table]

    def forget_dead(self) -> dict[str, set[str]]:
        """Forget what nodes that no longer live have said. Returns who was connected to them, by table."""
        self._holders = {table: left for table, nodes in self._holders.items() if (left := nodes & self.living)}
        gone: dict[str, set[str]] = {}
        for table, nodes in list(self._elsewhere.items()):
            for node in nodes.keys() - self.living:
                gone.setdefault(table, set()).update(self.note_presence(table, node, {}, 0) or ())
        return gone

    def table_loaded(self, table: str, wants_chat: bool) -> None:
        self.bus.subscribe(table, m.encode(m.TableLoaded(self.own_id, table, wants_chat)))

    def table_dropped(self, table: str) -> None:
        self._holders.pop(table, None)
        self._elsewhere.pop(table, None)
        self.bus.unsubscribe(table)
        self.publish(m.TableDropped(self.own_id, table))

    # -- what happens here

    def publish_entries(self, table: str, last: int, entries: list[bytes]) -> None:
        """Published only if other nodes are known to have the table: another one finds them in the journal, and then
        announces itself."""
        if table in self._holders and (hashed := self.nodes.hash_of(table, last)) is not None:
            number = last + 1 - len(entries)
            self.bus.publish(table, m.encode(m.NewEntries(self.own_id, table, number, entries, hashed)))

    def publish_presence(self, table: str, people: dict[str, str], nameless: int) -> None:
        self.publish(m.Presence(self.own_id, table, people, nameless))

    def publish_poll(self, table: str, person: str) -> None:
        self.publish(m.Poll(self.own_id, table, person))

    def publish_person_change(self, person: str, is_out: bool) -> None:
        self.bus.publish(ALL, m.encode(m.PersonChanged(self.own_id, person, is_out)))

    def publish_charges(self, charged: dict[str, dict[str, float]]) -> None:
        if self.living and charged:
            self.bus.publish(ALL, m.encode(m.LimitsCharged(self.own_id, charged)))

    def publish(self, message: PeerMessage) -> None:
        if self.living:
            self.bus.publish(message.table, m.encode(message))
