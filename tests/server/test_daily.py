"""Daily deals: the same sealed cards for everybody, one try, secret until the day is over, compared without luck."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec
import pytest

from tavolino.server.clock import STEADY_SECONDS
from tavolino.server.features.daily_deals import deals as daily
from tavolino.server.features.daily_deals.figures import FRESH_SECONDS
from tavolino.server.features.reviews.feature import ReviewsFeature
from tavolino.server.games import fairness
from tavolino.server.verify.checks import check_record
from tests.server.clients import TIMEOUT, Guest, Socket, ask_everything, socket_url
from tests.server.conftest import Server

GAME = "mantis"
NOON = 1_800_014_400.0  # 2027-01-15, 12:00 UTC


@pytest.fixture
def server(start_server: Callable[..., Server]) -> Server:
    server = start_server().ready(GAME)
    server.run(partial(set_clock, server, NOON))
    return server


def set_clock(server: Server, moment: float) -> None:
    """A clock that was set, and has been right for long since then."""
    clock = server.clock
    clock.set_wall(moment - STEADY_SECONDS - 1 - clock.wall())
    clock.tick()
    clock.advance(STEADY_SECONDS + 1)
    clock.tick()


def deal_of(guest: Guest) -> dict[str, Any]:
    found: list[dict[str, Any]] = guest.http.get("/api/daily").json()
    return next(each for each in found if each["game"] == GAME)


def begin(guest: Guest) -> str:
    answer = guest.http.post(f"/api/daily/{GAME}")
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


def play(guest: Guest, table: str, until_over: bool = True) -> list[str]:
    """Play by the first legal action; everything that was sent, as it came."""
    sent, turn, end = [], 0, time.monotonic() + 4 * TIMEOUT
    while time.monotonic() < end:
        sent.append(guest.http.get(f"/api/tables/{table}").text)
        got = guest.http.get(f"/api/tables/{table}/play", params={"turn": turn, "wait": 5})
        sent.append(got.text)
        if got.status_code != 200:  # not dealt yet
            time.sleep(0.02)
            continue
        view = got.json()["view"]
        turn = got.json()["turn"]
        if view["over"]:
            return sent
        if view["to_act"] == 0:
            if not until_over and turn > 0:
                return sent
            sent.append(guest.command(table, "move", turn=turn, action=view["legal"][0]).text)
    raise AssertionError("the game never ended")


def test_everybody_gets_the_same_cards_and_one_try(server: Server) -> None:
    ada, bruno = Guest(server.address, "Ada"), Guest(server.address, "Bruno")
    assert deal_of(ada)["commitment"] == deal_of(bruno)["commitment"]
    assert deal_of(ada)["ends"] == daily.ends_at("2027-01-15")
    tables = [begin(ada), begin(bruno)]
    assert tables[0] != tables[1]
    assert begin(ada) == tables[0] == deal_of(ada)["table"], "there is one try"
    seals = [guest.http.get(f"/api/tables/{t}").json() for guest, t in zip((ada, bruno), tables, strict=True)]
    assert seals[0]["fairness"]["commitment"] == seals[1]["fairness"]["commitment"] == deal_of(ada)["commitment"]
    assert seals[0]["daily"] == "2027-01-15"
    played = [json.loads(play(guest, t)[-1])["view"] for guest, t in zip((ada, bruno), tables, strict=True)]
    assert played[0] == played[1], "the same cards, the same decisions, the same bots: the same game"
    assert deal_of(ada)["streak"] == 1, "as soon as somebody asks"


def test_hints_are_off_and_nothing_can_be_changed(server: Server) -> None:
    ada = Guest(server.address, "Ada")
    table = begin(ada)
    play(ada, table, until_over=False)
    assert ada.command(table, "hint").json()["code"] == "no-hints"
    assert ada.command(table, "salt", salt="0" * 64).json()["code"] == "not-waiting"
    settings = {"seats": 2, "options": {}, "first_seat": None, "public": True, "seconds_per_move": None, "hints": True}
    assert ada.command(table, "settings", **settings).json()["code"] == "not-waiting"


def test_threat_09_nothing_of_a_daily_deal_is_sent_before_it_may_be(server: Server) -> None:
    """On the bytes: neither to the player before the end, nor to anybody else before the day is over."""
    ada, bruno = Guest(server.address, "Ada"), Guest(server.address, "Bruno")
    name = daily.deal_of("2027-01-15", GAME)
    table = begin(ada)
    secret = server.run(lambda: server.context.storage.shared_secret(name))
    seats = len(ada.http.get(f"/api/tables/{table}").json()["seats"])
    seed = fairness.deal_seed(name, secret, [None] * seats).hex()
    canaries = (secret, seed)

    def everything(guest: Guest) -> list[str]:
        got = ask_everything(guest, table)
        return [each.text for each in got]

    own = [*play(ada, table, until_over=False), *everything(ada), ada.http.get("/api/daily").text]
    assert not [text for text in own if any(each in text for each in canaries)]
    assert json.loads(everything(ada)[2])["code"] == "still-playing"

    def refused_to_strangers() -> None:
        told = everything(bruno)
        assert {json.loads(text)["code"] for text in told} == {"still-secret"}
        socket = Socket(socket_url(server.address, table), {}, hello=False)
        assert [message.get("code") for message in socket.drain()] == ["still-secret"]
        assert socket.close_code == 4410
        listed = bruno.http.get("/api/daily").text
        assert not any(each in listed for each in (*canaries, table))

    refused_to_strangers()
    play(ada, table)
    assert secret in ada.http.get(f"/api/tables/{table}").text, "who has finished may check the deal"
    refused_to_strangers()
    server.clock.advance(daily.DAY / 2 + 60)
    record = bruno.http.get(f"/api/tables/{table}/record").json()
    assert record["seed"] == {"bytes": seed}


def test_threat_09_who_has_finished_a_deal_knows_nothing_of_other_deals(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each deal has a secret that was drawn for it alone: none follows from another, or from anything that is shown."""
    drawn: list[str] = []
    new_secret = fairness.new_secret

    def note() -> str:
        drawn.append(new_secret())
        return drawn[-1]

    monkeypatch.setattr(fairness, "new_secret", note)
    ada = Guest(server.address, "Ada")
    games = [each["game"] for each in ada.http.get("/api/daily").json()]
    deals = [daily.deal_of(day, game) for day in ("2027-01-15", "2027-01-16") for game in games]
    stored = [server.run(partial(server.context.storage.shared_secret, deal)) for deal in deals]
    assert len(deals) > 3
    assert len(set(stored)) == len(stored) == len(set(drawn) & set(stored)), "a draw for each of them"
    table = begin(ada)
    shown = [*play(ada, table), ada.http.get("/api/daily").text]
    shown += [
        ada.http.get(f"/api/tables/{table}{path}").text for path in ("", "/play", "/record", "/frames?perspective=open")
    ]
    own = deals.index(daily.deal_of("2027-01-15", GAME))
    assert stored[own] in "".join(shown), "that of the deal itself is revealed"
    for deal, secret in zip(deals, stored, strict=True):
        seeds = [fairness.deal_seed(deal, secret, [None] * seats).hex() for seats in range(2, 7)]
        if deal != deals[own]:
            assert not any(each in text for each in (secret, *seeds) for text in shown), deal


def test_threat_40_a_clock_that_is_wrong_for_a_while_shows_no_daily_deal_too_early(server: Server) -> None:
    ada, bruno = Guest(server.address, "Ada"), Guest(server.address, "Bruno")
    deal = deal_of(ada)
    table = begin(ada)
    server.clock.set_wall(daily.DAY)
    assert deal_of(bruno)["day"] != deal["day"], "what is played goes by the wall clock"
    assert deal_of(bruno)["yesterday"] is None
    for path in ("", "/play", "/record"):
        assert bruno.http.get(f"/api/tables/{table}{path}").json()["code"] == "still-secret"
    server.clock.set_wall(-daily.DAY)
    assert bruno.http.get(f"/api/tables/{table}").json()["code"] == "still-secret"
    server.clock.set_wall(daily.DAY)
    server.clock.tick()
    server.clock.advance(STEADY_SECONDS + 1)  # by then it is believed
    assert deal_of(bruno)["yesterday"]["commitment"] == deal["commitment"]
    assert bruno.http.get(f"/api/tables/{table}").status_code == 200


def test_the_secret_is_shown_when_the_day_is_over_and_fits_what_was_told_the_day_before(server: Server) -> None:
    ada = Guest(server.address, "Ada")
    tomorrow = deal_of(ada)["tomorrow"]
    assert deal_of(ada)["yesterday"] is None
    server.clock.advance(daily.DAY)
    assert deal_of(ada)["commitment"] == tomorrow
    table = begin(ada)
    play(ada, table)
    record = ada.http.get(f"/api/tables/{table}/record").json()
    checks = check_record(record, kept_commitment=tomorrow)
    assert all(check.holds for check in checks), checks
    server.clock.advance(daily.DAY)
    revealed = deal_of(ada)["yesterday"]
    assert revealed["commitment"] == tomorrow == fairness.commitment(revealed["deal"], revealed["secret"])
    assert revealed["secret"] == record["fairness"]["secret"]
    assert revealed["table"] == table
    assert deal_of(ada)["table"] is None, "a new day, a new deal"


def test_what_the_decisions_gave_away_is_compared_and_not_who_won(server: Server) -> None:
    guests = [Guest(server.address, name) for name in ("Ada", "Bruno", "Celina")]
    for guest, given_away in zip(guests, (0.1, 0.3, 0.2), strict=True):
        table = begin(guest)
        play(guest, table)
        review = msgspec.json.encode({"given_away": given_away})
        server.run(partial(server.feature(ReviewsFeature).reviews.keep, (table, 0), review))
        assert deal_of(guest)["result"]["given_away"] == given_away
    results = [deal_of(guest)["result"] for guest in guests]
    assert [result["worse"] for result in results] == [2, 0, 1]
    assert {(result["others"], result["median"], result["counts"]) for result in results} == {(2, 0.2, True)}
    assert deal_of(guests[0])["streak"] == 1
    reads: list[str] = []
    server.run(partial(count_reads, server, reads))
    assert deal_of(guests[0])["result"] == results[0]
    assert reads == [], "what was read a moment ago is kept"
    server.clock.advance(FRESH_SECONDS)
    assert deal_of(guests[0])["result"] == results[0]
    assert deal_of(guests[2])["result"] == results[2]
    assert reads == [daily.deal_of("2027-01-15", GAME)]
    guests[1].http.delete("/api/me")
    assert deal_of(guests[0])["result"]["others"] == 1, "who is forgotten is not compared with"


def count_reads(server: Server, reads: list[str]) -> None:
    storage: Any = server.context.storage
    read = storage.items_called

    async def counted(name: str) -> Any:
        reads.append(name)
        return await read(name)

    storage.items_called = counted


def test_a_game_that_was_given_up_does_not_count(server: Server) -> None:
    ada = Guest(server.address, "Ada")
    table = begin(ada)
    play(ada, table, until_over=False)
    ada.do(table, "resign")
    result = deal_of(ada)["result"]
    assert (result["counts"], result["given_away"], deal_of(ada)["streak"]) == (False, None, 0)
    assert begin(ada) == table, "and there is no second try"


@pytest.mark.parametrize(
    ("days", "count"),
    [
        ([], 0),
        (["2027-01-15"], 1),
        (["2027-01-14"], 1),
        (["2027-01-13"], 0),
        (["2027-01-15", "2027-01-14", "2027-01-12"], 2),
        (["2027-01-01", "2026-12-31"], 0),
    ],
)
def test_a_streak_is_days_in_a_row_up_to_today_or_yesterday(days: list[str], count: int) -> None:
    assert daily.streak(set(days), "2027-01-15") == count


def test_a_day_is_one_of_utc() -> None:
    assert daily.day_of(NOON) == "2027-01-15"
    assert daily.day_of(NOON, later=-15) == "2026-12-31"
    name = daily.deal_of("2027-01-15", GAME)
    assert daily.is_secret(name, daily.ends_at("2027-01-15") - 1)
    assert not daily.is_secret(name, daily.ends_at("2027-01-15"))
    assert not daily.is_secret(None, NOON)
