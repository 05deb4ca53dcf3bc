"""Who is at a table now: sockets, players who poll over HTTP, spectators."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator

from tavolino.server.errors import Refused
from tavolino.server.settings import Limits
from tavolino.server.table.state import TableState
from tavolino.server.transport.connection import Connection

POLL_SECONDS = 60.0


class Audience:
    def __init__(self, limits: Limits, now: Callable[[], float]) -> None:
        self._limits = limits
        self._now = now
        self._connections: list[Connection] = []
        self._polled: dict[str, float] = {}
        self._seen: dict[str, float] = {}  # when somebody asked over HTTP, or a socket of theirs was closed
        self._since = now()
        self._waiting: list[asyncio.Future[None]] = []

    def __iter__(self) -> Iterator[Connection]:
        return iter(tuple(self._connections))

    def __len__(self) -> int:
        return len(self._connections)

    def add(self, connection: Connection, state: TableState) -> None:
        """Let a socket in, within the limits."""
        mine = sum(1 for other in self._connections if other.person and other.person == connection.person)
        if mine >= self._limits.sockets_per_person:
            raise Refused("too-many-sockets")
        if state.seat_of(connection.person) is None:
            watching = sum(1 for other in self._connections if state.seat_of(other.person) is None)
            if watching >= self._limits.watching:
                raise Refused("too-many-watching")
        self._connections.append(connection)

    def remove(self, connection: Connection) -> bool:
        if connection not in self._connections:
            return False
        self._connections.remove(connection)
        if connection.person:
            self._seen[connection.person] = self._now()
        return True

    def has_polled(self, person: str) -> None:
        self._polled[person] = self._seen[person] = self._now()

    def gone_for(self, person: str | None) -> float:
        """For how many seconds nothing was heard of somebody; nought for one who is connected."""
        if any(connection.person == person for connection in self._connections):
            return 0.0
        return self._now() - self._seen.get(person or "", self._since)

    async def something_new(self) -> None:
        """For who polls: until something has changed at the table."""
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(waiter)
        try:
            await waiter
        finally:
            if waiter in self._waiting:
                self._waiting.remove(waiter)

    def wake(self) -> None:
        waiting, self._waiting = self._waiting, []
        for waiter in waiting:
            if not waiter.done():
                waiter.set_result(None)

    def online(self, state: TableState) -> set[int]:
        """The seats whose players are here, over a socket or by asking now and then."""
        here = {connection.person for connection in self._connections if connection.person}
        recently = self._now() - POLL_SECONDS
        here |= {person for person, when in self._polled.items() if when >= recently}
        return {seat for seat, place in enumerate(state.places) if place.person in here}

    def watching(self, state: TableState) -> list[str]:
        """The names of spectators, each once; somebody without an identity is nameless."""
        watchers = [each for each in self._connections if state.seat_of(each.person) is None]
        named = {each.person: each.name or "" for each in watchers if each.person}
        nameless = [""] * sum(1 for each in watchers if each.person is None)
        return sorted(named.values()) + nameless

    def by_viewer(self, state: TableState) -> dict[int | None, list[Connection]]:
        """Sockets that see the same cards: one view, built and encoded once, serves them all."""
        seats = {place.person: seat for seat, place in enumerate(state.places) if place.person}
        groups: dict[int | None, list[Connection]] = {}
        for connection in self._connections:
            groups.setdefault(seats.get(connection.person or ""), []).append(connection)
        return groups
