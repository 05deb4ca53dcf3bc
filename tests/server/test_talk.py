"""Chat: reactions, short texts, remarks from open information; who receives what."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

import tavolino
from tests.server.clients import Guest, Socket, dealt_table, seat_everybody, start
from tests.server.conftest import GENEROUS, Server

Guests = Callable[[int], list[Guest]]


def said(socket: Socket) -> list[dict[str, Any]]:
    """All chat that this socket has received."""
    socket.drain()
    messages = [json.loads(raw) for raw in socket.raw]
    return [each for message in messages if message["type"] == "talk" for each in message["said"]]


def playing(people: list[Guest], game: str = "mantis") -> str:
    return dealt_table(people, game, first_seat=0)


def test_players_hear_each_other_and_spectators_hear_them(server: Server, guests: Guests) -> None:
    ada, bruno, celina = guests(3)
    table = playing([ada, bruno])
    with bruno.socket(table) as player, celina.socket(table) as spectator:
        player.until("talk")
        spectator.until("talk")
        ada.do(table, "say", text="  Good luck!  ")
        ada.do(table, "react", reaction="wow")
        for socket in (player, spectator):
            heard = said(socket)
            assert [(each["text"], each["reaction"], each["seat"], each["name"]) for each in heard] == [
                ("Good luck!", None, 0, "Ada"),
                (None, "wow", 0, "Ada"),
            ]


def test_what_spectators_say_never_reaches_seats_of_a_running_game(server: Server, guests: Guests) -> None:
    ada, bruno, celina, dario = guests(4)
    table = playing([ada, bruno])
    with ada.socket(table) as player, dario.socket(table) as spectator:
        player.until("talk")
        spectator.until("talk")
        celina.do(table, "say", text="steal from seat 1!")
        celina.do(table, "react", reaction="hurry")
        assert len(said(spectator)) == 2
        assert said(player) == []
    with ada.socket(table) as again:
        assert said(again) == [], "nor after a reconnect"
    ada.do(table, "resign")
    with ada.socket(table) as after:
        assert said(after) == [], "nor after the end: it was said while the game ran"
        celina.do(table, "say", text="well played")
        assert [each["text"] for each in said(after)] == ["well played"]


def test_muting_is_for_oneself(server: Server, guests: Guests) -> None:
    ada, bruno, celina = guests(3)
    table = playing([ada, bruno, celina])
    with bruno.socket(table) as muting, celina.socket(table) as other:
        muting.until("talk")
        other.until("talk")
        assert muting.ask(type="mute", seat=0, muted=True)["type"] == "accepted"
        assert muting.until("table")["table"]["you"]["muted"] == [0]
        ada.do(table, "say", text="hello?")
        assert said(muting) == []
        assert [each["text"] for each in said(other)] == ["hello?"]
    with bruno.socket(table) as again:
        assert again.until("table")["table"]["you"]["muted"] == [0]
        assert said(again) == []


@pytest.mark.parametrize("text", ["", " ", "x" * 201, "a\nb", "\u202e"])
def test_empty_long_and_invisible_texts_are_refused(guests: Guests, text: str) -> None:
    ada, bruno = guests(2)
    table = seat_everybody([ada, bruno], "mantis")
    assert ada.command(table, "say", text=text).json()["code"] in ("bad-text", "bad-message")


def test_talk_has_a_limit(start_server: Callable[..., Server]) -> None:
    server = start_server(limits=replace(GENEROUS, talk_per_minute=30, talk_burst=6)).ready("mantis")
    ada = Guest(server.address)
    table = ada.open("mantis", 2)
    answers = [ada.command(table, "react", reaction="hmm").status_code for _ in range(10)]
    assert answers[:6] == [200] * 6
    assert 429 in answers[6:]


@pytest.mark.rule("IG-93")
def test_at_infinity_gauntlet_there_is_no_free_text_while_the_game_runs(server: Server, guests: Guests) -> None:
    server.ready("infinity-gauntlet")
    people = guests(3)
    table = seat_everybody(people, "infinity-gauntlet", first_seat=0)
    people[0].do(table, "say", text="before the start anybody may talk")
    start(people, table)
    with people[0].socket(table) as socket:
        play = socket.until("play")
        refused = people[0].command(table, "say", text="I saw Thanos!")
        assert refused.status_code == 403
        assert refused.json()["code"] == "no-free-talk"
        assert refused.json()["rule"] == "IG-93"
        people[0].do(table, "react", reaction="wow")
        assert set(play["remarks"]) >= {"stones", "hero-deck", "thanos-deck"}
        people[1].do(table, "remark", key="hero-deck")
        remark = next(each["remark"] for each in said(socket) if each["remark"])
        assert remark == {"key": "infinity-gauntlet.remark.hero-deck", "params": {"n": play["view"]["decks"]["hero"]}}
        assert people[1].command(table, "remark", key="hand").json()["code"] == "no-such-remark"
    for person in people:
        person.do(table, "agree-end", agree=True)
    people[0].do(table, "say", text="now we can talk")


@pytest.mark.rule("IG-93")
def test_at_infinity_gauntlet_no_name_says_what_a_text_may_not(server: Server, guests: Guests) -> None:
    """IG-93: neither a new name during the game nor a spectator's name can tell the seats anything."""
    server.ready("infinity-gauntlet")
    people = guests(2)
    table = playing(people, "infinity-gauntlet")
    watcher = Guest(server.address, "Thanos holds a 6")
    with people[0].socket(table) as socket, watcher.socket(table) as watching:
        socket.until("play")
        watching.until("play")
        watcher.http.post("/api/me", json={"name": "It is the Soul Stone"})
        people[1].http.post("/api/me", json={"name": "I hold a 5"})
        people[1].do(table, "react", reaction="wow")
        assert said(socket)[0]["name"] == "Bruno"
        shown = people[0].http.get(f"/api/tables/{table}").json()
        assert [seat["name"] for seat in shown["seats"]] == ["Ada", "Bruno"]
        assert shown["watching"] == [""]
        mine = people[0].http.get("/api/me/tables").json()["playing"]
        assert "I hold" not in json.dumps(mine)
        people[0].do(table, "resign")
        assert "I hold a 5" in json.dumps(people[0].http.get(f"/api/tables/{table}").json()["seats"])


@pytest.mark.rule("IG-93")
def test_threat_64_at_infinity_gauntlet_a_new_name_waits_for_the_end_at_all_tables_and_after_a_restart(
    start_server: Callable[..., Server], tmp_path: Path
) -> None:
    server = start_server(tmp_path / "data").ready("mantis").ready("infinity-gauntlet")
    ada, bruno = people = [Guest(server.address, name) for name in ("Ada", "Bruno")]
    table, elsewhere = playing(people, "infinity-gauntlet"), seat_everybody(people, "mantis")
    answer = bruno.http.post("/api/me", json={"name": "I hold a 5"}).json()
    assert (answer["name"], answer["new_name"]) == ("Bruno", "I hold a 5")
    assert bruno.http.post("/api/me", json={"name": "x" * 30}).json()["code"] == "bad-name"

    def all_that_ada_sees(again: Guest) -> str:
        bruno.http.post(f"/api/tables/{elsewhere}/commands", json={"type": "react", "reaction": "wow"})
        with again.socket(elsewhere) as socket:
            heard = json.dumps(said(socket))
        shown = [again.http.get(path).text for path in (f"/api/tables/{table}", f"/api/tables/{elsewhere}")]
        return heard + "".join(shown) + again.http.get("/api/me/tables").text + again.http.get("/api/tables").text

    assert "I hold" not in all_that_ada_sees(ada)
    server.stop()
    after = start_server(tmp_path / "data").ready("mantis").ready("infinity-gauntlet")
    for person in people:
        person.address = after.address
        person.http.base_url = after.address
    assert "I hold" not in all_that_ada_sees(ada)
    assert bruno.http.get("/api/me").json()["new_name"] == "I hold a 5"
    ada.do(table, "resign")
    assert "I hold a 5" in all_that_ada_sees(ada), "now it may be known"
    assert bruno.http.get("/api/me").json() == {
        "name": "I hold a 5",
        "token": None,
        "new_name": None,
        "program": False,
    }
    assert bruno.http.post("/api/me", json={"name": "Bruno"}).json()["name"] == "Bruno", "and changes at once again"


def test_threat_65_what_kicked_people_say_never_reaches_a_seat(server: Server, guests: Guests) -> None:
    ada, bruno, celina = guests(3)
    table = seat_everybody([ada, bruno], "mantis")
    ada.do(table, "kick", seat=1)
    with ada.socket(table) as player, celina.socket(table) as spectator:
        player.until("talk")
        spectator.until("talk")
        bruno.command(table, "say", text="unfair!")
        bruno.command(table, "react", reaction="wow")
        celina.do(table, "say", text="hello")
        assert [each["text"] for each in said(player)] == ["hello"]
        assert "unfair!" in [each["text"] for each in said(spectator)]
    with ada.socket(table) as again:
        assert [each["text"] for each in said(again)] == ["hello"], "nor after a reconnect"


def test_threat_65_spectators_can_be_muted(server: Server, guests: Guests) -> None:
    ada, bruno, celina = guests(3)
    table = seat_everybody([ada, bruno], "mantis")
    with ada.socket(table) as muting, bruno.socket(table) as other:
        muting.until("talk")
        other.until("talk")
        assert muting.ask(type="mute", seat=None, muted=True)["type"] == "accepted"
        you = muting.until("table")["table"]["you"]
        assert (you["muted"], you["muted_watching"]) == ([], True)
        celina.do(table, "say", text="buy my cards")
        bruno.do(table, "say", text="hello")
        assert [each["text"] for each in said(muting)] == ["hello"]
        assert [each["text"] for each in said(other)] == ["buy my cards", "hello"]
        muting.ask(type="mute", seat=None, muted=False)
        celina.do(table, "say", text="again")
        assert [each["text"] for each in said(muting)] == ["hello", "again"]


def test_threat_65_what_strangers_mute_is_not_written_into_others_games(server: Server, guests: Guests) -> None:
    ada, bruno, celina = guests(3)
    table = playing([ada, bruno])
    before = server.registry.tables[table].state.number
    with celina.socket(table) as socket:
        socket.until("talk")
        for muted in (True, False) * 5 + (True,):
            assert socket.ask(type="mute", seat=0, muted=muted)["type"] == "accepted"
        assert socket.until("table")["table"]["you"]["muted"] == [0]
        ada.do(table, "say", text="hello?")
        bruno.do(table, "say", text="hello!")
        assert [each["text"] for each in said(socket)] == ["hello!"]
        assert celina.command(table, "mute", seat=5, muted=True).json()["code"] == "no-such-seat"
    assert server.registry.tables[table].state.number == before


def test_remarks_are_built_from_what_a_spectator_sees() -> None:
    match = tavolino.load("infinity-gauntlet").start(players=4, seed="remarks")
    spectator = match.view(None)
    for seat in range(4):
        other = match.resample(seat, "another world")
        assert match.game.remarks(other.view(None)) == match.game.remarks(spectator)


def test_other_games_have_no_remarks(guests: Guests) -> None:
    ada, bruno = guests(2)
    table = playing([ada, bruno])
    with ada.socket(table) as socket:
        assert socket.until("play")["remarks"] == []
    assert ada.command(table, "remark", key="stones").json()["code"] == "no-such-remark"
