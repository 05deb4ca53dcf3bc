"""Attacks on a server from one address, each in a process of its own: `python -m bench.attacker '[NAME, PORT, TABLE]'`.

They go on until the process is ended, and send 24 MB at most: they must not take the machine's memory.
"""

from __future__ import annotations

import contextlib
import http.client
import itertools
import json
import socket
import sys
import time
from collections.abc import Callable

from tests.nodes.sockets import KEY

ADDRESS = "127.0.0.1"
MOST_SENT = 24 * 1024 * 1024
PAUSE_SECONDS = 0.05  # between two requests, to stay within the limits


def dial(port: int) -> socket.socket:
    return socket.create_connection((ADDRESS, port), 5, source_address=(ADDRESS, 0))


def send_forever(port: int, begin: bytes, more: bytes) -> None:
    """Send the same bytes on one connection for ever; reconnect when it is closed."""
    sent = 0
    while sent < MOST_SENT:
        with contextlib.suppress(OSError), dial(port) as raw:
            raw.sendall(begin)
            while sent < MOST_SENT:
                raw.sendall(more)
                sent += len(more)
        time.sleep(0.01)
    time.sleep(3600)


def header_lines(port: int, table: str) -> None:
    send_forever(port, b"GET / HTTP/1.1\r\nHost: localhost\r\n", b"x: y\r\n" * 2_000)


def endless_address(port: int, table: str) -> None:
    send_forever(port, b"GET /", b"x" * 16_384)


def hold_open(port: int, count: int, say: Callable[[socket.socket], None]) -> None:
    """Open connections, send something on each, and then nothing."""
    held: list[socket.socket] = []
    while True:
        if len(held) < count:
            with contextlib.suppress(OSError):
                raw = dial(port)
                held.append(raw)
                raw.settimeout(0.5)
                say(raw)
        else:
            time.sleep(PAUSE_SECONDS)


def held_bodies(port: int, table: str) -> None:
    def say(raw: socket.socket) -> None:
        raw.sendall(b"GET /api/me HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n")
        raw.recv(1_000)
        raw.sendall(b"1")

    hold_open(port, 1_100, say)


def hanging_handshakes(port: int, table: str) -> None:
    many = "".join(f"x-{n}: y\r\n" for n in range(130))
    request = (
        f"GET /api/tables/{table}/socket HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: {KEY}\r\nSec-WebSocket-Version: 13\r\n{many}\r\n"
    )
    hold_open(port, 1_100, lambda raw: raw.sendall(request.encode()))


def flood_of_connections(port: int, table: str) -> None:
    hold_open(port, 10**6, lambda raw: None)


def connect_and_leave(port: int, table: str) -> None:
    while True:
        with contextlib.suppress(OSError):
            dial(port).close()


def request_forever(port: int, paths: list[str]) -> None:
    """As many requests as the limits allow."""
    connection = http.client.HTTPConnection(ADDRESS, port, source_address=(ADDRESS, 0))
    for path in itertools.cycle(paths):
        with contextlib.suppress(OSError, http.client.HTTPException):
            connection.request("GET", path)
            connection.getresponse().read()
        time.sleep(PAUSE_SECONDS)


def replays(port: int, table: str) -> None:
    request_forever(port, [f"/api/tables/{table}/frames?perspective=open"])


def reads(port: int, table: str) -> None:
    """Everything that the server computes for people without an identity."""
    at = f"/api/tables/{table}"
    finished = [f"{at}/frames?perspective={perspective}" for perspective in ("open", "spectator", 0, 1)] + [
        f"{at}/record",
        f"{at}/play",
    ]
    lists = ["/api/tables", "/api/games", "/api/texts/en", "/api/rules/mantis/en", "/api/tutorials/mantis", "/healthz"]
    request_forever(port, finished + lists + [f"/replay/{table}", "/metrics"])


def ask_without_reading(port: int, path: str) -> None:
    """Eight connections at a time, each with as many requests as are accepted; reconnect when they are closed."""
    requests = f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode() * 32
    connections: list[socket.socket] = []
    while True:
        connections = [each for each in connections if is_still_open(each, requests)]
        if len(connections) < 8:
            with contextlib.suppress(OSError):
                connections.append(dial(port))


def is_still_open(connection: socket.socket, requests: bytes) -> bool:
    try:
        connection.settimeout(0.02)
        connection.sendall(requests)
        with contextlib.suppress(TimeoutError):
            return bool(connection.recv(1 << 20))
    except OSError:
        connection.close()
        return False
    return True


def flood_of_requests(port: int, table: str) -> None:
    ask_without_reading(port, "/api/games")


def flood_of_pages(port: int, table: str) -> None:
    ask_without_reading(port, f"/table/{table}")


ATTACKS: dict[str, Callable[[int, str], None]] = {
    "1 header lines": header_lines,
    "1 endless address": endless_address,
    "2 held bodies": held_bodies,
    "3 hanging handshakes": hanging_handshakes,
    "4 flood of connections": flood_of_connections,
    "4 connect and leave": connect_and_leave,
    "5 replays": replays,
    "5 reads": reads,
    "5 flood of requests": flood_of_requests,
    "5 flood of pages": flood_of_pages,
}


if __name__ == "__main__":
    name, port, table = json.loads(sys.argv[1])
    ATTACKS[name](port, table)
