"""Programs are declared once: everybody sees it, they are rated apart, and they have limits of their own."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from tavolino.server.programs import is_program, new_person_id
from tests.server.clients import Guest
from tests.server.conftest import GENEROUS, Server


def refusal(guest: Guest, table: str, command: str, **fields: object) -> str:
    answer = guest.command(table, command, **fields)
    assert answer.status_code == 409, answer.text
    code: str = answer.json()["code"]
    return code


RATED: dict[str, object] = {
    "options": {},
    "first_seat": None,
    "public": False,
    "seconds_per_move": None,
    "hints": False,
    "rated": True,
}


def test_an_identity_stays_what_it_was_made_as(server: Server) -> None:
    ada, reader = Guest(server.address, "Ada"), Guest(server.address, "Reader", is_program=True)
    for _ in range(2):
        assert not ada.http.get("/api/me").json()["program"]
        assert reader.http.get("/api/me").json()["program"]
        assert not ada.http.post("/api/me", json={"name": "Ada 2", "program": True}).json()["program"]
        assert reader.http.post("/api/me", json={"name": "Reader 2", "program": False}).json()["program"]


def test_everybody_sees_which_seats_are_programs(server: Server) -> None:
    ada, reader = Guest(server.address, "Ada"), Guest(server.address, "Reader", is_program=True)
    table = ada.open("mantis", 3, bots={"2": "random"}, public=True)
    reader.do(table, "join")
    for guest in (ada, reader, Guest(server.address, "Watcher")):
        shown = guest.http.get(f"/api/tables/{table}").json()["seats"]
        assert [seat["program"] for seat in shown] == [False, True, False]
        (card,) = [card for card in guest.http.get("/api/tables").json() if card["id"] == table]
        assert [seat["program"] for seat in card["seats"]] == [False, True, False]


def test_threat_78_people_and_programs_do_not_play_rated_games_together(server: Server) -> None:
    people = [Guest(server.address, name) for name in ("Ada", "Bruno")]
    programs = [Guest(server.address, name, is_program=True) for name in ("Reader", "Writer")]
    for ours, others in ((people, programs), (programs, people)):
        table = ours[0].open("mantis", 3, rated=True, hints=False)
        assert refusal(others[0], table, "join") == "rated-apart"
        ours[1].do(table, "join")
        seats = ours[0].http.get(f"/api/tables/{table}").json()["seats"]
        assert [seat["kind"] for seat in seats] == ["person", "person", "empty"]


def test_threat_78_a_table_where_both_sit_does_not_become_rated(server: Server) -> None:
    ada, reader = Guest(server.address, "Ada"), Guest(server.address, "Reader", is_program=True)
    table = ada.open("mantis", 2, hints=False)
    reader.do(table, "join")
    assert refusal(ada, table, "settings", seats=2, **RATED) == "rated-apart"
    assert not ada.http.get(f"/api/tables/{table}").json()["rated"]
    reader.do(table, "leave")
    ada.do(table, "settings", seats=2, **RATED)
    assert refusal(reader, table, "join") == "rated-apart"


def test_programs_have_limits_of_their_own(start_server: Callable[..., Server]) -> None:
    limits = replace(
        GENEROUS,
        tables_per_hour=1,
        program_tables_per_hour=3,
        changes_per_minute=1,
        changes_burst=1,
        program_changes_per_minute=1,
        program_changes_burst=4,
    )
    server = start_server(limits=limits).ready("mantis")
    ada, reader = Guest(server.address, "Ada"), Guest(server.address, "Reader", is_program=True)
    wanted = {"game": "mantis", "seats": 2}
    opened = [[guest.http.post("/api/tables", json=wanted) for _ in range(4)] for guest in (ada, reader)]
    assert [[answer.status_code for answer in each] for each in opened] == [[201, 429, 429, 429], [201, 201, 201, 429]]
    assert 3_500 < int(opened[0][-1].headers["Retry-After"]) <= 3_601
    assert 1_100 < int(opened[1][-1].headers["Retry-After"]) <= 1_201
    table = opened[0][0].json()["id"]
    changes = [reader.command(table, "join" if n % 2 == 0 else "leave").status_code for n in range(5)]
    assert changes == [200, 200, 200, 200, 429]


def test_programs_may_sit_at_more_tables(start_server: Callable[..., Server]) -> None:
    server = start_server(limits=replace(GENEROUS, tables_per_person=1, tables_per_program=2)).ready("mantis")
    wanted = {"game": "mantis", "seats": 2}
    guests = (Guest(server.address, "Ada"), Guest(server.address, "Reader", is_program=True))
    opened = [[guest.http.post("/api/tables", json=wanted).status_code for _ in range(3)] for guest in guests]
    assert opened == [[201, 429, 429], [201, 201, 429]]


def test_an_id_says_whose_it_is() -> None:
    assert not is_program(None)
    for _ in range(1_000):
        assert "~" not in new_person_id()
        assert is_program(new_person_id(is_program=True))
