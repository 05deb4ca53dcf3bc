"""A waiting room whose host has left, games against bots that start at once, addresses for invitations."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tavolino.server.http import addresses
from tavolino.server.settings import ServerSettings
from tests.server.clients import Guest, seat_everybody, start
from tests.server.conftest import Clock, Server
from tests.server.test_clocks import poke

StartServer = Callable[..., Server]


def waiting_room(server: Server) -> tuple[list[Guest], str]:
    people = [Guest(server.address, name) for name in ("Ada", "Bruno", "Celina")]
    return people, seat_everybody(people, "mantis")


def host_of(server: Server, table: str) -> str | None:
    state = server.registry.tables[table].state
    return server.context.people.name_of(state.host or "")


def test_a_host_who_is_away_for_a_minute_passes_on_to_somebody_who_is_there(start_server: StartServer) -> None:
    clock = Clock()
    server = start_server(clock=clock)
    (ada, _bruno, celina), table = waiting_room(server)
    with ada.socket(table) as hosting, celina.socket(table) as waiting:
        hosting.until("table")
        waiting.until("table")
        hosting.close()
        while waiting.until("table")["table"]["seats"][0]["online"]:
            pass
        clock.advance(59)
        poke(server, table)
        assert host_of(server, table) == "Ada"
        clock.advance(2)
        poke(server, table)
        while not waiting.until("table")["table"]["you"]["host"]:
            pass
        assert host_of(server, table) == "Celina"  # Bruno sits before her, and is not there
        assert celina.command(table, "start", fill="easy").status_code == 200


def test_a_host_who_reloads_the_page_stays_host(start_server: StartServer) -> None:
    clock = Clock()
    server = start_server(clock=clock)
    (ada, bruno, _), table = waiting_room(server)
    with bruno.socket(table) as waiting:
        waiting.until("table")
        with ada.socket(table) as hosting:
            hosting.until("table")
        clock.advance(50)
        with ada.socket(table) as hosting:
            hosting.until("table")
            clock.advance(50)
            poke(server, table)
            assert hosting.ask(type="ping")["type"] == "pong"
            assert host_of(server, table) == "Ada"


def test_nobody_takes_over_a_room_in_which_nobody_is(start_server: StartServer) -> None:
    clock = Clock()
    server = start_server(clock=clock)
    (ada, *_), table = waiting_room(server)
    clock.advance(3_600)
    poke(server, table)
    assert ada.do(table, "ping")["type"] == "pong"
    assert host_of(server, table) == "Ada"
    assert server.registry.tables[table].is_idle


def test_playing_again_against_bots_starts_at_once_with_the_same_bots(server: Server) -> None:
    ada = Guest(server.address)
    table = ada.http.post("/api/play-now", json={"game": "mantis", "seats": 3, "level": "easy", "first": True}).json()[
        "id"
    ]
    before = ada.http.get(f"/api/tables/{table}").json()
    assert before["first_seat"] == 0
    with ada.socket(table) as socket:
        ada.do(table, "salt", salt="1" * 64)
        socket.until("play")
    ada.do(table, "resign")
    again = ada.do(table, "rematch")["table"]
    with ada.socket(again) as socket:
        after = socket.until("table")["table"]
        assert after["starts_itself"]
        assert [(seat["kind"], seat["bot"]) for seat in after["seats"]] == [("person", None), ("bot", 1), ("bot", 2)]
        ada.do(again, "salt", salt="2" * 64)
        assert socket.until("play")["view"]["to_act"] == 0


def test_bots_keep_their_names_when_people_play_again(server: Server) -> None:
    people = [Guest(server.address, name) for name in ("Ada", "Bruno")]
    table = people[0].open("mantis", 4, bots={"2": "easy", "3": "hard"})
    people[1].do(table, "join")
    start(people, table)
    with people[0].socket(table) as socket:
        socket.until("play")
    for person in people:
        person.do(table, "resign")
    again = people[0].do(table, "rematch")["table"]
    shown = people[0].http.get(f"/api/tables/{again}").json()
    assert not shown["starts_itself"]
    assert [(seat["name"], seat["level"], seat["bot"]) for seat in shown["seats"]] == [
        (None, "hard", 3),
        ("Ada", None, None),
        ("Bruno", None, None),
        (None, "easy", 2),
    ]
    people[1].do(again, "leave")
    people[0].do(again, "set-bot", seat=2, level="easy")
    seats = people[0].http.get(f"/api/tables/{again}").json()["seats"]
    assert len({seat["bot"] for seat in seats if seat["kind"] == "bot"}) == 3  # no name twice
    frames = people[0].http.get(f"/api/tables/{table}/frames").json()
    assert (frames["levels"], frames["bots"]) == ([None, None, "easy", "hard"], [None, None, 2, 3])


def test_somebody_else_has_the_role_if_you_do_not_want_it(server: Server) -> None:
    ada = Guest(server.address)
    for _ in range(5):
        settings = {"game": "mantis", "seats": 2, "first": False}
        assert ada.http.post("/api/play-now", json=settings).json()["first_seat"] == 1


def test_a_first_game_can_be_a_simple_one(server: Server) -> None:
    ada = Guest(server.address)
    (mantis,) = [game for game in ada.http.get("/api/games").json() if game["game"] == "mantis"]
    assert mantis["simple_options"] == {"icons": False}
    settings = {"game": "mantis", "seats": 3, "level": "easy", "options": mantis["simple_options"]}
    assert ada.http.post("/api/play-now", json=settings).json()["options"] == {"icons": False}
    refused = ada.http.post("/api/play-now", json={**settings, "options": {"no-such-option": True}})
    assert refused.status_code == 422


def test_the_addresses_for_an_invitation(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    ada = Guest(server.address)
    assert ada.http.get("/api/addresses").json() == {"urls": [], "only_here": True}
    through_a_proxy = {"X-Forwarded-For": "203.0.113.9"}
    assert ada.http.get("/api/addresses", headers=through_a_proxy).json() == {"urls": [], "only_here": False}

    monkeypatch.setattr(addresses, "local_addresses", lambda: ["192.168.1.20", "10.0.0.7"])
    assert addresses.urls_of(ServerSettings(host="0.0.0.0")) == ["http://192.168.1.20:8000", "http://10.0.0.7:8000"]
    assert addresses.urls_of(ServerSettings(host="192.168.1.20", port=80)) == ["http://192.168.1.20"]
    assert addresses.urls_of(ServerSettings(host="localhost")) == []
    assert addresses.urls_of(ServerSettings(host="::1")) == []
    public = ServerSettings(host="127.0.0.1", public_url="https://play.example.org/")
    assert addresses.urls_of(public) == ["https://play.example.org"]


def test_the_addresses_of_this_machine_are_never_its_own_loopback() -> None:
    assert not [host for host in addresses.local_addresses() if host.startswith("127.")]
