"""At every window size nothing that the page asks for is covered, and the whole table is visible where it fits.

One page for each game is resized through all sizes. A browser at 200 % zoom is a window of half the size.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.browser.player import Player

PHONES = [(360, 740), (390, 844)]
LANDSCAPE = [(740, 360), (844, 390)]
TABLETS = [(820, 1180), (1180, 820)]
DESKS = [(1280, 720), (1440, 900), (1280, 640), (1366, 657), (1536, 730)]
ZOOMED = [(width // 2, height // 2) for width, height in [(1280, 720), (1440, 900), (1180, 820)]]
SIZES = [*PHONES, *LANDSCAPE, *TABLETS, *DESKS, *ZOOMED]
# Where the whole board is visible without scrolling.
WHOLE = [*PHONES, *TABLETS, *DESKS]

# The elements that can be selected, the question and its button, each scrolled into view as the page does it: each is
# inside the window, and nothing covers its middle.
COVERED = """() => {
  const asked = [...document.querySelectorAll('[data-action], [data-testid=question], [data-testid=confirm]')]
  return asked.filter((thing) => thing.checkVisibility()).filter((thing) => {
    thing.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' })
    const { x, y, width, height } = thing.getBoundingClientRect()
    const isInside = y >= -1 && y + height <= innerHeight + 1 && x >= -1 && x + width <= innerWidth + 1
    return !isInside || !thing.contains(document.elementFromPoint(x + width / 2, y + height / 2))
  }).map((thing) => thing.dataset.action ?? thing.dataset.testid)
}"""
# The question is visible wherever the page is scrolled to.
QUESTION_IN_SIGHT = """() => [0, document.documentElement.scrollHeight].every((top) => {
  scrollTo({ top, behavior: 'instant' })
  const { top: upper, bottom } = document.querySelector('[data-testid=question]').getBoundingClientRect()
  return upper >= 0 && bottom <= innerHeight
})"""
# What reaches below the upper edge of the dock while the page is at its top.
BEHIND_THE_DOCK = """() => {
  scrollTo({ top: 0, behavior: 'instant' })
  const edge = document.querySelector('.dock').getBoundingClientRect().top
  return [...document.querySelectorAll('.board :is(.plate, .cloth, [data-place])')]
    .filter((thing) => thing.getBoundingClientRect().bottom > edge + 1)
    .map((thing) => thing.dataset.place ?? thing.className)
}"""
WIDER_THAN_THE_WINDOW = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.mark.parametrize("game", ["mantis", "infinity-gauntlet", "splendor-marvel"])
def test_nothing_that_is_asked_for_is_covered_at_any_size(visitor: Callable[..., Player], game: str) -> None:
    somebody = visitor()
    somebody.play_into(game, 2)
    for width, height in SIZES:
        size = f"{game}, {width} by {height}"
        somebody.page.set_viewport_size({"width": width, "height": height})
        somebody.page.wait_for_timeout(100)  # the dock finds its height
        assert somebody.page.evaluate(COVERED) == [], size
        assert somebody.page.evaluate(QUESTION_IN_SIGHT), size
        assert somebody.page.evaluate(WIDER_THAN_THE_WINDOW) == 0, size
        if (width, height) in WHOLE:
            assert somebody.page.evaluate(BEHIND_THE_DOCK) == [], size
