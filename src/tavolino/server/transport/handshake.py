"""The handshake of a WebSocket: uvicorn's own protocol, until the application takes the transport over.

Then this object, the request and the parser that read it are dropped: they would be most of a socket's memory. It
overrides private parts of one version of uvicorn, pinned in requirements/.
"""

from __future__ import annotations

from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from tavolino.server.transport.frames import MOST_BYTES
from tavolino.server.transport.websocket import WebSocketProtocol

EXTENSION = "tavolino.handshake"  # where the application finds this object, in the scope's extensions


class HandshakeProtocol(WebSocketsSansIOProtocol):
    is_handed_over = False
    early = b""  # what came after the request, for the next protocol to read

    def hand_over(self) -> WebSocketProtocol:
        """The protocol of a socket that was accepted. This object must not be used afterwards."""
        if self.disconnected:
            raise ClientDisconnected
        self.is_handed_over = True
        self.stop_keepalive()
        self.connections.discard(self)
        self._drop_parser()
        return WebSocketProtocol(self.transport, self.connections, self.early)

    # -- for uvicorn

    async def run_asgi(self) -> None:
        self.scope["extensions"][EXTENSION] = {"protocol": self}
        try:
            await self.app(self.scope, self.receive, self.send)
        except ClientDisconnected:
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
            super().data_received(data)
        elif len(self.early) + len(data) <= MOST_BYTES:
            self.early += data
        else:
            self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._drop_parser()

    def _drop_parser(self) -> None:
        del self.conn.parser  # a reference cycle
