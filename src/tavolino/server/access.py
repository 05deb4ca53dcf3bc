"""Who sends a request, and from where: shared by HTTP requests and WebSocket handshakes."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address
from typing import Any
from urllib.parse import urlsplit

import msgspec
from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.responses import Response

from tavolino.server.errors import Refused
from tavolino.server.people.identities import Person
from tavolino.server.settings import ServerSettings
from tavolino.server.subscribers import parsed_address, subscriber
from tavolino.server.tables.registry import Registry

COOKIE = "tavolino"
SUBPROTOCOL = "tavolino"  # of sockets, for programs in browsers
TOKEN_PREFIX = f"{SUBPROTOCOL}.token."  # the subprotocol with this prefix holds a token
COOKIE_SECONDS = 400 * 86_400  # the longest that browsers keep one
FORWARDING = ("x-forwarded-for", "forwarded", "x-real-ip")  # set by a proxy, for the client behind it
UNKNOWN_SECONDS = 5  # for Retry-After, if the server cannot know when it is ready: it restarts, compiles, is overloaded
LOADING = 10.0  # milliseconds, about: the cost of reading a table and replaying its game
encode = msgspec.json.Encoder().encode


def registry_of(connection: HTTPConnection) -> Registry:
    registry: Registry = connection.app.state.registry
    return registry


def token_of(connection: HTTPConnection) -> str | None:
    """The bearer token of a program, that among the subprotocols of its socket, or the cookie of a browser."""
    scheme, _, token = connection.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and token:
        return token.strip()
    return socket_token_of(connection) or cookie_of(connection)


def socket_token_of(connection: HTTPConnection) -> str | None:
    """The token of a program in a browser, which cannot set headers of a socket."""
    offered = connection.scope.get("subprotocols", ())
    return next((each.removeprefix(TOKEN_PREFIX) for each in offered if each.startswith(TOKEN_PREFIX)), None)


def cookie_of(connection: HTTPConnection) -> str | None:
    """Under HTTPS the cookie with the prefix is used: no other host and no man in the middle can have set it. The plain
    one of version 0.1 is accepted if there is no other, and `GET /api/me` replaces it."""
    secure = registry_of(connection).context.settings.is_secure
    return connection.cookies.get(cookie_name(secure)) or connection.cookies.get(COOKIE)


def cookie_name(secure: bool) -> str:
    return f"__Host-{COOKIE}" if secure else COOKIE


def address_of(connection: HTTPConnection) -> str:
    return connection.client.host if connection.client else "unknown"


def subscriber_of(connection: HTTPConnection) -> str:
    """The address that limits count a request for."""
    return subscriber(address_of(connection))


def charge_loading(connection: HTTPConnection, table: str) -> None:
    """Charge a request for loading a table that is not in memory."""
    registry = registry_of(connection)
    if table not in registry.tables:
        work, whose = registry.context.limits.work, subscriber_of(connection)
        work.check(whose)
        work.charge(whose, LOADING)


async def identify(connection: HTTPConnection) -> Person | None:
    """Whose token a request carries. Banned people are refused."""
    registry = registry_of(connection)
    person = await registry.context.people.recognise(token_of(connection))
    if person is not None:
        registry.context.bans.check_person(person.id)
        for seen in registry.features.seen:
            seen(person.id, address_of(connection))
    return person


async def require_person(connection: HTTPConnection) -> Person:
    person = await identify(connection)
    if person is None:
        raise Refused("no-identity")
    return person


def is_local(connection: HTTPConnection) -> bool:
    """Whether a request comes from this machine, and not through a proxy on it."""
    address = _direct_address(connection)
    return address is not None and address.is_loopback


def is_private(connection: HTTPConnection) -> bool:
    """Whether a request comes from this machine or its local network, and not through a proxy."""
    address = _direct_address(connection)
    return address is not None and address.is_private


def _direct_address(connection: HTTPConnection) -> IPv4Address | IPv6Address | None:
    """Where a request comes from; None if that is unknown, or behind a proxy."""
    if any(name in connection.headers for name in FORWARDING):
        return None
    return parsed_address(address_of(connection))


def check_origin(headers: Headers, settings: ServerSettings) -> None:
    """Refuse cross-site requests: a page of another site must not act with the cookie that the browser sends along."""
    origin = headers.get("origin")
    if origin is None:  # programs send none; browsers always do, on sockets and on what changes something
        return
    if settings.public_url is not None:
        allowed = {_origin(settings.public_url)}
    else:
        host = headers.get("host", "")
        allowed = {f"http://{host}", f"https://{host}"}
    if origin not in allowed:
        raise Refused("wrong-origin")


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def note_refusal(connection: HTTPConnection, refused: Refused) -> None:
    """Log a refusal that looks like an attack, for the operator."""
    security, headers = registry_of(connection).context.security, connection.headers
    path, origin, host = connection.url.path, headers.get("origin"), headers.get("host")
    security.note(refused, address_of(connection), path=path, origin=origin, host=host)


def answer(content: Any, status: int = 200) -> Response:
    return answer_encoded(encode(content), status)


def answer_encoded(content: bytes, status: int = 200) -> Response:
    return Response(content, status, media_type="application/json")


def problem(refused: Refused) -> Response:
    """A refusal as an HTTP response."""
    response = answer(refused.problem, refused.status)
    if (seconds := refused.problem.params.get("retry_after", UNKNOWN_SECONDS if refused.status == 503 else 0)) > 0:
        response.headers["Retry-After"] = str(seconds)
    if refused.problem.code == "too-fast":  # a refusal costs as much as an answer; new connections have their own limit
        response.headers["Connection"] = "close"
    return response
