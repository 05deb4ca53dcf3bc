"""The seconds around a restart: what clients get while a server stops, and while it starts."""

from __future__ import annotations

import asyncio
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from tavolino.server.games.library import Library
from tests.server.clients import Guest, dealt_table, people_in_play
from tests.server.conftest import Server
from tests.server.killing import KillableServer
from tests.server.raw import wait_until
from tests.server.test_example import load_example

StartServer = Callable[..., Server]


@pytest.fixture
def starting(
    start_server: StartServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[Server, list[httpx.Client], str]:
    """A server that has just started again: a game of two is stored, and its rules are not ready yet."""
    server = start_server(tmp_path / "data").ready("mantis")
    people = [Guest(server.address, name) for name in ("Ada", "Bruno")]
    table = dealt_table(people, "mantis", first_seat=0)
    server.stop()

    async def not_yet(self: Library, in_subprocesses: bool, tried: Any) -> None:
        pass

    with monkeypatch.context() as patched:
        patched.setattr(Library, "warm_up", not_yet)
        again = start_server(tmp_path / "data")
    for person in people:
        person.http.base_url = httpx.URL(again.address)
    return again, [person.http for person in people], table


COMMANDS: list[dict[str, Any]] = [
    {"type": "move", "turn": 0, "action": "score"},
    {"type": "resign"},
    {"type": "notebook"},
    {"type": "remark", "key": "any"},
]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command["type"])
def test_what_needs_the_cards_is_put_off_while_they_are_loaded(
    starting: tuple[Server, list[httpx.Client], str], command: dict[str, Any]
) -> None:
    server, (ada, _), table = starting
    answer = ada.post(f"/api/tables/{table}/commands", json=command)
    assert answer.status_code == 503
    assert answer.json()["code"] == "still-compiling"
    assert answer.headers["retry-after"]
    play = ada.get(f"/api/tables/{table}/play")
    assert play.status_code == 503
    assert play.headers["retry-after"]
    assert server.registry.tables[table].state.phase == "playing"


def test_a_game_is_played_before_worlds_can_be_drawn(start_server: StartServer, tmp_path: Path) -> None:
    server = start_server(tmp_path / "data").ready("mantis")
    ada, bruno = (Guest(server.address, name) for name in ("Ada", "Bruno"))
    table = dealt_table([ada, bruno], "mantis", first_seat=0)
    library = server.context.library
    server.run(lambda: library._with_worlds.discard("mantis"))

    def ask(command: dict[str, Any]) -> httpx.Response:
        return ada.http.post(f"/api/tables/{table}/commands", json=command)

    for put_off in ({"type": "notebook"}, {"type": "hint"}, {"type": "offers"}):
        answer = ask(put_off)
        assert (answer.status_code, answer.json()["code"]) == (503, "still-compiling")
    assert ask({"type": "move", "turn": 0, "action": "score"}).status_code == 200
    server.run(lambda: library._prepare_worlds("mantis"))
    assert ask({"type": "notebook"}).status_code == 200


def test_resigning_in_a_game_of_two_ends_it_also_right_after_a_restart(
    starting: tuple[Server, list[httpx.Client], str],
) -> None:
    server, (ada, bruno), table = starting
    assert ada.post(f"/api/tables/{table}/commands", json={"type": "resign"}).status_code == 503
    server.run(lambda: server.context.library._make_ready("mantis", in_subprocess=False))
    assert ada.post(f"/api/tables/{table}/commands", json={"type": "resign"}).status_code == 200
    shown = bruno.get(f"/api/tables/{table}").json()
    assert shown["phase"] == "ended"
    assert shown["ending"]["winners"] == [1]


@pytest.mark.timeout(120)
def test_long_polls_are_answered_when_the_server_stops(tmp_path: Path) -> None:
    server = KillableServer(tmp_path)
    server.start()
    answers: list[httpx.Response] = []
    try:
        people = [Guest(server.address, name) for name in ("Ada", "Bruno")]
        table = dealt_table(people, "mantis", first_seat=0)

        def poll() -> None:
            path = f"{server.address}/api/tables/{table}/play?turn=0&wait=25"
            answers.append(httpx.get(path, headers=people[1].headers, timeout=30, verify=False))

        polls = [threading.Thread(target=poll) for _ in range(5)]
        for each in polls:
            each.start()
        time.sleep(1)
        assert answers == []
        began = time.monotonic()
        server.end(signal.SIGTERM)
        for each in polls:
            each.join()
        assert time.monotonic() - began < 5
    finally:
        server.close()
    assert [answer.status_code for answer in answers] == [503] * 5
    assert {answer.json()["code"] for answer in answers} == {"stopping"}
    assert all(answer.headers["retry-after"] for answer in answers)


@pytest.mark.slow
@pytest.mark.timeout(180)
def test_the_example_outlives_a_server_that_is_stopped_and_started_again_while_it_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server, example, asked = KillableServer(tmp_path), load_example(), 0
    server.start()

    def restart() -> None:
        time.sleep(0.02)  # the next poll is on its way
        server.end(signal.SIGTERM)
        server.start()

    restarts: list[threading.Thread] = []

    def restart_now_and_then(view: dict[str, Any]) -> str:
        nonlocal asked
        asked += 1
        if asked in (2, 5):
            for each in restarts:
                each.join()
            restarts.append(threading.Thread(target=restart))
            restarts[-1].start()
        action: str = view["legal"][0]
        return action

    monkeypatch.setattr(example, "choose", restart_now_and_then)
    try:
        assert example.play(server.address, "mantis")["how"] == "played"
        for each in restarts:
            each.join()
        assert len(restarts) == 2
    finally:
        server.kill()
        server.close()


def test_tables_of_a_game_wake_without_waiting_for_other_games(
    start_server: StartServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Compiling can take long on a busy machine: bots of a game that is ready must not wait for it."""
    server = start_server(tmp_path / "data").ready("mantis")
    _, table = people_in_play(server.address, seconds_per_move=3600)
    server.stop()
    make_ready = Library._make_ready

    async def never_ready(library: Library, name: str, in_subprocess: bool) -> None:
        if name != "mantis":
            await asyncio.Event().wait()
        await make_ready(library, name, in_subprocess)

    monkeypatch.setattr(Library, "_make_ready", never_ready)
    server = start_server(tmp_path / "data").ready("mantis")
    wait_until(lambda: table in server.registry.tables)
    assert not server.context.library.is_ready("splendor-marvel")
