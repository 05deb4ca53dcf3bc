"""The same small table server on four ways to serve WebSockets, for `bench.sockets`.

    python -m bench.socket_servers NAME PORT

A socket at /t/N sits at table N. A text message is a move: it is decoded, acknowledged to its sender, and shown to
everybody at the table in a message of its own, encoded for each. All four do that same work and nothing else; only
ours also counts its messages and bounds what waits for a slow reader, as it does in the server.
"""

from __future__ import annotations

import asyncio
import sys
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import msgspec


class Move(msgspec.Struct, tag_field="type", tag="move"):
    turn: int
    action: str


class Accepted(msgspec.Struct, tag_field="type", tag="accepted"):
    ref: int


class Shown(msgspec.Struct, tag_field="type", tag="play"):
    turn: int
    seat: int
    view: list[int]


VIEW = list(range(1_000, 1_150))  # a message of some 800 bytes, as long as a view
decode = msgspec.json.Decoder(Move).decode
encode = msgspec.json.Encoder().encode
tables: dict[str, list[Any]] = defaultdict(list)


def messages(content: bytes | str, count: int) -> tuple[bytes, list[bytes]]:
    """The acknowledgement of a move, and what each at the table is shown."""
    move = decode(content)
    return encode(Accepted(move.turn)), [encode(Shown(move.turn, seat, VIEW)) for seat in range(count)]


# -- ours: uvicorn's handshake, then transport/websocket.py


def serve_ours(port: int) -> None:
    from pathlib import Path

    from starlette.applications import Starlette
    from starlette.routing import WebSocketRoute
    from starlette.websockets import WebSocket

    from tavolino.server.connection_limits import ConnectionLimits
    from tavolino.server.main import make_server
    from tavolino.server.rate_limit import Bucket
    from tavolino.server.settings import Limits, ServerSettings
    from tavolino.server.transport.frames import encode_frame
    from tavolino.server.transport.handshake import EXTENSION
    from tavolino.server.transport.websocket import WebSocketProtocol

    room = Limits(connections_per_address=10**6, connections_per_second=1e6, connections_burst=10**6)

    class Seat:
        __slots__ = ("bucket", "others", "timer", "waiting", "websocket")

        def __init__(self, websocket: WebSocketProtocol, table: str) -> None:
            loop = asyncio.get_running_loop()
            self.websocket, self.others = websocket, tables[table]
            self.bucket = Bucket(1e6, 10**6, loop.time)
            self.waiting: list[bytes] = []
            self.timer = loop.call_later(20, self.websocket.ping)
            self.others.append(self)
            websocket.listener = self

        def send(self, content: bytes) -> None:
            if self.websocket.is_writable and not self.waiting:
                self.websocket.write(encode_frame(content))
            elif len(self.waiting) < 256:
                self.waiting.append(encode_frame(content))

        def on_message(self, content: bytes) -> None:
            self.bucket.take()
            accepted, shown = messages(content, len(self.others))
            self.send(accepted)
            for seat, each in zip(self.others, shown, strict=True):
                seat.send(each)

        def on_overhead(self) -> None: ...

        def on_writable(self) -> None:
            while self.waiting and self.websocket.is_writable:
                self.websocket.write(self.waiting.pop(0))

        def on_closed(self) -> None:
            self.timer.cancel()
            self.others.remove(self)

    async def sit(socket: WebSocket) -> None:
        await socket.accept()
        websocket = socket.scope["extensions"][EXTENSION]["protocol"].hand_over()
        Seat(websocket, socket.path_params["table"])
        websocket.listen()

    app = Starlette(routes=[WebSocketRoute("/t/{table}", sit)])
    settings = ServerSettings(data=Path(), limits=room)
    app.state.connection_limits = ConnectionLimits(settings, lambda: 0.0)

    class _NoTables:
        def end_polls(self) -> None: ...

    app.state.registry = _NoTables()
    make_server(app, "127.0.0.1", port).run()


# -- uvicorn's websockets-sansio, through Starlette; the same application under granian's ASGI


def starlette_app() -> Any:
    from starlette.applications import Starlette
    from starlette.routing import WebSocketRoute
    from starlette.websockets import WebSocket, WebSocketDisconnect

    async def sit(socket: WebSocket) -> None:
        await socket.accept()
        others = tables[socket.path_params["table"]]
        others.append(socket)
        try:
            while True:
                accepted, shown = messages(await socket.receive_text(), len(others))
                await socket.send_text(accepted.decode())
                for seat, each in zip(list(others), shown, strict=True):
                    await seat.send_text(each.decode())  # without a queue: one slow reader holds up the table
        except WebSocketDisconnect:
            others.remove(socket)

    return Starlette(routes=[WebSocketRoute("/t/{table}", sit)])


def serve_sansio(port: int) -> None:
    import uvicorn

    uvicorn.run(
        starlette_app(),
        port=port,
        ws="websockets-sansio",
        http="httptools",
        loop="uvloop",
        ws_per_message_deflate=False,
        log_level="error",
        access_log=False,
    )


# -- picows


def serve_picows(port: int) -> None:
    import uvloop
    from picows import WSFrame, WSListener, WSMsgType, WSTransport, WSUpgradeRequest, ws_create_server

    class Seat(WSListener):  # type: ignore[misc]
        def __init__(self, table: str) -> None:
            self.others = tables[table]

        def on_ws_connected(self, transport: WSTransport) -> None:
            self.transport = transport
            self.others.append(transport)

        def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
            if frame.msg_type == WSMsgType.TEXT:
                accepted, shown = messages(frame.get_payload_as_bytes(), len(self.others))
                transport.send(WSMsgType.TEXT, accepted)
                for seat, each in zip(self.others, shown, strict=True):
                    seat.send(WSMsgType.TEXT, each)
            elif frame.msg_type == WSMsgType.CLOSE:
                transport.disconnect()

        def on_ws_disconnected(self, transport: WSTransport) -> None:
            self.others.remove(transport)

    async def serve() -> None:
        def sit(request: WSUpgradeRequest) -> Seat:
            return Seat(request.path.decode().removeprefix("/t/"))

        server = await ws_create_server(
            sit,
            "127.0.0.1",
            port,
            enable_auto_ping=True,
            read_buffer_init_size=1024,  # 16 kB by default, for each socket
            backlog=2048,
        )
        await server.serve_forever()

    uvloop.run(serve())


# -- granian


async def rsgi(scope: Any, protocol: Any) -> None:
    transport = await protocol.accept()
    others = tables[scope.path.removeprefix("/t/")]
    others.append(transport)
    while (message := await transport.receive()).kind:
        accepted, shown = messages(message.data, len(others))
        await transport.send_str(accepted.decode())
        for seat, each in zip(list(others), shown, strict=True):
            await seat.send_str(each.decode())
    others.remove(transport)


def serve_granian(port: int, interface: str, target: str) -> None:
    from granian import Granian
    from granian.constants import Interfaces, Loops

    Granian(
        f"bench.socket_servers:{target}",
        port=port,
        interface=Interfaces(interface),
        loop=Loops.uvloop,
        factory=target == "starlette_app",
        log_enabled=False,
        backlog=2048,
    ).serve()


SERVERS: dict[str, Callable[[int], None]] = {
    "ours": serve_ours,
    "uvicorn websockets-sansio": serve_sansio,
    "picows": serve_picows,
    "granian ASGI": lambda port: serve_granian(port, "asgi", "starlette_app"),
    "granian RSGI": lambda port: serve_granian(port, "rsgi", "rsgi"),
}

if __name__ == "__main__":
    SERVERS[sys.argv[1]](int(sys.argv[2]))
