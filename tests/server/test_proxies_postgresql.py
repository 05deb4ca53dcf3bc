"""Games through nginx, HAProxy and Caddy, configured as deploy/cluster says: real programs, TLS, two nodes."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.ports import free_port
from tests.postgresql import Postgres
from tests.redis import Redis
from tests.server.clients import Guest, Socket, seat_everybody, socket_url, start
from tests.server.conftest import Server
from tests.server.test_operators import StartServer, play

CONFIGURATIONS = Path(__file__).parents[2] / "deploy" / "cluster"
PROGRAMS = "/usr/local/sbin:/usr/sbin:/usr/local/bin:/usr/bin"
PATIENCE = 60.0
READY_WITHIN = 600.0  # a server loads or compiles the rules at low priority, on a busy machine
# `make test-slow` installs them; where it cannot, it says that they were left out.
PROXIES = () if os.environ.get("TAVOLINO_TEST_WITHOUT_PROXIES") else ("caddy", "haproxy", "nginx")
TCP_STATES = {"01": "established", "06": "time-wait", "08": "close-wait", "0A": "listening"}
pytestmark = pytest.mark.slow


def certificate(folder: Path) -> tuple[Path, Path]:
    key, found = folder / "key.pem", folder / "certificate.pem"
    make = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=play.example", "-days", "1"]
    subprocess.run([*make, "-keyout", key, "-out", found], check=True, capture_output=True)
    return key, found


def replaced(text: str, *pairs: tuple[str, str]) -> str:
    for old, new in pairs:
        assert re.search(old, text), f"the configuration has changed: {old}"
        text = re.sub(old, new, text)
    return text


def caddy(folder: Path, port: int, nodes: list[int]) -> tuple[list[str], str]:
    text = replaced(
        (CONFIGURATIONS / "Caddyfile").read_text(),
        ("node-1:8000 node-2:8000", " ".join(f"127.0.0.1:{node}" for node in nodes)),
        ("health_timeout 5s", "health_timeout 1m"),  # a slow answer on a busy machine must not exclude a node
    )
    # With a certificate of its own, and without the things that only one Caddy of a machine can have. `debug` says
    # which node was chosen for each request, and what came of it.
    (folder / "Caddyfile").write_text(
        f"{{\n\tdebug\n\tadmin off\n\tauto_https disable_redirects\n\tskip_install_trust\n}}\n{text}"
    )
    return ["run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")], f"https://localhost:{port}"


def haproxy(folder: Path, port: int, nodes: list[int]) -> tuple[list[str], str]:
    key, found = certificate(folder)
    found.write_text(found.read_text() + key.read_text())
    text = replaced(
        (CONFIGURATIONS / "haproxy.cfg").read_text(),
        ("/etc/ssl/play.example.pem", str(found)), ("bind :443", f"bind 127.0.0.1:{port}"),
        ("10.0.0.11:8000", f"127.0.0.1:{nodes[0]}"), ("10.0.0.12:8000", f"127.0.0.1:{nodes[1]}"),
        ("maxconn 60000", "maxconn 1000"),
        # The client runs in this process beside both nodes. On a busy machine seconds can pass between its connection
        # and its request, and until a node answers a check: this must not cause a 408 or exclude a node.
        ("timeout http-request 10s", "timeout http-request 1h"), ("timeout check 5s", "timeout check 1m"),
        # For the trace: each request with the node that was chosen, when the node has answered, and failed checks.
        ("global\n", "global\n    log stdout format raw local0\n"),
        ("mode http\n", "mode http\n    log global\n    option httplog\n    option logasap\n    "
                        "option log-health-checks\n"),
    )  # fmt: skip
    (folder / "haproxy.cfg").write_text(text)
    return ["-db", "-f", str(folder / "haproxy.cfg")], f"https://127.0.0.1:{port}"


def nginx(folder: Path, port: int, nodes: list[int]) -> tuple[list[str], str]:
    key, found = certificate(folder)
    text = replaced(
        (CONFIGURATIONS / "nginx.conf").read_text(),
        ("/etc/ssl/play.example.pem", str(found)), ("/etc/ssl/play.example.key", str(key)),
        ("listen 443", f"listen 127.0.0.1:{port}"),
        ("10.0.0.11:8000", f"127.0.0.1:{nodes[0]}"), ("10.0.0.12:8000", f"127.0.0.1:{nodes[1]}"),
    )  # fmt: skip
    places = "".join(
        f"{name}_temp_path {folder}/{name};\n" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    user = "user root;" if os.geteuid() == 0 else ""
    (folder / "nginx.conf").write_text(
        f"{user} daemon off; pid {folder}/pid; error_log {folder}/errors.log;\nevents {{}}\n"
        "http { log_format traced '$time_iso8601 $request $status by $upstream_addr: $upstream_status';\n"
        f"access_log {folder}/output.log traced;\n{places}{text}\n}}\n"
    )
    return ["-c", str(folder / "nginx.conf"), "-p", str(folder)], f"https://127.0.0.1:{port}"


CONFIGURE: dict[str, Callable[[Path, int, list[int]], tuple[list[str], str]]] = {
    "caddy": caddy, "haproxy": haproxy, "nginx": nginx,
}  # fmt: skip


@contextlib.contextmanager
def proxy(name: str, folder: Path, nodes: list[int], port: int | None = None) -> Iterator[str]:
    """The address of a proxy before these nodes."""
    program = shutil.which(name, path=PROGRAMS)
    assert program, f"{name} is missing: scripts/install-system-packages proxies says how to install it"
    folder.mkdir()
    port = port or free_port()
    arguments, address = CONFIGURE[name](folder, port, nodes)
    environment = {"HOME": str(folder), "XDG_DATA_HOME": str(folder), "PATH": PROGRAMS, "TAVOLINO_SITE": address}
    with (folder / "output.log").open("wb") as log:
        running = subprocess.Popen([program, *arguments], env=environment, stdout=log, stderr=log, cwd=folder)
    try:
        wait_for(lambda: answers(port), lambda: (folder / "output.log").read_text()[-2_000:])
        wait_for(lambda: httpx.get(f"{address}/readyz", verify=False).status_code == 200, lambda: "no node answers")
        yield address
    finally:
        running.terminate()
        running.wait(PATIENCE)


@contextlib.contextmanager
def traced(nodes: list[Server], log: Path) -> Iterator[None]:
    """Adds to a failure what is needed to explain it: which node the proxy has chosen, whether connections were
    accepted and answered, and what proxy and nodes say."""
    try:
        yield
    except Exception as error:
        ports = [port_of(node) for node in nodes]
        for node, port in zip(nodes, ports, strict=True):
            said = f"{node.address}: TCP is {'accepted' if answers(port) else 'refused'}, /livez {is_alive(node)}"
            error.add_note(f"{said}\n{node.log.getvalue()[-3_000:]}")
        error.add_note("\n".join(connections(ports)))
        error.add_note(f"the proxy:\n{log.read_text(errors='replace')[-6_000:]}")
        raise


def port_of(node: Server) -> int:
    return int(node.address.rsplit(":", 1)[1])


def is_alive(node: Server) -> str:
    try:
        return f"answers {httpx.get(f'{node.address}/livez', timeout=5).status_code}"
    except httpx.TransportError as error:
        return f"does not answer ({type(error).__name__})"


def connections(ports: list[int]) -> list[str]:
    """The TCP connections of this machine from and to these ports: state, and bytes that nobody has read."""
    found = []
    for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        _, local, remote, state, queues, *_ = line.split()
        here, there = (int(address.split(":")[1], 16) for address in (local, remote))
        if here in ports or there in ports:
            name = TCP_STATES.get(state, state)
            found.append(f"{here} -> {there}: {name}, {int(queues.split(':')[1], 16)} bytes or connections not read")
    return found


@contextlib.contextmanager
def held(port: int) -> Iterator[None]:
    """Nobody else gets a port that was free again: the proxy would take a stranger for the node that has stopped."""
    with socket.socket() as holder:
        holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        holder.bind(("127.0.0.1", port))  # without listening: connections are refused
        yield


def answers(port: int) -> bool:
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
        return True
    return False


def wait_for(
    condition: Callable[[], Any], said: Callable[[], str] = lambda: "it has not happened", patience: float = PATIENCE
) -> None:
    end = time.monotonic() + patience
    while True:
        with contextlib.suppress(httpx.TransportError):
            if condition():
                return
        assert time.monotonic() < end, said()
        time.sleep(0.05)


@pytest.mark.parametrize("name", PROXIES)
def test_a_game_is_played_through_a_proxy_at_one_node_and_goes_on_at_the_other(
    name: str, start_server: StartServer, tmp_path: Path, database: Postgres, bus: Redis
) -> None:
    url = database.new_database()
    nodes: list[Server] = [
        start_server(tmp_path / str(n), database=url, bus=bus.url, drain_seconds=0.2).ready("mantis") for n in range(2)
    ]
    ports = [port_of(node) for node in nodes]
    log = tmp_path / "proxy" / "output.log"
    with proxy(name, log.parent, ports) as address, traced(nodes, log), contextlib.ExitStack() as stack:
        people = [Guest(address, who) for who in ("Ada", "Bruno")]
        table = seat_everybody(people, "mantis")
        start(people, table)
        forged = {"X-Forwarded-For": "203.0.113.9", "X-Real-IP": "203.0.113.9"}

        def come() -> list[Socket]:
            return [Socket(socket_url(address, table), {**person.headers, **forged}) for person in people]

        sockets = come()
        for turn in range(6):
            play(sockets, turn)
        # Both are at the node that the table's id leads to, and it knows who they are.
        here = [node for node in nodes if table in node.registry.tables and len(node.registry.tables[table].viewers)]
        assert len(here) == 1
        addresses = {viewer.address for viewer in here[0].registry.tables[table].viewers}
        assert addresses <= {"127.0.0.1", "::1"}, "the proxy tells who asks, not whoever asks"
        assert people[0].http.get("/metrics").status_code == 404
        assert people[0].http.get("/").status_code in (200, 404)  # the page may not be built

        here[0].stop()
        stack.enter_context(held(port_of(here[0])))
        for each in sockets:
            each.drain(quiet=10)
            assert each.close_code is not None
        wait_for(lambda: people[0].http.get(f"/api/tables/{table}").status_code == 200)
        sockets = come()
        for turn in range(6, 9):
            play(sockets, turn)
