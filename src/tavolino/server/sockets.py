"""A socket at a table: from the handshake to the last frame."""

from __future__ import annotations

import asyncio
from collections import Counter

import msgspec
from starlette.websockets import WebSocket, WebSocketState

from tavolino.server import guard, inbox, live, web
from tavolino.server import protocol as p
from tavolino.server.connections import Connection
from tavolino.server.limits import Bucket
from tavolino.server.problems import Refused
from tavolino.server.storage import StorageError

MOST_STRIKES = 50  # refused for haste or nonsense, then the socket is closed
_decode = msgspec.json.Decoder(p.Command).decode
_addresses: Counter[str] = Counter()


async def play_at_table(socket: WebSocket) -> None:
    """Who this is, is decided here by cookie or token, once; no later message can change it."""
    hall = web.hall_of(socket)
    limits = hall.house.settings.limits
    try:
        guard.check_origin(socket.headers, hall.house.settings)
        person = await web.who(socket)
    except Refused:
        await socket.close()  # before the handshake is accepted: the browser sees a 403
        return
    await socket.accept()
    name = person.name if person else None
    connection = Connection(socket, person.id if person else None, name, limits.waiting_messages)
    address = web.address_of(socket)
    _addresses[address] += 1
    hall.house.metrics.sockets.inc()
    table = None
    try:
        if _addresses[address] > limits.sockets_per_address:
            raise Refused("too-many-sockets")
        table = await hall.get(socket.path_params["table"])
        await _serve(socket, connection, table)
    except Refused as refused:
        connection.close(refused.problem.code)
    except StorageError as error:
        hall.house.log.error("storage failed", error=str(error))
        connection.close("internal")
    finally:
        if table is not None:
            table.post(inbox.Gone(connection))
        _addresses[address] -= 1
        hall.house.metrics.sockets.dec()
        if connection.closing is not None and socket.application_state == WebSocketState.CONNECTED:
            hall.house.metrics.cut_off.labels(connection.closing).inc()
        await connection.end()


async def _serve(socket: WebSocket, connection: Connection, table: live.LiveTable) -> None:
    """Read until the other side goes, or until we have closed the connection."""
    reading = asyncio.create_task(_read(socket, connection, table))
    writing = asyncio.create_task(connection.finished())
    try:
        await asyncio.wait({reading, writing}, return_when=asyncio.FIRST_COMPLETED)
        if reading.done():
            reading.result()  # a refusal closes the socket with its code
    finally:
        reading.cancel()
        writing.cancel()


async def _read(socket: WebSocket, connection: Connection, table: live.LiveTable) -> None:
    limits = table.house.settings.limits
    bucket = Bucket(limits.messages_per_second, limits.messages_burst, asyncio.get_running_loop().time)
    strikes = 0
    patience = limits.hello_seconds
    while strikes < MOST_STRIKES:
        try:
            async with asyncio.timeout(patience):
                message = await socket.receive()
        except TimeoutError:
            connection.close("too-quiet")
            return
        if message["type"] == "websocket.disconnect":
            connection.cut("internal")
            return
        content = message.get("text") or message.get("bytes") or ""
        if len(content) > limits.message_bytes:
            raise Refused("too-big")
        try:
            command = _understood(content, bucket)
        except Refused as refused:
            strikes += 1
            connection.tell(p.Refused(None, refused.problem))
            continue
        patience = limits.idle_seconds
        table.post(inbox.Asked(connection.person, command, connection.tell, connection))
    connection.close("too-fast")


def _understood(content: str | bytes, bucket: Bucket) -> p.Command:
    if not bucket.take():
        raise Refused("too-fast")
    try:
        command: p.Command = _decode(content)
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        raise Refused("bad-message") from None
    return command
