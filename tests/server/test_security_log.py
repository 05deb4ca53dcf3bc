"""Security events in the log: refused origins and hosts, bans."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from tests.server.clients import Guest, socket_url
from tests.server.conftest import Server

StartServer = Callable[..., Server]


def events(server: Server) -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in server.log.getvalue().splitlines()]
    return [line for line in lines if line.get("kind") == "security"]


def test_threat_66_refused_origins_and_hosts_are_in_the_log(start_server: StartServer) -> None:
    server = start_server()
    ada = Guest(server.address)
    table = ada.open("mantis", 2)
    assert events(server) == []
    ada.http.post("/api/me", json={"name": "Mallory"}, headers={"Origin": "https://evil.example"})
    ada.headers["Origin"] = "https://evil.example"
    with pytest.raises(Exception, match="403"):
        ada.socket(table)
    httpx.get(f"{server.address}/api/me", headers={"Host": "rebound.example"})
    found = events(server)
    assert [(each["reason"], each["address"], each["level"]) for each in found] == [
        ("wrong-origin", "127.0.0.1", "warning"),
        ("wrong-origin", "127.0.0.1", "warning"),
        ("wrong-host", "127.0.0.1", "warning"),
    ]
    assert found[0]["origin"] == "https://evil.example"
    assert found[2]["host"] == "rebound.example"
    assert socket_url(server.address, table).endswith(found[1]["path"])
    assert ada.token not in server.log.getvalue()


def test_threat_66_banned_people_and_addresses_are_in_the_log_when_they_come(start_server: StartServer) -> None:
    server = start_server()
    ada = Guest(server.address)
    (person,) = server.run(lambda: server.context.storage.names(list(server.context.people._names)))
    server.run(lambda: server.context.bans.add(person, server.clock.witnessed() + 60))
    assert ada.http.get("/api/me").json()["code"] == "banned"
    server.run(lambda: server.context.bans.add("127.0.0.1", server.clock.witnessed() + 60))
    assert ada.http.get("/api/games").json()["code"] == "banned"
    assert [each["reason"] for each in events(server)] == ["banned", "banned"]


def test_threat_66_one_address_cannot_fill_the_log(start_server: StartServer) -> None:
    server = start_server()
    origin = {"Origin": "https://evil.example/" + "x" * 5_000}
    for _ in range(50):
        assert httpx.post(f"{server.address}/api/me", json={}, headers=origin).status_code == 403
    found = events(server)
    assert 1 <= len(found) <= 6
    assert all(len(json.dumps(each)) < 600 for each in found)
