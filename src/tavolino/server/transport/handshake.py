"""The handshake of a WebSocket: uvicorn's own protocol, until the application takes the transport over.

Then this object, the request and the parser that read it are dropped: they would be most of a socket's memory. It
overrides private parts of one version of uvicorn, pinned in `pyproject.toml`.
"""

from __future__ import annotations

import asyncio
from typing import Any

from starlette.websockets import WebSocketDisconnect
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from tavolino.server.connection_limits import Admission
from tavolino.server.transport.frames import MOST_BYTES
from tavolino.server.transport.plain_answers import plain_answer
from tavolino.server.transport.websocket import WebSocketProtocol

HANDSHAKE_SECONDS = 20.0
EXTENSION = "tavolino.handshake"  # where the application finds this object, in the scope's extensions


class HandshakeProtocol(WebSocketsSansIOProtocol):
    handshake_seconds = HANDSHAKE_SECONDS
    admission: Admission | None = None
    is_handed_over = is_refused = False
    _deadline: asyncio.TimerHandle | None = None
    early = b""  # what came after the request, for the next protocol to read

    def hand_over(self) -> WebSocketProtocol:
        """The protocol of a socket that was accepted. This object must not be used afterwards."""
        if self.disconnected:
            raise ClientDisconnected
        self.is_handed_over = True
        self.stop_keepalive()
        self.connections.discard(self)
        self._stop_timer()
        self._drop_parser()
        admission, self.admission = self.admission, None
        return WebSocketProtocol(self.transport, self.connections, self.early, admission)

    # -- for uvicorn

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._deadline = self.loop.call_later(self.handshake_seconds, transport.abort)

    async def run_asgi(self) -> None:
        self.scope["extensions"][EXTENSION] = {"protocol": self}
        try:
            await self.app(self.scope, self.receive, self.send)
        except (ClientDisconnected, WebSocketDisconnect):
            pass
        except Exception:
            self.logger.exception("Exception in ASGI application\n")
            if not self.is_handed_over:
                self.send_500_response()
        del self.scope  # a reference cycle with this object, which only the garbage collector would free
        if not self.is_handed_over and self.close_timer is None:
            self.transport.close()

    def data_received(self, data: bytes) -> None:
        if not self.handshake_initiated:
            super().data_received(data)  # the whole head, as the HTTP protocol has read it
            if not self.handshake_initiated:
                self._refuse()
        elif len(self.early) + len(data) <= MOST_BYTES:
            self.early += data
        else:
            self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._stop_timer()
        self._drop_parser()
        if self.admission is not None:
            self.admission.release()

    def _refuse(self) -> None:
        """The library cannot use this request (a line is too long, a body, not a GET), and does not report it."""
        self.is_refused = self.handshake_initiated = True
        self.transport.write(plain_answer(400, "This request does not open a WebSocket."))
        self.transport.close()

    def _stop_timer(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _drop_parser(self) -> None:
        del self.conn.parser  # a reference cycle
