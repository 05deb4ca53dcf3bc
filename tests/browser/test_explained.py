"""The first game of a title is introduced, and the possible results of a selected action are shown beside it."""

from __future__ import annotations

from collections.abc import Callable

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
