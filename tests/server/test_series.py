"""Same-deal series: the same sealed cards for all members of a circle, a secret until everybody has played them."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec
import pytest

from tavolino.server.features.circles import deals as series
from tavolino.server.features.reviews.feature import ReviewsFeature
from tavolino.server.features.reviews.reviews import Reviews
from tavolino.server.games import fairness
from tavolino.server.verify.checks import check_record
from tests.server.clients import Guest, Socket, ask_everything, socket_url
from tests.server.conftest import Server
from tests.server.test_circles import make, member, remove, show
from tests.server.test_daily import GAME, NOON, play, set_clock


@pytest.fixture
def server(start_server: Callable[..., Server], monkeypatch: pytest.MonkeyPatch) -> Server:
    monkeypatch.setattr(
        Reviews, "can_start", lambda self, whose: False
    )  # they take a while; `review` says what they would say
    server = start_server().ready(GAME)
    server.run(partial(set_clock, server, NOON))
    return server


@pytest.fixture
def people(server: Server) -> list[Guest]:
    return [Guest(server.address, name) for name in ("Ada", "Bruno", "Celina")]


def open_series(guest: Guest, circle: str, **settings: Any) -> dict[str, Any]:
    answer = guest.http.post(f"/api/circles/{circle}/series", json={"game": GAME, "seats": 2, "deals": 2, **settings})
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.json()
    return found


def seen(guest: Guest, circle: str) -> dict[str, Any]:
    found: list[dict[str, Any]] = guest.http.get(f"/api/circles/{circle}/series").json()
    return found[0]


def begin(guest: Guest, circle: str, name: str, number: int) -> Any:
    answer = guest.http.post(f"/api/circles/{circle}/series/{name}/{number}")
    return answer.json()["id"] if answer.status_code == 201 else answer.json()["code"]


def review(server: Server, table: str, given_away: float) -> None:
    """Store a review as if it had been computed, which would take a while."""
    content = msgspec.json.encode({"given_away": given_away, "decisions": []})
    server.run(partial(server.feature(ReviewsFeature).reviews.keep, (table, 0), content))


def test_everybody_gets_the_same_sealed_cards_and_one_try(server: Server, people: list[Guest]) -> None:
    ada, bruno, stranger = people
    circle = make(ada, bruno)
    made = open_series(ada, circle)
    assert [deal["commitment"] for deal in made["deals"]] == [d["commitment"] for d in seen(bruno, circle)["deals"]]
    assert len({deal["commitment"] for deal in made["deals"]}) == 2
    tables = [begin(guest, circle, made["id"], 1) for guest in (ada, bruno)]
    assert begin(ada, circle, made["id"], 1) == tables[0] == seen(ada, circle)["deals"][0]["table"]
    table = ada.http.get(f"/api/tables/{tables[0]}").json()
    assert (table["series"], table["daily"], table["rated"]) == (made["id"], None, False)
    assert table["fairness"]["commitment"] == made["deals"][0]["commitment"]
    played = [json.loads(play(guest, t)[-1])["view"] for guest, t in zip((ada, bruno), tables, strict=True)]
    assert played[0] == played[1], "the same cards, the same decisions, the same bots: the same game"
    assert begin(stranger, circle, made["id"], 1) == "not-in-circle"
    assert stranger.http.get(f"/api/circles/{circle}/series").json()["code"] == "not-in-circle"
    for wrong in ((made["id"], 0), (made["id"], 3), ("x" * 22, 1)):
        assert begin(ada, circle, *wrong) == "no-such-series"
    assert begin(ada, make(ada), made["id"], 1) == "no-such-series", "it belongs to another circle"


def test_threat_09_a_deal_of_a_series_is_a_secret_until_all_have_played_it(server: Server, people: list[Guest]) -> None:
    """On the bytes: for the player until the end of the own game, for everybody else until the series is closed."""
    ada, bruno, stranger = people
    circle = make(ada, bruno)
    name = open_series(ada, circle, deals=1)["id"]
    deal = series.deal_of(name, 1)
    secret = server.run(lambda: server.context.storage.shared_secret(deal))
    canaries = (secret, fairness.deal_seed(deal, secret, [None, None]).hex())
    table = begin(ada, circle, name, 1)

    def everything(guest: Guest) -> list[str]:
        got = ask_everything(guest, table)
        got.append(guest.http.post(f"/api/tables/{table}/play-on", json={"seat": 0, "turn": 0}))
        return [each.text for each in got]

    own = [*play(ada, table, until_over=False), *everything(ada), json.dumps(seen(ada, circle))]
    assert not [text for text in own if any(each in text for each in canaries)]

    def refused_to_others() -> None:
        for guest in (bruno, stranger):
            told = everything(guest)
            assert {json.loads(text)["code"] for text in told} == {"still-secret"}
        socket = Socket(socket_url(server.address, table), {}, hello=False)
        assert [message.get("code") for message in socket.drain()] == ["still-secret"]
        listed = json.dumps([seen(bruno, circle), show(bruno, circle)])
        assert not any(each in listed for each in (*canaries, table))

    refused_to_others()
    play(ada, table)
    assert secret in ada.http.get(f"/api/tables/{table}").text, "who has finished may check the deal"
    on = ada.http.post(f"/api/tables/{table}/play-on", json={"seat": 0, "turn": 0})
    assert on.json()["code"] == "still-secret", "its cards would be open to whoever has the link"
    refused_to_others()
    assert seen(bruno, circle)["deals"][0]["results"] == [], "who has not played it sees no result of it"
    assert seen(ada, circle)["deals"][0]["secret"] is None
    mine = begin(bruno, circle, name, 1)
    play(bruno, mine)
    closed = seen(bruno, circle)
    assert closed["closed"], "all have played all deals"
    assert closed["deals"][0]["secret"] == secret
    assert {result["table"] for result in closed["deals"][0]["results"]} == {table, mine}
    record = stranger.http.get(f"/api/tables/{table}/record").json()
    assert all(check.holds for check in check_record(record))


def test_what_the_decisions_gave_away_is_compared_for_the_deals_that_one_has_finished(
    server: Server, people: list[Guest]
) -> None:
    ada, bruno, celina = people
    circle = make(ada, bruno, celina)
    name = open_series(ada, circle)["id"]
    ids = [member(guest, circle) for guest in (ada, bruno)]
    for number in (1, 2):
        table = begin(ada, circle, name, number)
        play(ada, table)
        review(server, table, 0.1 * number)
    table = begin(bruno, circle, name, 1)
    play(bruno, table)
    review(server, table, 0.3)
    before = seen(celina, circle)
    assert {one["member"]: (one["finished"], one["counted"], one["given_away"]) for one in before["standings"]} == {
        ids[0]: (2, 0, None),
        ids[1]: (1, 0, None),
        member(celina, circle): (0, 0, None),
    }
    now = seen(bruno, circle)
    assert [one["member"] for one in now["standings"]][:2] == ids, "who gave away less comes first"
    assert [one["given_away"] for one in now["standings"]][:2] == pytest.approx([0.1, 0.3])
    assert now["deals"][1]["results"] == []
    assert not now["closed"]
    assert remove(ada, circle, member(celina, circle)) is None
    table = begin(bruno, circle, name, 2)
    play(bruno, table)
    assert seen(ada, circle)["closed"], "all who are left have played"


def test_a_series_closes_when_its_time_is_over_and_then_nobody_begins_a_deal(
    server: Server, people: list[Guest]
) -> None:
    ada, bruno, _ = people
    circle = make(ada, bruno)
    name = open_series(ada, circle, days=1)["id"]
    table = begin(ada, circle, name, 1)
    play(ada, table, until_over=False)
    server.clock.advance(86_400 + 60)
    found = seen(bruno, circle)
    assert found["closed"]
    assert begin(bruno, circle, name, 1) == "series-closed"
    assert begin(ada, circle, name, 1) == table, "what was begun can be looked at"
    play(ada, table)
    result = seen(ada, circle)["deals"][0]["results"][0]
    assert not result["counts"], "it was over too late"


def test_series_have_limits(server: Server, people: list[Guest]) -> None:
    ada = people[0]
    circle = make(ada)
    for _ in range(3):
        open_series(ada, circle, deals=1)
    settings = {"game": GAME, "deals": 1}
    post = partial(ada.http.post, f"/api/circles/{circle}/series")
    assert post(json=settings).json()["code"] == "too-many-series"
    other = make(ada)
    post = partial(ada.http.post, f"/api/circles/{other}/series")
    assert post(json={**settings, "seats": 16}).json()["code"] == "bad-players"
    assert post(json={**settings, "game": "chess"}).json()["code"] == "no-such-game"
    for wrong in ({"deals": 0}, {"deals": 11}, {"days": 31}):
        assert post(json={**settings, **wrong}).json()["code"] == "bad-message"
