"""Rated games and circles in the browser: on phones, in three languages, without a violation."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.browser.conftest import in_language
from tests.browser.player import Player
from tests.browser.test_practice import check

Visitor = Callable[..., Player]


def resign(player: Player, table: str = "") -> None:
    """A game that is over at once: at this table, or a rated one against a bot."""
    page = player.page
    settings = {"game": "mantis", "seats": 2, "rated": True, "bots": {"1": "medium"}}
    table = table or page.request.post("/api/tables", data=settings).json()["id"]
    page.request.post(f"/api/tables/{table}/commands", data={"type": "start"})
    page.goto(f"/table/{table}")
    page.get_by_test_id("question").wait_for()
    assert page.request.post(f"/api/tables/{table}/commands", data={"type": "resign"}).ok
    page.get_by_test_id("after").wait_for()


def test_a_rated_game_is_opened_with_a_tap_and_its_rating_is_shown_roughly(visitor: Visitor) -> None:
    player = visitor(phone=True)
    page = player.page
    page.goto("/open?game=mantis")
    page.get_by_test_id("open").click()
    page.get_by_test_id("rated").check()
    page.get_by_test_id("rating-0").wait_for()
    assert "about 1500" in page.get_by_test_id("rating-0").inner_text()
    check(player)
    for _ in range(2):
        resign(player)
    page.goto("/history")
    rating = page.get_by_test_id("rating-mantis")
    rating.locator("svg").wait_for()
    rating.locator("summary").click()
    assert rating.locator("tbody tr").count() == 2, "the curve is a table, too"
    assert "about" in rating.locator(".now").inner_text(), "two games make nothing sure"
    for language in ("en", "it", "pl"):
        in_language(page, language)
        check(player)


@pytest.mark.slow
def test_a_circle_is_made_shared_joined_by_a_tap_and_plays_a_series(visitor: Visitor) -> None:
    ada, bruno = visitor(phone=True), visitor(phone=True)
    page, other = ada.page, bruno.page
    page.goto("/circles")
    page.locator("#circle-name").fill("Thursday")
    page.get_by_test_id("make-circle").click()
    link = page.get_by_test_id("circle-link").input_value()
    check(ada)
    other.goto(link)
    other.get_by_test_id("join-circle").wait_for()
    check(bruno)
    other.get_by_test_id("join-circle").click()
    other.get_by_test_id("leave-circle").wait_for()
    table = page.request.post("/api/tables", data={"game": "mantis", "seats": 2}).json()["id"]
    page.goto(f"/table/{table}")
    page.get_by_test_id("invite-circles").get_by_role("button").click()
    page.get_by_role("button", name="Shown to “Thursday”").wait_for()
    check(ada)
    other.goto("/")
    other.get_by_test_id("invitations").get_by_role("link").wait_for()
    check(bruno)
    assert other.request.post(f"/api/tables/{table}/commands", data={"type": "join"}).ok
    resign(ada, table)
    page.goto(link)
    page.get_by_test_id("series-deals").select_option("1")
    page.get_by_test_id("make-series").click()
    page.get_by_test_id("play-series-1").wait_for()
    for language in ("en", "it", "pl"):
        other.goto(link)
        other.get_by_test_id("play-series-1").wait_for()
        other.get_by_test_id("standings-mantis").wait_for()
        in_language(other, language)
        check(bruno)
    assert other.locator("[data-testid=standings-mantis] tbody tr").count() == 2
    other.locator("[data-testid=one-series] summary").click()
    check(bruno)
    other.get_by_test_id("play-series-1").click()
    other.get_by_test_id("question").wait_for()
    other.goto(link)
    other.on("dialog", lambda dialog: dialog.accept())
    other.get_by_test_id("leave-circle").click()
    other.wait_for_url("**/circles")
