"""Follows the rows of the tables of those who listen, and tells each stream what is new in them (decision 134)."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tavolino.server.context import Context
from tavolino.server.errors import Refused
from tavolino.server.features.events.stored import PersonsTable, StoredTables
from tavolino.server.features.events.stream import Stream
from tavolino.server.kernel.entries import Entry
from tavolino.server.kernel.feature import Feature, NoSlice
from tavolino.server.kernel.state import TableState
from tavolino.server.stopping import stop
from tavolino.server.storage import StorageError

if TYPE_CHECKING:
    from tavolino.server.kernel.actor import TableActor

LOOK_SECONDS = 1.0  # how often a node reads what others have written, and whether the server stops
LATE_SECONDS = 5  # by which an entry of another node may come late
TWICE_SECONDS = 10  # before the last id, of which everything is told again: the clocks of nodes differ
HEARTBEAT_SECONDS = 15.0
HEARTBEAT = b":\n\n"  # a comment
FIRST = b"retry: 2000\n\n"  # milliseconds after which a browser connects again


class Events(Feature[NoSlice]):
    name = "events"
    refusals = (("too-many-streams", 429),)

    def __init__(self, server: Context) -> None:
        self._server, self._stored = server, StoredTables(server.storage)
        self._streams: dict[str, list[Stream]] = {}  # by person
        self._changed: set[str] = set()  # tables of these people, since they were last read
        self._wake = asyncio.Event()
        self._following: asyncio.Task[None] | None = None

    @classmethod
    def card(cls, state: TableState) -> dict[str, Any]:
        """Two decisions of one person in succession differ by this alone."""
        return {"turn": state.turn}

    async def committed(self, table: TableActor, entries: Sequence[Entry], is_ours: bool) -> None:
        """An entry that names somebody, such as an invitation, concerns them although they have no seat."""
        if self._streams:
            people = {*table.state.people, *(getattr(entry, "person", None) for entry in entries)}
            people.update(*(getattr(entry, "people", ()) for entry in entries))
            if not self._streams.keys().isdisjoint(people):
                self._changed.add(table.state.id)
                self._wake.set()

    def forget(self, tables: Mapping[str, TableActor], person: str) -> None:
        for stream in self._streams.get(person, ()):
            stream.end()

    async def close(self) -> None:
        self._end_all()
        if self._following is not None:
            await stop(self._following)

    def check_room(self, person: str) -> None:
        if not self._has_room(person):
            raise Refused("too-many-streams")

    def _has_room(self, person: str) -> bool:
        return len(self._streams.get(person, ())) < self._server.settings.limits.streams_per_person

    async def sent(
        self, person: str, since: int | None, may_listen: Callable[[], Awaitable[bool]], is_stopping: Callable[[], bool]
    ) -> AsyncIterator[bytes]:
        """What is sent to somebody: first the state of their tables, changed since an event or all, then what is
        new. The answer has begun by now: what is refused or fails ends it, and the reader comes back."""
        if not self._has_room(person):  # others have begun in the meantime
            return
        stream = Stream(person, self._server.settings.limits.waiting_messages)
        self._streams.setdefault(person, []).append(stream)
        if self._following is None or self._following.done():
            self._following = asyncio.create_task(self._follow(is_stopping))
        try:
            yield FIRST
            from_then = None if since is None else max(0, since - TWICE_SECONDS)
            for row in await self._stored.of(person, from_then, from_then or 0):
                stream.tell(row)
                if stream.waiting:
                    yield stream.take_all()
            while not stream.is_over:
                try:
                    async with asyncio.timeout(HEARTBEAT_SECONDS):
                        await stream.news.wait()
                except TimeoutError:
                    if not await may_listen():
                        return
                    yield HEARTBEAT
                if content := stream.take_all():
                    yield content
        except StorageError as error:
            self._server.log.warning("events cannot be read", error=str(error))
        finally:
            self._streams[person].remove(stream)
            if not self._streams[person]:
                del self._streams[person]

    async def _follow(self, is_stopping: Callable[[], bool]) -> None:
        """Read the rows of changed tables while somebody listens."""
        seen = self._server.clock.witnessed()
        while self._streams and not is_stopping():
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LOOK_SECONDS):
                    await self._wake.wait()
            self._wake.clear()
            now = self._server.clock.witnessed()
            try:
                await self._look(int(seen) - LATE_SECONDS)
                seen = now
            except StorageError as error:  # nothing is lost: it is read again
                self._server.log.debug("events cannot be read", error=str(error))
                await asyncio.sleep(LOOK_SECONDS)
            except Exception:
                self._server.metrics.crashes.inc()
                self._server.log.exception("events failed")
                await asyncio.sleep(LOOK_SECONDS)
        self._end_all()

    async def _look(self, since: int) -> None:
        people, tables = sorted(self._streams), sorted(self._changed)
        found: list[PersonsTable] = []
        if tables:
            found += await self._stored.among(people, tables)
        if not self._server.others.is_alone:
            found += await self._stored.recent(people, since)
        self._changed.difference_update(tables)
        for row in found:
            for stream in self._streams.get(row.person, ()):
                stream.tell(row)

    def _end_all(self) -> None:
        for streams in self._streams.values():
            for stream in streams:
                stream.end()
