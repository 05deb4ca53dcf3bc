"""What deploy/cluster/compose.yaml starts, started without containers: the same programs with the same settings, and a
game through Caddy. Names of services become addresses of this machine; the rest is read from the files."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml  # type: ignore[import-untyped]

from tests.ports import free_port, lasting_port
from tests.postgresql import PASSWORD, Postgres, programs
from tests.server.clients import Guest, Socket, seat_everybody, socket_url, start
from tests.server.test_operators import play
from tests.server.test_proxies_postgresql import CONFIGURATIONS, PROXIES, READY_WITHIN, answers, proxy, wait_for

CONTAINERFILE = CONFIGURATIONS.parent / "Containerfile"
HERE = "127.0.0.1"
pytestmark = pytest.mark.slow


def described(**given: str) -> dict[str, Any]:
    """The services, with what the operator has given."""
    text = (CONFIGURATIONS / "compose.yaml").read_text()
    text = re.sub(r"\$\{(\w+)(?::-([^}]*)|:\?[^}]*)?\}", lambda found: given.get(found[1]) or found[2], text)
    services: dict[str, Any] = yaml.safe_load(text)["services"]
    return services


@contextlib.contextmanager
def running(
    command: list[str], log: Path, environment: dict[str, str] | None = None
) -> Iterator[subprocess.Popen[Any]]:
    with log.open("wb") as output:
        process = subprocess.Popen(command, env=environment, stdout=output, stderr=output)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def image() -> tuple[dict[str, str], list[str]]:
    """Settings and command of the image."""
    text = CONTAINERFILE.read_text()
    settings = re.search(r"^ENV (.*)$", text, re.MULTILINE)
    command = re.search(r"^CMD (\[.*\])$", text, re.MULTILINE)
    assert settings is not None
    assert command is not None
    return dict(each.split("=", 1) for each in shlex.split(settings[1])), json.loads(command[1])


def upstreams() -> list[str]:
    """The nodes as Caddy knows them."""
    found = re.search(r"reverse_proxy (.*) \{", (CONFIGURATIONS / "Caddyfile").read_text())
    assert found is not None
    return found[1].split()


def test_no_container_gets_the_address_of_the_proxy() -> None:
    """The proxy starts last: addresses that nobody asked for come from a range without its own."""
    compose = yaml.safe_load((CONFIGURATIONS / "compose.yaml").read_text())
    (addresses,) = compose["networks"]["inside"]["ipam"]["config"]
    its_own = ip_address(compose["services"]["proxy"]["networks"]["inside"]["ipv4_address"])
    assert its_own in ip_network(addresses["subnet"])
    assert its_own not in ip_network(addresses["ip_range"])


@pytest.mark.skipif("caddy" not in PROXIES, reason="without proxies")
def test_the_services_of_the_cluster_play_a_game_together(tmp_path: Path, database: Postgres) -> None:
    bus, site = lasting_port(), free_port()
    services = described(POSTGRES_PASSWORD=PASSWORD, REDIS_PASSWORD="open-bus", TAVOLINO_SITE=f"localhost:{site}")
    variables = services["database"]["environment"]
    assert database.url(variables["POSTGRES_DB"], variables["POSTGRES_PASSWORD"]) == database.new_database(
        variables["POSTGRES_DB"]
    )
    _, check, *words = services["database"]["healthcheck"]["test"]
    subprocess.run([programs() / check, *words, "-h", HERE, "-p", str(database.port)], check=True, capture_output=True)

    of_image, (program, *serve) = image()
    names = {
        "@database/": f"@{HERE}:{database.port}/",
        "@bus:6379/": f"@{HERE}:{bus}/",
        services["proxy"]["networks"]["inside"]["ipv4_address"]: HERE,
    }
    ports = [lasting_port(), lasting_port()]
    with contextlib.ExitStack() as stack:
        redis = [*services["bus"]["command"], "--port", str(bus), "--bind", HERE]
        stack.enter_context(running(redis, tmp_path / "bus.log"))
        wait_for(lambda: answers(bus), (tmp_path / "bus.log").read_text)
        nodes = []
        for number, port in enumerate(ports, 1):
            settings = of_image | services[f"node-{number}"]["environment"]
            for name, value in settings.items():
                for ours, address in names.items():
                    settings[name] = settings[name].replace(ours, address) if isinstance(value, str) else value
            # The folders of the image are this machine's here.
            settings |= {
                "TAVOLINO_HOST": HERE,
                "TAVOLINO_PORT": str(port),
                "TAVOLINO_DATA": str(tmp_path / f"{number}"),
            }
            command = [str(Path(sys.executable).with_name(program)), *serve]
            log = tmp_path / f"node-{number}.log"
            nodes.append(stack.enter_context(running(command, log, os.environ | settings)))
        for number, port in enumerate(ports, 1):
            wait_for(
                lambda port=port: httpx.get(f"http://{HERE}:{port}/readyz").status_code == 200,  # type: ignore[misc]
                (tmp_path / f"node-{number}.log").read_text,
                READY_WITHIN,
            )
            # As Caddy asks, when it finds the node by its name.
            called = {"Host": upstreams()[number - 1]}
            assert httpx.get(f"http://{HERE}:{port}/readyz", headers=called).status_code == 200
        address = stack.enter_context(proxy("caddy", tmp_path / "proxy", ports, site))
        people = [Guest(address, who) for who in ("Ada", "Bruno")]
        table = seat_everybody(people, "mantis")
        start(people, table)

        def come() -> list[Socket]:
            return [Socket(socket_url(address, table), person.headers) for person in people]

        sockets = come()
        for turn in range(4):
            play(sockets, turn)
        nodes[0].send_signal(signal.SIGTERM)
        grace = services["node-1"]["stop_grace_period"]
        assert nodes[0].wait(int(grace.removesuffix("s"))) == -signal.SIGTERM, "uvicorn ends by the signal that it got"
        wait_for(lambda: people[0].http.get(f"/api/tables/{table}").status_code == 200)
        sockets = come()
        for turn in range(4, 7):
            play(sockets, turn)
        said = "".join(log.read_text() for log in tmp_path.glob("*.log"))
        assert PASSWORD not in said
        assert "open-bus" not in said
