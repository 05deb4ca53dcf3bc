"""A hint highlights its move and explains it like a review, and one tap plays it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.player import Player
from tests.browser.test_pages import violations

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
    player._wait_past(turn)
