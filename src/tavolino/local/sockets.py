"""Connections of the page to local tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec.structs import replace

from tavolino.local.answers import here
from tavolino.local.services import LocalServices
from tavolino.server import protocol as p
from tavolino.server.errors import Refused
from tavolino.server.kernel.actor import TableActor
from tavolino.server.kernel.inbox import Asked, Gone, ref_in

Hear = Callable[[str | None], None]  # a message; None: the table has closed the connection


class Socket:
    """A connection as the table sees it. Whose it is stays the same until it ends."""

    address = "here"

    def __init__(
        self,
        table: TableActor,
        person: str | None,
        services: LocalServices,
        decode: Callable[[str], Any],
        hear: Hear,
    ) -> None:
        self._table, self._decode, self._hear = table, decode, hear
        self._encode = services.encode
        self.person = person
        self.name: str | None = None if person is None else services.people.name_of(person)
        self._has_said_hello = False
        self.is_closed = False

    def tell(self, message: p.News) -> None:
        if isinstance(message, p.Refused):
            message = replace(message, problem=here(message.problem))
        self.send(self._encode(message))

    def send(self, encoded: bytes) -> None:
        if not self.is_closed:
            self._hear(encoded.decode())

    def close(self, code: str) -> None:
        if not self.is_closed:
            self.tell(p.Closing(code, come_back=True))
            self.is_closed = True
            self._hear(None)

    def receive(self, text: str) -> None:
        """A message of the page."""
        try:
            command = self._decoded(text)
        except Refused as refused:
            self.tell(p.Refused(ref_in(text.encode()), refused.problem))
            return
        self._table.post(Asked(self.person, command, self.tell, self))

    def _decoded(self, text: str) -> Any:
        try:
            command = self._decode(text)
        except (msgspec.DecodeError, RecursionError, UnicodeError):
            raise Refused("bad-message") from None
        if not (self._has_said_hello or isinstance(command, p.Hello)):
            raise Refused("bad-message")
        self._has_said_hello = True
        return command

    def leave(self) -> None:
        """The page closes it."""
        self.is_closed = True
        self._table.post(Gone(self))

    def cut(self) -> None:
        """Nothing more is sent over it, from now on."""
        if not self.is_closed:
            self.leave()
            self._hear(None)

    def is_at(self, table: TableActor) -> bool:
        return self._table is table
