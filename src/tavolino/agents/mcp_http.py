"""The MCP server over streamable HTTP: who may call it, and whose session a call is.

Every request needs a bearer token. A token is one player: its tables are found by the token alone, so a session cannot
see that there are others. Host and Origin are checked, so that no page in a browser can call a server on its machine.
"""

import hashlib
import secrets
from collections.abc import Callable, Sequence
from typing import Any

from mcp.server.mcpserver import MCPServer
from mcp.server.transport_security import TransportSecuritySettings
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from tavolino.agents.mcp_server import Player

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
PATH = "/mcp"
MAX_BODY = 64 * 1024


def new_tokens(count: int) -> list[str]:
    return [secrets.token_urlsafe(32) for _ in range(count)]


def _hashed(token: str) -> bytes:
    """Looked up by hash, so that the time of the comparison says nothing about a token."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()


class Players:
    """The players by their tokens."""

    def __init__(self, tokens: Sequence[str], make_player: Callable[[], Player]):
        self._players = {_hashed(token): make_player() for token in tokens}

    def of(self, request: Request | None) -> Player:
        """Whose request it is; LookupError for nobody's."""
        kind, _, token = (request.headers.get("authorization", "") if request else "").partition(" ")
        if kind.lower() != "bearer":
            raise LookupError("a request without a token")
        return self._players[_hashed(token.strip())]


class TokenGuard:
    """Answers 401 to requests without the token of a player."""

    def __init__(self, app: ASGIApp, players: Players):
        self._app, self._players = app, players

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            try:
                self._players.of(Request(scope))
            except LookupError:
                refusal = PlainTextResponse("This server needs a bearer token.", 401, {"WWW-Authenticate": "Bearer"})
                await refusal(scope, receive, send)
                return
        await self._app(scope, receive, send)


def application(server: MCPServer[Any], players: Players, hosts: Sequence[str]) -> ASGIApp:
    """The server as an ASGI application that answers only to these host names, on any port."""
    names = [*LOOPBACK, *hosts]
    security = TransportSecuritySettings(
        allowed_hosts=[each for name in names for each in (name, f"{name}:*")],
        allowed_origins=[
            f"{scheme}://{name}{port}" for name in names for scheme in ("http", "https") for port in ("", ":*")
        ],
    )
    app = server.streamable_http_app(
        streamable_http_path=PATH, stateless_http=True, transport_security=security, max_request_body_size=MAX_BODY
    )
    return TokenGuard(app, players)
