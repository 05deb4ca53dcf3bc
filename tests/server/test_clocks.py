"""Time at the tables: clocks, stand-ins, abandoned tables, time that does not pass while the server is down."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import httpx

from tavolino.server.settings import Pace
from tavolino.server.storage import Run
from tavolino.server.storage.uptime import Uptime
from tests.server.clients import Guest, seat_everybody, start
from tests.server.conftest import Clock, Server

StartServer = Callable[..., Server]


def timed_table(server: Server, seconds: int = 60) -> tuple[list[Guest], str]:
    people = [Guest(server.address, name) for name in ("Ada", "Bruno")]
    table = seat_everybody(people, "mantis", first_seat=0, seconds_per_move=seconds)
    start(people, table)
    with people[0].socket(table) as socket:
        socket.until("play")
    return people, table


def poke(server: Server, table: str) -> None:
    """Let the table look at the clock again: its own timer runs on real time."""
    from tavolino.server.table.inbox import Tick

    server.run(lambda: server.registry.tables[table].post(Tick()))


def test_uptime_counts_only_the_time_in_which_the_server_was_up() -> None:
    uptime = Uptime(lambda: 100.0, [Run(0.0, 10.0), Run(50.0, 60.0)], 90.0)
    assert uptime.since(95.0) == 5.0
    assert uptime.since(90.0) == 10.0
    assert uptime.since(70.0) == 10.0
    assert uptime.since(55.0) == 15.0
    assert uptime.since(5.0) == 25.0


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


def test_whoever_is_late_cannot_win_time_by_coming_back(start_server: StartServer) -> None:
    clock = Clock()
    server = start_server(clock=clock, pace=Pace(0.3, 0)).ready("mantis")
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
    clock.advance(3_600)
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
    table = seat_everybody(people, "mantis")
    start(people, table)
    with people[0].socket(table) as socket:
        socket.until("play")
    people[0].do(table, "resign")
    clock.advance(6 * 86_400)
    server.run(server.housekeeping.sweep)
    assert people[0].http.get(f"/api/tables/{table}").status_code == 200
    clock.advance(2 * 86_400)
    server.run(server.housekeeping.sweep)
    assert people[0].http.get(f"/api/tables/{table}").status_code == 404
    assert people[0].http.get("/api/me/tables").json()["finished"] == []


def test_an_idle_table_leaves_memory_and_comes_back(start_server: StartServer) -> None:
    clock = Clock()
    server = start_server(clock=clock).ready("mantis")
    ada = Guest(server.address)
    table = ada.open("mantis", 2)
    clock.advance(1_000)
    server.run(server.housekeeping.sweep)
    assert table not in server.registry.tables
    assert ada.http.get(f"/api/tables/{table}").json()["phase"] == "waiting"
