"""Taking back at a table: freely against bots, else by consent and if nothing was learned; the record says so."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tavolino.server.features import take_back
from tavolino.server.verify.checks import check_record
from tests.server.clients import Guest, Socket, seat_everybody, start
from tests.server.conftest import Clock, Server

StartServer = Callable[..., Server]
Guests = Callable[[int], list[Guest]]
TAKE = "take yellow blue red"


def two_at_splendor(server: Server, guests: Guests) -> tuple[list[Guest], str, list[Socket]]:
    server.ready("splendor-marvel")
    people = guests(2)
    table = seat_everybody(people, "splendor-marvel", first_seat=0)
    start(people, table)
    sockets = [person.socket(table) for person in people]
    for socket in sockets:
        socket.until("play")
    return people, table, sockets


def code_of(guest: Guest, table: str, kind: str, **fields: Any) -> str:
    answer = guest.command(table, kind, **fields)
    return "" if answer.status_code == 200 else str(answer.json()["code"])


def play_of(guest: Guest, table: str, **query: Any) -> dict[str, Any]:
    found: dict[str, Any] = guest.http.get(f"/api/tables/{table}/play", params=query).json()
    return found


def test_a_decision_that_showed_nothing_is_taken_back_if_the_others_agree(server: Server, guests: Guests) -> None:
    (ada, bruno), table, (one, two) = two_at_splendor(server, guests)
    before = play_of(ada, table)
    assert not before["take_back"]
    assert code_of(ada, table, "take-back", turn=0) == "nothing-to-take-back"
    ada.do(table, "move", turn=0, action=TAKE)
    assert play_of(ada, table)["take_back"]
    assert not play_of(bruno, table)["take_back"]
    assert code_of(ada, table, "take-back", turn=0) == "stale-move"
    ada.do(table, "take-back", turn=1)
    shown = two.until("table", table=bruno.http.get(f"/api/tables/{table}").json())["table"]
    assert shown["take_back"] == {"seat": 0, "agreed": []}
    assert play_of(ada, table)["turn"] == 1, "nothing has changed yet"
    ada.do(table, "answer-take-back", agree=True)
    assert play_of(ada, table)["turn"] == 1, "who asks cannot agree for the others"
    bruno.do(table, "answer-take-back", agree=True)
    after = play_of(ada, table)
    assert after["turn"] == 2, "it grows all the same: late answers are told from new ones"
    assert after["view"] == before["view"]
    two.until_turn(2)
    assert two.log == before["lines"], "the lines are gone from everybody's log"
    assert ada.http.get(f"/api/tables/{table}").json()["taken_back"] == 1
    assert code_of(ada, table, "move", turn=0, action=TAKE) == "stale-move"
    ada.do(table, "move", turn=2, action="take yellow blue orange")
    one.until_turn(3)
    assert len(play_of(ada, table, lines=len(one.log))["lines"]) == len(one.log), "the whole log after a taking back"


def is_offered(guest: Guest, table: str) -> bool:
    with guest.socket(table) as socket:
        return bool(socket.until("play")["take_back"])


def test_who_does_not_agree_is_not_asked_again_for_that_decision(server: Server, guests: Guests) -> None:
    (ada, bruno), table, _ = two_at_splendor(server, guests)
    ada.do(table, "move", turn=0, action=TAKE)
    assert is_offered(ada, table)
    ada.do(table, "take-back", turn=1)
    bruno.do(table, "answer-take-back", agree=False)
    assert not is_offered(ada, table), "it would be refused"
    assert bruno.http.get(f"/api/tables/{table}").json()["take_back"] is None
    assert code_of(ada, table, "take-back", turn=1) == "take-back-declined"
    bruno.do(table, "move", turn=1, action=TAKE)
    bruno.do(table, "take-back", turn=2)
    ada.do(table, "move", turn=2, action="take yellow blue orange")
    assert ada.http.get(f"/api/tables/{table}").json()["take_back"] is None, "play has gone on"


def test_threat_73_who_has_a_stand_in_is_asked_about_the_decisions_of_that_bot(
    start_server: StartServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(take_back, "can_take_back", lambda match, n: True)
    clock = Clock()
    server = start_server(clock=clock).ready("splendor-marvel")
    people = [Guest(server.address, name) for name in ("Ada", "Bruno")]
    table = seat_everybody(people, "splendor-marvel", first_seat=0)
    start(people, table)
    ada, bruno = people
    with ada.socket(table) as one:
        one.until("play")
        ada.do(table, "move", turn=0, action=TAKE)
        clock.advance(61)
        ada.do(table, "stand-in", seat=1, agree=True)
        one.until_turn(2)  # the bot has moved for Bruno
        ada.do(table, "take-back", turn=2)
        live = server.registry.tables[table]
        assert live.state.taken_back == [], "Bruno has not been asked"
        assert live.state.places[1].stand_in
        bruno.do(table, "answer-take-back", agree=True)
        assert [each.actions[0] for each in live.state.taken_back] == [TAKE]


def test_what_was_seen_is_not_taken_back_among_people(server: Server, guests: Guests) -> None:
    (ada, bruno), table, _ = two_at_splendor(server, guests)
    ada.do(table, "move", turn=0, action="reserve level-1")
    assert code_of(ada, table, "take-back", turn=1) == "take-back-seen"
    bruno.do(table, "leave")
    assert code_of(ada, table, "take-back", turn=1) == "take-back-seen", "nor behind somebody's back"


def test_against_bots_anything_is_taken_back_and_the_record_says_so(server: Server, guests: Guests) -> None:
    server.ready("mantis")
    ada = guests(1)[0]
    table = ada.open("mantis", 3, first_seat=0, bots={"1": "easy", "2": "easy"})
    start([ada], table)
    socket = ada.socket(table)
    first = socket.until("play")
    while socket.play["view"]["to_act"] != 0:  # type: ignore[index]
        first = socket.receive()
    turn = socket.play["turn"]  # type: ignore[index]
    ada.do(table, "move", turn=turn, action="score")
    played = socket.until_turn(turn + 1)
    while not played["view"]["over"] and (played["view"]["to_act"] != 0 or played["turn"] == turn + 1):
        played = socket.until_turn(played["turn"] + 1)  # the bots have played, cards were turned
    ada.do(table, "take-back", turn=played["turn"])
    again = socket.until_turn(played["turn"] + 1)
    assert again["view"] == first["view"], "the same cards lie there"
    while True:
        seen = play_of(ada, table, turn=again["turn"], wait=5)
        if seen["view"]["over"]:
            break
        if seen["view"]["to_act"] == 0:
            ada.do(table, "move", turn=seen["turn"], action=seen["view"]["legal"][0])
            again = {"turn": seen["turn"] + 1}
    assert code_of(ada, table, "take-back", turn=seen["turn"]) == "not-playing"
    record = ada.http.get(f"/api/tables/{table}/record").json()
    assert [(each["seat"], each["turn"], each["actions"][0]) for each in record["taken_back"]] == [(0, turn, "score")]
    checks = check_record(record)
    assert all(check.holds is not False for check in checks)
    assert [check.params for check in checks if check.key == "taken-back"] == [{"n": 1}]


def test_what_was_taken_back_stays_so_after_a_restart(
    start_server: Callable[..., Server],
) -> None:
    server = start_server().ready("splendor-marvel")
    people = [Guest(server.address, name) for name in ("Ada", "Bruno")]
    table = seat_everybody(people, "splendor-marvel", first_seat=0)
    start(people, table)
    with people[0].socket(table) as socket:
        socket.until("play")
    people[0].do(table, "move", turn=0, action=TAKE)
    people[0].do(table, "take-back", turn=1)
    people[1].do(table, "answer-take-back", agree=True)
    before = play_of(people[0], table)
    server.run(lambda: server.registry.discard(table))
    assert play_of(people[0], table) == before
