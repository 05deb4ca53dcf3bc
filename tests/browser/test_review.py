"""After a game: the review beside the end, the table at any moment, the quiz, and playing on from there."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.finished import call, finish_game
from tests.browser.player import Player
from tests.browser.test_pages import violations

SOON = 240_000  # milliseconds: the review runs at a low priority, on a busy machine


def reviewed(player: Player, game: str = "mantis", seats: int = 2) -> str:
    """A game that was played badly, and its end once the review is there."""
    table = finish_game(player.page, game, seats)
    player.page.goto(f"/table/{table}")
    expect(player.page.get_by_test_id("in-words")).to_be_visible(timeout=SOON)
    expect(player.page.get_by_test_id("numbers")).to_be_hidden()  # behind "Details"
    return table


def position(page: Page) -> int:
    found = re.search(r"move=(\d+)", page.url)
    assert found, page.url
    return int(found[1])


@pytest.mark.slow
def test_from_the_end_through_review_and_quiz_to_playing_on(visitor: Callable[..., Player]) -> None:
    player = visitor(phone=True)
    page = player.page
    table = reviewed(player)
    expect(page.get_by_test_id("turning-point")).to_contain_text("Turning point")
    costliest = page.get_by_test_id("costliest")  # in words, although the page was opened after the game
    expect(costliest).to_contain_text(re.compile(r"choice: Try to .* Better: Try to "))
    assert violations(page) == []

    page.get_by_test_id("turning-point").get_by_role("link").click()
    expect(page.locator(".opener")).to_have_text("Review")  # of the decisions and the numbers, on a phone
    expect(page.get_by_test_id("verdict")).to_contain_text("chance to win")
    assert violations(page) == []
    curve = page.get_by_test_id("curve")
    at = position(page)
    curve.focus()
    page.keyboard.press("ArrowLeft" if at else "ArrowRight")
    expect(page).to_have_url(re.compile(f"move={at - 1 if at else 1}&?"))
    page.keyboard.press("Home")
    expect(page).to_have_url(re.compile("move=0"))
    box = curve.bounding_box()
    assert box
    page.touchscreen.tap(box["x"] + box["width"] * 0.5, box["y"] + box["height"] * 0.5)
    expect(page).not_to_have_url(re.compile("move=0$"))

    page.get_by_test_id("start-quiz").click()
    quiz = page.get_by_test_id("quiz")
    expect(quiz).to_contain_text("What would you do?")
    asked = position(page)
    page.evaluate("() => scrollTo(0, 0)")
    page.locator("[data-action]:visible").first.click()
    expect(page.get_by_test_id("confirm")).to_be_in_viewport(ratio=1)
    page.get_by_test_id("confirm").click()
    expect(quiz).to_have_attribute("data-answered", "true")
    expect(quiz.get_by_test_id("worths").locator("li").first).to_contain_text("%")
    assert violations(page) == []

    page.get_by_test_id("play-on").click()
    expect(page).not_to_have_url(re.compile(table))
    page.get_by_test_id("question").wait_for()
    expect(page.get_by_text(f"You’re playing on from move {asked}")).to_be_visible()
    assert player.wait_for_turn()
    player.act(player.view["legal"][0])  # type: ignore[index]


@pytest.mark.slow
def test_the_list_the_log_and_the_picture(visitor: Callable[..., Player]) -> None:
    player = visitor()
    page = player.page
    reviewed(player, "infinity-gauntlet", 3)
    page.get_by_test_id("draw-picture").click()
    picture = page.get_by_test_id("picture").locator("img")
    expect(picture).to_have_js_property("naturalWidth", 1200)
    assert "decision" in (picture.get_attribute("alt") or "")
    page.get_by_test_id("open-review").click()
    page.get_by_test_id("decisions").locator("button").first.click()
    expect(page.get_by_test_id("verdict")).to_contain_text("You chose")
    for width, height in ((1280, 720), (1440, 900)):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function(
            """() => document.querySelector('.seat.mine').getBoundingClientRect().bottom
              <= document.querySelector('.dock').getBoundingClientRect().top"""
        )
    at = position(page)
    page.keyboard.press("Shift+ArrowRight")
    expect(page).not_to_have_url(re.compile(f"move={at}$"))
    page.get_by_role("tab", name="Log").click()
    line = page.get_by_test_id("log").locator("button").first
    line.click()
    assert violations(page) == []


@pytest.mark.slow
def test_who_gets_the_link_of_a_shared_review_sees_it_until_it_is_closed(visitor: Callable[..., Player]) -> None:
    player, friend = visitor(phone=True), visitor()
    page = player.page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    table = reviewed(player)
    review = f"/review/{table}?seat=0"
    closed = friend.page.get_by_text("You have no seat at this table.")
    page.get_by_test_id("draw-picture").click()
    expect(page.get_by_test_id("sharing")).to_contain_text("The link opens this review")
    friend.page.goto(review)
    expect(closed).to_be_visible()
    page.get_by_role("button", name="Copy the link").click()
    expect(page.get_by_test_id("sharing")).to_contain_text("Everyone with the link can see this review.")
    assert str(page.evaluate("navigator.clipboard.readText()")).endswith(review)
    assert violations(page) == []
    friend.page.goto(review)
    expect(friend.page.get_by_test_id("verdict")).to_contain_text("chance to win")
    page.reload()
    page.get_by_test_id("draw-picture").click()
    page.get_by_test_id("stop-sharing").click()
    expect(page.get_by_test_id("sharing")).to_contain_text("The link opens this review")
    friend.page.reload()
    expect(closed).to_be_visible()


def test_a_move_is_taken_back_against_bots(visitor: Callable[..., Player]) -> None:
    player = visitor()
    player.play_into("mantis", 1)
    page = player.page
    log = page.get_by_test_id("log").locator("li")
    before, turn = log.count(), player.turn
    page.get_by_test_id("take-back").click()
    player.wait_past(turn)
    expect(log).not_to_have_count(before)
    assert player.wait_for_turn()


def test_a_review_that_fails_leaves_the_end_as_it_is(visitor: Callable[..., Player]) -> None:
    player = visitor()
    page = player.page
    problem = '{"code": "no-review", "key": "server.refused.no-review", "params": {}, "rule": null}'
    page.route("**/review?seat=*", lambda route: route.fulfill(status=409, body=problem))
    table = finish_game(page, "mantis", 2, rated=True)
    page.goto(f"/table/{table}")
    expect(page.get_by_test_id("standings")).to_be_visible()
    expect(page.get_by_test_id("review")).to_have_count(0)
    expect(page.get_by_test_id("rating-change")).to_contain_text(re.compile(r"about \d+0 It gets more exact"))
    page.goto(f"/review/{table}?seat=0")
    expect(page.get_by_text("This game cannot be reviewed")).to_be_visible()


def test_play_now_is_rated_by_a_switch_that_is_remembered(visitor: Callable[..., Player]) -> None:
    page = visitor().page
    page.goto("/")
    page.get_by_test_id("options-mantis").locator("summary").click()
    page.get_by_test_id("rated-mantis").check()
    page.reload()
    expect(page.get_by_test_id("rated-mantis")).to_be_checked()
    expect(page.get_by_test_id("rated-splendor-marvel")).not_to_be_checked()
    page.get_by_test_id("play-mantis").click()
    page.get_by_test_id("question").wait_for(timeout=120_000)
    table = call(page, "GET", page.url.replace("/table/", "/api/tables/"))
    assert (table["rated"], table["hints"]) == (True, False)
    expect(page.get_by_test_id("take-back")).to_have_count(0)
