"""The line of a socket that sits at a table: frames in, frames out (RFC 6455), and nothing kept but what is unfinished.

uvicorn and the application see to the handshake (`wire.py`); then the transport has this protocol instead, for hours.
A table of four has four of them, so each is as small as can be: no task, no queue, no timer while all is well.
"""

from __future__ import annotations

import asyncio
from typing import Any, Protocol

from websockets.exceptions import ProtocolError
from websockets.frames import Close
from websockets.utils import apply_mask

CLOSING_SECONDS = 2.0
MOST_BYTES = 64 * 1024  # of one message; what a command may have is less, and is refused with a word
IN_CONTROL = 125  # bytes that a close, a ping or a pong may have
LAST, RESERVED, KIND, CONTROL = 0x80, 0x70, 0x0F, 0x08  # bits of a frame's first byte
MASKED = 0x80  # bit of its second
CONTINUED, TEXT, BINARY, CLOSE, PING, PONG = 0x0, 0x1, 0x2, 0x8, 0x9, 0xA
WRONG, TOO_BIG, SILENT, RESTART = 1002, 1009, 1011, 1012  # codes with which a line is closed


def framed(content: bytes, kind: int = TEXT) -> bytes:
    """A message as it goes over the line, in one frame; one that many sockets get is framed once."""
    size, first = len(content), LAST | kind
    if size < 126:
        return bytes((first, size)) + content
    if size < 1 << 16:
        return bytes((first, 126)) + size.to_bytes(2) + content
    return bytes((first, 127)) + size.to_bytes(8) + content


class BadFrame(Exception):
    def __init__(self, code: int) -> None:
        self.code = code


def read_frame(data: bytes, at: int) -> tuple[int, bytes, int] | None:
    """The frame that begins at `at`: its first byte, its content, and where it ends; None if it is not all there."""
    start = at + 2
    if len(data) < start:
        return None
    first, size = data[at], data[at + 1]
    if first & RESERVED or not size & MASKED:  # nothing reserved was agreed on, and clients mask
        raise BadFrame(WRONG)
    size &= ~MASKED
    if first & CONTROL and (size > IN_CONTROL or not first & LAST):
        raise BadFrame(WRONG)
    if size > IN_CONTROL:
        length = 2 if size == 126 else 8
        start += length
        if len(data) < start:
            return None
        size = int.from_bytes(data[start - length : start])
        if size > MOST_BYTES:
            raise BadFrame(TOO_BIG)
    end = start + 4 + size
    if len(data) < end:
        return None
    return first, apply_mask(data[start + 4 : end], data[start : start + 4]), end


class Listener(Protocol):
    def hear(self, content: bytes) -> None:
        """A message came."""

    def hear_overhead(self) -> None:
        """Something came that is no message, and yet is work: a ping, a pong, a piece of a message."""

    def go_on(self) -> None:
        """The line takes more again."""

    def gone(self) -> None:
        """The other side is gone, or we have hung up."""


class Line(asyncio.Protocol):
    __slots__ = (
        "_closing_timer", "_is_awaited", "_lines", "_loop", "_parts", "_received", "_transport", "_unanswered",
        "has_hung_up", "is_free", "listener",
    )  # fmt: skip

    def __init__(self, transport: Any, lines: set[Any], received: bytes) -> None:
        """`lines` are all that are open, for who closes them at the end; `received` is what came already."""
        self._transport, self._lines = transport, lines
        self._loop = asyncio.get_running_loop()
        self._received = received  # of a frame that is not all there
        self._parts: bytearray | None = None  # of a message that is not all there
        self._is_awaited = False  # pinged, and not heard of since
        self._unanswered: bytes | None = None  # the newest ping of somebody who does not read
        self._closing_timer: asyncio.TimerHandle | None = None
        self.has_hung_up = False
        self.is_free = True  # the other side reads what it is sent
        self.listener: Listener | None = None
        lines.add(self)
        transport.pause_reading()  # until somebody listens
        transport.set_protocol(self)

    # -- for the listener

    def listen(self) -> None:
        """From now on the listener hears what comes, beginning with what has come already."""
        self._transport.resume_reading()
        self.data_received(b"")

    def write(self, frame: bytes) -> None:
        if not (self.has_hung_up or self._transport.is_closing()):
            self._transport.write(frame)

    def ping(self) -> None:
        """To be called now and then: whoever has not answered the last time is taken for dead."""
        if self._is_awaited:
            self._give_up(SILENT)
        else:
            self._is_awaited = True
            self.write(framed(b"", PING))

    def hang_up(self, code: int) -> None:
        """Say goodbye; whoever does not answer it is not waited for."""
        self._say_goodbye(code.to_bytes(2))

    def _say_goodbye(self, content: bytes) -> None:
        if self.has_hung_up or self._transport.is_closing():
            return
        self._transport.write(framed(content, CLOSE))
        self.has_hung_up = True
        self._transport.resume_reading()  # the answer is waited for even if nobody has listened yet
        self._closing_timer = self._loop.call_later(CLOSING_SECONDS, self._transport.abort)

    def _give_up(self, code: int) -> None:
        """Say goodbye to somebody whose answer is not waited for. Closing alone would wait until all is sent, and for
        a dead peer that is for ever."""
        self.hang_up(code)
        self._transport.close()

    # -- for the event loop

    def data_received(self, data: bytes) -> None:
        self._is_awaited = False
        data, at = self._received + data, 0
        try:
            while (frame := read_frame(data, at)) is not None:
                first, content, at = frame
                self._take(first, content)
        except BadFrame as bad:
            at = len(data)
            self._give_up(bad.code)
        self._received = data[at:]

    def _take(self, first: int, content: bytes) -> None:
        kind = first & KIND
        if kind == CLOSE:
            self._take_goodbye(content)
        elif kind in (PING, PONG):
            self._count()
            if kind == PING:
                self._take_ping(content)
        elif kind in (TEXT, BINARY) and self._parts is None:
            if first & LAST:
                self._pass_on(content)
            else:
                self._count()
                self._parts = bytearray(content)
        elif kind == CONTINUED and self._parts is not None:
            self._parts += content
            if len(self._parts) > MOST_BYTES:
                raise BadFrame(TOO_BIG)
            if first & LAST:
                content, self._parts = bytes(self._parts), None
                self._pass_on(content)
            else:
                self._count()
        else:
            raise BadFrame(WRONG)

    def _pass_on(self, content: bytes) -> None:
        if self.listener is not None and not self.has_hung_up:
            self.listener.hear(content)

    def _count(self) -> None:
        if self.listener is not None and not self.has_hung_up:
            self.listener.hear_overhead()

    def _take_ping(self, content: bytes) -> None:
        """Answers to somebody who does not read would pile up here: only the newest ping is answered then, as the
        protocol allows."""
        if self.is_free:
            self.write(framed(content, PONG))
        else:
            self._unanswered = content

    def _take_goodbye(self, content: bytes) -> None:
        """Answered with the same; if it is the answer to ours, all is said."""
        try:
            Close.parse(content)
        except (ProtocolError, UnicodeDecodeError):
            raise BadFrame(WRONG) from None
        self._say_goodbye(content)
        self._transport.close()

    def pause_writing(self) -> None:
        self.is_free = False

    def resume_writing(self) -> None:
        self.is_free = True
        if self._unanswered is not None:
            content, self._unanswered = self._unanswered, None
            self.write(framed(content, PONG))
        if self.listener is not None:
            self.listener.go_on()

    def connection_lost(self, error: Exception | None) -> None:
        self._lines.discard(self)
        if self._closing_timer is not None:
            self._closing_timer.cancel()
        if self.listener is not None:
            listener, self.listener = self.listener, None
            listener.gone()

    # -- for uvicorn, when the server stops

    def shutdown(self) -> None:
        self._give_up(RESTART)
