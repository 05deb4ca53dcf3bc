"""With the setting "one tap plays" a move removes the focused card while the page is being drawn."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.browser.player import Player
from tests.browser.strategy import choose

ONE_TAP = "localStorage.setItem('tavolino.settings', JSON.stringify({ quick: true }))"
MOVES = 4


@pytest.mark.parametrize(
    "game",
    [
        "mantis",
        pytest.param("infinity-gauntlet", marks=pytest.mark.slow),
        pytest.param("splendor-marvel", marks=pytest.mark.slow),
    ],
)
def test_one_tap_plays_and_the_focus_goes_to_the_question(visitor: Callable[..., Player], game: str) -> None:
    somebody = visitor()  # the fixture fails if the page throws
    somebody.page.goto("/")
    somebody.page.evaluate(ONE_TAP)
    somebody.play_now(game)
    for _ in range(MOVES):
        if not somebody.wait_for_turn():
            break
        somebody.one_tap_by_keyboard(choose(somebody.view or {}))
        focused = "() => document.activeElement.matches('.frame *')"
        somebody.page.wait_for_function(focused)
