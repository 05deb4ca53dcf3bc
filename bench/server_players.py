"""Many players in one process: they open tables over HTTP and play over WebSockets.

The HTTP client is written by hand and minimal: it must not cost more than the measured server.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any, TypeVar
from urllib.parse import urlsplit

import msgspec
import uvloop
from msgspec import Struct
from tests.nodes.sockets import CLOSE, Socket, upgrade

Result = TypeVar("Result")


class View(Struct):
    to_act: int | None
    legal: list[str]
    over: bool


class Play(Struct, tag_field="type", tag="play"):
    turn: int
    view: View


class Accepted(Struct, tag_field="type", tag="accepted"):
    pass


_understood = msgspec.json.Decoder(Play | Accepted).decode


class NotNow(Exception):
    """The server is overloaded, not ready, or asked too often."""


class _Seat(Socket):
    """Notes that it was closed, because whoever waits for its next message would wait for ever."""

    def __init__(self, request: str, on_message: Callable[[bytes], None], on_closed: Callable[[int | None], None]):
        super().__init__(request, on_message)
        self._on_closed = on_closed

    def connection_lost(self, error: Exception | None) -> None:
        self._on_closed(self.close_code)


class Table:
    """A table of people, each on a socket of their own."""

    def __init__(self, people: People, table: str, tokens: list[str], seed: int) -> None:
        self.id, self.tokens, self._people = table, tokens, people
        self.sockets: list[Socket] = []
        self.turn = -1
        self.over = False
        self._shown: list[Play | None] = [None] * len(tokens)
        self._behind = len(tokens)  # seats that have not seen the newest decision
        self._accepted_at = 0.0
        self._all_saw = asyncio.get_running_loop().create_future()
        self._chance = random.Random(seed)
        self._is_closed = False  # by the client
        self._lost: ConnectionError | None = None  # closed by the server

    async def connect(self) -> None:
        loop = asyncio.get_running_loop()
        for seat, token in enumerate(self.tokens):
            request = upgrade(self._people.host, f"/api/tables/{self.id}/socket", token)

            def on_message(content: bytes, seat: int = seat) -> None:
                self._on_message(seat, content)

            def on_closed(code: int | None, seat: int = seat) -> None:
                self._on_closed(seat, code)

            _, socket = await loop.create_connection(
                lambda request=request, on_message=on_message, on_closed=on_closed: _Seat(
                    request, on_message, on_closed
                ),
                self._people.hostname,
                self._people.port,
                local_addr=self._people.local,
            )
            self.sockets.append(socket)
        await self._all_saw

    async def close(self) -> None:
        self._is_closed = True
        for socket in self.sockets:
            socket.send(b"", CLOSE)
        self.sockets.clear()

    def _on_closed(self, seat: int, code: int | None) -> None:
        if self._is_closed:
            return
        said = "without a word" if code is None else f"with code {code}"
        self._lost = ConnectionError(f"The server closed the socket of seat {seat} at table {self.id} {said}.")
        if not self._all_saw.done():
            self._all_saw.set_exception(self._lost)

    async def move(self) -> float:
        """One move by the seat to act, seen by everybody; returns the seconds until its acknowledgement."""
        if self._lost is not None:
            raise self._lost
        first = self._shown[0]
        assert first is not None
        assert first.view.to_act is not None
        seat = first.view.to_act
        asked = self._shown[seat]
        assert asked is not None
        action = self._chance.choice(asked.view.legal)
        self._behind = len(self.tokens)
        self._all_saw = asyncio.get_running_loop().create_future()
        self._accepted_at = 0.0
        started = time.perf_counter()
        self.sockets[seat].send(b'{"type":"move","turn":%d,"action":"%s"}' % (self.turn, action.encode()))
        await self._all_saw
        return self._accepted_at - started

    def _on_message(self, seat: int, content: bytes) -> None:
        if not content.startswith((b'{"type":"play"', b'{"type":"accepted"')):
            assert not content.startswith((b'{"type":"refused"', b'{"type":"closing"')), content
            return
        message = _understood(content)
        if isinstance(message, Accepted):
            self._accepted_at = time.perf_counter()
            return
        known = self._shown[seat]
        if known is None or message.turn > known.turn:
            self._shown[seat] = message
            self._behind -= 1
            if self._behind == 0:  # the acknowledgement comes before the view, on the same socket
                self.turn, self.over = message.turn, message.view.over
                self._all_saw.set_result(None)


class People:
    """Opens tables repeatedly."""

    def __init__(self, address: str, seats: int, source: str | None = None) -> None:
        self.host = urlsplit(address).netloc
        self.hostname, port = self.host.split(":")
        self.port = int(port)
        self.seats = seats
        self.local = (source, 0) if source else None  # the address that they come from
        self._opened = 0
        self.refused = 0  # tables that the server would not open
        self._idle: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []

    async def call(self, path: str, body: Any, token: str = "") -> Any:
        return json.loads(await self._ask("POST", path, json.dumps(body).encode(), token))

    async def get(self, path: str, token: str = "") -> str:
        return (await self._ask("GET", path, b"", token)).decode()

    async def _ask(self, method: str, path: str, body: bytes, token: str) -> bytes:
        head = f"{method} {path} HTTP/1.1\r\nHost: {self.host}\r\nContent-Length: {len(body)}\r\n"
        head += f"Authorization: Bearer {token}\r\n\r\n" if token else "\r\n"
        reader, writer, answered = await self._begin(head.encode() + body)
        size = int(answered.split(b"content-length: ")[1].split(b"\r\n")[0])
        content = await reader.readexactly(size)
        self._idle.append((reader, writer))
        if answered.startswith((b"http/1.1 429", b"http/1.1 503")):
            raise NotNow(content.decode())
        assert answered.startswith(b"http/1.1 2"), content
        return content

    async def _begin(self, request: bytes) -> tuple[asyncio.StreamReader, asyncio.StreamWriter, bytes]:
        """Send a request; returns the head of its answer. The server closes idle connections, perhaps while the request
        is under way; then it was not read, and is sent again on another connection."""
        while self._idle:
            reader, writer = self._idle.pop()
            if not reader.at_eof():
                with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
                    return reader, writer, await self._answer(reader, writer, request)
            writer.close()
        reader, writer = await asyncio.open_connection(self.hostname, self.port, local_addr=self.local)
        return reader, writer, await self._answer(reader, writer, request)

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, request: bytes) -> bytes:
        writer.write(request)
        return (await reader.readuntil(b"\r\n\r\n")).lower()

    async def newcomers(self) -> list[str]:
        return [
            (await self.call("/api/me", {"name": f"Player {seat}", "program": True}))["token"]
            for seat in range(self.seats)
        ]

    async def open_table(self, tokens: list[str], game: str = "mantis") -> Table:
        """A table that is dealt, everybody connected."""
        table = await self.deal_table(tokens, game)
        await table.connect()
        return table

    async def deal_table(self, tokens: list[str], game: str = "mantis") -> Table:
        opened = await self.call("/api/tables", {"game": game, "seats": self.seats}, tokens[0])
        at_table = f"/api/tables/{opened['id']}/commands"
        for token in tokens[1:]:
            await self.call(at_table, {"type": "join"}, token)
        await self.call(at_table, {"type": "start"}, tokens[0])
        self._opened += 1
        return Table(self, opened["id"], tokens, self._opened)

    def close(self) -> None:
        for _, writer in self._idle:
            writer.close()


@asynccontextmanager
async def people_at(address: str, seats: int = 4, source: str | None = None) -> AsyncIterator[People]:
    people = People(address, seats, source)
    yield people
    people.close()


def run(work: Coroutine[Any, Any, Result]) -> Result:
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(work)


def percentile(values: list[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
