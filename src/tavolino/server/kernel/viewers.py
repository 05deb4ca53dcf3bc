"""Who is at a table now: connections, players who poll over HTTP, spectators."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

from tavolino.server import protocol as p
from tavolino.server.errors import Refused
from tavolino.server.kernel.state import TableState
from tavolino.server.peers import Elsewhere, Peers
from tavolino.server.settings import Limits

POLL_SECONDS = 60.0
TELL_SECONDS = 20.0  # how often other nodes are notified that somebody polls here


class Viewer(Protocol):
    """A connection as a table sees it. Whose it is was decided at the handshake."""

    address: str
    person: str | None
    name: str | None

    def tell(self, message: p.News) -> None:
        """Send one message. Never waits."""

    def send(self, encoded: bytes) -> None:
        """Send a message that is encoded already, for several viewers at once. Never waits."""

    def close(self, code: str) -> None:
        """Say why, and end the connection."""


class Viewers:
    __slots__ = (
        "_limits", "_others", "_polled", "_seen", "_since", "_table", "_told", "_up", "_viewers", "_waiting",
    )  # fmt: skip

    def __init__(self, table: str, limits: Limits, up: Callable[[], float], others: Peers) -> None:
        self._table, self._limits = table, limits
        self._up = up
        self._others = others
        self._told: dict[str, float] = {}  # when other nodes were last told that somebody polls
        self._viewers: list[Viewer] = []
        self._polled: dict[str, float] = {}
        self._seen: dict[str, float] = {}  # the last request over HTTP, or the end of the last connection
        self._since = up()
        self._waiting: list[asyncio.Future[None]] = []

    def __iter__(self) -> Iterator[Viewer]:
        return iter(tuple(self._viewers))

    def __len__(self) -> int:
        return len(self._viewers)

    @property
    def _elsewhere(self) -> Iterable[Elsewhere]:
        return self._others.elsewhere(self._table)

    def add(self, viewer: Viewer, state: TableState) -> None:
        """Admit a connection, within the limits."""
        mine = sum(1 for other in self._viewers if other.person and other.person == viewer.person)
        if mine >= self._limits.sockets_per_person:
            raise Refused("too-many-sockets")
        if state.seat_of(viewer.person) is None:
            watching = [other.person for other in self._viewers]
            for there in self._elsewhere:
                watching += [*there.people, *[None] * there.nameless]
            if sum(1 for person in watching if state.seat_of(person) is None) >= self._limits.watching:
                raise Refused("too-many-watching")
        self._viewers.append(viewer)

    def remove(self, viewer: Viewer) -> bool:
        if viewer not in self._viewers:
            return False
        self._viewers.remove(viewer)
        if viewer.person:
            self._seen[viewer.person] = self._up()
        return True

    def has_polled(self, person: str) -> bool:
        """Whether other nodes should be told."""
        now = self._polled[person] = self._seen[person] = self._up()
        if now - self._told.get(person, -TELL_SECONDS) < TELL_SECONDS:
            return False
        self._told[person] = now
        return True

    def here(self) -> tuple[dict[str, str], int]:
        """Who is connected to this node: names by person, and how many have no identity."""
        people = {each.person: each.name or "" for each in self._viewers if each.person}
        return people, sum(1 for each in self._viewers if each.person is None)

    def note_left(self, people: Iterable[str]) -> None:
        """These people were connected elsewhere, and no longer are."""
        for person in people:
            self._seen[person] = self._up()

    @property
    def is_empty(self) -> bool:
        """Whether nobody is connected here or waits over HTTP."""
        return not self._viewers and not self._waiting

    def gone_for(self, person: str | None) -> float:
        """For how many seconds somebody has been absent; 0 while connected, and while nobody can tell."""
        if any(viewer.person == person for viewer in self._viewers):
            return 0.0
        if not self._others.is_presence_known or any(person in each.people for each in self._elsewhere):
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
        here.update(*(each.people for each in self._elsewhere))
        recently = self._up() - POLL_SECONDS
        here |= {person for person, when in self._polled.items() if when >= recently}
        return {seat for seat, place in enumerate(state.places) if place.person in here}

    def watching(self, state: TableState) -> list[str]:
        """The names of spectators, each once; a spectator without an identity has the name ""."""
        watchers = [each for each in self._viewers if state.seat_of(each.person) is None]
        named = {each.person: each.name or "" for each in watchers if each.person}
        nameless = sum(1 for each in watchers if each.person is None)
        for there in self._elsewhere:
            named |= {person: name for person, name in there.people.items() if state.seat_of(person) is None}
            nameless += there.nameless
        return sorted(named.values()) + [""] * nameless

    def by_seat(self, state: TableState) -> dict[int | None, list[Viewer]]:
        """Connections that see the same cards: a view is built and encoded once for all of them."""
        seats = {place.person: seat for seat, place in enumerate(state.places) if place.person}
        groups: dict[int | None, list[Viewer]] = {}
        for viewer in self._viewers:
            groups.setdefault(seats.get(viewer.person or ""), []).append(viewer)
        return groups
