"""What is fuzzed, and what must hold after every input. A target raises `AssertionError`, or whatever broke."""

from __future__ import annotations

import asyncio
import json
import random
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import reduce
from operator import or_
from pathlib import Path
from typing import Any, cast

import msgspec
import structlog
import uvicorn
from starlette.applications import Starlette
from uvicorn.server import ServerState

import tavolino
from tavolino.server import features
from tavolino.server import protocol as p
from tavolino.server.app import make_app
from tavolino.server.errors import STATUS, Refused
from tavolino.server.kernel.actor import TableActor
from tavolino.server.people.identities import Person
from tavolino.server.settings import Pace, ServerSettings
from tavolino.server.tables.registry import Registry
from tavolino.server.transport.frames import MOST_BYTES
from tavolino.server.transport.handshake import HandshakeProtocol
from tavolino.server.transport.http_protocol import LimitedHttpProtocol
from tavolino.server.transport.websocket import WebSocketProtocol
from tavolino.server.verify.checks import check_record
from tests.fuzz.mutations import pieces
from tests.server.conftest import GENEROUS

Target = Callable[[bytes, random.Random], Awaitable[None]]
STATUS_LINE = re.compile(rb"HTTP/1\.1 (\d\d\d) ")
OVERLOAD = {b"503"}  # the server asks to come back: not a fault
ROUNDS = 400  # of the event loop for one request; the storage's thread needs some


class FakeTransport(asyncio.Transport):
    """A transport that accepts everything."""

    def __init__(self) -> None:
        super().__init__({"peername": ("192.0.2.7", 1234), "sockname": ("127.0.0.1", 80)})
        self.written = bytearray()
        self.is_closed = False
        self._protocol: Any = None

    def write(self, data: Any) -> None:
        self.written += data

    def close(self) -> None:
        self.is_closed = True

    abort = close

    def is_closing(self) -> bool:
        return self.is_closed

    def write_eof(self) -> None: ...
    def pause_reading(self) -> None: ...
    def resume_reading(self) -> None: ...

    def get_write_buffer_size(self) -> int:
        return 0

    def set_protocol(self, protocol: Any) -> None:
        self._protocol = protocol

    def get_protocol(self) -> Any:
        return self._protocol


class Everything:
    """A listener that counts."""

    def __init__(self) -> None:
        self.messages = 0

    def on_message(self, content: bytes) -> None:
        assert len(content) <= MOST_BYTES
        self.messages += 1

    def on_overhead(self) -> None: ...
    def on_writable(self) -> None: ...
    def on_closed(self) -> None: ...


async def frames(data: bytes, chance: random.Random) -> None:
    """The frame reader: it raises nothing, its buffer stays bounded, and after a close it delivers nothing."""
    transport, connections, listener = FakeTransport(), set[Any](), Everything()
    socket = WebSocketProtocol(transport, connections, b"")
    socket.listener = cast(Any, listener)
    socket.listen()
    for piece in pieces(data, chance):
        if transport.is_closed:
            break
        socket.data_received(piece)
        assert len(socket._received) <= MOST_BYTES + 14
        assert socket._fragments is None or len(socket._fragments) <= 2 * MOST_BYTES
    passed_on = listener.messages
    if socket.has_closed:
        socket.data_received(b"\x81\x80\x00\x00\x00\x00")
        assert listener.messages == passed_on
    socket.connection_lost(None)
    assert not connections


class Server:
    """The whole application in this process, with a table in play."""

    def __init__(self, app: Starlette, registry: Registry, table: TableActor, people: list[Person]) -> None:
        self.app, self.registry, self.table, self.people = app, registry, table, people
        self._config = uvicorn.Config(app, http=LimitedHttpProtocol, ws=HandshakeProtocol, log_config=None)
        self._config.load()

    async def counts(self) -> dict[str, Any]:
        """The number of stored rows."""
        storage = cast(Any, self.registry.context.storage)
        names = ("tables", "entries", "people", "tokens", "return_codes", "members")
        query = {name: f"SELECT count(*) FROM {name}" for name in names}
        return {name: await storage._writer.do(lambda c, q=q: c.execute(q).get) for name, q in query.items()}

    async def head(self, data: bytes, chance: random.Random) -> None:
        """A request as bytes from the network, through the whole application: no 5xx, and an answer that ends."""
        transport = FakeTransport()
        http = LimitedHttpProtocol(self._config, ServerState(), {}, asyncio.get_running_loop())
        transport.set_protocol(http)
        http.connection_made(transport)
        for piece in pieces(data, chance):
            if not transport.is_closed:
                transport.get_protocol().data_received(piece)
            await asyncio.sleep(0)
        for tried in range(ROUNDS):
            is_waiting = tried > 5 and (http._is_in_head or http._is_in_body)  # for more, which never comes
            if transport.is_closed or is_waiting or http.cycle is None or http.cycle.response_complete:
                break
            await asyncio.sleep(0 if tried < ROUNDS // 2 else 0.001)
        transport.get_protocol().connection_lost(None)
        faults = {code for code in STATUS_LINE.findall(transport.written) if code >= b"500"} - OVERLOAD
        assert not faults, (faults, data)

    async def command(self, data: bytes, chance: random.Random) -> None:
        """A message to other people's table, from a stranger or without identity: refused, and the table is
        unchanged."""
        before = self.table.state.number, self.table.turn
        try:
            command = msgspec.json.decode(data, type=reduce(or_, features.commands()))
        except (msgspec.DecodeError, RecursionError, UnicodeError):
            return
        try:
            await self.table.ask(chance.choice((self.people[2].id, None)), command)
        except Refused as refused:
            code = refused.problem.code
            assert STATUS[code] < 500 or STATUS[code] == 503, (code, data)
        assert (self.table.state.number, self.table.turn) == before, data


async def record(data: bytes, chance: random.Random) -> None:
    """A record from outside: it is checked, or refused with a sentence."""
    try:
        content = json.loads(data)
    except (ValueError, RecursionError):
        return
    check_record(content)
    try:
        tavolino.replay(content)
    except tavolino.BadRecord as bad:
        assert str(bad)


@asynccontextmanager
async def serve(folder: Path) -> AsyncIterator[Server]:
    settings = ServerSettings(data=folder, limits=GENEROUS, pace=Pace(0, 0), warm_up=False, salt_seconds=0)
    app = make_app(settings, structlog.get_logger())
    async with app.router.lifespan_context(app):
        registry: Registry = app.state.registry
        people = [(await registry.context.people.add(name))[0] for name in ("Ada", "Bruno", "Celina")]
        while not registry.context.library.is_ready("mantis"):
            await asyncio.sleep(0.02)
        table = await registry.open(people[0], p.OpenTable(game="mantis", seats=2))
        await table.ask(people[1].id, p.Join())
        await table.ask(people[0].id, p.Start())
        while table.match is None:
            await asyncio.sleep(0.02)
        yield Server(app, registry, table, people)
