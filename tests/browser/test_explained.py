"""The first game of a title is introduced, and the possible results of a selected action are shown beside it."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.finished import finish_game
from tests.browser.player import Player
from tests.browser.strategy import choose

ASKED = 120_000  # milliseconds


def test_the_first_game_opens_with_its_goal_and_a_choice_says_what_comes_of_it(visitor: Callable[..., Player]) -> None:
    player = visitor(speed=None)  # a browser without settings
    page = player.page
    player.play_now("infinity-gauntlet")
    card = page.get_by_test_id("help")
    card.wait_for()
    assert page.get_by_test_id("goal").inner_text().startswith("You are ")
    assert page.evaluate("document.activeElement.dataset.testid") == "help-close"
    assert page.get_by_test_id("caption").count() == 0, "nothing is told while it is read"
    page.keyboard.press("Enter")
    card.wait_for(state="detached")
    assert page.evaluate("document.activeElement.matches('.question')"), "the keyboard goes on at the table"

    page.reload()
    player.wait_for_cards()
    page.evaluate(
        "localStorage.setItem('tavolino.settings',"
        " JSON.stringify({...JSON.parse(localStorage.getItem('tavolino.settings')), speed: 'instant'}))"
    )
    page.reload()
    page.get_by_test_id("confirm").wait_for(timeout=ASKED)
    assert card.count() == 0, "it is shown once"
    page.keyboard.press("?")
    card.wait_for()
    page.keyboard.press("Escape")
    card.wait_for(state="detached")

    assert player.wait_for_turn()
    player.select(choose(player.view or {}))
    explanation = page.get_by_test_id("explanation")
    explanation.wait_for()
    assert explanation.inner_text()
    assert page.get_by_test_id("confirm").get_attribute("aria-describedby") == explanation.get_attribute("id")

    page.get_by_role("button", name="Settings").click()
    page.get_by_role("button", name="End the game", exact=True).wait_for()  # nobody else needs to agree


@pytest.mark.parametrize("language", ["en", "it", "pl"])
def test_signs_are_explained_before_they_are_seen(visitor: Callable[..., Player], language: str) -> None:
    player = visitor(phone=True, language=language, speed=None)
    page = player.page
    page.set_viewport_size({"width": 390, "height": 664})
    page.goto("/")
    page.get_by_test_id("play-splendor-marvel").click()
    signs = page.get_by_test_id("signs")
    expect(signs.locator("h3")).to_be_in_viewport(ratio=1)
    expect(signs.locator(".card")).to_be_in_viewport(ratio=0.8)
    expect(signs.locator("li")).to_have_count(6)
    assert all(signs.locator("li").all_inner_texts())
    page.get_by_test_id("help-close").click()
    page.get_by_test_id("open-help").click()
    expect(signs).to_be_visible()


def test_while_nothing_is_selected_the_button_says_what_to_choose_and_shows_it(visitor: Callable[..., Player]) -> None:
    player = visitor(phone=True)
    player.play_now("mantis")
    assert player.wait_for_turn()
    guide = player.page.get_by_test_id("confirm")
    expect(guide).to_have_text("Choose a tank")
    moving = "() => document.getAnimations().filter(({ effect }) => effect.target.matches('.plate.lit')).length"
    assert player.page.evaluate(moving) == 0
    guide.dispatch_event("click")
    assert player.page.evaluate(moving) == len((player.view or {})["legal"])
    player.page.locator('[data-action="score"]:visible').first.click()
    expect(guide).to_have_text("Try to score")


def test_after_a_game_there_is_one_main_button_and_one_other(visitor: Callable[..., Player]) -> None:
    page = visitor(phone=True).page
    table = finish_game(page, "mantis", 2)
    page.goto(f"/table/{table}")
    after = page.get_by_test_id("after")
    expect(after.locator(".button.main")).to_have_text("Play again")
    expect(after.locator(".button:not(.main)")).to_have_text("Review the game")
    page.get_by_test_id("open-review").click()
    expect(page).to_have_url(re.compile(f"/review/{table}"))
