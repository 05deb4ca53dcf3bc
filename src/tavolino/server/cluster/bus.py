"""Messages between the nodes on one database: hints, presence, chat (decision 052).

A bus may lose anything, and nothing that must be right depends on it. A server alone has none.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from tavolino.engine.extras import require

SCHEMES = ("redis://", "rediss://", "unix://")
ALL = "all"  # the channel that every node subscribes to
Receive = Callable[[bytes], None]


class Bus(Protocol):
    is_connected: bool
    connections: int  # how often it was connected; messages may have been lost before each

    async def open(self, receive: Receive) -> None:
        """Start. Messages on subscribed channels are passed to `receive`."""

    async def close(self) -> None: ...

    def subscribe(self, channel: str, greeting: bytes) -> None:
        """Subscribe to a channel, and then publish `greeting` on it, so that answers are received."""

    def unsubscribe(self, channel: str) -> None: ...

    def publish(self, channel: str, content: bytes) -> None:
        """Publish a message. Never waits and never fails: a message that cannot be sent is dropped."""


class NoBus:
    """No bus: for a single server, or for nodes that only poll the journal."""

    is_connected = False
    connections = 0

    async def open(self, receive: Receive) -> None: ...

    async def close(self) -> None: ...

    def subscribe(self, channel: str, greeting: bytes) -> None: ...

    def unsubscribe(self, channel: str) -> None: ...

    def publish(self, channel: str, content: bytes) -> None: ...


def make_bus(url: str | None) -> Bus:
    if url is None:
        return NoBus()
    require("cluster", "redis")
    from tavolino.server.cluster.redis_bus import RedisBus

    return RedisBus(url)
