"""HTTP and WebSocket clients, minimal, so that they do not cost more than the servers under test."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

TEXT, CLOSE, PING, PONG = 0x81, 0x88, 0x89, 0x8A
KEY = "dGhlIHNhbXBsZSBub25jZQ=="


def upgrade(host: str, path: str, token: str | None = None) -> str:
    """The request that opens a WebSocket."""
    authorization = f"Authorization: Bearer {token}\r\n" if token else ""
    return (
        f"GET {path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: {KEY}\r\nSec-WebSocket-Version: 13\r\n{authorization}\r\n"
    )


class Socket(asyncio.Protocol):
    """A player's WebSocket."""

    def __init__(self, request: str, on_message: Callable[[bytes], None], hello: bytes = b'{"type":"hello"}') -> None:
        self._request, self._on_message, self._hello = request, on_message, hello
        self._received = bytearray()
        self.is_open = False
        self.close_code: int | None = None  # as the server said it
        self.transport: Any = None  # once it is connected

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        transport.write(self._request.encode())

    def send(self, content: bytes, kind: int = TEXT) -> None:
        """A frame of less than 64 kB, under a mask of zeros."""
        size = len(content)
        length = bytes((0x80 | size,)) if size < 126 else b"\xfe" + size.to_bytes(2)
        self.transport.write(b"%c%b\0\0\0\0%b" % (kind, length, content))

    def data_received(self, data: bytes) -> None:
        self._received += data
        if not self.is_open:
            end = self._received.find(b"\r\n\r\n")
            if end < 0:
                return
            if not self._received.startswith(b"HTTP/1.1 101"):
                self.on_refusal(bytes(self._received))
                return
            self.is_open = True
            del self._received[: end + 4]
            if self._hello:
                self.send(self._hello)
        while (frame := self._next_frame()) is not None:
            kind, content = frame
            if kind == TEXT:
                self._on_message(content)
            elif kind == PING:
                self.send(content, PONG)
            elif kind == CLOSE:
                self.close_code = int.from_bytes(content[:2])
                self.transport.close()

    def on_refusal(self, answer: bytes) -> None:
        """The answer is not a WebSocket handshake."""
        raise AssertionError(answer)

    def _next_frame(self) -> tuple[int, bytes] | None:
        received = self._received
        if len(received) < 2:
            return None
        start, size = 2, received[1]
        if size == 126:
            start, size = 4, int.from_bytes(received[2:4])
        elif size == 127:
            start, size = 10, int.from_bytes(received[2:10])
        if len(received) < start + size:
            return None
        frame = received[0], bytes(received[start : start + size])
        del received[: start + size]
        return frame


class Http:
    """Requests over connections that are kept, each to wherever the balancer has sent it."""

    def __init__(self) -> None:
        self._idle: dict[int, list[tuple[asyncio.StreamReader, asyncio.StreamWriter]]] = {}

    async def post(self, port: int, path: str, content: bytes, token: str | None, seconds: float) -> tuple[int, bytes]:
        """Status and content of the answer; OSError or EOFError without one."""
        async with asyncio.timeout(seconds):
            reader, writer = await self._connected(port)
            try:
                authorization = f"Authorization: Bearer {token}\r\n" if token else ""
                head = (
                    f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {len(content)}\r\n{authorization}\r\n"
                )
                writer.write(head.encode() + content)
                answered = (await reader.readuntil(b"\r\n\r\n")).lower()
                answer = await reader.readexactly(int(answered.split(b"content-length: ")[1].split(b"\r\n")[0]))
            except BaseException:
                writer.close()
                raise
            if b"connection: close" in answered:
                writer.close()
            else:
                self._idle.setdefault(port, []).append((reader, writer))
            return int(answered.split(b" ", 2)[1]), answer

    async def _connected(self, port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        idle = self._idle.get(port, [])
        while idle:
            reader, writer = idle.pop(0)  # the longest unused: all are used in turn
            if not reader.at_eof() and reader.exception() is None and not writer.is_closing():
                return reader, writer
            writer.close()
        return await asyncio.open_connection("127.0.0.1", port)

    def close(self) -> None:
        for idle in self._idle.values():
            for _, writer in idle:
                writer.close()
