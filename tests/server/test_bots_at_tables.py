"""Bots at tables: their pace, their levels, hints; and games that are still being compiled."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest

from tavolino.server.settings import Pace
from tests.server.clients import Guest, seat_everybody, start
from tests.server.conftest import GAMES, Server

Guests = Callable[[int], list[Guest]]


def test_bots_take_their_time_at_a_real_table(start_server: Callable[..., Server]) -> None:
    server = start_server(pace=Pace(0.4, 0.0)).ready("mantis")
    ada = Guest(server.address)
    table = ada.open("mantis", 2, bots={"1": "random"}, first_seat=1)
    with ada.socket(table) as socket:
        start([ada], table)
        socket.until("play")
        began = time.monotonic()
        socket.until_turn(1)
        assert time.monotonic() - began > 0.3


@pytest.mark.timeout(300)
@pytest.mark.parametrize("level", ["easy", "medium"])
@pytest.mark.parametrize("game", GAMES)
def test_bots_of_every_quick_level_play_a_whole_game_with_a_person(
    server: Server, guests: Guests, game: str, level: str
) -> None:
    server.ready(game)
    (ada,) = guests(1)
    settings = {"game": game, "level": level, "seats": 3}
    table = ada.http.post("/api/play-now", json=settings).json()["id"]
    with ada.socket(table) as socket:
        socket.ask(type="salt", salt="0" * 64)
        socket.until_turn(0, timeout=60)
        for _ in range(600):
            play = socket.play
            assert play is not None
            if play["view"]["over"]:
                break
            if play["view"]["legal"]:
                socket.send(type="move", turn=play["turn"], action=play["view"]["legal"][0])
            socket.until_turn(play["turn"] + 1, timeout=60)
        assert socket.play is not None
        assert socket.play["view"]["over"]
    assert "bot failed" not in server.log.getvalue()


@pytest.mark.timeout(300)
def test_a_hint_is_what_a_hard_bot_would_do_and_only_where_the_table_allows_it(server: Server, guests: Guests) -> None:
    ada, bruno = guests(2)
    with_hints = seat_everybody([ada, bruno], "mantis", first_seat=0, hints=True)
    without = seat_everybody([ada, bruno], "mantis", first_seat=0)
    for table in (with_hints, without):
        start([ada, bruno], table)
        with ada.socket(table) as socket:
            legal = socket.until("play")["view"]["legal"]
    ada.http.timeout = 240
    hint = ada.do(with_hints, "hint")
    assert hint["action"] in legal
    assert 0 <= hint["chance"] <= 1
    assert bruno.command(with_hints, "hint").json()["code"] == "not-your-turn"
    assert ada.command(without, "hint").json()["code"] == "no-hints"


def test_a_table_of_a_game_that_is_still_compiling_says_so_and_deals_when_it_is_ready(
    start_server: Callable[..., Server],
) -> None:
    server = start_server().ready("mantis")
    library = server.context.library

    def set_ready(ready: bool) -> None:
        (library._ready["mantis"].set if ready else library._ready["mantis"].clear)()
        (library._with_search.add if ready else library._with_search.discard)("mantis")
        library._progress.put_nowait("mantis")

    server.run(lambda: set_ready(False))
    people = [Guest(server.address, name) for name in ("Ada", "Bruno")]
    table = seat_everybody(people, "mantis")
    start(people, table)
    with people[0].socket(table) as socket:
        shown: dict[str, Any] = socket.until_phase("sealing")
        assert shown["readiness"]["ready"] is False
        assert shown["readiness"]["hints"] is False
        assert people[0].http.get(f"/api/tables/{table}/play").json()["code"] == "not-started"
        server.run(lambda: set_ready(True))
        socket.until("play")
        playing = socket.until_phase("playing")["readiness"]
        assert playing["ready"]
        assert playing["hints"]


def test_the_page_and_the_lists_answer_before_anything_is_compiled(start_server: Callable[..., Server]) -> None:
    server = start_server()

    def forget() -> None:
        for event in server.context.library._ready.values():
            event.clear()

    server.run(forget)
    ada = Guest(server.address)
    assert ada.http.get("/healthz").status_code == 200
    assert ada.http.get("/api/tables").status_code == 200
    assert ada.open("mantis", 2)
