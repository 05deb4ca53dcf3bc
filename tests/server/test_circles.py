"""Circles: joined by a link and one's own tap; results of games that only members have played."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from tavolino.server.features.circles import circles
from tests.server.clients import Guest, play_to_end, seat_everybody, start
from tests.server.conftest import Server

Guests = Callable[[int], list[Guest]]


def make(owner: Guest, *others: Guest, name: str = "Thursday") -> str:
    answer = owner.http.post("/api/circles", json={"name": name})
    assert answer.status_code == 201, answer.text
    circle: str = answer.json()["id"]
    for person in others:
        assert person.http.post(f"/api/circles/{circle}/join").status_code == 200
    return circle


def show(guest: Guest, circle: str) -> dict[str, Any]:
    found: dict[str, Any] = guest.http.get(f"/api/circles/{circle}").json()
    return found


def member(guest: Guest, circle: str) -> str:
    return next(str(each["id"]) for each in show(guest, circle)["members"] if each["you"])


def remove(who: Guest, circle: str, whom: str) -> str | None:
    answer = who.http.delete(f"/api/circles/{circle}/members/{whom}")
    return None if answer.status_code == 204 else str(answer.json()["code"])


def finish(people: list[Guest], **settings: Any) -> str:
    table = seat_everybody(people, "mantis", **settings)
    start(people, table)
    play_to_end(people, [person.socket(table) for person in people])
    return table


def test_who_has_the_link_sees_a_name_and_joins_only_by_a_tap(server: Server, guests: Guests) -> None:
    ada, bruno = guests(2)
    circle = make(ada)
    assert len(circle) == 22, "128 bits: nobody guesses a link"
    seen = show(bruno, circle)
    assert (seen["name"], seen["joined"], seen["count"], seen["members"]) == ("Thursday", False, 1, [])
    assert "Ada" not in bruno.http.get(f"/api/circles/{circle}").text
    assert bruno.http.get("/api/me/circles").json() == [], "to look is not to join"
    joined = bruno.http.post(f"/api/circles/{circle}/join").json()
    assert [(each["name"], each["owner"], each["you"]) for each in joined["members"]] == [
        ("Ada", True, False),
        ("Bruno", False, True),
    ]
    assert bruno.http.post(f"/api/circles/{circle}/join").json()["count"] == 2, "once is enough"
    assert [each["members"] for each in ada.http.get("/api/me/circles").json()] == [2]
    for wrong in ("x", "A" * 22, "..%2f"):
        assert bruno.http.get(f"/api/circles/{wrong}").json()["code"] in ("no-such-circle", "not-found")
    bruno.http.headers.pop("Authorization")
    assert bruno.http.post(f"/api/circles/{circle}/join").json()["code"] == "no-identity"


def test_games_count_that_only_members_have_played(server: Server, guests: Guests) -> None:
    ada, bruno, celina = guests(3)
    circle = make(ada, bruno)
    empty = make(ada, name="Alone")
    with_stranger = seat_everybody([ada, celina], "mantis")
    start([ada, celina], with_stranger)
    play_to_end([ada, celina], [person.socket(with_stranger) for person in (ada, celina)])
    table = finish([ada, bruno])
    server.run(lambda: server.housekeeping.sweep())
    seen = show(bruno, circle)
    assert [each["game"] for each in seen["games"]] == ["mantis"]
    assert [result["table"] for result in seen["results"]] == [table]
    winners = ada.http.get(f"/api/tables/{table}").json()["ending"]["winners"]
    ids = [member(ada, circle), member(bruno, circle)]
    won = {each["member"]: each["won"] for each in seen["results"][0]["players"]}
    assert won == {ids[seat]: seat in winners for seat in (0, 1)}
    standings = seen["games"][0]["standings"]
    assert [each["games"] for each in standings] == [1, 1]
    assert {each["member"]: each["wins"] for each in standings} == {key: int(value) for key, value in won.items()}
    assert show(ada, empty)["results"] == [], "not all who played are in that one"
    late = show(celina, make_late(circle, celina))
    assert late["results"][0]["table"] is None, "the link to a table is for those who sat there"


def make_late(circle: str, guest: Guest) -> str:
    guest.http.post(f"/api/circles/{circle}/join")
    return circle


def test_who_leaves_or_is_forgotten_takes_the_results_along_and_a_circle_always_has_an_owner(
    server: Server, guests: Guests
) -> None:
    ada, bruno, celina = guests(3)
    circle = make(ada, bruno, celina)
    finish([ada, bruno])
    assert remove(bruno, circle, member(ada, circle)) == "not-owner"
    assert remove(ada, circle, member(ada, circle)) is None
    seen = show(bruno, circle)
    assert [(each["name"], each["owner"]) for each in seen["members"]] == [("Bruno", True), ("Celina", False)]
    assert len(seen["results"][0]["players"]) == 1
    assert show(ada, circle)["members"] == []
    bruno.http.delete("/api/me")
    seen = show(celina, circle)
    assert [(each["name"], each["owner"]) for each in seen["members"]] == [("Celina", True)]
    assert (seen["results"], seen["games"]) == ([], [])
    assert remove(celina, circle, member(celina, circle)) is None
    assert show(celina, circle)["code"] == "no-such-circle", "nobody is left"


def test_who_was_removed_does_not_come_back_and_sees_nothing(server: Server, guests: Guests) -> None:
    ada, bruno, celina = guests(3)
    circle = make(ada, bruno)
    assert remove(celina, circle, member(bruno, circle)) == "not-in-circle"
    assert remove(ada, circle, "0" * 16) == "not-in-circle"
    assert remove(ada, circle, member(bruno, circle)) is None
    assert bruno.http.post(f"/api/circles/{circle}/join").json()["code"] == "out-of-circle"
    assert show(bruno, circle)["members"] == []
    assert bruno.http.get("/api/me/circles").json() == []
    finish([ada, bruno])
    assert show(ada, circle)["results"] == []


def test_circles_have_limits_and_names_are_checked(
    server: Server, guests: Guests, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, bruno, celina = guests(3)
    monkeypatch.setattr(circles, "MOST_CIRCLES", 2)
    monkeypatch.setattr(circles, "MOST_MEMBERS", 2)
    first, _ = make(ada, bruno), make(ada)
    assert ada.http.post("/api/circles", json={"name": "Third"}).json()["code"] == "too-many-circles"
    assert celina.http.post(f"/api/circles/{first}/join").json()["code"] == "circle-full"
    for wrong in ("", " ", "x" * 25, "a\u202eb", "\u2800"):
        assert celina.http.post("/api/circles", json={"name": wrong}).status_code in (400, 422)
    shown = make(celina, name="<script>alert(1)</script>"[:24])
    assert show(celina, shown)["name"].startswith("<script>"), "text is text"


def test_no_answer_holds_the_id_of_a_person(server: Server, guests: Guests) -> None:
    ada, bruno = guests(2)
    circle = make(ada, bruno)
    finish([ada, bruno])
    recognise = server.context.people.recognise
    people = [server.run(partial(recognise, who.token)).id for who in (ada, bruno)]
    said = bruno.http.get(f"/api/circles/{circle}").text
    assert not [person for person in people if person in said]
    assert member(ada, circle) != member(ada, make(ada))


def invitations(guest: Guest) -> list[str]:
    return [each["id"] for each in guest.http.get("/api/me/tables").json()["invitations"]]


def test_a_table_is_shown_to_a_circle_and_nobody_learns_who_is_in_it(server: Server, guests: Guests) -> None:
    ada, bruno, celina, dario = guests(4)
    circle = make(ada, bruno, celina)
    table = ada.open("mantis", 3)
    dario.do(table, "join")
    assert invitations(bruno) == []
    assert dario.command(table, "invite-circle", circle=circle).json()["code"] == "not-in-circle"
    assert ada.command(table, "invite-circle", circle="x").json()["code"] == "no-such-circle"
    assert bruno.command(table, "invite-circle", circle=circle).json()["code"] == "not-seated"
    ada.do(table, "invite-circle", circle=circle)
    assert invitations(bruno) == invitations(celina) == [table]
    assert invitations(ada) == invitations(dario) == []
    for guest in (ada, dario):
        seen = guest.http.get(f"/api/tables/{table}")
        assert seen.json()["invited"] == []
        assert not {"Bruno", "Celina"} & {seat["name"] for seat in seen.json()["seats"]}
        assert "Bruno" not in seen.text
    celina.do(table, "decline")
    bruno.do(table, "join")
    assert invitations(celina) == invitations(bruno) == []
    ada.do(table, "leave")
    assert ada.command(table, "invite-circle", circle=circle).json()["code"] == "not-seated"


def test_a_circle_is_invited_until_the_start(server: Server, guests: Guests) -> None:
    ada, bruno = guests(2)
    circle = make(ada, bruno)
    table = ada.open("mantis", 2)
    ada.do(table, "invite-circle", circle=circle)
    ada.do(table, "salt", salt="1" * 64)
    ada.do(table, "start", fill="easy")
    assert invitations(bruno) == []
    assert ada.command(table, "invite-circle", circle=circle).json()["code"] == "not-waiting"
