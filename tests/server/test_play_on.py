"""Playing on from a position of a finished game: the same cards, bots in the other seats, and a record that says so."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tavolino.server.verify.checks import check_record
from tests.server.clients import Guest, play_to_end, seat_everybody, start
from tests.server.conftest import Server

Guests = Callable[[int], list[Guest]]


def finished(server: Server, guests: Guests, **settings: Any) -> tuple[list[Guest], str, int]:
    server.ready("mantis")
    people = guests(3)
    table = seat_everybody(people[:2], "mantis", first_seat=0, **settings)
    start(people[:2], table)
    decisions = play_to_end(people[:2], [person.socket(table) for person in people[:2]], choose=lambda legal: legal[0])
    return people, table, decisions


def play_on(guest: Guest, table: str, **settings: Any) -> Any:
    answer = guest.http.post(f"/api/tables/{table}/play-on", json=settings)
    return answer.json() if answer.status_code == 201 else answer.json()["code"]


def test_a_finished_game_is_played_on_from_any_position(server: Server, guests: Guests) -> None:
    (ada, bruno, stranger), table, decisions = finished(server, guests)
    frames = ada.http.get(f"/api/tables/{table}/frames?perspective=0").json()["frames"]
    turn = next(n for n in range(4, decisions) if frames[n]["view"]["to_act"] == 0)
    new = play_on(ada, table, seat=0, turn=turn)
    assert new["phase"] == "playing"
    assert new["origin"] == {"table": table, "turn": turn}
    assert [seat["kind"] for seat in new["seats"]] == ["person", "bot"]
    assert not new["public"]
    assert new["hints"]
    seen = ada.http.get(f"/api/tables/{new['id']}/play").json()
    assert seen["view"] == frames[turn]["view"], "the table as this seat saw it then"
    assert seen["lines"] == [line for frame in frames[: turn + 1] for line in frame["lines"]]
    assert not seen["take_back"], "what came before this table is not taken back here"
    while not seen["view"]["over"]:
        if seen["view"]["to_act"] == 0:
            ada.do(new["id"], "move", turn=seen["turn"], action=seen["view"]["legal"][-1])
        seen = ada.http.get(f"/api/tables/{new['id']}/play", params={"turn": seen["turn"], "wait": 5}).json()
    record, old = (ada.http.get(f"/api/tables/{each}/record").json() for each in (new["id"], table))
    assert record["continues"] == {"table": table, "turn": turn}
    assert "fairness" not in record
    assert record["seed"] == old["seed"]
    assert record["actions"][:turn] == old["actions"][:turn]
    checks = check_record(record)
    assert all(check.holds is not False for check in checks)
    assert checks[0].holds is None, "it has no seal of its own"
    assert check_record({**record, "continues": None})[0].holds is False
    assert play_on(bruno, table, seat=1, turn=0)["seats"][0]["kind"] == "bot"
    assert play_on(stranger, table, seat=1, turn=0) == "not-seated"
    assert play_on(ada, table, seat=2, turn=0) == "no-such-seat"
    for wrong in (decisions, decisions + 1):
        assert play_on(ada, table, seat=0, turn=wrong) == "no-such-turn"


def test_nobody_plays_on_from_a_game_that_still_runs(server: Server, guests: Guests) -> None:
    server.ready("mantis")
    people = guests(2)
    table = seat_everybody(people, "mantis", first_seat=0, public=True)
    assert play_on(people[0], table, seat=0, turn=0) == "not-started"
    start(people, table)
    with people[0].socket(table) as socket:
        socket.until("play")
    assert play_on(people[0], table, seat=0, turn=0) == "still-playing"


def test_it_is_the_same_table_after_it_was_loaded_again(server: Server, guests: Guests) -> None:
    (ada, *_), table, _ = finished(server, guests, public=True)
    frames = ada.http.get(f"/api/tables/{table}/frames?perspective=0").json()["frames"]
    turn = next(n for n in range(3, len(frames)) if frames[n]["view"]["to_act"] == 0)
    new = play_on(ada, table, seat=0, turn=turn)["id"]
    server.run(lambda: server.registry.discard(new))
    assert ada.http.get(f"/api/tables/{new}").json()["origin"] == {"table": table, "turn": turn}
    assert ada.http.get(f"/api/tables/{new}/play").json()["view"] == frames[turn]["view"]
