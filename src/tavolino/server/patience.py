"""Half-open handshakes: a connection that does not finish its request's head in time is closed.

uvicorn itself waits for ever for the rest of a head. And when a connection becomes a socket, what read its head goes.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEAD_SECONDS = 10.0


class PatientProtocol(HttpToolsProtocol):
    head_seconds = HEAD_SECONDS
    _head_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._start_timer()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._start_timer()

    def on_headers_complete(self) -> None:
        self._stop_timer()
        super().on_headers_complete()

    def handle_websocket_upgrade(self) -> None:
        super().handle_websocket_upgrade()
        # The parser and this object hold on to each other: they would stay until garbage is next looked for.
        del self.parser

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        super().connection_lost(exc)

    def _start_timer(self) -> None:
        self._stop_timer()
        self._head_timer = self.loop.call_later(self.head_seconds, self.transport.abort)

    def _stop_timer(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None
