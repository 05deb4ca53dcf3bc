"""One socket: a bounded queue and a task that writes from it. A slow reader is cut off, and resumes."""

from __future__ import annotations

import asyncio
import contextlib

from starlette.websockets import WebSocket, WebSocketDisconnect

from tavolino.server import outgoing
from tavolino.server import protocol as p

# Codes with which a socket is closed, told in docs/protocol.md.
CLOSE_CODES = {
    "stopping": 1012,
    "no-such-table": 4404,
    "too-quiet": 4408,
    "reload": 4409,
    "too-big": 1009,
    "too-slow": 4413,
    "too-fast": 4429,
    "too-many-sockets": 4430,
    "too-many-watching": 4431,
    "internal": 1011,
}
COME_BACK = frozenset({"stopping", "too-slow", "too-quiet", "reload", "internal"})
CLOSING_SECONDS = 2.0


class Connection:
    """A viewer's socket. Who it belongs to was decided at the handshake, by the identity alone."""

    def __init__(self, socket: WebSocket, person: str | None, name: str | None, most_waiting: int) -> None:
        self._socket = socket
        self.person = person
        self.name = name
        self.greeted = False
        self.closing: str | None = None
        self._queue: asyncio.Queue[str | None] = asyncio.Queue(most_waiting)
        self._writer = asyncio.create_task(self._write())

    def send(self, text: str) -> None:
        """Never waits: a reader who is too slow is cut off instead of slowing the table."""
        if self.closing is not None:
            return
        try:
            self._queue.put_nowait(text)
        except asyncio.QueueFull:
            self.cut("too-slow")

    def tell(self, message: p.News) -> None:
        self.send(outgoing.frame(message))

    def close(self, code: str) -> None:
        """Say why, after all that is still waiting, and end."""
        if self.closing is None:
            self.tell(p.Closing(code, code in COME_BACK))
            self.closing = self.closing or code
            with contextlib.suppress(asyncio.QueueFull):
                self._queue.put_nowait(None)

    def cut(self, code: str) -> None:
        """End at once: what waits in the queue is dropped."""
        if self.closing is None:
            self.closing = code
            self._writer.cancel()

    async def _write(self) -> None:
        try:
            while (text := await self._queue.get()) is not None:
                await self._socket.send({"type": "websocket.send", "text": text})
        except (WebSocketDisconnect, RuntimeError):
            self.closing = self.closing or "internal"

    async def finished(self) -> None:
        """Until the writer has nothing more to say."""
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.wait({self._writer})

    async def end(self) -> None:
        """Close the socket, politely if the other side listens."""
        if self.closing is None:
            self.closing = "internal"
            self._writer.cancel()
        with contextlib.suppress(Exception):
            async with asyncio.timeout(CLOSING_SECONDS):
                await asyncio.wait({self._writer})
                await self._socket.close(CLOSE_CODES[self.closing])
        self._writer.cancel()
