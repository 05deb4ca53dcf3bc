"""The review of a private table, shared by its player: open to everybody with the link until the player closes it."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial

import httpx
import pytest

from tavolino.server.features.reviews.feature import ReviewsFeature
from tests.server.clients import Guest, dealt_table
from tests.server.conftest import Server
from tests.server.test_daily import NOON, begin, play, set_clock
from tests.server.test_play_on import finished, play_on
from tests.server.test_previews import site, tags  # noqa: F401 (a fixture)

Guests = Callable[[int], list[Guest]]
REVIEW = {
    "seat": 1,
    "skill": 0.8234,
    "luck": -0.1049,
    "moments": [],
    "steps": [{"before": 0.5, "after": 0.25}, {"before": 0.25, "after": 1.0}],
    "decisions": [],
}


def keep_reviews(server: Server, table: str) -> None:
    for seat in (0, 1):
        content = json.dumps({**REVIEW, "seat": seat}).encode()
        server.run(partial(server.feature(ReviewsFeature).reviews.keep, (table, seat), content))


def share(guest: Guest, table: str, shared: bool = True) -> str:
    answer = guest.http.post(f"/api/tables/{table}/review", json={"shared": shared})
    return "done" if answer.json() == {"shared": shared} else str(answer.json()["code"])


def seen_by(guest: Guest, table: str, seat: int) -> str:
    answer = guest.http.get(f"/api/tables/{table}/review", params={"seat": seat}).json()
    return "shared" if answer.get("shared") else "seen" if answer.get("review") else str(answer["code"])


def picture_of(server: Server, table: str, seat: int) -> str:
    answer = httpx.get(f"{server.address}/previews/review/{table}/{seat}.png")
    return "seen" if answer.headers["content-type"] == "image/png" else str(answer.json()["code"])


@pytest.fixture
def people(site: Server) -> list[Guest]:  # noqa: F811
    return [Guest(site.address, name) for name in ("Ada", "Bruno", "Celina")]


@pytest.fixture
def table(site: Server, people: list[Guest]) -> str:  # noqa: F811
    table = finished(site, lambda _: people, public=False)[1]
    keep_reviews(site, table)
    return table


def test_a_review_is_seen_by_strangers_only_while_its_player_shares_it(
    site: Server,  # noqa: F811
    people: list[Guest],
    table: str,
) -> None:
    ada, bruno, stranger = people

    def preview(seat: int) -> bool:
        found = tags(site, f"/review/{table}?seat={seat}")
        has_picture = found["og:image"] == f"{site.address}/previews/review/{table}/{seat}.png"
        assert has_picture == ("82%" in found["og:description"])
        return has_picture

    def nothing_is_seen(seat: int) -> None:
        assert seen_by(stranger, table, seat) == "not-seated"
        assert picture_of(site, table, seat) == "not-seated"
        assert not preview(seat)
        assert play_on(stranger, table, seat=seat, turn=0) == "not-seated"

    nothing_is_seen(0)
    nothing_is_seen(1)
    assert seen_by(ada, table, 1) == "seen"
    assert share(stranger, table) == "not-seated"
    nothing_is_seen(1)
    assert share(bruno, table) == "done"
    assert share(bruno, table) == "done", "again changes nothing"
    assert seen_by(stranger, table, 1) == seen_by(ada, table, 1) == "shared"
    assert picture_of(site, table, 1) == "seen"
    assert preview(1)
    assert play_on(stranger, table, seat=1, turn=0)["origin"]["table"] == table
    nothing_is_seen(0)
    assert seen_by(stranger, table, 5) == "not-seated"
    assert share(ada, table, shared=False) == "done", "who has not shared can stop nobody else"
    assert seen_by(stranger, table, 1) == "shared"
    assert share(bruno, table, shared=False) == "done"
    nothing_is_seen(1)


def test_a_shared_review_is_closed_when_its_player_is_forgotten(
    site: Server,  # noqa: F811
    people: list[Guest],
    table: str,
) -> None:
    _, bruno, stranger = people
    assert share(bruno, table) == "done"
    assert bruno.http.delete("/api/me").status_code == 204
    assert seen_by(stranger, table, 1) == "not-seated"
    assert picture_of(site, table, 1) == "not-seated"


def test_nothing_of_a_running_game_is_shared(site: Server, people: list[Guest]) -> None:  # noqa: F811
    running = dealt_table(people[:2], "mantis", public=False)
    assert share(people[0], running) == "still-playing"
    assert (
        httpx.post(f"{site.address}/api/tables/{running}/review", json={"shared": True}).json()["code"] == "no-identity"
    )
    assert share(people[0], "A" * 22) == "no-such-table"
    assert people[0].http.post(f"/api/tables/{running}/review", json={"shared": "yes"}).status_code == 400


def test_threat_09_a_deal_that_others_may_still_play_is_not_shared(site: Server, people: list[Guest]) -> None:  # noqa: F811
    """Its figures would tell of its cards."""
    ada, bruno, _ = people
    site.run(partial(set_clock, site, NOON))
    table = begin(ada)
    play(ada, table)
    keep_reviews(site, table)
    assert share(ada, table) == "still-secret"
    assert seen_by(bruno, table, 0) == "still-secret"
    assert "82%" not in tags(site, f"/review/{table}?seat=0")["og:description"]
    site.clock.advance(86_400)
    assert share(ada, table) == "done"
    assert seen_by(bruno, table, 0) == "shared"
