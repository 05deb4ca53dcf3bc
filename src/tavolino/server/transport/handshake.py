"""The handshake of a socket: uvicorn's own WebSocket protocol, until the application hands the transport to a `Line`.

Then this object, the request and the parser that read it are gone; they would be most of what a socket takes.
"""

from __future__ import annotations

from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from tavolino.server.transport.websocket import MOST_BYTES, Line

EXTENSION = "tavolino.wire"  # where the application finds this object, in the scope's extensions


class Wire(WebSocketsSansIOProtocol):
    is_handed_over = False
    early = b""  # what came after the request, for the line to read

    def hand_over(self) -> Line:
        """The line of a socket that was accepted. Nothing else may be asked of this object afterwards."""
        if self.disconnected:
            raise ClientDisconnected
        self.is_handed_over = True
        self.stop_keepalive()
        self.connections.discard(self)
        self._drop_parser()
        return Line(self.transport, self.connections, self.early)

    # -- for uvicorn

    async def run_asgi(self) -> None:
        self.scope["extensions"][EXTENSION] = {"wire": self}
        try:
            await self.app(self.scope, self.receive, self.send)
        except ClientDisconnected:
            pass
        except Exception:
            self.logger.exception("Exception in ASGI application\n")
            if not self.is_handed_over:
                self.send_500_response()
        del self.scope  # it holds on to this object, and both would stay until garbage is next looked for
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
        del self.conn.parser  # it holds on to the connection that holds it
