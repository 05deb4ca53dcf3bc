"""Who is at a table now: connections, players who poll over HTTP, spectators."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import Protocol

from tavolino.server import protocol as p
from tavolino.server.errors import Refused
from tavolino.server.settings import Limits
from tavolino.server.table.state import TableState

POLL_SECONDS = 60.0


class Viewer(Protocol):
    """A connection as a table sees it. Whose it is was decided at the handshake."""

    person: str | None
    name: str | None

    def tell(self, message: p.News) -> None:
        """Send one message. Never waits."""

    def send(self, encoded: bytes) -> None:
        """Send a message that is encoded already, for several viewers at once. Never waits."""

    def close(self, code: str) -> None:
        """Say why, and end the connection."""


class Viewers:
    __slots__ = ("_limits", "_polled", "_seen", "_since", "_up", "_viewers", "_waiting")

    def __init__(self, limits: Limits, up: Callable[[], float]) -> None:
        self._limits = limits
        self._up = up
        self._viewers: list[Viewer] = []
        self._polled: dict[str, float] = {}
        self._seen: dict[str, float] = {}  # the last request over HTTP, or the end of the last connection
        self._since = up()
        self._waiting: list[asyncio.Future[None]] = []

    def __iter__(self) -> Iterator[Viewer]:
        return iter(tuple(self._viewers))

    def __len__(self) -> int:
        return len(self._viewers)

    def add(self, viewer: Viewer, state: TableState) -> None:
        """Admit a connection, within the limits."""
        mine = sum(1 for other in self._viewers if other.person and other.person == viewer.person)
        if mine >= self._limits.sockets_per_person:
            raise Refused("too-many-sockets")
        if state.seat_of(viewer.person) is None:
            watching = sum(1 for other in self._viewers if state.seat_of(other.person) is None)
            if watching >= self._limits.watching:
                raise Refused("too-many-watching")
        self._viewers.append(viewer)

    def remove(self, viewer: Viewer) -> bool:
        if viewer not in self._viewers:
            return False
        self._viewers.remove(viewer)
        if viewer.person:
            self._seen[viewer.person] = self._up()
        return True

    def has_polled(self, person: str) -> None:
        self._polled[person] = self._seen[person] = self._up()

    def gone_for(self, person: str | None) -> float:
        """For how many seconds somebody has been absent; 0 while connected."""
        if any(viewer.person == person for viewer in self._viewers):
            return 0.0
        return self._up() - self._seen.get(person or "", self._since)

    async def news(self) -> None:
        """Wait until something has changed at the table, for polling."""
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(waiter)
        try:
            await waiter
        finally:
            if waiter in self._waiting:
                self._waiting.remove(waiter)

    def wake_polls(self) -> None:
        waiting, self._waiting = self._waiting, []
        for waiter in waiting:
            if not waiter.done():
                waiter.set_result(None)

    def online(self, state: TableState) -> set[int]:
        """The seats whose players are connected, or have polled within a minute."""
        here = {viewer.person for viewer in self._viewers if viewer.person}
        recently = self._up() - POLL_SECONDS
        here |= {person for person, when in self._polled.items() if when >= recently}
        return {seat for seat, place in enumerate(state.places) if place.person in here}

    def watching(self, state: TableState) -> list[str]:
        """The names of spectators, each once; a spectator without an identity has the name ""."""
        watchers = [each for each in self._viewers if state.seat_of(each.person) is None]
        named = {each.person: each.name or "" for each in watchers if each.person}
        nameless = [""] * sum(1 for each in watchers if each.person is None)
        return sorted(named.values()) + nameless

    def by_seat(self, state: TableState) -> dict[int | None, list[Viewer]]:
        """Connections that see the same cards: a view is built and encoded once for all of them."""
        seats = {place.person: seat for seat, place in enumerate(state.places) if place.person}
        groups: dict[int | None, list[Viewer]] = {}
        for viewer in self._viewers:
            groups.setdefault(seats.get(viewer.person or ""), []).append(viewer)
        return groups
