"""Minimal WebSocket (RFC 6455) protocol, used after the handshake. Keeps no state except incomplete frames.

uvicorn and the application handle the handshake (`handshake.py`); then the transport gets this protocol, for hours.
There is one for each player, so it is as small as possible: no task, no queue, and no timer until it closes.
"""

from __future__ import annotations

import asyncio
from typing import Any, Protocol

from websockets.exceptions import ProtocolError
from websockets.frames import Close

from tavolino.server.connection_limits import Admission
from tavolino.server.transport.frames import (
    BINARY,
    CLOSE,
    CONTINUATION,
    FIN,
    MOST_BYTES,
    NO_PONG,
    NOT_UTF8,
    OPCODE,
    PING,
    PONG,
    PROTOCOL_ERROR,
    RESTART,
    TEXT,
    TOO_BIG,
    BadFrame,
    encode_frame,
    is_utf8,
    read_frame,
)

CLOSE_SECONDS = 2.0  # to wait for the other side's close frame


class Listener(Protocol):
    def on_message(self, content: bytes) -> None:
        """A whole message came."""

    def on_overhead(self) -> None:
        """A frame came that is no whole message and costs work all the same: a ping, a pong, a fragment."""

    def on_writable(self) -> None:
        """The socket's buffer has room again."""

    def on_closed(self) -> None:
        """The connection is closed, by either side."""


class WebSocketProtocol(asyncio.Protocol):
    __slots__ = (
        "_admission", "_awaits_pong", "_close_timer", "_connections", "_fragments", "_is_text", "_loop",
        "_pending_pong", "_received", "_transport", "has_closed", "is_writable", "listener",
    )  # fmt: skip

    def __init__(
        self, transport: Any, connections: set[Any], received: bytes, admission: Admission | None = None
    ) -> None:
        """`connections` is uvicorn's set of open connections, closed when the server stops; `received` came already."""
        self._transport, self._connections, self._admission = transport, connections, admission
        self._loop = asyncio.get_running_loop()
        self._received = received  # of an incomplete frame
        self._fragments: bytearray | None = None  # of an incomplete message
        self._is_text = False  # that message
        self._awaits_pong = False  # pinged, and nothing received since
        self._pending_pong: bytes | None = None  # for the newest ping of a peer that does not read
        self._close_timer: asyncio.TimerHandle | None = None
        self.has_closed = False
        self.is_writable = True  # the socket's buffer has room
        self.listener: Listener | None = None
        connections.add(self)
        transport.pause_reading()  # until `listen`
        transport.set_protocol(self)

    # -- for the listener

    def listen(self) -> None:
        """From now on the listener gets what comes, beginning with what has come already."""
        self._transport.resume_reading()
        self.data_received(b"")

    def write(self, frame: bytes) -> None:
        if not (self.has_closed or self._transport.is_closing()):
            self._transport.write(frame)

    def ping(self) -> None:
        """Send a ping. If nothing was received since the last one, the peer is dead and the connection is closed."""
        if self._awaits_pong:
            self._close_now(NO_PONG)
        else:
            self._awaits_pong = True
            self.write(encode_frame(b"", PING))

    def close(self, code: int) -> None:
        """Send a close frame, and wait a moment for the peer's."""
        self._send_close(code.to_bytes(2))

    def _send_close(self, content: bytes) -> None:
        if self.has_closed or self._transport.is_closing():
            return
        self._transport.write(encode_frame(content, CLOSE))
        self.has_closed = True
        self._transport.resume_reading()  # for the peer's close frame, even if `listen` was not called yet
        self._close_timer = self._loop.call_later(CLOSE_SECONDS, self._transport.abort)

    def _close_now(self, code: int) -> None:
        """Close without waiting for the peer's close frame. The timer of `close` aborts the transport if a dead peer
        never reads what is left in the buffer."""
        self.close(code)
        self._transport.close()

    # -- for the event loop

    def data_received(self, data: bytes) -> None:
        self._awaits_pong = False
        data, at = self._received + data, 0
        try:
            while (frame := read_frame(data, at)) is not None:
                first, content, at = frame
                self._take(first, content)
        except BadFrame as bad:
            at = len(data)
            self._close_now(bad.code)
        self._received = data[at:]

    def _take(self, first: int, content: bytes) -> None:
        opcode = first & OPCODE
        if opcode == CLOSE:
            self._take_close(content)
        elif opcode in (PING, PONG):
            self._count()
            if opcode == PING:
                self._take_ping(content)
        elif opcode in (TEXT, BINARY) and self._fragments is None:
            self._is_text = opcode == TEXT
            if first & FIN:
                self._pass_on(content)
            else:
                self._count()
                self._fragments = bytearray(content)
        elif opcode == CONTINUATION and self._fragments is not None:
            self._fragments += content
            if len(self._fragments) > MOST_BYTES:
                raise BadFrame(TOO_BIG)
            if first & FIN:
                content, self._fragments = bytes(self._fragments), None
                self._pass_on(content)
            else:
                self._count()
        else:
            raise BadFrame(PROTOCOL_ERROR)

    def _pass_on(self, content: bytes) -> None:
        if self._is_text and not is_utf8(content):
            raise BadFrame(NOT_UTF8)
        if self.listener is not None and not self.has_closed:
            self.listener.on_message(content)

    def _count(self) -> None:
        if self.listener is not None and not self.has_closed:
            self.listener.on_overhead()

    def _take_ping(self, content: bytes) -> None:
        """Pongs for a peer that does not read would fill the buffer: then only the newest ping is answered, as RFC 6455
        allows."""
        if self.is_writable:
            self.write(encode_frame(content, PONG))
        else:
            self._pending_pong = content

    def _take_close(self, content: bytes) -> None:
        """Answer with the same close frame, unless ours was sent before."""
        try:
            Close.parse(content)
        except UnicodeDecodeError:
            raise BadFrame(NOT_UTF8) from None
        except ProtocolError:
            raise BadFrame(PROTOCOL_ERROR) from None
        self._send_close(content)
        self._transport.close()

    def pause_writing(self) -> None:
        self.is_writable = False

    def resume_writing(self) -> None:
        self.is_writable = True
        if self._pending_pong is not None:
            content, self._pending_pong = self._pending_pong, None
            self.write(encode_frame(content, PONG))
        if self.listener is not None:
            self.listener.on_writable()

    def connection_lost(self, error: Exception | None) -> None:
        self._connections.discard(self)
        if self._close_timer is not None:
            self._close_timer.cancel()
        if self._admission is not None:
            self._admission.release()
        if self.listener is not None:
            listener, self.listener = self.listener, None
            listener.on_closed()

    # -- for uvicorn, when the server stops

    def shutdown(self) -> None:
        self._close_now(RESTART)
