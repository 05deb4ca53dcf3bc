"""The Host header: a page whose name resolves to this machine is refused (DNS rebinding)."""

from __future__ import annotations

import socket
from collections.abc import Callable

import httpx
import pytest
from websockets.exceptions import InvalidStatus

from tavolino.server.errors import Refused
from tavolino.server.hosts import AllowedHosts
from tavolino.server.settings import ServerSettings
from tests.server.clients import Guest, Socket, socket_url
from tests.server.conftest import Server
from tests.server.raw import answer_to

REBOUND = {"Host": "evil.example:8000", "Origin": "http://evil.example:8000"}


def is_allowed(host: str, settings: ServerSettings | None = None) -> bool:
    try:
        AllowedHosts(settings or ServerSettings()).check([host], "1.1")
    except Refused:
        return False
    return True


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/"),
        ("GET", "/api/games"),
        ("POST", "/api/me"),
        ("GET", "/metrics"),
        ("GET", "/healthz"),
        ("GET", "/readyz"),
    ],
)
def test_threat_29_a_rebound_page_gets_no_page_no_identity_and_no_figures(
    server: Server, method: str, path: str
) -> None:
    answer = httpx.request(method, server.address + path, json={"name": "Eve"}, headers=REBOUND)
    assert answer.status_code == 421
    if path.startswith("/api/"):
        assert answer.json()["code"] == "wrong-host"
    else:
        assert "--allow-host" in answer.text
    assert "set-cookie" not in answer.headers


def test_threat_29_a_rebound_page_opens_no_socket(server: Server) -> None:
    ada = Guest(server.address)
    with pytest.raises(InvalidStatus) as refused:
        Socket(socket_url(server.address, ada.open("mantis", 2)), {**ada.headers, **REBOUND})
    assert refused.value.response.status_code == 421


@pytest.mark.parametrize(
    "host",
    ["localhost", "localhost:8000", "LOCALHOST.", "tavolino.localhost", "127.0.0.1:8000", "127.8.0.1", "[::1]:8000"],
)
def test_names_of_this_machine_are_allowed(host: str) -> None:
    assert is_allowed(host)
    assert is_allowed(socket.gethostname())
    assert is_allowed(f"{socket.gethostname()}.local:8000")
    assert is_allowed(f"{socket.gethostname()}.lan")
    assert not is_allowed(f"{socket.gethostname()}.example")


@pytest.mark.parametrize("host", ["192.168.1.20:8000", "203.0.113.9", "[2001:db8::1]:8000", "[fe80::1]"])
def test_addresses_are_allowed_because_nobody_can_rebind_one(host: str) -> None:
    assert is_allowed(host)


@pytest.mark.parametrize(
    "host",
    ["evil.example", "localhost.evil.example", "evil.example:127", "127.0.0.1.evil.example", "", "a b", "localhost:x",
     "user@localhost", "localhost/..", "127.1", "0x7f.0.0.1"],
)  # fmt: skip
def test_threat_29_other_names_are_refused(host: str) -> None:
    assert not is_allowed(host)


def test_the_public_address_and_allowed_names_are_allowed() -> None:
    settings = ServerSettings(public_url="https://Cards.example:444/", allow_hosts=("tavolino", "Other.Example:8000"))
    for host in ("cards.example", "CARDS.example:444", "tavolino:8000", "other.example", "127.0.0.1"):
        assert is_allowed(host, settings)
    assert not is_allowed("cards.example.evil.example", settings)


def test_threat_29_behind_a_proxy_other_names_are_refused_too(start_server: Callable[..., Server]) -> None:
    server = start_server(public_url="https://cards.example")
    assert httpx.get(f"{server.address}/api/games", headers={"Host": "cards.example"}).status_code == 200
    assert httpx.get(f"{server.address}/api/games", headers={"Host": "evil.example"}).status_code == 421


def test_a_request_has_one_host_and_only_http_1_0_may_have_none(server: Server) -> None:
    close = b"Connection: close\r\n\r\n"
    assert answer_to(server, b"GET /api/games HTTP/1.0\r\n\r\n").startswith(b"HTTP/1.1 200")
    assert answer_to(server, b"GET /api/games HTTP/1.1\r\n" + close).startswith(b"HTTP/1.1 421")
    for broken in (b"[", b"[:::]:x", b"a b", b"\xff", b"localhost:99999999"):
        heard = answer_to(server, b"GET /api/games HTTP/1.1\r\nHost: " + broken + b"\r\n" + close)
        assert heard.startswith(b"HTTP/1.1 421"), broken
    twice = b"Host: localhost\r\nHost: evil.example\r\n"
    assert answer_to(server, b"GET /api/games HTTP/1.1\r\n" + twice + close).startswith(b"HTTP/1.1 421")
