"""The stage: an event is shown large over the table, never over the question or whom it is about; a tap goes on, and
nothing moves."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.browser.player import Player
from tests.browser.strategy import choose
from tests.browser.test_phone_windows import MOST_PLAYERS, at_a_full_table

ASKED_AGAIN = 120_000  # milliseconds
# Where the plates and the question are, and what the stage is made of. Contexts of these tests ask for reduced motion.
LOOK = """() => {
  const box = (thing) => {
    const { x, y, width, height } = thing.getBoundingClientRect()
    return [x, y, width, height].map(Math.round)
  }
  const { left, top, right, bottom } = document.querySelector('[data-testid=stage] .placard').getBoundingClientRect()
  const dock = document.querySelector('.dock')
  const inDock = [0.25, 0.5, 0.75].map((part) =>
    dock.contains(document.elementFromPoint(innerWidth * part, dock.getBoundingClientRect().top + 30)))
  return {
    plates: [...document.querySelectorAll('.board .plate')].map(box),
    isInside: left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight,
    isDockFree: inDock.every(Boolean),
    words: document.querySelector('[data-testid=stage]').textContent,
    moving: document.getAnimations().filter((one) => one.effect.getTiming().duration > 1).length,
  }
}"""
# The dock does not tell what the stage shows; where the sentence is found by screen readers, it keeps its place.
IS_TOLD_ONCE = """() => getComputedStyle(document.querySelector('[data-testid=caption]')).opacity === '0'
  && !document.querySelector('[data-testid=ticker]')?.checkVisibility({ visibilityProperty: true })"""
PLATES = """() => [...document.querySelectorAll('.board .plate')].map((thing) => {
  const { x, y, width, height } = thing.getBoundingClientRect()
  return [x, y, width, height].map(Math.round)
})"""


def test_an_event_is_shown_large_and_a_tap_goes_on(visitor: Callable[..., Player]) -> None:
    player = visitor(phone=True, speed="slow")
    player.page.set_viewport_size({"width": 390, "height": 664})
    player.play_now("mantis")
    stage, confirm = player.page.get_by_test_id("stage"), player.page.get_by_test_id("confirm")
    skip = player.page.get_by_role("button", name="Skip ahead")
    confirm.or_(skip).wait_for(timeout=ASKED_AGAIN)
    if skip.count():
        skip.click()
    confirm.wait_for(timeout=ASKED_AGAIN)
    before = player.page.evaluate(PLATES)
    stage.wait_for(state="detached")  # nothing lies over the table while something is asked

    player.act(choose(player.view or {}))
    stage.wait_for()
    seen = player.page.evaluate(LOOK)
    assert seen["plates"] == before, "nothing on the table has moved"
    assert seen["isInside"]
    assert seen["isDockFree"]
    assert seen["moving"] == 0, "calm, as this browser asks for"
    caption = player.page.get_by_test_id("caption")
    caption.wait_for()
    first = caption.inner_text()
    assert first in stage.inner_text()
    player.page.wait_for_function(IS_TOLD_ONCE)

    # At this speed an event takes four seconds; a tap ends it.
    stage.locator(".placard").click()
    player.page.wait_for_function(
        "words => document.querySelector('[data-testid=caption]')?.textContent !== words", arg=first, timeout=1_500
    )
    skip.or_(confirm).wait_for(timeout=ASKED_AGAIN)
    if skip.count():
        skip.click()
    stage.wait_for(state="detached")


# Notes for every event on the stage which places of others it covers.
WATCH = """() => {
  window.told = 0
  window.covered = []
  new MutationObserver(() => {
    const stage = document.querySelector('[data-testid=stage]')
    if (!stage || stage.classList.contains('whole')) return
    window.told += 1
    for (const plate of document.querySelectorAll('.others .plate')) {
      const { x, y, width, height } = plate.getBoundingClientRect()
      for (const part of [0.1, 0.5, 0.9])
        if (stage.querySelector('.placard').contains(document.elementFromPoint(x + width / 2, y + height * part)))
          window.covered.push(`${stage.dataset.kind} covers ${plate.ariaLabel} at ${part}`)
    }
  }).observe(document.querySelector('.board'), { childList: true, subtree: true })
}"""


@pytest.mark.parametrize(
    ("game", "window"),
    [
        ("mantis", (390, 664)),
        ("mantis", (360, 616)),
        ("infinity-gauntlet", (390, 664)),
        ("splendor-marvel", (390, 664)),
    ],
)
def test_the_places_of_others_stay_in_sight(visitor: Callable[..., Player], game: str, window: tuple[int, int]) -> None:
    player = visitor(phone=True, speed="fast")
    player.page.set_viewport_size({"width": window[0], "height": window[1]})
    at_a_full_table(player, game)
    player.page.evaluate(WATCH)
    assert player.decide(1)
    player.page.get_by_test_id("stage").wait_for(state="detached", timeout=ASKED_AGAIN)
    assert player.page.evaluate("window.told") >= MOST_PLAYERS[game] - 1
    assert player.page.evaluate("window.covered") == []


# When the card that turns over, and the words on it, begin to move: in milliseconds after the event began.
DELAYS = """() => ['.turning .card', '.turning b'].map((part) =>
  document.querySelector(part).getAnimations()[0]?.effect.getTiming().delay)"""


def test_a_card_lies_face_down_until_the_words_tell_it_also_where_nothing_moves(visitor: Callable[..., Player]) -> None:
    """Contexts of these tests ask for reduced motion, under which the card turned over before its event was told."""
    player = visitor(phone=True, speed="slow")
    player.play_into("mantis", 0)
    player.page.get_by_test_id("confirm").wait_for(timeout=ASKED_AGAIN)
    player.act(choose(player.view or {}))
    player.page.locator(".turning").wait_for()
    turns, told = player.page.evaluate(DELAYS)
    assert turns == told > 1000
