"""A hint highlights its move and explains it like a review, and one tap plays it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.player import Player
from tests.browser.test_pages import violations
from tests.browser.test_sizes import BEHIND_THE_DOCK, HEIGHTS

SOON = 240_000  # milliseconds: the search may have to be compiled first, on a busy machine


@pytest.mark.slow
def test_a_hint_lights_its_move_up_and_one_tap_plays_it(visitor: Callable[..., Player]) -> None:
    player = visitor(phone=True)
    player.play_into("mantis", 2)
    page = player.page
    confirm = page.get_by_test_id("confirm")
    expect(confirm).to_be_disabled()
    page.get_by_role("button", name="Hint").click()
    expect(confirm).to_be_enabled(timeout=SOON)
    expect(page.locator(".hint")).to_contain_text("%")
    expect(page.locator("[data-action][aria-pressed=true]").first).to_be_visible()
    assert violations(page) == []
    turn = player.turn
    confirm.click()
    player.wait_past(turn)


@pytest.mark.slow
def test_a_hint_takes_the_place_of_the_question_and_covers_no_token(visitor: Callable[..., Player]) -> None:
    player = visitor()
    player.page.set_viewport_size({"width": 820, "height": 1180})
    player.play_into("splendor-marvel", 2)
    before = player.page.evaluate(HEIGHTS)[0]
    player.page.get_by_role("button", name="Hint").click()
    expect(player.page.get_by_test_id("confirm")).to_be_enabled(timeout=SOON)
    expect(player.page.locator(".words .hint")).to_contain_text("%")
    assert player.page.evaluate(HEIGHTS)[0] <= before + 60, "a choice between two actions may take a row"
    assert player.page.evaluate(BEHIND_THE_DOCK) == []
