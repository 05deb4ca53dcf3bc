"""A game without a drawing of its own is played to its end on the generic table, on a phone and by keyboard.

All games of this repository have a drawing. Here the browser gets the generic one in its place.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route

from tests.browser.player import Player
from tests.browser.strategy import choose
from tests.browser.test_pages import check_everywhere, in_one_or_all_pairs

LONGEST = 300.0  # seconds
WIDER_THAN_THE_SCREEN = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


class GenericPlayer(Player):
    """Every action is one button below the question."""

    def _taps(self, action: str) -> list[str]:
        return [f'.ask [data-action="{action}"]']


def without_drawing(page: Page, game: str, built_page: Path) -> None:
    """The chunk of a game's drawing is replaced by the one of the generic table."""
    generic = next((built_page / "assets").glob("generic-*.js")).name
    style = next((built_page / "assets").glob("generic-*.css")).name
    module = f"""
      const link = Object.assign(document.createElement('link'), {{ rel: 'stylesheet', href: '/assets/{style}' }})
      document.head.append(link)
      export {{ default }} from '/assets/{generic}'
    """

    def answer(route: Route) -> None:
        route.fulfill(body=module, content_type="text/javascript")

    page.route(re.compile(rf"/assets/{game}-[^/]*\.js$"), answer)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["mantis", "infinity-gauntlet"])
def test_a_whole_game_on_the_generic_table(visitor: Callable[..., Player], built_page: Path, game: str) -> None:
    host, guest = (GenericPlayer(visitor(phone=phone).page) for phone in (True, False))
    for player in (host, guest):
        without_drawing(player.page, game, built_page)
    host.start_with(guest, "Ada", game)
    assert host.page.locator(".generic").count() == 1

    deadline = time.monotonic() + LONGEST
    while not (host.is_over and guest.is_over):
        assert time.monotonic() < deadline
        if host.is_asked:
            host.act(choose(host.view or {}))
        elif guest.is_asked:
            guest.act_by_keyboard(choose(guest.view or {}))
    for player in (host, guest):
        player.page.get_by_test_id("fairness").wait_for()


@in_one_or_all_pairs
@pytest.mark.slow
@pytest.mark.parametrize("phone", [False, True], ids=["desk", "phone"])
def test_the_generic_table_is_for_everyone(
    visitor: Callable[..., Player], built_page: Path, phone: bool, in_all: bool
) -> None:
    player = GenericPlayer(visitor(phone=phone).page)
    without_drawing(player.page, "splendor-marvel", built_page)
    player.play_now("splendor-marvel")
    assert player.wait_for_turn()
    check_everywhere(player.page, "generic table", in_all)
    assert player.page.evaluate(WIDER_THAN_THE_SCREEN) == 0
