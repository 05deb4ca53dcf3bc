"""Connections before and between requests: the size of a head, a deadline for every state, how many there may be."""

from __future__ import annotations

import contextlib
import resource
import socket
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
from msgspec.structs import replace

from tavolino.server.connection_limits import RESERVED_DESCRIPTORS, ConnectionLimits
from tavolino.server.settings import Limits, ServerSettings
from tavolino.server.transport.handshake import HandshakeProtocol
from tavolino.server.transport.http_protocol import LimitedHttpProtocol
from tests.server.clients import people_in_play
from tests.server.conftest import GENEROUS, Server
from tests.server.raw import answer_to, dial, heard_until_end, host_of, refused, upgrade, wait_until

StartServer = Callable[..., Server]
TABLE = "/api/tables/xxxxxxxxxxxxxxxxxxxxxx/socket"
MUCH = 16 * 1024 * 1024  # more than any buffer between the two holds


def limits(**changed: Any) -> Limits:
    return replace(GENEROUS, **changed)


# -- the head of a request


def endless_heads(host: str) -> dict[str, tuple[bytes, bytes]]:
    begin = f"GET / HTTP/1.1\r\nHost: {host}\r\n".encode()
    return {
        "address": (b"GET /", b"x" * 4096),
        "header lines": (begin, b"X-Line: value\r\n" * 300),
        "a header's name": (begin + b"X", b"-x" * 2048),
        "a header's value": (begin + b"X: ", b"value " * 700),
        "nothing but line ends": (begin + b"X: y\r\n", b" \r\n" * 1000),
    }


@pytest.mark.parametrize("name", endless_heads(""))
def test_threat_28_an_endless_head_is_refused_and_nothing_is_kept_of_it(server: Server, name: str) -> None:
    begin, more = endless_heads(host_of(server))[name]
    before, sent = refused(server, "bad-request"), 0
    with dial(server) as raw:
        with contextlib.suppress(ConnectionResetError, BrokenPipeError):
            raw.sendall(begin)
            while sent < MUCH:
                raw.sendall(more)
                sent += len(more)
        heard = heard_until_end(raw)
    assert sent < MUCH, "it was read to the end"
    assert heard.startswith((b"HTTP/1.1 431", b"HTTP/1.1 400")) or heard == b""  # a reset may discard the answer
    wait_until(lambda: refused(server, "bad-request") > before)


@pytest.mark.parametrize(
    ("lines", "status"),
    [
        (["X-Large: " + "x" * (8 * 1024 - 200)], b"401"),
        (["X-Large: " + "x" * 16 * 1024], b"431"),
        ([f"X-{n}: y" for n in range(98)], b"401"),
        ([f"X-{n}: y" for n in range(101)], b"431"),
        ([f"X-{n}: {'y' * 100}" for n in range(98)], b"401"),
    ],
    ids=["a large header", "too large a header", "many headers", "too many headers", "many large headers"],
)
def test_threat_28_a_head_has_a_limit_in_bytes_and_lines(server: Server, lines: list[str], status: bytes) -> None:
    request = ["GET /api/me HTTP/1.1", f"Host: {host_of(server)}", "Connection: close", *lines, "", ""]
    assert answer_to(server, "\r\n".join(request).encode()).split(b" ")[1] == status


def test_threat_28_headers_after_a_body_count_too(server: Server) -> None:
    begin = f"POST /api/me HTTP/1.1\r\nHost: {host_of(server)}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n".encode()
    before, sent = refused(server, "bad-request"), 0
    with dial(server) as raw, contextlib.suppress(ConnectionResetError, BrokenPipeError):
        raw.sendall(begin)
        while sent < MUCH:
            raw.sendall(b"X: y\r\n" * 500)
            sent += 3000
    assert sent < MUCH
    wait_until(lambda: refused(server, "bad-request") > before)


def test_threat_28_what_stands_beside_a_body_on_the_wire_counts_too(server: Server) -> None:
    """A body of few bytes, each in a chunk with a long extension, which nobody ever sees."""
    begin = f"POST /api/me HTTP/1.1\r\nHost: {host_of(server)}\r\nTransfer-Encoding: chunked\r\n\r\n".encode()
    before, sent = refused(server, "bad-request"), 0
    chunks = b"1;" + b"x" * 4_000 + b"\r\n{\r\n"
    with dial(server) as raw, contextlib.suppress(ConnectionResetError, BrokenPipeError):
        raw.sendall(begin)
        while sent < MUCH:
            raw.sendall(chunks)
            sent += len(chunks)
    assert sent < MUCH
    wait_until(lambda: refused(server, "bad-request") > before)


def test_threat_28_requests_that_wait_for_an_earlier_answer_have_a_limit(server: Server) -> None:
    request = f"GET /api/games HTTP/1.1\r\nHost: {host_of(server)}\r\n\r\n".encode()
    before = refused(server, "bad-request")
    answer_to(server, request * 2_000)
    wait_until(lambda: refused(server, "bad-request") > before)


@pytest.mark.parametrize(
    "headers",
    [
        [f"X-{n}: y" for n in range(200)],
        ["X-Large: " + "x" * 9_000],
        ["X-Large: " + "x" * 200_000],
        ["Content-Length: 5"],
    ],
    ids=["too many headers", "a header of 9 kB", "a header of 200 kB", "a body"],
)
def test_threat_28_a_handshake_that_cannot_be_read_is_answered_closed_and_counted(
    server: Server, headers: list[str]
) -> None:
    before = refused(server, "bad-request") + refused(server, "bad-handshake")
    heard = answer_to(server, upgrade(server, TABLE, *headers))
    assert heard.startswith((b"HTTP/1.1 4",)) or (heard == b"" and len(headers[0]) > 100_000)
    wait_until(lambda: refused(server, "bad-request") + refused(server, "bad-handshake") > before)
    wait_until(lambda: "tavolino_connections_refused" in httpx.get(f"{server.address}/metrics").text)


def test_a_websocket_over_http_1_0_is_refused(server: Server) -> None:
    assert answer_to(server, upgrade(server, TABLE, version="1.0")).startswith(b"HTTP/1.1 400")


# -- a deadline for every state


def states(host: str) -> dict[str, tuple[bytes, bytes, bytes]]:
    """What is sent, the status that is awaited then, and what is sent after it."""
    post = f"POST /api/me HTTP/1.1\r\nHost: {host}\r\nContent-Length: "
    get = f"GET /api/me HTTP/1.1\r\nHost: {host}\r\n".encode()
    return {
        "nothing": (b"", b"", b""),
        "an empty line": (b"\r\n", b"", b""),
        "half a head": (get, b"", b""),
        "a body that does not come": (f"{post}9\r\n\r\n".encode(), b"", b""),
        "half a body": (f"{post}9\r\n\r\n1".encode(), b"", b""),
        "an answer before the body, then one byte": (f"{post}99999999\r\n\r\n".encode(), b"413", b"1"),
        "a body for a GET, answered before it comes": (get + b"Content-Length: 9\r\n\r\n", b"401", b"1"),
        "half a chunk": (
            f"POST /api/me HTTP/1.1\r\nHost: {host}\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nx".encode(),
            b"",
            b"",
        ),
        "silence after an answer": (get + b"\r\n", b"401", b""),
        "an empty line after an answer": (get + b"\r\n", b"401", b"\r\n"),
        "half a head after an answer": (get + b"\r\n", b"401", get),
    }


@pytest.mark.parametrize("state", states(""))
def test_threat_26_no_state_of_a_connection_lasts_for_ever(
    start_server: StartServer, monkeypatch: pytest.MonkeyPatch, state: str
) -> None:
    for name in ("head_seconds", "body_seconds", "idle_seconds"):
        monkeypatch.setattr(LimitedHttpProtocol, name, 0.5)
    server = start_server(limits=limits())
    first, status, then = states(host_of(server))[state]
    counts = server.app.state.connection_limits
    with dial(server) as raw:
        raw.sendall(first)
        if status:
            assert raw.recv(65_536).split(b" ")[1] == status
            raw.sendall(then)
        wait_until(lambda: counts.open == 0)
        heard_until_end(raw)  # it ends


def test_threat_26_a_handshake_that_is_not_finished_is_closed(
    start_server: StartServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The storage does not answer, for instance."""
    import asyncio

    from tavolino.server import access

    async def never(*_: Any) -> None:
        await asyncio.sleep(600)

    monkeypatch.setattr(HandshakeProtocol, "handshake_seconds", 0.3)
    monkeypatch.setattr(access, "identify", never)
    server = start_server()
    assert answer_to(server, upgrade(server, TABLE)) == b""
    wait_until(lambda: server.app.state.connection_limits.open == 0)


def test_threat_26_who_reads_a_little_now_and_then_does_not_stay_for_ever(
    start_server: StartServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LimitedHttpProtocol, "reading_seconds", 0.3)
    server = start_server()
    (listening,) = server._server.servers[0].sockets
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 8_192)
    host, port = host_of(server).split(":")
    with socket.socket() as raw:
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        raw.settimeout(1)
        raw.connect((host, int(port)))
        raw.sendall(f"GET /api/texts/en HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())

        def is_gone() -> bool:
            with contextlib.suppress(TimeoutError, ConnectionResetError):
                raw.recv(1)
            return refused(server, "does-not-read") > 0

        wait_until(is_gone, 40)
    wait_until(lambda: server.app.state.connection_limits.open == 0)


def test_a_disconnect_inside_a_body_is_no_crash(start_server: StartServer) -> None:
    server = start_server()
    request = f"POST /api/me HTTP/1.1\r\nHost: {host_of(server)}\r\nContent-Length: 9\r\n\r\n"
    for _ in range(3):
        with dial(server) as raw:
            raw.sendall(request.encode() + b"1234")
    metrics = server.context.metrics
    wait_until(lambda: 'tavolino_refusals_total{code="bad-message"} 3.0' in metrics.text().decode())
    assert "tavolino_crashes_total 0.0" in metrics.text().decode()
    assert "raceback" not in server.log.getvalue()


def test_a_disconnect_inside_a_handshake_is_no_crash(start_server: StartServer) -> None:
    server = start_server()
    for _ in range(20):
        raw = dial(server)
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")  # a reset in place of an end
        raw.sendall(upgrade(server, TABLE))
        raw.close()
    wait_until(lambda: server.app.state.connection_limits.open == 0)
    assert "raceback" not in server.log.getvalue()


def test_requests_that_wait_for_an_answer_are_not_errors_when_the_connection_is_lost(
    start_server: StartServer,
) -> None:
    """uvicorn notifies only the last of several pipelined requests."""
    server = start_server().ready("mantis")
    (ada, _), table = people_in_play(server.address)
    viewers, connections = server.registry.tables[table].viewers, server._server.server_state.connections
    raw = dial(server)
    head = f"HTTP/1.1\r\nHost: {host_of(server)}\r\n\r\n"
    raw.sendall(f"GET /api/tables/{table}/play?turn=0&wait=20 {head}GET /api/games {head}".encode())

    def with_waiting_requests() -> list[Any]:
        return [each for each in list(connections) if getattr(each, "pipeline", None)]

    wait_until(lambda: len(viewers._waiting) == 1 and len(with_waiting_requests()) == 1)
    (connection,) = with_waiting_requests()
    server.run(connection.transport.abort)
    wait_until(lambda: connection not in connections)
    ada.do(table, "move", turn=0, action="score")  # there is an answer now, and nobody to read it
    wait_until(lambda: not viewers._waiting)
    assert ada.http.get("/livez").status_code == 200
    assert "xception" not in server.log.getvalue()
    raw.close()


# -- how many


def test_threat_26_connections_of_one_address_have_a_limit_and_room_comes_back(start_server: StartServer) -> None:
    server = start_server(limits=limits(connections_per_address=5))
    held = [dial(server) for _ in range(5)]
    wait_until(lambda: server.app.state.connection_limits.open == 5)
    request = f"GET /api/me HTTP/1.1\r\nHost: {host_of(server)}\r\nConnection: close\r\n\r\n".encode()
    heard = answer_to(server, request)
    assert heard.startswith(b"HTTP/1.1 503")
    assert b"retry-after" in heard
    assert refused(server, "too-many-from-one-address") == 1
    held.pop().close()
    wait_until(lambda: server.app.state.connection_limits.open == 4)
    assert answer_to(server, request).startswith(b"HTTP/1.1 401")
    for raw in held:
        raw.close()


def test_threat_26_sockets_count_as_connections_until_they_are_closed(start_server: StartServer) -> None:
    from tests.server.clients import Guest

    server = start_server().ready("mantis")
    counts = server.app.state.connection_limits
    ada = Guest(server.address)
    table = ada.open("mantis", 2)
    ada.close()
    wait_until(lambda: counts.open == 0)
    socket = ada.socket(table)
    socket.until("table")
    assert counts.open == 1
    socket.close()
    wait_until(lambda: counts.open == 0)
    assert not counts._from


def test_threat_26_new_connections_of_one_address_have_a_rate(start_server: StartServer) -> None:
    server = start_server(limits=limits(connections_per_second=0.001, connections_burst=3))
    request = f"GET /api/me HTTP/1.1\r\nHost: {host_of(server)}\r\nConnection: close\r\n\r\n".encode()
    assert [answer_to(server, request).split(b" ")[1] for _ in range(5)] == [b"401"] * 3 + [b"503"] * 2


@pytest.fixture
def few_descriptors() -> Iterator[int]:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (1_024, before[1]))
    yield 1_024
    resource.setrlimit(resource.RLIMIT_NOFILE, before)


def test_threat_26_connections_leave_descriptors_for_everything_else(few_descriptors: int) -> None:
    counts = ConnectionLimits(ServerSettings(), lambda: 0.0)
    assert counts.most == few_descriptors - RESERVED_DESCRIPTORS
    places = [counts.admit(f"192.0.2.{n // 100}") for n in range(counts.most)]
    assert None not in places
    assert counts.admit("192.0.2.99") is None
    assert counts.refused == {"too-many": 1}


def test_threat_26_one_address_never_takes_every_place(few_descriptors: int) -> None:
    counts = ConnectionLimits(
        ServerSettings(limits=limits(connections_per_address=10**6, connections_burst=10**6)), float
    )
    taken = [counts.admit("2001:db8::1") for _ in range(counts.most)]
    assert 0 < taken.count(None) < counts.most
    assert counts.admit("2001:db8::2:1") is None, "one subscriber has 64 bits of addresses"
    assert counts.admit("2001:db8:0:1::1") is not None


def test_a_proxy_on_this_machine_brings_everybodys_connections() -> None:
    few = limits(connections_per_address=2)
    behind = ConnectionLimits(ServerSettings(public_url="https://cards.example", limits=few), float)
    assert all(behind.admit(address) for address in ["127.0.0.1", "::1", "::ffff:127.0.0.1"] * 3)
    assert [behind.admit("192.0.2.1") is None for _ in range(3)] == [False, False, True]
    without = ConnectionLimits(ServerSettings(limits=few), float)
    assert [without.admit("127.0.0.1") is None for _ in range(3)] == [False, False, True]
