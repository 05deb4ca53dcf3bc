"""Time at the tables: clocks, stand-ins, abandoned tables, time that does not pass while the server is down."""

from __future__ import annotations

import asyncio
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from tavolino.engine.match import Match
from tavolino.server.features.rooms import room_notes
from tavolino.server.protocol import Level
from tavolino.server.settings import Pace
from tests.server.clients import Guest, dealt_table, seat_everybody, start
from tests.server.conftest import Clock, Server
from tests.server.killing import KillableServer

StartServer = Callable[..., Server]


def timed_table(server: Server, seconds: int = 60) -> tuple[list[Guest], str]:
    people = [Guest(server.address, name) for name in ("Ada", "Bruno")]
    table = dealt_table(people, "mantis", first_seat=0, seconds_per_move=seconds)
    return people, table


def poke(server: Server, table: str) -> None:
    """Make the table look at the clock again: its own timer runs on real time."""
    from tavolino.server.kernel.inbox import Tick

    server.run(lambda: server.registry.tables[table].post(Tick()))


def test_a_clock_that_runs_out_brings_a_bot_until_the_player_is_back(start_server: StartServer) -> None:
    clock = Clock()
    server = start_server(clock=clock).ready("mantis")
    people, table = timed_table(server)
    with people[1].socket(table) as socket:
        shown = socket.until("play")
        assert shown["clock"]["seat"] == 0
        assert 50_000 < shown["clock"]["ms_left"] <= 60_000
        clock.advance(59)
        poke(server, table)
        assert server.registry.tables[table].turn == 0
        clock.advance(2)
        poke(server, table)
        socket.until_turn(1)
        assert server.registry.tables[table].state.places[0].stand_in
    people[0].do(table, "back")
    assert not server.registry.tables[table].state.places[0].stand_in


def test_a_move_by_the_player_takes_the_seat_back(start_server: StartServer) -> None:
    clock = Clock()
    server = start_server(clock=clock, pace=Pace(600, 0)).ready("mantis")  # the stand-in takes its time
    people, table = timed_table(server)
    live = server.registry.tables[table]
    clock.advance(61)
    poke(server, table)
    with people[1].socket(table) as socket:
        while not live.state.places[0].stand_in:
            socket.receive()
        people[0].do(table, "move", turn=0, action="score")
        assert not live.state.places[0].stand_in
        assert socket.until_turn(1)["view"]["to_act"] == 1


def test_whoever_is_late_cannot_win_time_by_coming_back(
    start_server: StartServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, may_move = Clock(), threading.Event()
    server = start_server(clock=clock).ready("mantis")
    choose = server.context.bots.choose

    async def choose_when_allowed(match: Match, seat: int, level: Level) -> str:
        while not may_move.is_set():  # a pace in seconds may be over before the player has tried everything
            await asyncio.sleep(0.01)
        return await choose(match, seat, level)

    monkeypatch.setattr(server.context.bots, "choose", choose_when_allowed)
    people, table = timed_table(server)
    live = server.registry.tables[table]
    with people[1].socket(table) as socket:
        socket.until("play")
        clock.advance(61)
        poke(server, table)
        while not live.state.places[0].stand_in:
            socket.receive()
        people[0].do(table, "back")
        with people[0].socket(table) as own:  # nor does a new page help
            own.until("play")
        assert live.state.places[0].stand_in
        may_move.set()
        socket.until_turn(1)  # the stand-in has moved
    people[0].do(table, "back")
    assert not live.state.places[0].stand_in


def test_leaving_and_coming_back_buys_no_time(start_server: StartServer) -> None:
    clock = Clock()
    server = start_server(clock=clock).ready("mantis")
    people, table = timed_table(server)
    clock.advance(40)
    people[0].do(table, "leave")
    people[0].do(table, "back")
    left = people[0].http.get(f"/api/tables/{table}/play").json()["clock"]["ms_left"]
    assert left <= 20_000


def test_clocks_stand_still_while_the_server_is_down(start_server: StartServer, tmp_path: Path) -> None:
    clock = Clock()
    server = start_server(tmp_path / "data", clock=clock).ready("mantis")
    people, table = timed_table(server)
    clock.advance(20)
    server.stop()
    clock.pause(3_600)
    again = start_server(tmp_path / "data", clock=clock).ready("mantis")
    play = httpx.get(f"{again.address}/api/tables/{table}/play", headers=people[0].headers).json()
    assert 35_000 < play["clock"]["ms_left"] <= 40_500


def test_a_table_without_a_move_for_thirty_days_is_closed_and_its_secret_revealed(
    start_server: StartServer,
) -> None:
    clock = Clock()
    server = start_server(clock=clock).ready("mantis")
    people = [Guest(server.address, name) for name in ("Ada", "Bruno")]
    table = seat_everybody(people, "mantis", first_seat=0)
    start(people, table)
    with people[0].socket(table) as socket:
        socket.until("play")
        clock.advance(29 * 86_400)
        server.run(server.housekeeping.sweep)
        assert server.registry.tables[table].state.phase == "playing"
        clock.advance(2 * 86_400)
        server.run(server.housekeeping.sweep)
        ended = socket.until_phase("ended")
    assert ended["ending"]["how"] == "abandoned"
    assert ended["fairness"]["secret"] is not None
    assert people[0].http.get(f"/api/tables/{table}/record").status_code == 200


def test_finished_tables_are_removed_after_keep_days(start_server: StartServer) -> None:
    clock = Clock()
    server = start_server(clock=clock, keep_days=7).ready("mantis")
    people = [Guest(server.address, name) for name in ("Ada", "Bruno")]
    table = dealt_table(people, "mantis")
    people[0].do(table, "resign")
    people[0].do(table, "note", variation=None, move=0, text="Here?")
    clock.advance(6 * 86_400)
    server.run(server.housekeeping.sweep)
    assert people[0].http.get(f"/api/tables/{table}").status_code == 200
    clock.advance(2 * 86_400)
    server.run(server.housekeeping.sweep)
    assert people[0].http.get(f"/api/tables/{table}").status_code == 404
    assert people[0].http.get("/api/me/tables").json()["finished"] == []
    assert server.run(lambda: server.context.storage.items_called(room_notes.name_of(table))) == {}


def test_an_idle_table_leaves_memory_and_comes_back(start_server: StartServer) -> None:
    clock = Clock()
    server = start_server(clock=clock).ready("mantis")
    ada = Guest(server.address)
    table = ada.open("mantis", 2)
    clock.advance(1_000)
    server.run(server.housekeeping.sweep)
    assert table not in server.registry.tables
    assert ada.http.get(f"/api/tables/{table}").json()["phase"] == "waiting"


# -- clocks that are wrong


@pytest.mark.parametrize("jump", [3_600, -3_600, 400 * 86_400])
def test_threat_40_no_bot_moves_for_a_player_because_the_wall_clock_was_set(
    start_server: StartServer, jump: int
) -> None:
    clock = Clock()
    server = start_server(clock=clock).ready("mantis")
    people, table = timed_table(server)
    clock.set_wall(jump)
    poke(server, table)
    left = people[0].http.get(f"/api/tables/{table}/play").json()["clock"]["ms_left"]
    assert 50_000 < left <= 60_000
    clock.advance(61)  # and the clock does not stand still, either
    poke(server, table)
    with people[1].socket(table) as socket:
        socket.until_turn(1)


def test_threat_40_no_bot_moves_for_a_player_because_the_server_was_stopped_for_a_while(
    start_server: StartServer,
) -> None:
    clock = Clock()
    server = start_server(clock=clock).ready("mantis")
    people, table = timed_table(server)
    server.run(lambda: clock.pause(90))
    poke(server, table)
    assert people[0].http.get(f"/api/tables/{table}/play").json()["clock"]["ms_left"] > 50_000
    people[0].do(table, "move", turn=0, action="score")
    moved = server.registry.tables[table].state
    assert not moved.places[0].stand_in


@pytest.mark.parametrize("jump", [-86_400, 400 * 86_400])
def test_threat_40_a_start_with_a_wrong_clock_rings_nothing_ends_nothing_and_removes_nothing(
    start_server: StartServer, tmp_path: Path, jump: int
) -> None:
    clock = Clock()
    server = start_server(tmp_path / "data", clock=clock, keep_days=1).ready("mantis")
    people, table = timed_table(server)
    others = [Guest(server.address, name) for name in ("Celina", "Dario")]
    finished = dealt_table(others, "mantis")
    others[0].do(finished, "resign")
    server.stop()
    clock.set_wall(jump)
    again = start_server(tmp_path / "data", clock=clock, keep_days=1).ready("mantis")
    again.run(again.housekeeping.sweep)
    play = httpx.get(f"{again.address}/api/tables/{table}/play", headers=people[0].headers).json()
    assert play["clock"]["ms_left"] > 50_000
    assert httpx.get(f"{again.address}/api/tables/{table}").json()["phase"] == "playing"
    assert httpx.get(f"{again.address}/api/tables/{finished}").status_code == 200


def test_threat_40_four_hundred_days_ahead_for_forty_seconds_ends_and_removes_nothing(
    start_server: StartServer,
) -> None:
    clock = Clock()
    server = start_server(clock=clock, keep_days=7).ready("mantis")
    people, table = timed_table(server, seconds=7 * 86_400)
    gone = [Guest(server.address, name) for name in ("Celina", "Dario")]
    finished = dealt_table(gone, "mantis")
    gone[0].do(finished, "resign")
    clock.set_wall(400 * 86_400)
    for _ in range(4):
        clock.advance(10)
        server.run(clock.tick)
        server.run(server.housekeeping.sweep)
    clock.set_wall(-400 * 86_400)
    server.run(server.housekeeping.sweep)
    assert people[0].http.get(f"/api/tables/{table}").json()["phase"] == "playing"
    assert people[0].http.get(f"/api/tables/{finished}").status_code == 200


@pytest.mark.slow
@pytest.mark.timeout(240)
def test_threat_40_a_real_process_that_is_stopped_longer_than_a_move_takes_lets_no_bot_move(tmp_path: Path) -> None:
    server = KillableServer(tmp_path)
    server.start()
    try:
        people = [Guest(server.address, name) for name in ("Ada", "Bruno")]
        table = seat_everybody(people, "mantis", first_seat=0, seconds_per_move=30)
        start(people, table)
        with people[1].socket(table) as socket:
            socket.until("play")
            server.send(signal.SIGSTOP)
            time.sleep(35)
            server.send(signal.SIGCONT)
            time.sleep(1)
            play = people[0].http.get(f"/api/tables/{table}/play").json()
            assert play["turn"] == 0
            assert play["clock"]["ms_left"] > 20_000
            people[0].do(table, "move", turn=0, action="score")
    finally:
        server.kill()
        server.close()
