"""Friends: invitations to another table, ready marks, pictures, chat in the waiting room."""

from __future__ import annotations

from tests.server.clients import Guest, seat_everybody, start
from tests.server.conftest import Server
from tests.server.test_rematch import finished


def tables(guest: Guest, kind: str) -> list[str]:
    return [each["id"] for each in guest.http.get("/api/me/tables").json()[kind]]


def test_people_of_the_last_table_are_invited_and_come_if_they_like(server: Server) -> None:
    (ada, bruno, celina), old = finished(server, 3)
    table = ada.open("mantis", 3)
    assert tables(bruno, "invitations") == []
    ada.do(table, "invite", from_table=old, seat=1)
    ada.do(table, "invite", from_table=old, seat=2)
    assert tables(bruno, "invitations") == tables(celina, "invitations") == [table]
    assert tables(bruno, "playing") == []
    assert ada.http.get(f"/api/tables/{table}").json()["invited"] in (["Bruno", "Celina"], ["Celina", "Bruno"])
    assert bruno.http.get(f"/api/tables/{table}").json()["invited"] == []  # for those who sit there

    celina.do(table, "decline")
    assert tables(celina, "invitations") == []
    bruno.do(table, "join")
    assert (tables(bruno, "invitations"), tables(bruno, "playing")) == ([], [table])
    assert ada.http.get(f"/api/tables/{table}").json()["invited"] == []


def test_an_invitation_ends_with_the_start_and_is_no_seat(server: Server) -> None:
    (ada, bruno), old = finished(server, 2)
    table = ada.open("mantis", 2)
    ada.do(table, "invite", from_table=old, seat=1)
    assert bruno.command(table, "salt", salt="1" * 64).json()["code"] == "not-seated"
    ada.do(table, "salt", salt="1" * 64)
    ada.do(table, "start", fill="easy")
    assert tables(bruno, "invitations") == []
    assert bruno.command(table, "join").json()["code"] == "not-waiting"


def test_nobody_invites_strangers_or_those_who_do_not_want_to_hear_of_them(server: Server) -> None:
    (ada, bruno), old = finished(server, 2)
    stranger = Guest(server.address, "Dario")
    table, other = ada.open("mantis", 2), stranger.open("mantis", 2)
    assert stranger.command(other, "invite", from_table=old, seat=1).json()["code"] == "not-seated"
    assert stranger.command(table, "invite", from_table=old, seat=1).json()["code"] == "not-seated"
    assert ada.command(table, "invite", from_table=old, seat=0).json()["code"] == "not-a-person"
    assert ada.command(table, "invite", from_table=old, seat=9).json()["code"] == "no-such-seat"
    bruno.do(old, "mute", seat=0, muted=True)
    ada.do(table, "invite", from_table=old, seat=1)  # Ada does not learn that she is muted
    assert tables(bruno, "invitations") == []


def test_ready_marks_last_until_the_settings_change(server: Server) -> None:
    people = [Guest(server.address, name) for name in ("Ada", "Bruno")]
    ada, bruno = people
    table = seat_everybody(people, "mantis")

    def ready() -> list[bool]:
        return [seat["ready"] for seat in ada.http.get(f"/api/tables/{table}").json()["seats"]]

    bruno.do(table, "ready", ready=True)
    assert ready() == [False, True]
    ada.do(table, "settings", seats=2, options={}, first_seat=0, public=False, seconds_per_move=None, hints=True)
    assert ready() == [False, False]


def test_a_picture_is_chosen_before_the_deal_and_cannot_be_a_signal_later(server: Server) -> None:
    people = [Guest(server.address, name) for name in ("Ada", "Bruno")]
    ada, bruno = people
    table = seat_everybody(people, "mantis")
    bruno.do(table, "avatar", avatar=13)
    assert ada.http.get(f"/api/tables/{table}").json()["seats"][1]["avatar"] == 13
    assert ada.http.get("/api/me/tables").json()["playing"][0]["seats"][1]["avatar"] == 13
    assert bruno.command(table, "avatar", avatar=48).json()["code"] == "bad-message"
    start(people, table)
    with ada.socket(table) as socket:
        socket.until("play")
    assert bruno.command(table, "avatar", avatar=14).json()["code"] == "not-waiting"


def test_people_write_in_the_waiting_room_of_a_game_without_free_chat(server: Server) -> None:
    server.ready("infinity-gauntlet")
    people = [Guest(server.address, name) for name in ("Ada", "Bruno")]
    ada, bruno = people
    table = seat_everybody(people, "infinity-gauntlet")
    with bruno.socket(table) as socket:
        ada.do(table, "say", text="Shall we?")
        said = socket.until("talk")["said"]
        while not said:
            said = socket.until("talk")["said"]
        assert (said[0]["name"], said[0]["text"]) == ("Ada", "Shall we?")
        start(people, table)
        socket.until("play")
        assert ada.command(table, "say", text="I have Thor").json()["code"] == "no-free-talk"
