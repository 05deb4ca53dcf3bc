"""A proxy on another machine: its connections are those of many people, and what it says of their addresses counts.

The peer is in a network namespace of its own, because every address of this machine is loopback to itself.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from msgspec.structs import replace
from websockets.exceptions import ConnectionClosed

from tavolino.cli.commands import run
from tavolino.server.connection_limits import ConnectionLimits
from tavolino.server.settings import ServerSettings
from tests.nodes.networks import Network, are_permitted
from tests.server.clients import NO_TLS, TIMEOUT, Guest, Socket, socket_url
from tests.server.conftest import GENEROUS, Server
from tests.server.raw import wait_until

StartServer = Callable[..., Server]
FEW = replace(GENEROUS, connections_per_address=5, people_per_hour=3)
needs_namespaces = pytest.mark.skipif(
    not are_permitted(), reason="this machine does not permit network namespaces (root and iproute2 are needed)"
)


@pytest.fixture
def network() -> Iterator[Network]:
    network = Network()
    network.open()
    yield network
    network.close()


@pytest.fixture
def elsewhere(network: Network) -> Iterator[ThreadPoolExecutor]:
    with network.thread() as thread:
        yield thread


def connect(server: Server, count: int) -> list[int]:
    """The statuses of answers over so many connections at once."""
    with contextlib.ExitStack() as stack:
        clients = [httpx.Client(base_url=server.address, verify=NO_TLS, timeout=TIMEOUT) for _ in range(count)]
        return [stack.enter_context(client).get("/api/games").status_code for client in clients]


def introduce(server: Server, addresses: list[str]) -> list[int]:
    """The statuses of requests for a new identity, from clients with these addresses."""
    ada = {"name": "Ada", "program": True}
    with httpx.Client(base_url=server.address, verify=NO_TLS, timeout=TIMEOUT) as client:
        answers = [client.post("/api/me", json=ada, headers={"X-Forwarded-For": address}) for address in addresses]
    return [answer.status_code for answer in answers]


def watch(server: Server, table: str, addresses: list[str]) -> list[str]:
    """How sockets of clients with these addresses begin, all of them open at once: with the table, or why not."""
    url = socket_url(server.address, table)
    sockets = [Socket(url, {"X-Forwarded-For": address}, hello=False) for address in addresses]
    firsts = []
    for socket in sockets:
        with contextlib.suppress(ConnectionClosed):
            socket.send(type="hello", lines=0)
        firsts.append(socket.receive())
    for socket in sockets:
        socket.close()
    return [first.get("code", first["type"]) for first in firsts]


@needs_namespaces
@pytest.mark.parametrize("named", ["{0}", "192.0.2.1, {0}", "{0}/32,2001:db8::/32", "*"])
def test_threat_26_a_trusted_proxy_on_another_machine_brings_everybodys_connections(
    named: str, start_server: StartServer, network: Network, elsewhere: ThreadPoolExecutor
) -> None:
    server = start_server(host=network.here, limits=FEW, trusted_proxies=named.format(network.there))
    assert elsewhere.submit(connect, server, 12).result() == [200] * 12
    visitors = [f"198.51.100.{n}" for n in range(6)]
    assert elsewhere.submit(introduce, server, visitors).result() == [201] * 6
    assert elsewhere.submit(introduce, server, ["203.0.113.9"] * 5).result() == [201] * 3 + [429] * 2


@needs_namespaces
@pytest.mark.parametrize("trusted", [None, "192.0.2.0/24", ""])
def test_threat_26_a_peer_that_nobody_trusts_is_one_client(
    trusted: str | None, start_server: StartServer, network: Network, elsewhere: ThreadPoolExecutor
) -> None:
    settings = {"public_url": "https://cards.example", "allow_hosts": (network.here,), "trusted_proxies": trusted}
    server = start_server(host=network.here, limits=FEW, **settings)
    assert sorted(elsewhere.submit(connect, server, 12).result()) == [200] * 5 + [503] * 7
    wait_until(lambda: server.app.state.connection_limits.open == 0)
    visitors = [f"198.51.100.{n}" for n in range(5)]
    assert elsewhere.submit(introduce, server, visitors).result() == [201] * 3 + [429] * 2


@needs_namespaces
@pytest.mark.parametrize("is_trusted", [True, False])
def test_threat_26_sockets_count_by_the_address_that_a_trusted_proxy_names(
    is_trusted: bool, start_server: StartServer, network: Network, elsewhere: ThreadPoolExecutor
) -> None:
    limits = replace(GENEROUS, sockets_per_address=2)
    server = start_server(host=network.here, limits=limits, trusted_proxies=network.there if is_trusted else "")
    table = Guest(server.address).open("mantis", 2)
    addresses = [*(f"198.51.100.{n}" for n in range(4)), *["203.0.113.9"] * 3]
    seen = elsewhere.submit(watch, server, table, addresses).result()
    assert seen == (["table"] * 6 if is_trusted else ["table"] * 2) + ["too-many-sockets"] * (1 if is_trusted else 5)


def test_a_proxy_that_is_named_replaces_this_machine() -> None:
    few = replace(FEW, connections_per_address=1)
    limits = ConnectionLimits(ServerSettings(limits=few, trusted_proxies="10.0.0.0/8,2001:db8::5"), float)
    proxies, clients = ["10.1.2.3", "::ffff:10.1.2.3", "2001:db8::5"], ["127.0.0.1", "2001:db8:1::6"]
    assert all(limits.admit(each) for each in proxies * 2)
    assert [limits.admit(each) is None for each in clients * 2] == [False, False, True, True]


@pytest.mark.parametrize("wrong", ["proxy.example", "10.0.0.1/8", "10.0.0.1;10.0.0.2", "*,10.0.0.1", "10.0.0.1,"])
def test_a_list_of_proxies_that_would_be_ignored_is_refused(
    wrong: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", wrong)
    assert run(["serve", "--data", str(tmp_path)]) == 2
    assert "--trusted-proxies" in capsys.readouterr().err
