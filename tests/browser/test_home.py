"""The home page: one button for a stranger, choices behind "Options", a strip for somebody who returns."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.player import Player

CROPPED = """() => [...document.querySelectorAll('main .picture > *')].filter((picture) => {
  const { width, height } = picture.getBoundingClientRect()
  return Math.abs(width / height - 4 / 3) > 0.03
}).length"""
# What does not fit into its card; buttons of unlike heights; a card alone in its row beside free space.
RAGGED = """() => {
  const cards = [...document.querySelectorAll('.covers .cover')]
  const tall = new Set(cards.map((card) => Math.round(card.querySelector('.button').offsetHeight)))
  const rows = Map.groupBy(cards, (card) => Math.round(card.getBoundingClientRect().top))
  const perRow = new Set([...rows.values()].map((row) => row.length))
  const wide = cards.flatMap((card) => [card, ...card.querySelectorAll('h2, .facts, .line, .button')])
    .filter((part) => part.scrollWidth > part.clientWidth + 1 && getComputedStyle(part).display !== 'inline')
  return { tall: tall.size, perRow: perRow.size, wide: wide.map((part) => part.textContent) }
}"""
GAMES = ("infinity-gauntlet", "mantis", "splendor-marvel")
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
    page.set_viewport_size({"width": 390, "height": 664})
    for game in GAMES:
        expect(page.get_by_test_id(f"play-{game}")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("language", ["en", "it", "pl"])
def test_a_stranger_on_a_phone_sees_every_game_and_its_button(visitor: Callable[..., Player], language: str) -> None:
    page = visitor(phone=True, language=language, speed=None).page
    page.goto("/")
    for width, height in ((390, 664), (412, 732)):
        page.set_viewport_size({"width": width, "height": height})
        for game in GAMES:
            expect(page.get_by_test_id(f"play-{game}")).to_be_in_viewport(ratio=1)
        for picture in page.locator(".covers .picture").all():
            expect(picture).to_be_in_viewport(ratio=1)
        assert page.evaluate(CROPPED) == 0


@pytest.mark.parametrize("language", ["en", "it", "pl"])
def test_covers_stand_in_even_rows_with_words_that_fit_and_one_main_button(
    visitor: Callable[..., Player], language: str
) -> None:
    page = visitor(language=language, speed=None).page
    page.goto("/")
    page.get_by_test_id("play-mantis").wait_for()
    for width, height in (*WINDOWS, (768, 1024), (1024, 768), (1366, 650)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(RAGGED) == {"tall": 1, "perRow": 1, "wide": []}, (width, height)
    assert page.locator("main .button.main").all_inner_texts() == [page.get_by_test_id("learn-first").inner_text()]


def test_no_page_crops_a_cover(visitor: Callable[..., Player]) -> None:
    page = visitor().page
    for path in ("/learn", "/puzzles", "/daily", "/open"):
        page.goto(path)
        page.locator("main .picture img").nth(2).wait_for()
        for width, height in WINDOWS:
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate(CROPPED) == 0, (path, width, height)
