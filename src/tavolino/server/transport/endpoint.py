"""The WebSocket route: authenticates a handshake and attaches the connection to its table."""

from __future__ import annotations

from starlette.websockets import WebSocket

from tavolino.server import access
from tavolino.server.errors import Refused
from tavolino.server.storage import StorageError
from tavolino.server.transport.connection import Connection
from tavolino.server.transport.handshake import EXTENSION, HandshakeProtocol


async def play_at_table(socket: WebSocket) -> None:
    """Whose connection this is, is decided here once, by cookie or token; no later message can change it."""
    registry, address = access.registry_of(socket), access.address_of(socket)
    context, connections = registry.context, registry.connections
    try:
        by_token = access.socket_token_of(socket) is not None
        if not by_token:  # which no other site has, unlike the cookie that the browser sends along
            access.check_origin(socket.headers, context.settings)
        context.bans.check_address(address)
        context.limits.requests.take(access.subscriber_of(socket))
        access.charge_loading(socket, socket.path_params["table"])
        person = await (access.require_person if by_token else access.identify)(socket)
    except Refused as refused:  # before the handshake is accepted: answered like any other request
        access.note_refusal(socket, refused)
        return await deny(socket, refused)
    except StorageError as error:  # who this is cannot be read just now
        context.log.error("storage failed", path=socket.url.path, error=str(error))
        return await deny(socket, Refused("storage-failed"))
    await socket.accept(access.SUBPROTOCOL if access.SUBPROTOCOL in socket.scope["subprotocols"] else None)
    handshake: HandshakeProtocol = socket.scope["extensions"][EXTENSION]["protocol"]
    connection = Connection(
        handshake.hand_over(),
        context,
        registry.commands.decode,
        address,
        person.id if person else None,
        person.name if person else None,
        on_closed=lambda closed: connections.remove(closed, address),
    )
    connections.add(connection, address)
    try:
        if person is not None and await access.identify(socket) is None:  # deleted in the meantime
            raise Refused("no-identity")
        if connections.count_from(address) > context.settings.limits.sockets_per_address:
            raise Refused("too-many-sockets")
        if registry.is_stopping:
            raise Refused("stopping")
        table = await registry.get_fresh(socket.path_params["table"])
        await registry.check_may_see(table.state, person.id if person else None)
        connection.attach(table)
    except Refused as refused:
        connection.close(refused.problem.code)
    except StorageError as error:
        context.log.error("storage failed", error=str(error))
        connection.close("internal")
    return None


async def deny(socket: WebSocket, refused: Refused) -> None:
    access.registry_of(socket).context.metrics.refusals.labels(refused.problem.code).inc()
    await socket.send_denial_response(access.problem(refused))
