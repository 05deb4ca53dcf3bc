"""The two example programs that live on events play whole games against each other, and survive a restart."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.server.clients import Guest, again
from tests.server.conftest import Server
from tests.server.killing import KillableServer
from tests.server.raw import wait_until

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
PROGRAMS = {
    "python": [sys.executable, str(EXAMPLES / "play_everywhere.py")],
    "javascript": [str(ROOT / "scripts" / "with-node"), "node", str(EXAMPLES / "play_everywhere.mjs")],
}


def begin(name: str, address: str, folder: Path, *tables: str) -> subprocess.Popen[str]:
    command = [*PROGRAMS[name], address, str(folder / f"{name}.token"), *tables]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def ended(program: subprocess.Popen[str], table: str) -> bool:
    said, complaint = program.communicate(timeout=60)
    assert program.returncode == 0, complaint
    return said.startswith(table) and '"played"' in said


@pytest.mark.timeout(120)
def test_both_examples_play_a_whole_game_that_they_joined_by_its_link(server: Server, tmp_path: Path) -> None:
    server.ready("mantis")
    host = Guest(server.address)
    table = host.open("mantis", 3)
    programs = [begin(name, server.address, tmp_path, table) for name in PROGRAMS]

    def are_there() -> bool:
        return all(seat["name"] for seat in host.http.get(f"/api/tables/{table}").json()["seats"])

    wait_until(are_there, 40)
    start_as_host(host, table)
    with host.socket(table) as socket:
        while socket.until("play") and socket.play and not socket.play["view"]["over"]:
            if legal := socket.play["view"]["legal"]:
                socket.send(type="move", turn=socket.play["turn"], action=legal[0])
    assert all(ended(program, table) for program in programs)


@pytest.mark.slow
@pytest.mark.timeout(180)
@pytest.mark.parametrize("name", PROGRAMS)
def test_an_example_survives_a_server_that_is_killed_and_started_again(tmp_path: Path, name: str) -> None:
    server = KillableServer(tmp_path / "data")
    server.start()
    program = None
    try:
        host = Guest(server.address)
        table = host.open("mantis", 2, first_seat=1)
        program = begin(name, server.address, tmp_path, table)
        wait_until(lambda: bool(host.http.get(f"/api/tables/{table}").json()["seats"][1]["name"]), 40)
        start_as_host(host, table)
        wait_until(lambda: turn_of(host, table) > 0, 40)
        server.kill()
        starting = threading.Thread(target=server.start)
        starting.start()
        starting.join()
        again(host, server.address)
        while not (shown := host.http.get(f"/api/tables/{table}/play?wait=5").json())["view"]["over"]:
            if legal := shown["view"]["legal"]:
                host.command(table, "move", turn=shown["turn"], action=legal[0])
        assert ended(program, table)
    finally:
        if program is not None:
            program.kill()
        server.kill()
        server.close()


def start_as_host(host: Guest, table: str) -> None:
    host.do(table, "salt", salt="0" * 64)
    host.do(table, "start")


def turn_of(host: Guest, table: str) -> int:
    answer = host.http.get(f"/api/tables/{table}/play")
    return int(answer.json()["turn"]) if answer.status_code == 200 else -1
