"""In the low window of a small laptop the dock stands over nothing that a decision needs."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.browser.player import Player

LAPTOPS = [(1280, 640), (1366, 657), (1536, 730)]
# What reaches below the upper edge of the dock while the page is at its top.
BEHIND_THE_DOCK = """() => {
  const edge = document.querySelector('.dock').getBoundingClientRect().top
  return [...document.querySelectorAll('.board :is(.plate, .pile, .glove, .deck, .slot, .bank li, .locations li)')]
    .filter((thing) => thing.getBoundingClientRect().bottom > edge)
    .map((thing) => thing.dataset.place ?? thing.className)
}"""


@pytest.mark.parametrize("game", ["mantis", "infinity-gauntlet", "splendor-marvel"])
def test_the_dock_covers_nothing_in_a_low_window(visitor: Callable[..., Player], game: str) -> None:
    somebody = visitor()
    somebody.play_now(game)
    somebody.wait_for_turn()
    for width, height in LAPTOPS:
        somebody.page.set_viewport_size({"width": width, "height": height})
        somebody.page.wait_for_timeout(300)  # the dock finds its height
        assert somebody.page.evaluate(BEHIND_THE_DOCK) == [], f"{width} by {height}"
