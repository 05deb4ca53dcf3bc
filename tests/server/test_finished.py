"""Finished games as any seat saw them, lessons, rules pages."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import tavolino
from tavolino.server.features.tutorials import lessons
from tests.server.clients import Guest, play_to_end, seat_everybody, start
from tests.server.conftest import GAMES, Server
from tests.server.worlds import SMALLEST

Guests = Callable[[int], list[Guest]]


@pytest.mark.parametrize("game", GAMES)
def test_a_finished_game_is_told_again_as_each_viewer_saw_it(server: Server, guests: Guests, game: str) -> None:
    server.ready(game)
    people = guests(SMALLEST[game])
    table = seat_everybody(people, game, first_seat=0)
    start(people, table)
    sockets = [person.socket(table) for person in people]
    decisions = play_to_end(people, sockets, choose=lambda legal: legal[-1])
    for seat, socket in enumerate(sockets):
        answer = people[0].http.get(f"/api/tables/{table}/frames", params={"perspective": seat}).json()
        assert len(answer["frames"]) == decisions + 1
        log = [line for frame in answer["frames"] for line in frame["lines"]]
        assert log == socket.log
        last = answer["frames"][-1]["view"]
        assert last == socket.play["view"]  # type: ignore[index]
    opened = people[0].http.get(f"/api/tables/{table}/frames?perspective=open").json()
    for seat in range(len(people)):
        own = people[0].http.get(f"/api/tables/{table}/frames", params={"perspective": seat}).json()
        for mine, all_open in zip(own["frames"], opened["frames"], strict=True):
            assert all_open["view"]["seats"][seat] == mine["view"]["seats"][seat]
            assert all_open["turn"] == mine["turn"]
            assert len(all_open["lines"]) == len(mine["lines"])
    assert opened["names"] == ["Ada", "Bruno", "Celina"][: len(people)]
    assert people[0].http.get(f"/api/tables/{table}/frames?perspective=5").json()["code"] == "no-such-seat"
    old_name = people[0].http.get(f"/api/tables/{table}/frames?eyes=open").json()
    assert old_name == opened


@pytest.mark.parametrize("game", [game for game in GAMES if lessons.script_path(tavolino.load(game)).is_file()])
def test_a_lesson_is_whole_and_every_step_of_the_learner_is_offered(server: Server, guests: Guests, game: str) -> None:
    server.ready(game)
    (ada,) = guests(1)
    lesson = ada.http.get(f"/api/tutorials/{game}").json()
    texts = ada.http.get("/api/texts/en").json()
    for chapter in lesson["chapters"]:
        assert len(chapter["frames"]) == len(chapter["lessons"]) + 1
        for frame, step in zip(chapter["frames"], chapter["lessons"], strict=False):
            assert (step["text"] in texts) == (step["seat"] == chapter["seat"])
            assert step["after"] is None or step["after"] in texts
            if step["seat"] == chapter["seat"]:
                assert step["action"] in frame["view"]["legal"]


def test_a_game_without_a_lesson_says_so(guests: Guests) -> None:
    (ada,) = guests(1)
    assert ada.http.get("/api/tutorials/chess").json()["code"] == "no-such-game"


@pytest.mark.parametrize("language", ["en", "it", "pl"])
@pytest.mark.parametrize("game", GAMES)
def test_the_rules_are_pages_with_ids(guests: Guests, game: str, language: str) -> None:
    (ada,) = guests(1)
    page = ada.http.get(f"/api/rules/{game}/{language}").json()
    ids = [rule["id"] for section in page["sections"] for rule in section["rules"]]
    assert len(ids) > 20
    assert len(set(ids)) == len(ids)
    assert all(rule["text"] for section in page["sections"] for rule in section["rules"])


def test_the_record_of_a_table_that_has_not_started_is_not_there_yet(server: Server, guests: Guests) -> None:
    ada, bruno = guests(2)
    table = seat_everybody([ada, bruno], "mantis")
    for path in ("record", "frames"):
        answer = ada.http.get(f"/api/tables/{table}/{path}")
        assert (answer.status_code, answer.json()["code"]) == (409, "not-started")
    start([ada, bruno], table)
    with ada.socket(table) as socket:
        socket.until("play")
    for path in ("record", "frames"):
        answer = ada.http.get(f"/api/tables/{table}/{path}")
        assert (answer.status_code, answer.json()["code"]) == (409, "still-playing")
