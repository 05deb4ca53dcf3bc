"""uvicorn's HTTP protocol with two more timeouts: for the head of a request, and for reading the answers.

uvicorn itself waits for both without a limit. Overrides private parts of one version of uvicorn, pinned in
requirements/.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEAD_SECONDS = 10.0
READING_SECONDS = 60.0  # within which a client must read part of what is buffered for it


class TimedHttpProtocol(HttpToolsProtocol):
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
        # A reference cycle with this object, which only the garbage collector would free.
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
        """Check later whether the client has read any of what is buffered."""
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
