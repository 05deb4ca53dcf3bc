"""Raw TCP connections, for tests of bytes that no library would send."""

from __future__ import annotations

import contextlib
import socket
import time
from collections.abc import Callable

from tests.server.clients import TIMEOUT
from tests.server.conftest import Server

KEY = "dGhlIHNhbXBsZSBub25jZQ=="


def dial(server: Server) -> socket.socket:
    host, port = server.address.removeprefix("http://").split(":")
    raw = socket.create_connection((host, int(port)), TIMEOUT)
    raw.settimeout(TIMEOUT)
    return raw


def host_of(server: Server) -> str:
    return server.address.removeprefix("http://")


def heard_until_end(raw: socket.socket) -> bytes:
    """All bytes until the server closes or resets the connection."""
    heard = b""
    with contextlib.suppress(ConnectionResetError, BrokenPipeError):
        while part := raw.recv(65_536):
            heard += part
    return heard


def answer_to(server: Server, request: bytes) -> bytes:
    """The server's answer to these bytes, up to the close."""
    with dial(server) as raw:
        with contextlib.suppress(ConnectionResetError, BrokenPipeError):
            raw.sendall(request)
        return heard_until_end(raw)


def upgrade(server: Server, path: str, *headers: str, version: str = "1.1", host: str | None = None) -> bytes:
    """The request that opens a WebSocket."""
    lines = [
        f"GET {path} HTTP/{version}",
        f"Host: {host or host_of(server)}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        f"Sec-WebSocket-Key: {KEY}",
        "Sec-WebSocket-Version: 13",
        *headers,
    ]
    return "\r\n".join([*lines, "", ""]).encode()


def wait_until(is_so: Callable[[], bool], timeout: float = TIMEOUT) -> None:
    end = time.monotonic() + timeout
    while not is_so():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)


def refused(server: Server, why: str) -> int:
    """Connections refused or cut off for this reason."""
    count: int = server.app.state.connection_limits.refused[why]
    return count
