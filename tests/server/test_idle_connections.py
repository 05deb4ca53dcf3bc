"""Idle and slow connections (threat 26 of docs/threats.md)."""

from __future__ import annotations

import contextlib
import socket as sockets
import time
from collections.abc import Callable

import httpx
import pytest
from msgspec.structs import replace
from websockets.exceptions import ConnectionClosed

from tavolino.server.transport.http_protocol import LimitedHttpProtocol
from tests.server.clients import Guest, Socket, socket_url
from tests.server.conftest import GENEROUS, Server

StartServer = Callable[..., Server]


def test_threat_26_a_half_open_handshake_is_closed(start_server: StartServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LimitedHttpProtocol, "head_seconds", 0.3)
    server = start_server()
    host, port = server.address.removeprefix("http://").split(":")
    for beginning in (b"", b"GET /api/games HT", b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: "):
        raw = sockets.create_connection((host, int(port)))
        raw.settimeout(5)
        raw.sendall(beginning)
        with raw, contextlib.suppress(ConnectionResetError):
            assert raw.recv(10) == b""


def is_connected(server: Server, raw: sockets.socket) -> bool:
    return raw.getsockname() in [
        getattr(each, "client", None) for each in tuple(server._server.server_state.connections)
    ]


def dial_with_small_buffers(server: Server) -> sockets.socket:
    """A raw connection on which the system buffers little in both directions."""
    (listening,) = server._server.servers[0].sockets
    listening.setsockopt(sockets.SOL_SOCKET, sockets.SO_SNDBUF, 8_192)
    host, port = server.address.removeprefix("http://").split(":")
    raw = sockets.socket()
    raw.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4_096)
    raw.connect((host, int(port)))
    return raw


@pytest.mark.parametrize("last", ["", "Connection: close\r\n"], ids=["kept open", "closed by us"])
def test_threat_26_a_client_that_never_reads_its_answers_is_closed(
    start_server: StartServer, monkeypatch: pytest.MonkeyPatch, last: str
) -> None:
    monkeypatch.setattr(LimitedHttpProtocol, "reading_seconds", 0.5)
    server = start_server()
    for size in (1, 60):  # answers that fit the buffers, and more
        raw = dial_with_small_buffers(server)
        ask = "GET /api/texts/en HTTP/1.1\r\nHost: localhost\r\n"
        raw.sendall((f"{ask}\r\n" * (size - 1) + f"{ask}{last}\r\n").encode())
        end = time.monotonic() + 15
        while not is_connected(server, raw):
            assert time.monotonic() < end
        while is_connected(server, raw):
            assert time.monotonic() < end, "still there"
            time.sleep(0.05)
        raw.close()


def test_threat_26_a_client_that_reads_slowly_gets_all_of_its_answer(
    start_server: StartServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LimitedHttpProtocol, "reading_seconds", 0.5)
    server = start_server()
    whole = len(httpx.get(f"{server.address}/api/texts/en", headers={"Accept-Encoding": "identity"}).content)
    with dial_with_small_buffers(server) as raw:
        raw.sendall(b"GET /api/texts/en HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        received = 0
        while some := raw.recv(whole // 40):
            received += len(some)
            time.sleep(0.05)
    assert received > whole


@pytest.mark.slow
def test_threat_26_a_socket_that_says_no_hello_or_nothing_for_long_is_closed(start_server: StartServer) -> None:
    limits = replace(GENEROUS, hello_seconds=0.3, idle_seconds=2.0)
    server = start_server(limits=limits).ready("mantis")
    ada = Guest(server.address)
    table = ada.open("mantis", 2)
    silent = ada.socket(table, hello=False)
    assert silent.until("closing")["code"] == "too-quiet"
    pinging = ada.socket(table, hello=False)
    end = time.monotonic() + 20
    with contextlib.suppress(ConnectionClosed):
        while time.monotonic() < end:  # a ping is no hello
            pinging.send(type="ping")
            pinging.until("refused")
            time.sleep(0.05)
    pinging.drain()
    assert pinging.closed == "too-quiet"
    quiet = ada.socket(table)
    quiet.until("table")
    assert quiet.until("closing")["code"] == "too-quiet"
    active = ada.socket(table)
    for _ in range(5):
        time.sleep(0.5)
        assert active.ask(type="ping")["type"] == "pong"


def test_threat_26_many_sockets_from_one_address_have_a_limit(start_server: StartServer) -> None:
    limits = replace(GENEROUS, sockets_per_address=3)
    server = start_server(limits=limits).ready("mantis")
    ada = Guest(server.address)
    table = ada.open("mantis", 2)
    for _ in range(3):
        Socket(socket_url(server.address, table), ada.headers).until("table")
    fourth = Socket(socket_url(server.address, table), ada.headers, hello=False)
    assert fourth.until("closing")["code"] == "too-many-sockets"


def test_two_servers_in_one_process_count_their_sockets_apart(
    start_server: StartServer, tmp_path_factory: pytest.TempPathFactory
) -> None:
    limits = replace(GENEROUS, sockets_per_address=1)
    for name in ("one", "two"):
        server = start_server(tmp_path_factory.mktemp(name), limits=limits).ready("mantis")
        ada = Guest(server.address)
        ada.socket(ada.open("mantis", 2)).until("table")
