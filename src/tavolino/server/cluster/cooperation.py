"""Cooperation of nodes on one database: heartbeats, takeovers of tables, entries of other nodes (decision 052)."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from collections.abc import Awaitable, Callable, Coroutine
from functools import partial
from typing import Any

import msgspec

from tavolino.server.cluster import messages as m
from tavolino.server.cluster.bus import ALL
from tavolino.server.cluster.other_nodes import OtherNodes
from tavolino.server.errors import Refused
from tavolino.server.kernel.actor import TableActor
from tavolino.server.kernel.inbox import Drive, RemoteEntries
from tavolino.server.peers import PeerMessage
from tavolino.server.storage import CannotOpen, StorageError
from tavolino.server.storage.nodes import COMPACTION, Difference, Known, Lease, check_same_features
from tavolino.server.tables.deletion import person_changed
from tavolino.server.tables.jobs import attempt
from tavolino.server.tables.registry import Registry, rules_name

BEAT_SECONDS = 1.0
LOADED_AT_ONCE = 4
TAKEN_AT_ONCE = 100  # tables of a dead node; other nodes or the next round take the rest
SEARCH_LOOKS = 15  # after this many polls, search for tables that this node drives and does not have in memory
NAMES_LOOKS = 60  # and, without a bus, for changed names
FORGET_LOOKS = 3_600
UNUSED_SECONDS = 2.0  # after which a table is left to the nodes where its people are
DRAIN_STEP = 0.05
TOLD_AT_ONCE, TELL_PAUSE = 500, 0.02
LEASE_SECONDS = 3.0  # about: after so long without a heartbeat others may have forgotten who is here


class Cluster:
    def __init__(self, registry: Registry, others: OtherNodes) -> None:
        self._registry, self._context, self._others, self._nodes = registry, registry.context, others, others.nodes
        self._decode = m.decoder(registry.features.receivers)
        self._rules: list[str] = []
        self._foreign: set[str] = set()  # tables that another version of the program must drive
        self._looks = 0
        self._connections = 0  # of the bus, when presence was last exchanged
        self._beaten = time.monotonic()
        self._waits_until = 0.0  # before it takes anything over
        self._has_left = False
        self._tasks: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        """Before the first request: announce this node, and read which others are alive."""
        self._context.limits.share()
        await self._others.bus.open(self.receive)
        await self.beat()
        try:
            await check_same_features(self._nodes, self._registry.features.summary)
        except CannotOpen:
            await self.close()
            raise

    async def run(self) -> None:
        """Two loops: loading many tables must not delay the heartbeat, or other nodes would take over our tables."""
        await asyncio.gather(self._each_second(self.beat), self._each_second(self.look))

    async def _each_second(self, work: Callable[[], Awaitable[None]]) -> None:
        while not self._has_left:
            await asyncio.sleep(BEAT_SECONDS)
            try:
                await work()
            except StorageError as error:  # PostgreSQL is away; health says so
                self._context.log.debug("PostgreSQL cannot be asked", error=str(error))
            except Exception:
                self._context.metrics.crashes.inc()
                self._context.log.exception("node failed", work=work.__name__)

    async def beat(self) -> None:
        if not self._rules:
            games = await self._context.library.all_games()
            versions = [rules_name(game.name, rules) for game in games for rules in game.versions]
            self._rules = [*versions, self._registry.features.summary, COMPACTION]
        beat = await self._nodes.beat(self._context.clock.now(), self._rules)
        self._context.clock.follow(beat.moment)
        gone, self._others.living = self._others.living - beat.others, beat.others
        await self._watch_bus()
        if gone:
            self._context.log.info("nodes are gone", nodes=len(gone), left=len(beat.others) + 1)
            left = self._others.forget_dead()
            for name, table in list(self._registry.tables.items()):
                for nodes_gone in self._registry.features.nodes_gone:
                    nodes_gone(table, beat.others)
                if name in left:
                    table.presence_changed((), left[name])

    async def _watch_bus(self) -> None:
        """After each connection, and after a pause in which others took this node for dead: say who is here, and ask
        who is there."""
        bus, now = self._others.bus, time.monotonic()
        was_paused, self._beaten = now - self._beaten > LEASE_SECONDS, now
        if was_paused:  # perhaps PostgreSQL was away, and the others have not been able to say that they live
            self._waits_until = now + LEASE_SECONDS
        if not bus.is_connected:
            self._others.connected_at = None
            return
        if self._others.connected_at is None or self._connections != bus.connections or was_paused:
            self._others.connected_at, self._connections = now, bus.connections
            tables = list(self._registry.tables.values())
            for first in range(0, len(tables), TOLD_AT_ONCE):
                for table in tables[first : first + TOLD_AT_ONCE]:
                    self._others.table_loaded(table.state.id, wants_chat=False)
                    if len(table.viewers):
                        table.publish_presence()
                await asyncio.sleep(TELL_PAUSE)

    async def look(self) -> None:
        """Read entries that this node has missed, and take over tables without a driver."""
        self._looks += 1
        await self._follow(await self._nodes.differences(self._known()))
        self._others.publish_charges(self._context.limits.take_spent())
        if self._looks % NAMES_LOOKS == 0 and not self._others.is_presence_known:
            await self._context.people.learn_all_names_again()
        if self._looks % FORGET_LOOKS == 0:
            await self._nodes.forget_dead()
        if self._registry.is_stopping:
            return
        await self._leave_to_others()
        dropped, self._registry.dropped = self._registry.dropped - self._registry.tables.keys(), set()
        if dropped:
            await self._nodes.give_back(sorted(dropped))
        if time.monotonic() >= self._waits_until:
            await self._take_over()

    async def _leave_to_others(self) -> None:
        """Drop tables whose people are all at other nodes, such as one that was opened here and is played at the node
        to which the proxy sends it. Two nodes that follow it would do the work twice. The lease is free before the
        others hear of it (`TableDropped`), so that one of them can take it at once."""
        before = self._context.clock.up() - UNUSED_SECONDS
        left = [name for name, table in self._registry.tables.items() if self._can_be_left(table, before)]
        if left:
            await self._nodes.give_back(left)
            for name in left:
                table = self._registry.tables.get(name)
                if table is not None and self._can_be_left(table, before):
                    self._registry.discard(name)

    def _can_be_left(self, table: TableActor, unasked_since: float) -> bool:
        return any(True for _ in self._others.elsewhere(table.state.id)) and table.is_unvisited(unasked_since)

    async def _take_over(self) -> None:
        """Of the games that are ready here: another node may be able to go on sooner with the others."""
        ready = [name for name in self._context.library if self._context.library.is_ready(name)]
        leases = await self._nodes.take_over(TAKEN_AT_ONCE, ready, sorted(self._foreign))
        while leases:
            await self._drive(leases)
            if len(leases) < TAKEN_AT_ONCE:
                break
            leases = await self._nodes.take_over(TAKEN_AT_ONCE, ready, sorted(self._foreign))
        if self._looks % SEARCH_LOOKS == 0:
            await self._drive([each for each in await self._nodes.driven() if not self._has(each.table)])

    def _known(self) -> list[Known]:
        return [
            Known(table.state.id, table.state.number, table.epoch or 0)
            for table in self._registry.tables.values()
            if table.state.phase != "ended" or len(table.viewers)
        ]

    async def _follow(self, differences: list[Difference]) -> None:
        for each in differences:
            table = self._registry.tables.get(each.table)
            if table is None:
                continue
            if each.last is None:
                self._registry.discard(each.table)
                continue
            if each.last != table.state.number:
                table.post(RemoteEntries())
                # The writer may not know that this node has the table.
                self._others.table_loaded(each.table, wants_chat=False)
            if each.epoch != table.epoch:
                table.post(Drive(each.epoch))
        free = [each.table for each in differences if each.is_free and self._could_drive(each.table)]
        if free and not self._registry.is_stopping:
            await self._drive(await self._nodes.take(free))

    def _could_drive(self, table: str) -> bool:
        found = self._registry.tables.get(table)
        return found is not None and self._context.library.is_ready(found.state.game)

    async def _drive(self, leases: list[Lease]) -> None:
        """Load tables whose lease this node has got, and drive them."""
        for first in range(0, len(leases), LOADED_AT_ONCE):
            works = [(partial(self._drive_one, lease), lease.table) for lease in leases[first : first + LOADED_AT_ONCE]]
            await asyncio.gather(*(attempt(self._context, work, table=table) for work, table in works))

    async def _drive_one(self, lease: Lease) -> None:
        try:
            table = await self._registry.get(lease.table)
        except Refused as refused:
            if refused.problem.code == "other-version":
                self._foreign.add(lease.table)
                await self._nodes.give_back([lease.table])
        else:
            if (table.epoch or 0) < lease.epoch:  # loading it may have raised the epoch
                table.post(Drive(lease.epoch))

    def _has(self, table: str) -> bool:
        found = self._registry.tables.get(table)
        return found is not None and bool(found.epoch)

    # -- messages of other nodes

    def receive(self, content: bytes) -> None:
        try:
            message = self._decode(content)
        except msgspec.DecodeError:  # of another version
            return
        if message.node == self._nodes.id:
            return
        if message.node not in self._others.living:  # it has begun since the last heartbeat
            self._others.living |= {message.node}
        try:
            self._take(message)
        except Exception:
            self._context.metrics.crashes.inc()
            self._context.log.exception("message of another node failed", message=type(message).__name__)

    def _take(self, message: m.Message) -> None:
        match message:
            case m.PersonChanged(person=person, is_out=is_out):
                self._begin(person_changed(self._registry, person, is_out))
            case m.LimitsCharged(charged=charged):
                self._context.limits.charge(charged)
            case m.WhoHas(tables=names):
                if here := [name for name in names if self._registry.has(name)]:
                    self._others.bus.publish(ALL, m.encode(m.Has(self._nodes.id, here)))
            case m.Has(tables=names):
                self._others.has_elsewhere.update(names)
            case m.TableDropped(node=node, table=name):
                self._others.forget_holder(name, node)
                found = self._registry.tables.get(name)
                if found is not None and not found.epoch and found.state.phase != "ended":
                    self._begin(self._drive_dropped(name))
            case PeerMessage() if (found := self._registry.tables.get(message.table)) is not None:
                self._others.note_holder(message.table, message.node)
                self._pass_on(found, message)

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _drive_dropped(self, table: str) -> None:
        """Another node has dropped this table: take it over if that node drove it; otherwise the next poll decides."""
        if self._could_drive(table) and not self._registry.is_stopping:
            with contextlib.suppress(StorageError):
                await self._drive(await self._nodes.take([table]))

    def _pass_on(self, table: TableActor, message: PeerMessage) -> None:
        match message:
            case m.NewEntries(number=number, entries=entries, hashed=hashed):
                table.post(RemoteEntries(number, tuple(entries), hashed))
            case m.Presence(node=node, people=people, nameless=nameless):
                left = self._others.note_presence(table.state.id, node, people, nameless)
                if left is not None:
                    table.presence_changed(people, left)
            case m.Poll(person=person):
                table.viewers.has_polled(person)
                table.came(person)
            case m.TableLoaded(wants_chat=wants_chat):
                table.publish_presence()  # shows it that this node has the table, too
                for loaded_elsewhere in self._registry.features.loaded_elsewhere:
                    loaded_elsewhere(table, wants_chat)
            case _:
                self._registry.features.receivers[type(message)](table, message)

    # -- stopping

    async def leave(self) -> None:
        """Give back the leases of all tables."""
        self._has_left = True
        for table in self._registry.tables.values():
            table.post(Drive(0))
        with contextlib.suppress(StorageError, TimeoutError):  # or the leases run out by themselves
            async with asyncio.timeout(LEASE_SECONDS):
                await self._nodes.leave()

    async def drain(self, seconds: float, is_hurried: Callable[[], bool] = lambda: False) -> None:
        """Send everybody to the other nodes, spread over time to avoid a load peak there."""
        self._registry.end_polls()
        await self.leave()
        if not self._others.living:
            return
        loop = asyncio.get_running_loop()
        viewers = [viewer for table in self._registry.tables.values() for viewer in table.viewers]
        for viewer in viewers:
            loop.call_later(secrets.randbelow(1_000) / 1_000 * seconds, viewer.close, "stopping")
        end = loop.time() + seconds + 2 * DRAIN_STEP
        while len(self._registry.connections) and loop.time() < end and not is_hurried():
            await asyncio.sleep(DRAIN_STEP)

    async def close(self) -> None:
        if not self._has_left:
            await self.leave()
        await self._others.bus.close()
