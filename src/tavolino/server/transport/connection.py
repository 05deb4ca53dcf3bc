"""One WebSocket at a table: decodes commands, limits them, and queues what a slow reader has not taken yet.

Sending never waits: a reader that falls too far behind is disconnected, and resumes by the number of log lines it has.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import msgspec

from tavolino.server import protocol as p
from tavolino.server.context import Context
from tavolino.server.errors import Refused
from tavolino.server.kernel.actor import TableActor
from tavolino.server.kernel.inbox import Asked, Gone, ref_in
from tavolino.server.rate_limit import Bucket, refusal
from tavolino.server.subscribers import subscriber
from tavolino.server.transport.websocket import CLOSE_SECONDS, WebSocketProtocol

# Close codes of the reasons for which we close a socket; docs/protocol.md lists them.
CLOSE_CODES = {
    "stopping": 1012,
    "no-identity": 4401,
    "banned": 4403,
    "no-such-table": 4404,
    "still-secret": 4410,
    "too-quiet": 4408,
    "reload": 4409,
    "other-version": 1012,
    "too-big": 1009,
    "too-slow": 4413,
    "too-fast": 4429,
    "too-many-sockets": 4430,
    "too-many-watching": 4431,
    "table-damaged": 1011,
    "internal": 1011,
}
COME_BACK = frozenset({"stopping", "too-slow", "too-quiet", "reload", "other-version", "internal"})
PING_SECONDS = 20.0
TIMER_SECONDS = 0.05  # by which a timer may ring too early; a second ping within it would find the first unanswered
MOST_STRIKES = 50  # messages refused unread or for haste, then the socket is closed


class Connection:
    """A viewer's socket. Whose it is was decided at the handshake, by the identity alone."""

    __slots__ = (
        "_bucket", "_context", "_decode", "_has_said_hello", "_limits", "_loop", "_on_closed", "_received_at",
        "_strikes", "_timeout", "_timer", "_waiting", "_websocket", "address", "closing", "name", "person", "table",
    )  # fmt: skip

    def __init__(
        self,
        websocket: WebSocketProtocol,
        context: Context,
        decode: Callable[[bytes], Any],
        address: str,
        person: str | None,
        name: str | None,
        on_closed: Callable[[Connection], None],
    ) -> None:
        self._websocket, self._context, self._decode, self._on_closed = websocket, context, decode, on_closed
        self._limits = limits = context.settings.limits
        self.address, self.person, self.name = address, person, name
        self.table: TableActor | None = None
        self._has_said_hello = False
        self.closing: str | None = None
        self._waiting: list[bytes] = []  # for a reader that is behind
        self._loop = asyncio.get_running_loop()
        self._bucket = Bucket(limits.messages_per_second, limits.messages_burst, self._loop.time)
        self._strikes = 0
        self._received_at, self._timeout = self._loop.time(), limits.hello_seconds
        self._timer = self._loop.call_later(min(self._timeout, PING_SECONDS), self._check_timeouts)
        websocket.listener = self
        context.metrics.sockets.inc()

    def attach(self, table: TableActor) -> None:
        """Pass what comes to this table from now on."""
        if self._websocket.listener is self:  # it may have been closed while the table was loaded
            self.table = table
            self._websocket.listen()

    # -- to the client

    def tell(self, message: p.News) -> None:
        self.send(self._context.encode(message))

    def send(self, encoded: bytes) -> None:
        """Never waits: a reader that is too slow is disconnected instead of slowing the table down."""
        if self.closing is not None:
            return
        if self._websocket.is_writable and not self._waiting:
            self._websocket.write(encoded)
        elif len(self._waiting) < self._limits.waiting_messages:
            self._waiting.append(encoded)
        else:
            self.disconnect("too-slow")

    def close(self, code: str) -> None:
        """Say why, after all that is still queued, and close."""
        if self.closing is None:
            self.tell(p.Closing(code, code in COME_BACK))
        if self.closing is None:
            self._note(code)
            self.on_writable()
            if self._waiting:
                self._loop.call_later(CLOSE_SECONDS, self._websocket.close, CLOSE_CODES[code])

    def disconnect(self, code: str) -> None:
        """Close at once; what is queued is dropped."""
        if self.closing is None:
            self._note(code)
            self._waiting.clear()
            self._websocket.close(CLOSE_CODES[code])

    def _note(self, code: str) -> None:
        self.closing = code
        self._context.metrics.cut_off.labels(code).inc()

    def on_writable(self) -> None:
        while self._waiting and self._websocket.is_writable:
            self._websocket.write(self._waiting.pop(0))
        if self.closing is not None and not self._waiting:
            self._websocket.close(CLOSE_CODES[self.closing])

    # -- from the client

    def on_message(self, content: bytes) -> None:
        if self.closing is not None or self.table is None:
            return
        if len(content) > self._limits.message_bytes:
            self.close("too-big")
            return
        try:
            command = self._decoded(content)
        except Refused as refused:
            self.tell(p.Refused(ref_in(content), refused.problem))
            self._strike()
            return
        self._received_at, self._timeout = self._loop.time(), self._limits.idle_seconds
        self.table.post(Asked(self.person, command, self.tell, self))

    def on_overhead(self) -> None:
        if self.closing is None and not self._bucket.take():
            self._strike()

    def _strike(self) -> None:
        self._strikes += 1
        if self._strikes == MOST_STRIKES:
            self.close("too-fast")

    def _decoded(self, content: bytes) -> Any:
        if not self._bucket.take():
            raise refusal("too-fast", self._bucket)
        self._context.limits.messages.take(subscriber(self.address))
        try:
            command = self._decode(content)
        except (msgspec.DecodeError, RecursionError, UnicodeError):
            raise Refused("bad-message") from None
        if not (self._has_said_hello or isinstance(command, p.Hello)):
            raise Refused("bad-message")  # nothing else is accepted before a hello
        self._has_said_hello = True
        return command

    def _check_timeouts(self) -> None:
        left = self._received_at + self._timeout - self._loop.time()
        if left <= TIMER_SECONDS:
            self.close("too-quiet")
        else:
            self._websocket.ping()  # the only way to detect a dead peer
            self._timer = self._loop.call_later(min(left, PING_SECONDS), self._check_timeouts)

    def on_closed(self) -> None:
        self._timer.cancel()
        self._waiting.clear()
        if self.table is not None:
            self.table.post(Gone(self))
        self._context.metrics.sockets.dec()
        self._on_closed(self)
