"""Puzzles and the daily deal in the browser: on a desk and on a phone, in three languages, without a violation."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.player import Player
from tests.browser.strategy import choose
from tests.browser.test_pages import A_KEY, SETTLED, violations
from tests.sampling import each_language_and_each

GAMES = ("infinity-gauntlet", "mantis", "splendor-marvel")
OPEN_PUZZLE = re.compile(r"/puzzles/[^/]+/([0-9a-f]+)")


def check(player: Player) -> None:
    page = player.page
    page.wait_for_function(SETTLED)
    assert violations(page) == []
    assert A_KEY.findall(page.inner_text("body")) == []
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"), "the page scrolls sideways"


def puzzle_of(player: Player) -> str:
    player.page.wait_for_url(OPEN_PUZZLE)
    found = OPEN_PUZZLE.search(player.page.url)
    assert found is not None
    return found[1]


@each_language_and_each(GAMES)
def test_a_puzzle_is_asked_answered_and_followed_by_the_next(
    visitor: Callable[..., Player], game: str, language: str
) -> None:
    player = visitor(phone=language != "en", language=language)
    page = player.page
    page.goto("/puzzles")
    page.get_by_test_id(f"puzzles-{game}-easy").click()
    first = puzzle_of(player)
    page.get_by_test_id("question").wait_for()
    player.view = page.request.get(f"/api/puzzles/{game}/{first}").json()["view"]
    check(player)
    player.answer(player.view["legal"][0])
    page.get_by_test_id("verdict").wait_for()
    expect(page.get_by_test_id("confirm")).to_have_count(0)  # nothing is asked any more
    check(player)
    page.get_by_test_id("next-puzzle").click()
    page.get_by_test_id("verdict").wait_for(state="detached")
    assert puzzle_of(player) != first
    page.goto("/puzzles")
    page.get_by_test_id(f"puzzles-{game}-easy").wait_for()
    tried = [card for card in page.request.get(f"/api/puzzles/{game}").json() if card["solved"] is not None]
    assert [card["id"] for card in tried] == [first], "the try is kept for the person"


def test_the_daily_deal_is_begun_once_and_gone_on_with(visitor: Callable[..., Player]) -> None:
    player = visitor(phone=True)
    page = player.page
    page.goto("/")
    page.get_by_test_id("daily").click()
    page.get_by_test_id("play-daily-mantis").click()
    player.wait_for_cards()
    table = page.url
    assert player.wait_for_turn()
    page.goto("/daily")
    check(player)
    page.get_by_test_id("play-daily-mantis").click()
    page.wait_for_url(table)


def test_after_a_daily_deal_one_can_compare_and_others_read_why_they_see_nothing(
    visitor: Callable[..., Player],
) -> None:
    player, other = visitor(phone=True), visitor(language="it")
    page = player.page
    page.goto("/daily")
    page.get_by_test_id("play-daily-mantis").click()
    player.wait_for_cards()
    table = page.url.rpartition("/")[2]
    while player.wait_for_turn():
        player.act(choose(player.view or {}))
    expect(page.get_by_test_id("after")).to_be_visible()
    page.get_by_test_id("compare").click()
    page.wait_for_url("**/daily")
    expect(page.get_by_test_id("daily-mantis")).not_to_contain_text("Continue")

    for address in ("table", "watch", "replay", "review"):
        other.page.goto(f"/{address}/{table}")
        expect(other.page.locator("h1")).to_contain_text("Altri possono ancora giocare questa partita")


def test_the_first_page_says_when_own_mistakes_have_come_back(visitor: Callable[..., Player]) -> None:
    """What the server answers is replaced: a day would have to pass."""
    player = visitor(phone=True)
    page = player.page
    page.goto("/")
    expect(page.get_by_test_id("puzzles")).to_contain_text("Find the best move")
    player.play_now("mantis")
    due = {"id": "x", "game": "mantis", "turn": 3, "cost": 0.2, "due": 0, "solved": 0}
    page.route("**/api/me/mistakes", lambda route: route.fulfill(json={"now": [due, due], "later": []}))
    page.goto("/")
    expect(page.get_by_test_id("puzzles")).to_contain_text("2 positions are waiting for you")
