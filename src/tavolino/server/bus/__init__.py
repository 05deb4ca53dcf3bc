"""What the nodes on one database tell each other: hints, presence, talk (decision 052).

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
    connections: int  # how often it was connected: with each, messages may have been lost before

    async def open(self, receive: Receive) -> None:
        """Begin. Each message on a channel that is subscribed to is passed to `receive`."""

    async def close(self) -> None: ...

    def subscribe(self, channel: str, greeting: bytes) -> None:
        """`greeting` is published there once answers to it would be received."""

    def unsubscribe(self, channel: str) -> None: ...

    def publish(self, channel: str, content: bytes) -> None:
        """Never waits, and never fails: what cannot be sent is dropped."""


class NoBus:
    """For a server without others, or whose nodes only read the journal."""

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
    from tavolino.server.bus.redis_bus import RedisBus

    return RedisBus(url)
