"""Nodes as processes of their own: killed, paused, sent away, and a Redis that dies (decision 052)."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.ports import lasting_port
from tests.postgresql import PASSWORD, Postgres
from tests.redis import PASSWORD as BUS_PASSWORD
from tests.redis import Redis
from tests.server.clients import NO_TLS, Guest, Socket, socket_url
from tests.server.test_nodes_postgresql import wait_for

pytestmark = pytest.mark.slow


class Node:
    """`tavolino serve` on a shared database."""

    def __init__(self, folder: Path, database: str, bus: str) -> None:
        folder.mkdir()
        self.port, self.log = lasting_port(), folder / "log"
        self.address = f"http://127.0.0.1:{self.port}"
        environment = {
            **os.environ, "TAVOLINO_DATABASE": database, "TAVOLINO_BUS": bus, "TAVOLINO_DATA": str(folder),
            "TAVOLINO_BOT_SECONDS": "0.05", "TAVOLINO_DRAIN_SECONDS": "1", "TAVOLINO_LOG_LEVEL": "debug",
        }  # fmt: skip
        command = [sys.executable, "-m", "tavolino", "serve", "--port", str(self.port)]
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(command, env=environment, stdout=log, stderr=log)

    def wait_until_ready(self) -> None:
        with httpx.Client(verify=NO_TLS) as client:

            def is_ready() -> bool:
                assert self.process.poll() is None, self.log.read_text()[-2000:]
                try:
                    return client.get(f"{self.address}/readyz").status_code == 200
                except httpx.TransportError:
                    return False

            wait_for(is_ready, seconds=600)  # the first start compiles

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)
            self.process.kill()
        self.process.wait(30)


@pytest.fixture
def processes(tmp_path: Path, database: Postgres, bus: Redis) -> Iterator[Callable[[int], list[Node]]]:
    running: list[Node] = []

    def start(count: int) -> list[Node]:
        url = database.new_database()
        running.extend(Node(tmp_path / str(n), url, bus.url) for n in range(count))
        for node in running:
            node.wait_until_ready()
        return running

    yield start
    for node in running:
        node.stop()


def game_with_bots(node: Node) -> tuple[Guest, str]:
    ada = Guest(node.address)
    table = ada.open("mantis", 4, bots={str(seat): "easy" for seat in (1, 2, 3)})
    ada.do(table, "salt", salt="0" * 64)
    ada.do(table, "start")
    return ada, table


def play_on(socket: Socket, turns: int, choose: Callable[[list[str]], str] = min) -> bool:
    """Move some times, with the bots in between; False when the game is over."""
    done = 0
    while done < turns:
        play = socket.play or socket.until("play")
        if play["view"]["over"]:
            return False
        if play["view"]["legal"]:
            answer = socket.ask(type="move", turn=play["turn"], action=choose(play["view"]["legal"]))
            assert answer["type"] == "accepted", answer
            socket.until_turn(play["turn"] + 1)
            done += 1
        else:
            socket.until_turn(play["turn"] + 1)
    return True


def at(node: Node, person: Guest, table: str) -> Socket:
    return Socket(socket_url(node.address, table), person.headers)


def record(node: Node, table: str) -> dict[str, Any]:
    answer: dict[str, Any] = httpx.get(f"{node.address}/api/tables/{table}/play", verify=NO_TLS).json()
    return answer


def test_bots_of_a_killed_node_go_on_at_another(processes: Callable[[int], list[Node]]) -> None:
    first, second = processes(2)
    ada, table = game_with_bots(first)
    socket = at(second, ada, table)
    assert play_on(socket, 1)
    first.process.kill()
    killed = time.monotonic()
    ada.http.base_url = second.address
    assert play_on(socket, 1)
    print(f"moved again {time.monotonic() - killed:.1f} s after the kill")


def test_a_paused_node_that_wakes_up_writes_nothing(processes: Callable[[int], list[Node]]) -> None:
    first, second = processes(2)
    ada, table = game_with_bots(first)
    socket = at(second, ada, table)
    assert play_on(socket, 1)
    first.process.send_signal(signal.SIGSTOP)
    play_on(socket, 2)  # bots move in between: the other has taken the table over
    first.process.send_signal(signal.SIGCONT)
    play_on(socket, 3)
    wait_for(lambda: record(first, table)["turn"] == record(second, table)["turn"])
    assert socket.close_code is None
    for node in (first, second):
        assert "Traceback" not in node.log.read_text()


def test_play_goes_on_while_redis_is_dead_and_after(processes: Callable[[int], list[Node]], bus: Redis) -> None:
    first, second = processes(2)
    ada, table = game_with_bots(first)
    socket = at(second, ada, table)
    play_on(socket, 1)
    bus.stop()
    play_on(socket, 2)
    bus.start()
    play_on(socket, 2)
    for node in (first, second):
        said = node.log.read_text()
        assert "Traceback" not in said
        assert PASSWORD not in said
        assert BUS_PASSWORD not in said


def test_a_node_that_is_told_to_stop_says_so_and_ends(processes: Callable[[int], list[Node]]) -> None:
    first, second = processes(2)
    ada, table = game_with_bots(first)
    socket = at(first, ada, table)
    play_on(socket, 1)
    first.process.terminate()
    socket.drain(quiet=10)
    assert (socket.closed, socket.close_code) == ("stopping", 1012)
    assert first.process.wait(30) in (0, -signal.SIGTERM)
    assert '"event": "stopped"' in first.log.read_text()
    play_on(at(second, ada, table), 2)
