"""The home page: one button for a stranger, choices behind "Options", a strip for somebody who returns."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.player import Player

CROPPED = """() => [...document.querySelectorAll('.covers .picture > *')].filter((picture) => {
  const { width, height } = picture.getBoundingClientRect()
  return Math.abs(width / height - 4 / 3) > 0.03
}).length"""
WINDOWS = ((390, 664), (844, 390), (820, 1180), (1280, 720), (1440, 900))


def test_a_stranger_learns_by_one_button_and_begins_with_a_simple_game(visitor: Callable[..., Player]) -> None:
    player = visitor(speed=None)
    page = player.page
    page.goto("/")
    learn = page.get_by_test_id("learn-first")
    expect(learn).to_have_text("Learn Mantis by playing, two minutes")
    expect(page.get_by_test_id("level-mantis")).to_be_hidden()
    for width, height in WINDOWS:
        page.set_viewport_size({"width": width, "height": height})
        expect(learn).to_be_in_viewport(ratio=1)
        assert page.evaluate(CROPPED) == 0, (width, height)
    learn.click()
    expect(page.get_by_test_id("pictures").locator("li")).to_have_count(3)
    page.goto("/")
    page.get_by_test_id("play-mantis").click()
    page.get_by_test_id("help-close").click()
    assert player.wait_for_turn()
    assert player.view is not None
    assert (player.view["players"], player.view["icons"]) == (3, False)
    # Somebody who returns: the game that waits, the practice and the circles above the games.
    page.goto("/")
    page.get_by_test_id("continue").get_by_role("link").wait_for()
    for name in ("daily", "puzzles", "history", "circles"):
        expect(page.get_by_test_id(name)).to_be_visible()
    expect(page.get_by_test_id("learn-first")).to_have_count(0)


@pytest.mark.parametrize("language", ["en", "it", "pl"])
def test_a_stranger_on_a_phone_sees_every_game_and_its_button(visitor: Callable[..., Player], language: str) -> None:
    page = visitor(phone=True, language=language, speed=None).page
    page.goto("/")
    for width, height in ((390, 664), (412, 732)):
        page.set_viewport_size({"width": width, "height": height})
        for game in ("infinity-gauntlet", "mantis", "splendor-marvel"):
            expect(page.get_by_test_id(f"play-{game}")).to_be_in_viewport(ratio=1)
        for picture in page.locator(".covers .picture").all():
            expect(picture).to_be_in_viewport(ratio=1)
        assert page.evaluate(CROPPED) == 0
