"""Half-open connections: one that does not finish its request's head in time, or does not read its answers, is closed.

uvicorn itself waits for ever for both. And when a connection becomes a socket, what read its head goes.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEAD_SECONDS = 10.0
READING_SECONDS = 60.0  # within which something of an answer must have been taken; the system's own buffers come on top


class PatientProtocol(HttpToolsProtocol):
    head_seconds = HEAD_SECONDS
    reading_seconds = READING_SECONDS
    _head_timer: asyncio.TimerHandle | None = None
    _reading_timer: asyncio.TimerHandle | None = None

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
        self._stop_watching()
        # The parser and this object hold on to each other: they would stay until garbage is next looked for.
        del self.parser

    def pause_writing(self) -> None:
        super().pause_writing()
        self._watch()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.transport.get_write_buffer_size():
            self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        self._stop_watching()
        super().connection_lost(exc)

    def _watch(self) -> None:
        """Look again in a while whether any of what waits to be read was taken."""
        if self._reading_timer is None:
            waiting = self.transport.get_write_buffer_size()
            self._reading_timer = self.loop.call_later(self.reading_seconds, self._look_again, waiting)

    def _look_again(self, before: int) -> None:
        self._reading_timer = None
        now = self.transport.get_write_buffer_size()
        if now >= before > 0:
            self.transport.abort()
        elif now:
            self._watch()

    def _stop_watching(self) -> None:
        if self._reading_timer is not None:
            self._reading_timer.cancel()
            self._reading_timer = None

    def _start_timer(self) -> None:
        self._stop_timer()
        self._head_timer = self.loop.call_later(self.head_seconds, self.transport.abort)

    def _stop_timer(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None
