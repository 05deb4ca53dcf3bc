"""A server that ran out of descriptors recovers by itself: failures of that time are not cached."""

from __future__ import annotations

import contextlib
import json
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.ports import free_port
from tests.server.clients import Guest
from tests.server.conftest import Server, compile_games
from tests.server.raw import wait_until

DESCRIPTORS = 256
LONG = 240.0
# The server with few descriptors. While the file `taken` exists in the data folder all of them are used up; the file
# `take` asks for that, once connections are accepted.
PROGRAM = """
import os, resource, sys, threading, time
from pathlib import Path
port, data, few, warm_up = int(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), sys.argv[4] == "warm"
resource.setrlimit(resource.RLIMIT_NOFILE, (few, few))
from tavolino.server.main import run
from tavolino.server.settings import Pace, ServerSettings
held = []

def take_all():
    try:
        while True:
            held.append(os.open("/dev/null", os.O_RDONLY))
    except OSError:
        pass

def follow():
    while True:
        if (data / "take").exists():
            take_all()
            (data / "take").rename(data / "taken")
        elif (data / "taken").exists():
            take_all()  # what others have closed meanwhile
        else:
            while held:
                os.close(held.pop())
        time.sleep(0.001)

def on_open():
    if (data / "take").exists():
        take_all()
    threading.Thread(target=follow, daemon=True).start()

run(ServerSettings(port=port, data=data, log_format="json", pace=Pace(0, 0), warm_up=warm_up), on_open)
"""


class LimitedServer:
    """A server process with few descriptors."""

    def __init__(self, data: Path, warm_up: bool = True, take: bool = False) -> None:
        compile_games()
        self.data, self.port = data, free_port()
        data.mkdir()
        if take:
            (data / "take").touch()
        self.address = f"http://127.0.0.1:{self.port}"
        self.log = data / "log"
        with self.log.open("wb") as log:
            call = [
                sys.executable,
                "-c",
                PROGRAM,
                str(self.port),
                str(data),
                str(DESCRIPTORS),
                "warm" if warm_up else "cold",
            ]
            self.process = subprocess.Popen(call, stderr=log, stdout=log)

    def events(self) -> list[dict[str, Any]]:
        lines = self.log.read_text().splitlines()
        return [json.loads(line) for line in lines if line.startswith("{") and line.endswith("}")]

    def has_logged(self, event: str) -> bool:
        assert self.process.poll() is None, self.log.read_text()[-2000:]
        return any(event in each["event"] for each in self.events())

    def health(self, source: str = "127.0.0.1") -> httpx.Response | None:
        transport = httpx.HTTPTransport(local_address=source)
        with contextlib.suppress(httpx.TransportError), httpx.Client(transport=transport, timeout=20) as client:
            return client.get(f"{self.address}/healthz")
        return None

    def is_well(self, source: str = "127.0.0.1") -> bool:
        answer = self.health(source)
        return answer is not None and answer.status_code == 200 and all(answer.json()["games"].values())

    def take_descriptors(self) -> None:
        (self.data / "take").touch()
        wait_until((self.data / "taken").exists)

    def give_back(self) -> None:
        (self.data / "taken").unlink()

    def stop(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


@pytest.fixture
def start_limited(tmp_path: Path) -> Iterator[Callable[..., LimitedServer]]:
    started: list[LimitedServer] = []

    def start(**how: bool) -> LimitedServer:
        started.append(LimitedServer(tmp_path / "data", **how))
        return started[-1]

    yield start
    for server in started:
        server.stop()


def test_threat_30_a_flood_of_connections_during_the_start_keeps_no_game_from_being_ready(
    start_limited: Callable[..., LimitedServer],
) -> None:
    limited = start_limited()
    held: list[socket.socket] = []
    end = time.monotonic() + LONG
    try:
        while len(held) < 3 * DESCRIPTORS:  # from the first moment on
            assert time.monotonic() < end
            try:
                held.append(socket.create_connection(("127.0.0.1", limited.port), 5))
            except OSError:
                time.sleep(0.01)
        wait_until(lambda: limited.is_well("127.0.0.2"), LONG)  # another address
        assert not limited.has_logged("cannot be loaded")
        for _ in range(DESCRIPTORS):  # all places that there are, by a third address
            with contextlib.suppress(OSError):
                held.append(socket.create_connection(("127.0.0.1", limited.port), 5, ("127.0.0.4", 0)))
        used = len(list(Path(f"/proc/{limited.process.pid}/fd").iterdir()))
        assert DESCRIPTORS - used >= 64, "some are kept for the storage, files and child processes"
    finally:
        for each in held:
            each.close()


@pytest.mark.slow
def test_threat_30_games_that_could_not_be_loaded_are_tried_again(start_limited: Callable[..., LimitedServer]) -> None:
    limited = start_limited(take=True)
    wait_until(lambda: limited.has_logged("cannot be loaded") or limited.has_logged("game ready"), LONG)
    limited.give_back()
    wait_until(limited.is_well, LONG)


def test_threat_30_hints_and_hard_bots_come_back_and_meanwhile_a_weaker_one_plays(
    start_limited: Callable[..., LimitedServer],
) -> None:
    limited = start_limited(warm_up=False)
    wait_until(limited.is_well, LONG)
    ada = Guest(limited.address)
    ada.http.timeout = LONG
    table = ada.open("mantis", 2, bots={"1": "hard"}, first_seat=0, hints=True)
    ada.do(table, "salt", salt="0" * 64)
    ada.do(table, "start")

    def play() -> dict[str, Any]:
        found: dict[str, Any] = ada.http.get(f"/api/tables/{table}/play").json()
        return found

    def is_asked() -> bool:
        return bool(play().get("view", {}).get("legal"))

    wait_until(is_asked, LONG)
    limited.take_descriptors()
    assert ada.command(table, "hint").status_code == 500
    ada.do(table, "move", turn=0, action="score")
    wait_until(lambda: play()["turn"] > 1, LONG)  # the bot has moved
    assert "tavolino_bots_failed 0.0" not in ada.http.get("/metrics").text
    assert "tavolino_crashes_total 0.0" in ada.http.get("/metrics").text
    limited.give_back()
    wait_until(is_asked, LONG)
    wait_until(lambda: ada.command(table, "hint").status_code == 200, LONG)


def test_threat_30_health_names_a_game_that_is_not_ready(server: Server) -> None:
    library = server.context.library
    library.failed["mantis"] = "OSError: too many open files"
    try:
        answer = httpx.get(f"{server.address}/healthz")
        assert answer.status_code == 503
        assert any("mantis" in sentence for sentence in answer.json()["problems"])
    finally:
        del library.failed["mantis"]
    assert httpx.get(f"{server.address}/healthz").status_code == 200
