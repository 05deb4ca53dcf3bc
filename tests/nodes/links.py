"""TCP proxies that can delay, stall and reset connections: between nodes and stores, and from clients to nodes."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from typing import Any

Address = tuple[str, int]
HERE = "127.0.0.1"


class Link:
    """A port that passes connections on to a target, which may change: PostgreSQL or Redis, as one node reaches it."""

    def __init__(self, target: Callable[[], Address | None], host: str = HERE) -> None:
        self.target, self._host = target, host
        self.delay = 0.0  # seconds, for every piece of data in both directions
        self.port = 0
        self._is_stalled = False
        self._ends: set[_End] = set()
        self._server: asyncio.Server | None = None

    async def open(self) -> None:
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(lambda: _Accepted(self), self._host, 0)
        self.port = self._server.sockets[0].getsockname()[1]

    def close(self) -> None:
        if self._server is not None:
            self._server.close()
        self.reset()

    def reset(self) -> None:
        """Cut all connections at once."""
        for end in list(self._ends):
            end.abort()

    def stall(self) -> None:
        """From now on nothing arrives, and no end is notified, like a lost network."""
        self._is_stalled = True

    def heal(self) -> None:
        """Everything that was sent meanwhile arrives now."""
        self._is_stalled, self.delay = False, 0.0
        for end in list(self._ends):
            end.flush()

    @property
    def is_stalled(self) -> bool:
        return self._is_stalled


class _End(asyncio.Protocol):
    """One end of a proxied connection: what it receives is sent at the other end."""

    def __init__(self, link: Link) -> None:
        self.link = link
        self.other: _End | None = None
        self.transport: Any = None
        self._waiting: list[bytes] = []
        self._is_ended = False
        self._late, self._due = 0, 0.0  # pieces under way with a delay, and when the last of them arrives

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        self.link._ends.add(self)

    def data_received(self, data: bytes) -> None:
        if self.other is None or self.link.is_stalled or self._waiting:
            self._waiting.append(data)
        elif self.link.delay or self._late:
            loop = asyncio.get_running_loop()
            self._late, self._due = self._late + 1, max(self._due + 1e-6, loop.time() + self.link.delay)
            loop.call_at(self._due, self._deliver_late, data)
        else:
            self.other.write(data)

    def _deliver_late(self, data: bytes) -> None:
        self._late -= 1
        if self.link.is_stalled or self._waiting:
            self._waiting.append(data)
        elif self.other is not None:
            self.other.write(data)

    def flush(self) -> None:
        if self.other is None or self.link.is_stalled:
            return
        waiting, self._waiting = self._waiting, []
        for data in waiting:
            self.other.write(data)
        if self._is_ended:
            self.other.abort()

    def write(self, data: bytes) -> None:
        if self.transport is not None and not self.transport.is_closing():
            self.transport.write(data)

    def abort(self) -> None:
        if self.transport is not None:
            self.transport.abort()

    def connection_lost(self, error: Exception | None) -> None:
        self._is_ended = True
        self.link._ends.discard(self)
        if self.other is not None and not self.link.is_stalled:
            if error is None and self.other.transport is not None:
                self.other.transport.close()  # what was written before still arrives
            else:
                self.other.abort()


class _Accepted(_End):
    """The end of whoever has connected; reaches out to the target."""

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._task = asyncio.ensure_future(self._reach())

    async def _reach(self) -> None:
        target = self.link.target()
        try:
            if target is None:
                raise ConnectionRefusedError
            other = _End(self.link)
            other.other = self
            async with asyncio.timeout(5):
                await asyncio.get_running_loop().create_connection(lambda: other, *target)
        except OSError:
            self.abort()
            return
        self.other = other
        if self._is_ended:
            other.abort()
        self.flush()


class Balancer(Link):
    """The address for clients: each connection goes to a random node. It knows nothing about tables."""

    def __init__(self, addresses: Callable[[], list[Address]], seed: int) -> None:
        self._addresses, self._chance = addresses, random.Random(seed)
        super().__init__(self._choose)

    def _choose(self) -> Address | None:
        addresses = self._addresses()
        return self._chance.choice(addresses) if addresses else None
