"""Periodic work: heartbeats, waking tables after a start, removing idle, abandoned and old ones."""

from __future__ import annotations

import asyncio
import contextlib
import gc
from collections.abc import Awaitable, Callable
from functools import partial

from tavolino.server.clock import TICK_SECONDS
from tavolino.server.kernel.inbox import Abandon
from tavolino.server.storage import StorageError
from tavolino.server.tables.compaction import Compaction
from tavolino.server.tables.jobs import Work, attempt, keep_running, name_of
from tavolino.server.tables.orders import Orders
from tavolino.server.tables.registry import Registry

HEARTBEAT_SECONDS = 5.0
SWEEP_SECONDS = 60.0
RETRY_SECONDS = 5.0
IDLE_SECONDS = 300.0
SLICE = 100  # tables at a time; the next sweep takes the rest
LITTLE = 1_000  # removed tables and connections: fewer are not worth a full garbage collection
CHECKED_AT_ONCE = 20  # about a millisecond of the storage's thread
CHECK_PAUSE_SECONDS = 0.02
CHECK_SECONDS = 3_600.0  # between two checks of all tables
DAY = 86_400


class Housekeeping:
    def __init__(self, registry: Registry) -> None:
        self._registry, self._context = registry, registry.context
        self.orders = Orders(registry)
        self._compaction = Compaction(registry)
        self._gone = 0  # tables and connections, at the last full collection
        self._is_awake = asyncio.Event()

    async def run(self, job: Work) -> None:
        """A job of the server that goes on until it stops."""
        await keep_running(self._context, job)

    async def make_ready(self) -> None:
        """After a start: make the games ready, and load the tables of each where something happens by itself."""
        await self._context.library.warm_up(in_subprocesses=self._context.settings.warm_up, tried=self._wake)
        # What is loaded by now stays loaded, and tables live long: full garbage collections would delay every move.
        # Between sweeps only young objects are collected.
        gc.collect()
        gc.freeze()
        gc.set_threshold(10_000, 50, 1_000_000)
        try:
            await self._registry.apply_new_names()
        except StorageError as error:  # they wait for the end of the next game
            self._registry.note_unreadable(error)
        self._is_awake.set()
        if self._context.settings.warm_up:
            await self._context.library.warm_up_later_parts()

    async def _until_read(self, work: Callable[[], Awaitable[None]]) -> None:
        """Run a task of the start again and again until the data can be read; health reports it meanwhile."""
        while True:
            try:
                return await work()
            except StorageError as error:
                self._registry.note_unreadable(error)
                self._is_awake.set()  # the check of all tables reports more
                await asyncio.sleep(RETRY_SECONDS)

    async def _wake(self, game: str) -> None:
        """Without waiting for other games: compiling one can take a minute, in which no bot would move."""
        if self._context.others.is_alone:  # else tables are taken over, here and later
            await self._until_read(lambda: self.wake(game))

    async def wake(self, game: str) -> None:
        """Load the tables of a game with bots or clocks. The others are loaded when somebody comes."""
        after = ""
        while found := await self._context.storage.waking_tables(game, after, SLICE):
            for table in found:
                await attempt(self._context, partial(self._registry.get, table), table=table)
            after = found[-1]

    async def check_forever(self) -> None:
        """Check after the start and then regularly, because a disk can lose data, and somebody can change a file."""
        await self._is_awake.wait()
        while True:
            await self.check_tables()
            await asyncio.sleep(CHECK_SECONDS)

    async def check_tables(self) -> None:
        """Check the hashes of all stored entries, a few tables at a time. If they cannot be read, health reports it
        until the same tables have been checked a few seconds later."""
        after: str | None = ""
        while after is not None:
            try:
                after, damaged = await self._context.storage.check_tables(after, CHECKED_AT_ONCE)
            except StorageError as error:
                self._registry.note_unreadable(error)
                await asyncio.sleep(RETRY_SECONDS)
                continue
            self._registry.unreadable = None
            for each in damaged:
                self._registry.note_damage(each)
            await asyncio.sleep(CHECK_PAUSE_SECONDS)

    async def watch_clock(self) -> None:
        while True:
            self._context.clock.tick()
            await asyncio.sleep(TICK_SECONDS)

    async def beat_forever(self) -> None:
        """For a single server; nodes have a faster heartbeat (`cluster/`)."""
        while True:
            await asyncio.sleep(HEARTBEAT_SECONDS)
            with contextlib.suppress(StorageError):  # a full disk must not stop the heartbeat
                await self._context.storage.keep_moment(self._context.clock.now())

    async def sweep_forever(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            await self.sweep()
            self.collect_garbage()

    def collect_garbage(self) -> None:
        """Collect objects created since the last call, then freeze the survivors, because they live long: collecting
        all of 30,000 tables takes a second. A full collection runs only after many of them were removed."""
        registry = self._registry
        gone = registry.discarded + registry.connections.closed
        if gone - self._gone > max(LITTLE, (len(registry.tables) + len(registry.connections)) // 4):
            self._gone = gone
            gc.unfreeze()
        gc.collect()
        gc.freeze()

    async def sweep(self) -> None:
        """Drop idle tables from memory, end abandoned ones, remove or compact old finished ones in the storage."""
        features = [partial(sweep, self._registry) for sweep in self._registry.features.sweep]
        last = (self._remove_unused_tokens, self._remove_old, self._compact, self.orders.sweep)
        works: list[Work] = [self._discard_idle, self._end_abandoned, *features, *last]
        for work in works:
            await attempt(self._context, work, job=name_of(work))

    async def _discard_idle(self) -> None:
        await self._registry.discard_idle(self._context.clock.up() - IDLE_SECONDS)

    async def _end_abandoned(self) -> None:
        before = self._days_ago(self._context.settings.abandon_days)
        for table, number in await self._context.storage.idle_tables(before, SLICE):
            await attempt(self._context, partial(self._abandon, table, number), table=table)

    async def _abandon(self, table: str, number: int) -> None:
        (await self._registry.get(table)).post(Abandon(number))

    async def _remove_unused_tokens(self) -> None:
        await self._context.people.remove_unused_tokens(SLICE)

    async def _remove_old(self) -> None:
        if (days := self._context.settings.keep_days) is not None:
            for table in await self._context.storage.ended_tables(self._days_ago(days), SLICE):
                await attempt(self._context, partial(self._registry.remove, table), table=table)

    async def _compact(self) -> None:
        await self._compaction.sweep(self._days_ago(self._context.settings.compact_days))

    def _days_ago(self, days: int) -> int:
        """That moment in witnessed time, so that a wrong clock ends or removes nothing."""
        return int(self._context.clock.witnessed()) - days * DAY
