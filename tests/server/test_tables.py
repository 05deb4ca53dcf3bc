"""Tables before the start and beside the game: seats, settings, hosts, votes, rematch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from tavolino.server.features.votes import MAX_AGREEMENTS
from tests.server.clients import Guest, people_in_play, seat_everybody, start
from tests.server.conftest import GENEROUS, Clock, Server

Guests = Callable[[int], list[Guest]]
StartServer = Callable[..., Server]


def settings(**changes: Any) -> dict[str, Any]:
    fields = {
        "seats": 3,
        "options": {},
        "first_seat": None,
        "public": False,
        "seconds_per_move": None,
        "hints": False,
    }
    return {**fields, **changes}


def dealt(person: Guest, table: str) -> dict[str, Any]:
    with person.socket(table) as socket:
        return socket.until("play")


def refusal(person: Guest, table: str, type: str, **fields: Any) -> str:
    answer = person.command(table, type, **fields)
    assert answer.status_code >= 400, answer.text
    code: str = answer.json()["code"]
    return code


def test_opening_a_table_seats_the_host_beside_the_bots(guests: Guests) -> None:
    (ada,) = guests(1)
    settings = {"game": "mantis", "seats": 3, "bots": {"0": "random"}, "options": {"icons": False}, "public": True}
    table = ada.http.post("/api/tables", json=settings).json()
    assert [seat["kind"] for seat in table["seats"]] == ["bot", "person", "empty"]
    you = {"seat": 1, "host": True, "muted": [], "muted_watching": False, "plan": None, "vacation_days": 0}
    assert table["you"] == you
    assert table["options"] == {"icons": False}
    assert table["id"] in [card["id"] for card in ada.http.get("/api/tables").json()]


@pytest.mark.parametrize(
    ("settings", "code"),
    [
        ({"seats": 2, "game": "chess"}, "no-such-game"),
        ({"seats": 2, "options": {"icons": 3}}, "bad-option"),
        ({"seats": 2, "options": {"nope": True}}, "bad-option"),
        ({"seats": 2, "options": {"first": 1}}, "bad-option"),
        ({"seats": 7}, "bad-players"),
        ({"seats": 17}, "bad-message"),
        ({"seats": 2, "first_seat": 2}, "no-such-seat"),
        ({"seats": 2, "bots": {"5": "random"}}, "no-such-seat"),
        ({"seats": 2, "bots": {"0": "random", "1": "random"}}, "table-full"),
        ({"seats": 2, "seconds_per_move": 29}, "bad-message"),
        ({"seats": 2, "seconds_per_move": 8 * 86_400}, "bad-message"),
        ({"seats": 2, "colour": "red"}, "bad-message"),
    ],
)
def test_settings_that_make_no_table(guests: Guests, settings: dict[str, Any], code: str) -> None:
    (ada,) = guests(1)
    answer = ada.http.post("/api/tables", json={"game": "mantis", **settings})
    assert answer.json()["code"] == code
    assert ada.http.get("/api/me/tables").json()["playing"] == []


def test_joining_leaving_and_changing_seats(guests: Guests) -> None:
    ada, bruno, celina = guests(3)
    table = ada.open("mantis", 3)
    bruno.do(table, "join", seat=2)
    assert refusal(bruno, table, "join") == "already-seated"
    assert refusal(celina, table, "join", seat=2) == "seat-taken"
    assert refusal(celina, table, "join", seat=5) == "no-such-seat"
    celina.do(table, "join")
    bruno.do(table, "leave")
    celina.do(table, "sit", seat=2)
    assert refusal(celina, table, "sit", seat=0) == "not-host"
    ada.do(table, "sit", seat=2)  # the host swaps
    seats = ada.http.get(f"/api/tables/{table}").json()["seats"]
    assert [seat["name"] for seat in seats] == ["Celina", None, "Ada"]


def test_a_full_table_takes_nobody_else_and_a_kicked_person_stays_out(guests: Guests) -> None:
    ada, bruno, celina = guests(3)
    table = seat_everybody([ada, bruno], "mantis")
    assert refusal(celina, table, "join") == "table-full"
    assert refusal(bruno, table, "kick", seat=0) == "not-host"
    ada.do(table, "kick", seat=1)
    assert refusal(bruno, table, "join") == "kicked"
    celina.do(table, "join")
    assert refusal(ada, table, "kick", seat=0) == "not-a-person"


def test_the_host_sets_bots_and_settings_and_nobody_else_does(guests: Guests) -> None:
    ada, bruno = guests(2)
    table = ada.open("mantis", 4)
    bruno.do(table, "join")
    assert refusal(bruno, table, "set-bot", seat=2, level="random") == "not-host"
    assert refusal(bruno, table, "settings", **settings()) == "not-host"
    ada.do(table, "set-bot", seat=2, level="random")
    assert refusal(ada, table, "set-bot", seat=1, level="random") == "seat-taken"
    ada.do(table, "set-bot", seat=2, level=None)
    ada.do(table, "settings", **settings(seats=2, options={"icons": False}, public=True, seconds_per_move=60))
    shown = ada.http.get(f"/api/tables/{table}").json()
    assert len(shown["seats"]) == 2
    assert shown["seconds_per_move"] == 60
    assert refusal(ada, table, "settings", **settings(options={"icons": 7})) == "bad-option"


def test_the_table_does_not_shrink_under_somebody(guests: Guests) -> None:
    ada, bruno = guests(2)
    table = ada.open("mantis", 3)
    bruno.do(table, "join", seat=2)
    assert refusal(ada, table, "settings", **settings(seats=2)) == "seat-taken"


def test_starting_when_full_or_filled_with_bots(guests: Guests) -> None:
    ada, bruno = guests(2)
    table = ada.open("mantis", 3)
    bruno.do(table, "join")
    assert refusal(bruno, table, "start") == "not-host"
    assert refusal(ada, table, "start") == "still-empty"
    assert ada.http.get(f"/api/tables/{table}/play").json()["code"] == "not-started"
    ada.do(table, "start", fill="random")
    assert dealt(ada, table)["view"]["players"] == 3
    assert refusal(ada, table, "start") == "not-waiting"
    assert refusal(ada, table, "set-bot", seat=2, level="random") == "not-waiting"


def test_the_hosts_role_passes_on_and_an_empty_table_is_closed(guests: Guests) -> None:
    ada, bruno = guests(2)
    table = seat_everybody([ada, bruno], "mantis")
    ada.do(table, "leave")
    assert bruno.http.get(f"/api/tables/{table}").json()["you"]["host"]
    bruno.do(table, "leave")
    gone = bruno.http.get(f"/api/tables/{table}").json()
    assert gone["ending"]["how"] == "abandoned"
    assert gone["fairness"]["secret"] is not None


@pytest.mark.rule("IG-01", "MA-05", "SM-05")
def test_the_chosen_seat_is_first_or_chance_picks_one(guests: Guests) -> None:
    people = guests(2)
    for first in (0, 1):
        table = seat_everybody(people, "mantis", first_seat=first)
        start(people, table)
        assert dealt(people[0], table)["view"]["to_act"] == first
    firsts: set[int] = set()
    for _ in range(40):  # wrong once in 2**39 runs
        table = seat_everybody(people, "mantis")
        start(people, table)
        firsts.add(dealt(people[0], table)["view"]["to_act"])
        if len(firsts) == 2:
            break
    assert firsts == {0, 1}


def test_resigning_with_two_players_ends_the_game(guests: Guests) -> None:
    people = guests(2)
    table = seat_everybody(people, "mantis")
    start(people, table)
    dealt(people[0], table)
    people[0].do(table, "resign")
    ending = people[1].http.get(f"/api/tables/{table}").json()["ending"]
    assert ending == {"how": "resigned", "winners": [1], "reason": None}
    play = people[1].http.get(f"/api/tables/{table}/play").json()
    assert play["view"]["legal"] == []


def test_resigning_among_more_hands_the_seat_to_a_bot_for_good(server: Server, guests: Guests) -> None:
    people = guests(3)
    table = seat_everybody(people, "mantis", first_seat=0)
    start(people, table)
    dealt(people[0], table)
    people[0].do(table, "resign")
    with people[1].socket(table) as socket:
        socket.until_turn(1)  # the bot has moved for the one who resigned
    people[0].do(table, "back")
    assert server.registry.tables[table].state.places[0].resigned
    assert refusal(people[0], table, "move", turn=1, action="score") in ("not-your-turn", "stale-move")
    people[1].do(table, "resign")
    ended = people[2].http.get(f"/api/tables/{table}").json()
    assert ended["ending"]["winners"] == [2]


def test_ending_by_agreement_needs_everybody_who_plays(guests: Guests) -> None:
    people = guests(3)
    table = seat_everybody(people, "mantis")
    start(people, table)
    dealt(people[0], table)
    people[0].do(table, "agree-end", agree=True)
    people[1].do(table, "agree-end", agree=True)
    people[0].do(table, "agree-end", agree=False)
    people[2].do(table, "agree-end", agree=True)
    assert people[0].http.get(f"/api/tables/{table}").json()["phase"] == "playing"
    seats = people[1].http.get(f"/api/tables/{table}").json()["seats"]
    assert [seat["against_end"] for seat in seats] == [True, False, False]
    people[0].do(table, "agree-end", agree=True)
    ending = people[0].http.get(f"/api/tables/{table}").json()["ending"]
    assert ending == {"how": "agreed", "winners": [], "reason": None}


def test_who_proposes_to_end_the_game_learns_who_wants_to_keep_playing(guests: Guests) -> None:
    people = guests(3)
    table = seat_everybody(people, "mantis")
    start(people, table)
    dealt(people[0], table)

    def against() -> list[bool]:
        seats = people[0].http.get(f"/api/tables/{table}").json()["seats"]
        return [seat["against_end"] for seat in seats]

    people[1].do(table, "agree-end", agree=False)
    assert against() == [False, False, False], "nothing is proposed yet"
    people[0].do(table, "agree-end", agree=True)
    people[1].do(table, "agree-end", agree=False)
    assert against() == [False, True, False]
    people[0].do(table, "agree-end", agree=False)
    assert against() == [False, False, False], "the proposal is withdrawn"
    people[0].do(table, "agree-end", agree=True)
    assert against() == [False, False, False], "a new proposal is a new question"


def test_threat_72_votes_cannot_be_used_as_signals(start_server: StartServer) -> None:
    clock = Clock()
    server = start_server(clock=clock).ready("mantis")
    people, table = people_in_play(server.address, 3)
    ada, bruno, clara = people

    def flips(kind: str, **fields: Any) -> int:
        """How many of 20 changes of a vote are stored, and so seen by the others."""
        live = server.registry.tables[table]
        before = live.state.number
        for nth in range(20):
            ada.command(table, kind, **fields, agree=nth % 2 == 0)
        return int(live.state.number - before)

    assert flips("agree-end") == 2 * MAX_AGREEMENTS
    assert refusal(ada, table, "agree-end", agree=True) == "too-many-votes"
    clock.advance(61)
    with ada.socket(table) as one, bruno.socket(table) as two:
        one.until("play")
        two.until("play")
        assert flips("stand-in", seat=2) == 2
        assert refusal(ada, table, "stand-in", seat=2, agree=True) == "too-many-votes"
        bruno.do(table, "stand-in", seat=2, agree=True)
        ada.do(table, "stand-in", seat=2, agree=True)  # it brings the bot
        assert server.registry.tables[table].state.places[2].stand_in
    for other in (bruno, clara):
        other.do(table, "agree-end", agree=True)
    ada.do(table, "agree-end", agree=True)  # it ends the game
    assert ada.http.get(f"/api/tables/{table}").json()["ending"]["how"] == "agreed"


def test_a_rematch_has_the_same_people_one_seat_further_and_is_made_once(guests: Guests) -> None:
    people = guests(3)
    table = seat_everybody(people, "mantis", options={"icons": False})
    start(people, table)
    dealt(people[0], table)
    assert refusal(people[0], table, "rematch") == "not-ended"
    for person in people:
        person.do(table, "agree-end", agree=True)
    first = people[1].do(table, "rematch")["table"]
    assert people[2].do(table, "rematch")["table"] == first
    shown = people[0].http.get(f"/api/tables/{table}").json()
    assert (shown["rematch"], shown["rematch_by"]) == (first, 1)
    again = people[1].http.get(f"/api/tables/{first}").json()
    assert [seat["name"] for seat in again["seats"]] == ["Celina", "Ada", "Bruno"]
    assert again["options"] == {"icons": False}
    assert again["you"]["host"]


def test_a_rematch_counts_as_a_table(start_server: Callable[..., Server]) -> None:
    limits = replace(GENEROUS, tables_per_hour=1)
    server = start_server(limits=limits).ready("mantis")
    people = [Guest(server.address, name) for name in ("Ada", "Bruno")]
    table = seat_everybody(people, "mantis")
    start(people, table)
    dealt(people[0], table)
    people[1].do(table, "resign")
    assert refusal(people[0], table, "rematch") == "too-many-tables"


def test_a_table_that_starts_by_itself_stays_as_it_was_asked_for(start_server: Callable[..., Server]) -> None:
    """Or it could be dealt with an empty seat."""
    server = start_server(salt_seconds=60.0).ready("mantis")
    ada = Guest(server.address, "Ada")
    table = ada.http.post("/api/play-now", json={"game": "mantis", "level": "medium", "seats": 2}).json()["id"]
    assert refusal(ada, table, "set-bot", seat=1, level=None) == "not-waiting"
    assert refusal(ada, table, "sit", seat=1) == "not-waiting"
    ada.do(table, "salt", salt="0" * 64)
    dealt(ada, table)


def test_the_host_who_leaves_a_running_game_passes_the_role_on(server: Server, guests: Guests) -> None:
    people = guests(3)
    table = seat_everybody(people, "mantis")
    start(people, table)
    dealt(people[0], table)
    people[0].do(table, "leave")
    shown = people[1].http.get(f"/api/tables/{table}").json()
    assert shown["seats"][0]["away"]
    assert shown["you"]["host"]


def test_spectators_are_shown_as_watching(server: Server, guests: Guests) -> None:
    ada, bruno, celina = guests(3)
    table = seat_everybody([ada, bruno], "mantis")
    with ada.socket(table) as socket:
        socket.until("table")
        with celina.socket(table) as watching:
            watching.until("table")
            while socket.table is None or socket.table["watching"] != ["Celina"]:
                socket.until("table")
        while socket.table["watching"]:
            socket.until("table")
