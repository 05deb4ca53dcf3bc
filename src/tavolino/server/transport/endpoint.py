"""A socket's way to a table: who it is, whether there is room, which table."""

from __future__ import annotations

from collections import Counter

from starlette.websockets import WebSocket

from tavolino.server.errors import Refused
from tavolino.server.http import middleware as guard
from tavolino.server.http import requests as web
from tavolino.server.storage import StorageError
from tavolino.server.transport.connection import Connection
from tavolino.server.transport.handshake import EXTENSION, Wire

_addresses: Counter[str] = Counter()
_people: dict[str, set[Connection]] = {}  # the open sockets of everybody with an identity


def close_all_of(person: str) -> None:
    """Somebody is forgotten: no socket may go on in that name."""
    for connection in tuple(_people.get(person, ())):
        connection.close("no-identity")


async def play_at_table(socket: WebSocket) -> None:
    """Who this is, is decided here by cookie or token, once; no later message can change it."""
    hall = web.hall_of(socket)
    house, address = hall.house, web.address_of(socket)
    try:
        guard.check_origin(socket.headers, house.settings)
        house.request_limits.take(address)
        person = await web.who(socket)
    except Refused as refused:  # before the handshake is accepted: an answer as to any other request
        house.metrics.refusals.labels(refused.problem.code).inc()
        await socket.send_denial_response(web.problem(refused))
        return
    await socket.accept()

    def leave(connection: Connection) -> None:
        _addresses[address] -= 1
        if not _addresses[address]:
            del _addresses[address]  # or every address that ever came would be remembered
        if person is not None:
            _people[person.id].discard(connection)
            if not _people[person.id]:
                del _people[person.id]

    wire: Wire = socket.scope["extensions"][EXTENSION]["wire"]
    line = wire.hand_over()
    connection = Connection(line, house, person.id if person else None, person.name if person else None, leave)
    _addresses[address] += 1
    if person is not None:
        _people.setdefault(person.id, set()).add(connection)
    try:
        if person is not None and await web.who(socket) is None:  # forgotten in the same moment
            raise Refused("no-identity")
        if _addresses[address] > house.settings.limits.sockets_per_address:
            raise Refused("too-many-sockets")
        connection.sit_down(await hall.get(socket.path_params["table"]))
    except Refused as refused:
        connection.close(refused.problem.code)
    except StorageError as error:
        house.log.error("storage failed", error=str(error))
        connection.close("internal")
