"""The line of a socket: uvicorn's own WebSocket protocol, with a short way for sockets that sit at a table.

The application sees to the handshake and ends. From then on a frame goes straight from the line to whoever listens,
and from there straight to the line: no task waits at a socket, and nothing is kept for it but what has to be sent.
"""

from __future__ import annotations

from typing import Any, Protocol

from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request
from websockets.protocol import Protocol as Frames

EXTENSION = "tavolino.wire"  # where the application finds the line, in the scope's extensions
CLOSING_SECONDS = 2.0
TEXT = 0x81  # a whole message of text, in one frame


def framed(content: bytes) -> bytes:
    """A text message as it goes over the line; one that many sockets get is framed once."""
    size = len(content)
    if size < 126:
        return bytes((TEXT, size)) + content
    if size < 1 << 16:
        return b"\x81\x7e" + size.to_bytes(2) + content
    return b"\x81\x7f" + size.to_bytes(8) + content


class Listener(Protocol):
    def hear(self, content: bytes) -> None:
        """A message came."""

    def go_on(self) -> None:
        """The line takes more again."""

    def gone(self) -> None:
        """The other side is gone, or we have hung up."""


class Nowhere:
    """In place of the queue to an application that has ended."""

    def put_nowait(self, event: object) -> None:
        pass


class Flag:
    """In place of an event that nobody waits for any more."""

    __slots__ = ("_is_set",)

    def __init__(self, is_set: bool) -> None:
        self._is_set = is_set

    def is_set(self) -> bool:
        return self._is_set

    def set(self) -> None:
        self._is_set = True

    def clear(self) -> None:
        self._is_set = False


NOWHERE: Any = Nowhere()


class Wire(WebSocketsSansIOProtocol):
    listener: Listener | None = None
    is_handed_over = False
    is_free = True  # the other side reads what it is sent

    async def run_asgi(self) -> None:
        self.scope["extensions"][EXTENSION] = {"wire": self}
        try:
            await self.app(self.scope, self.receive, self.send)
        except ClientDisconnected:
            pass
        except Exception:
            self.logger.exception("Exception in ASGI application\n")
            self.send_500_response()
        if self.is_handed_over:
            del self.scope, self.request, self.response  # of the handshake; nobody asks for them again
        elif self.close_timer is None:
            self.transport.close()

    # -- for the application

    def hand_over(self) -> None:
        """From now on the listener hears what comes, beginning with what has come already."""
        assert self.listener is not None
        self.is_handed_over = True
        while not self.queue.empty():
            event: Any = self.queue.get_nowait()
            if event["type"] == "websocket.receive":
                self.listener.hear(event.get("bytes") or event.get("text", "").encode())
        self.queue = NOWHERE
        light: Any = Flag(self.writable.is_set())
        self.writable = light
        if self.read_paused:
            self.read_paused = False
            self.transport.resume_reading()

    def write(self, frame: bytes) -> None:
        if not (self.close_sent or self.transport.is_closing()):
            self.transport.write(frame)

    def hang_up(self, code: int) -> None:
        """Say goodbye; whoever does not answer it is not waited for."""
        if self.close_sent or self.transport.is_closing():
            return
        self.conn.send_close(code)
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self.close_timer = self.loop.call_later(CLOSING_SECONDS, self.transport.abort)

    # -- for uvicorn

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        # The parser that read the request would hold on to it, headers and all, for as long as the socket lives.
        self.conn.parser = Frames.parse(self.conn)
        next(self.conn.parser)

    def send_receive_event_to_app(self) -> None:
        if not self.is_handed_over:
            super().send_receive_event_to_app()
            return
        content, self.frames = b"".join(self.frames), []
        if self.listener is not None and not self.close_sent:
            self.listener.hear(content)

    def pause_writing(self) -> None:
        super().pause_writing()
        self.is_free = False

    def resume_writing(self) -> None:
        super().resume_writing()
        self.is_free = True
        if self.listener is not None:
            self.listener.go_on()

    # Closing a transport waits until all is sent, and for a dead peer that is for ever.

    def shutdown(self) -> None:
        super().shutdown()
        self.loop.call_later(CLOSING_SECONDS, self.transport.abort)

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self.loop.call_later(CLOSING_SECONDS, self.transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        del self.conn.parser  # it holds on to the connection that holds it
        if self.listener is not None:
            listener, self.listener = self.listener, None
            listener.gone()
