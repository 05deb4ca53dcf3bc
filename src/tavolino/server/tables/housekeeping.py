"""Periodic work: heartbeats, waking tables after a start, removing idle, abandoned and old ones."""

from __future__ import annotations

import asyncio
import contextlib
import gc

from tavolino.server.errors import Refused
from tavolino.server.storage import StorageError
from tavolino.server.table.inbox import Abandon
from tavolino.server.table.rows import card_of
from tavolino.server.tables.registry import Registry

HEARTBEAT_SECONDS = 5.0
SWEEP_SECONDS = 60.0
IDLE_SECONDS = 300.0
DAY = 86_400


class Housekeeping:
    def __init__(self, registry: Registry) -> None:
        self._registry, self._context = registry, registry.context

    async def make_ready(self) -> None:
        """After a start: make the games ready, then load the tables where something happens by itself."""
        await self._context.library.warm_up(in_subprocesses=self._context.settings.warm_up)
        # What is loaded by now stays loaded, and tables stay for long: full collections would delay every move. They
        # run once a minute (`sweep_forever`); in between only young objects are collected.
        gc.collect()
        gc.freeze()
        gc.set_threshold(10_000, 50, 1_000_000)
        await self.wake()
        if self._context.settings.warm_up:
            await self._context.library.warm_up_search()

    async def wake(self) -> None:
        """Load the tables with bots or clocks. The others are loaded when somebody comes."""
        for row in await self._context.storage.open_rows():
            if card_of(row).needs_waking:
                with contextlib.suppress(Refused, StorageError):
                    await self._registry.get(row.table)

    async def beat_forever(self) -> None:
        while True:
            await asyncio.sleep(HEARTBEAT_SECONDS)
            with contextlib.suppress(StorageError):  # a full disk must not stop the heartbeat
                await self._context.storage.still_alive(self._context.now())

    async def sweep_forever(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            with contextlib.suppress(StorageError):
                await self.sweep()
            gc.collect()

    async def sweep(self) -> None:
        """Drop idle tables from memory, end abandoned ones, remove old finished ones from the storage."""
        now, settings = self._context.now(), self._context.settings
        self._registry.discard_idle(now - IDLE_SECONDS)
        idle_since = now - settings.abandon_days * DAY
        for row in await self._context.storage.open_rows():
            if row.changed <= idle_since:
                (await self._registry.get(row.table)).post(Abandon(idle_since))
        if settings.keep_days is not None:
            for gone in await self._context.storage.ended_before(int(now - settings.keep_days * DAY)):
                self._registry.discard(gone)
                await self._context.storage.remove_table(gone)
