"""uvicorn's HTTP protocol with limits: for the head of a request, for all of it, and for how long each part may take.

uvicorn itself has none for any of these, so one client could fill the memory or hold its connection for ever. Overrides
private parts of one version of uvicorn, pinned in `pyproject.toml`.

A connection is always in one of these states:

| state | ends when | or after |
|---|---|---|
| nothing has come yet, or part of a head | the head is complete | `head_seconds` |
| part of a body | the body is complete | `body_seconds` |
| the application answers | the answer is written | no deadline: it does not depend on the client |
| part of an answer is unread | all is read | `reading_seconds` without reading, or `READING_ROUNDS` times that |
| between two requests | the next head begins | `idle_seconds` |
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from tavolino.server.connection_limits import Admission
from tavolino.server.transport.handshake import HandshakeProtocol
from tavolino.server.transport.plain_answers import plain_answer

HEAD_SECONDS = 10.0
BODY_SECONDS = 20.0
IDLE_SECONDS = 20.0
READING_SECONDS = 60.0  # within which a client must read part of what is buffered for it
READING_ROUNDS = 10
REFUSED_SECONDS = 1.0  # in which a refused client can read why; closing at once would discard the answer
SLICE = 256  # bytes that are parsed before they are counted: a slice holds ten requests at most
MOST_HEAD_BYTES = 12 * 1024  # without the chunk in which it begins
MOST_HEADERS = 100
MOST_REQUEST_BYTES = 1024 * 1024  # on the wire; the application takes far smaller bodies
MOST_UNPARSED_BYTES = 64 * 1024  # that have come while requests wait for the answer to an earlier one
TOO_LARGE = "The head of this request is too large: at most 12 KiB and 100 headers are read."
TOO_MUCH = "That is more than this server reads of one client."


class _TooManyHeaders(Exception):
    """Ends the parser's work."""


class LimitedHttpProtocol(HttpToolsProtocol):
    head_seconds = HEAD_SECONDS
    body_seconds = BODY_SECONDS
    idle_seconds = IDLE_SECONDS
    reading_seconds = READING_SECONDS
    admission: Admission | None = None
    _unparsed: bytearray
    _cycles: list[RequestResponseCycle]  # requests that are answered or wait for it
    _is_done = False  # refused, handed over or lost: nothing is parsed any more
    _is_in_head = _is_in_body = False
    _requests = 0
    _request_bytes = 0  # of the current request, without the chunk in which it begins
    _awaited: tuple[int, float | None] | None = None  # the number of the request, and how long it may take
    _deadline: asyncio.TimerHandle | None = None
    _reading_timer: asyncio.TimerHandle | None = None

    # -- for the event loop

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._unparsed, self._cycles = bytearray(), []
        self._set_deadline()

    def data_received(self, data: bytes) -> None:
        """A request that waits for the answer to an earlier one (pipelining) costs more than its bytes: what comes
        behind it is parsed later, or one packet with hundreds of them would hold up everybody."""
        if self._is_done:
            return
        parsed = 0 if self._unparsed else self._parse(data)
        if parsed < len(data):
            self._unparsed += data[parsed:]
            if len(self._unparsed) > MOST_UNPARSED_BYTES:
                self._refuse(413, TOO_MUCH)

    def _parse_more(self) -> None:
        del self._unparsed[: self._parse(bytes(self._unparsed))]

    def _parse(self, data: bytes) -> int:
        """How many bytes were parsed, or are not needed any more."""
        start = 0
        while start < len(data) and not self.pipeline:
            if self._is_done:
                return len(data)
            part = data[start : start + SLICE]
            start += len(part)
            was_inside = self._is_in_head or self._is_in_body
            super().data_received(part)
            if was_inside:
                self._request_bytes += len(part)
            if self._is_done:
                return len(data)
            if self._is_in_head and self._request_bytes > MOST_HEAD_BYTES:
                self._refuse(431, TOO_LARGE)
            elif self._request_bytes > MOST_REQUEST_BYTES:
                self._refuse(413, TOO_MUCH)
        if not self._is_done:
            self._set_deadline()
        return start

    def pause_writing(self) -> None:
        super().pause_writing()
        self._watch(READING_ROUNDS)

    def connection_lost(self, exc: Exception | None) -> None:
        self._is_done = True
        self._unparsed.clear()
        self._stop_timers()
        super().connection_lost(exc)
        for cycle in self._cycles:  # uvicorn notifies only the last: the others would write to a closed transport
            cycle.disconnected = True
            cycle.message_event.set()
        self._cycles.clear()
        self.pipeline.clear()
        if self.admission is not None:
            self.admission.release()

    # -- for the parser

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._is_in_head, self._request_bytes = True, 0
        self._requests += 1

    def on_header(self, name: bytes, value: bytes) -> None:
        super().on_header(name, value)
        if len(self.headers) > MOST_HEADERS:
            raise _TooManyHeaders

    def on_headers_complete(self) -> None:
        self._is_in_head, self._is_in_body = False, True
        super().on_headers_complete()
        if self.cycle is not None:
            self._cycles = [*(each for each in self._cycles if not each.response_complete), self.cycle]

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._is_in_body = False

    # -- for uvicorn

    def send_400_response(self, msg: str) -> None:
        if self.headers is not None and len(self.headers) > MOST_HEADERS:
            self._refuse(431, TOO_LARGE)
        else:
            self._refuse(400, "This is not an HTTP request.")

    def handle_websocket_upgrade(self) -> None:
        if self.scope["http_version"] != "1.1":
            self._refuse(400, "A WebSocket needs HTTP/1.1.")
            return
        self._is_done = True
        self._stop_timers()
        super().handle_websocket_upgrade()
        handshake = self.transport.get_protocol()
        assert isinstance(handshake, HandshakeProtocol)
        if handshake.is_refused:
            self._note("bad-handshake")
        handshake.admission, self.admission = self.admission, None
        # A reference cycle with this object, which only the garbage collector would free.
        del self.parser

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self._is_done:
            return
        if self._unparsed and not self.pipeline:
            self.loop.call_soon(self._parse_more)
        self._set_deadline()
        if self.transport.get_write_buffer_size():
            self._watch(READING_ROUNDS)

    # -- deadlines

    def _set_deadline(self) -> None:
        """Start the timer of the state that the connection is in now, unless it runs already."""
        awaited = self._requests, self._seconds_left()
        if awaited == self._awaited:
            return
        self._awaited = awaited
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
        if (seconds := awaited[1]) is not None:
            self._deadline = self.loop.call_later(seconds, self._expire)

    def _seconds_left(self) -> float | None:
        if self._is_in_head or self.cycle is None:
            return self.head_seconds
        if self._is_in_body:
            return self.body_seconds
        return self.idle_seconds if self.cycle.response_complete else None

    def _expire(self) -> None:
        self._deadline = self._awaited = None
        if self.flow.read_paused and not self._is_done:  # it is us who do not read
            self._set_deadline()
        else:
            self._cut_off("too-slow")

    def _watch(self, rounds: int) -> None:
        """Check later whether the client has read any of what is buffered."""
        if self._reading_timer is None and not self._is_done:
            waiting = self.transport.get_write_buffer_size()
            self._reading_timer = self.loop.call_later(self.reading_seconds, self._look_again, waiting, rounds)

    def _look_again(self, before: int, rounds: int) -> None:
        self._reading_timer = None
        now = self.transport.get_write_buffer_size()
        if now >= before > 0 or (now and rounds == 1):
            self._cut_off("does-not-read")
        elif now:
            self._watch(rounds - 1)

    def _stop_timers(self) -> None:
        for timer in (self._deadline, self._reading_timer):
            if timer is not None:
                timer.cancel()
        self._deadline = self._reading_timer = None

    # -- refusals

    def _refuse(self, status: int, sentence: str) -> None:
        """Answer in plain text and close; without an answer while an earlier request is still being answered."""
        self._note("bad-request")
        self._is_done = True
        self._stop_timers()
        self._unset_keepalive_if_required()
        if self.transport.is_closing():
            return
        if self.cycle is not None and not self.cycle.response_complete:
            self.transport.abort()
            return
        self.transport.write(plain_answer(status, sentence))
        self.transport.write_eof()
        self.flow.pause_reading()
        self._deadline = self.loop.call_later(REFUSED_SECONDS, self.transport.abort)

    def _cut_off(self, reason: str) -> None:
        self._note(reason)
        self.transport.abort()

    def _note(self, reason: str) -> None:
        if self.admission is not None:
            self.admission.note(reason)
