"""One socket at a table. It never makes anybody wait: a slow reader is cut off, and resumes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec

from tavolino.server import protocol as p
from tavolino.server.errors import Refused
from tavolino.server.rate_limit import Bucket
from tavolino.server.table import inbox
from tavolino.server.table import messages as outgoing
from tavolino.server.transport.websocket import CLOSING_SECONDS, Line

if TYPE_CHECKING:
    from tavolino.server.context import House
    from tavolino.server.table.actor import LiveTable

# Codes with which a socket is closed, told in docs/protocol.md.
CLOSE_CODES = {
    "stopping": 1012,
    "no-identity": 4401,
    "no-such-table": 4404,
    "too-quiet": 4408,
    "reload": 4409,
    "too-big": 1009,
    "too-slow": 4413,
    "too-fast": 4429,
    "too-many-sockets": 4430,
    "too-many-watching": 4431,
    "internal": 1011,
}
COME_BACK = frozenset({"stopping", "too-slow", "too-quiet", "reload", "internal"})
PING_SECONDS = 20.0
TIMER_SECONDS = 0.05  # by which a timer may ring too early; a second ping within it would find the first unanswered
MOST_STRIKES = 50  # refused for haste or nonsense, then the socket is closed
_decode = msgspec.json.Decoder(p.Command).decode


class _Referring(msgspec.Struct):
    """All that matters of a message that is refused unread."""

    ref: p.Ref | None = None


_decode_ref = msgspec.json.Decoder(_Referring).decode


def _ref_in(content: bytes) -> str | None:
    try:
        return _decode_ref(content).ref
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        return None


class Connection:
    """A viewer's socket. Who it belongs to was decided at the handshake, by the identity alone."""

    __slots__ = (
        "_bucket", "_has_said_hello", "_heard_at", "_house", "_limits", "_line", "_loop", "_on_gone", "_patience",
        "_strikes", "_timer", "_waiting", "closing", "greeted", "name", "person", "table",
    )  # fmt: skip

    def __init__(
        self, line: Line, house: House, person: str | None, name: str | None, on_gone: Callable[[Connection], None]
    ) -> None:
        self._line, self._house, self._on_gone = line, house, on_gone
        self._limits = limits = house.settings.limits
        self.person, self.name = person, name
        self.table: LiveTable | None = None
        self._has_said_hello = False
        self.greeted = False
        self.closing: str | None = None
        self._waiting: list[bytes] = []  # for a reader who is behind
        self._loop = asyncio.get_running_loop()
        self._bucket = Bucket(limits.messages_per_second, limits.messages_burst, self._loop.time)
        self._strikes = 0
        self._heard_at, self._patience = self._loop.time(), limits.hello_seconds
        self._timer = self._loop.call_later(min(self._patience, PING_SECONDS), self._look_at_clock)
        line.listener = self
        house.metrics.sockets.inc()

    def sit_down(self, table: LiveTable) -> None:
        """Listen from now on, for this table."""
        if self._line.listener is self:  # it may have gone while the table was read
            self.table = table
            self._line.listen()

    # -- to the other side

    def tell(self, message: p.News) -> None:
        self.send(outgoing.frame(message))

    def send(self, frame: bytes) -> None:
        """Never waits: a reader who is too slow is cut off instead of slowing the table."""
        if self.closing is not None:
            return
        if self._line.is_free and not self._waiting:
            self._line.write(frame)
        elif len(self._waiting) < self._limits.waiting_messages:
            self._waiting.append(frame)
        else:
            self.cut("too-slow")

    def close(self, code: str) -> None:
        """Say why, after all that is still waiting, and end."""
        if self.closing is None:
            self.tell(p.Closing(code, code in COME_BACK))
        if self.closing is None:
            self._note(code)
            self.go_on()
            if self._waiting:
                self._loop.call_later(CLOSING_SECONDS, self._line.hang_up, CLOSE_CODES[code])

    def cut(self, code: str) -> None:
        """End at once: what waits is dropped."""
        if self.closing is None:
            self._note(code)
            self._waiting.clear()
            self._line.hang_up(CLOSE_CODES[code])

    def _note(self, code: str) -> None:
        self.closing = code
        self._house.metrics.cut_off.labels(code).inc()

    def go_on(self) -> None:
        while self._waiting and self._line.is_free:
            self._line.write(self._waiting.pop(0))
        if self.closing is not None and not self._waiting:
            self._line.hang_up(CLOSE_CODES[self.closing])

    # -- from the other side

    def hear(self, content: bytes) -> None:
        if self.closing is not None or self.table is None:
            return
        if len(content) > self._limits.message_bytes:
            self.close("too-big")
            return
        try:
            command = self._understood(content)
        except Refused as refused:
            self.tell(p.Refused(_ref_in(content), refused.problem))
            self._strike()
            return
        self._heard_at, self._patience = self._loop.time(), self._limits.idle_seconds
        self.table.post(inbox.Asked(self.person, command, self.tell, self))

    def hear_overhead(self) -> None:
        if self.closing is None and not self._bucket.take():
            self._strike()

    def _strike(self) -> None:
        self._strikes += 1
        if self._strikes == MOST_STRIKES:
            self.close("too-fast")

    def _understood(self, content: bytes) -> p.Command:
        if not self._bucket.take():
            raise Refused("too-fast")
        try:
            command: p.Command = _decode(content)
        except (msgspec.DecodeError, RecursionError, UnicodeError):
            raise Refused("bad-message") from None
        if not (self._has_said_hello or isinstance(command, p.Hello)):
            raise Refused("bad-message")  # nobody acts at a table before being let in
        self._has_said_hello = True
        return command

    def _look_at_clock(self) -> None:
        left = self._heard_at + self._patience - self._loop.time()
        if left <= TIMER_SECONDS:
            self.close("too-quiet")
        else:
            self._line.ping()  # the only way to learn that somebody who is silent is not there any more
            self._timer = self._loop.call_later(min(left, PING_SECONDS), self._look_at_clock)

    def gone(self) -> None:
        self._timer.cancel()
        self._waiting.clear()
        if self.table is not None:
            self.table.post(inbox.Gone(self))
        self._house.metrics.sockets.dec()
        self._on_gone(self)
