"""A fight is shown over the table: both cards and the names of the fighters are inside it at every size."""

from __future__ import annotations

from collections.abc import Callable

from tests.browser.player import Player
from tests.browser.test_lessons import play_chapter

SIZES = [(360, 740), (390, 844), (740, 360), (844, 390), (820, 1180), (1180, 820), (1280, 720), (1440, 900), (640, 360)]
# The fight of a lesson is taken away by a timer: without it, it can be looked at in every size.
WITHOUT_LONG_TIMERS = """
  const { setTimeout } = window
  window.setTimeout = (done, time, ...rest) => setTimeout(done, time > 2000 ? 2 ** 30 : time, ...rest)
"""
# The parts of the fight that reach out of the table after the last movement, and names that lie over another part.
CUT_OFF = """() => {
  document.getAnimations().forEach((animation) => animation.finish())
  const box = (thing) => thing.getBoundingClientRect()
  const table = box(document.querySelector('.fight'))
  const isInside = ({ left, right, top, bottom }) =>
    left >= table.left && right <= table.right && top >= table.top - 1 && bottom <= table.bottom + 1
  const parts = [...document.querySelectorAll('.fight > span, .fight em')]
  const [one, other] = [...document.querySelectorAll('.fight em')].map(box)
  const apart = one.right <= other.left || other.right <= one.left
  return [...parts.filter((part) => !isInside(box(part))).map((part) => part.textContent), ...(apart ? [] : ['names'])]
}"""


def test_both_cards_and_names_of_a_fight_are_inside_the_table(visitor: Callable[..., Player]) -> None:
    player = visitor()
    player.page.add_init_script(WITHOUT_LONG_TIMERS)
    player.page.goto("/learn/infinity-gauntlet/tutorial")
    player.page.get_by_test_id("help").wait_for()
    chapter = player.page.request.get("/api/tutorials/infinity-gauntlet").json()["chapters"][0]
    texts = player.page.request.get("/api/texts/en").json()
    until = next(n for n, step in enumerate(chapter["lessons"]) if step["action"] == "fight") + 1
    play_chapter(player, {**chapter, "lessons": chapter["lessons"][:until]}, texts)
    player.page.locator(".fight").wait_for()
    for width, height in SIZES:
        player.page.set_viewport_size({"width": width, "height": height})
        assert player.page.evaluate(CUT_OFF) == [], (width, height)
