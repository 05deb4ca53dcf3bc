"""The whole table fits the windows that browsers on phones have, upright and with their bars, in every language.

One page for each game is resized, and its language changed. `test_sizes.py` has the other sizes.
"""

from __future__ import annotations

import itertools
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tavolino.engine.messages import LANGUAGES
from tests.browser.conftest import in_language
from tests.browser.player import Player
from tests.browser.strategy import choose
from tests.browser.test_lessons import GAMES, WORDS_ARE, press
from tests.browser.test_sizes import SETTLED, WIDER_THAN_THE_WINDOW
from tests.sampling import each_language_and_each

WINDOWS = [(390, 664), (375, 553), (360, 616), (412, 732), (320, 568)]
MOST_PLAYERS = {"mantis": 6, "infinity-gauntlet": 6, "splendor-marvel": 4}
LARGEST_DOCK = 0.4  # of the window's height
LARGEST_DOCK_OF_A_LESSON = 0.5  # it has the words of the lesson, too
SMALLEST_TARGET = 24  # pixels
STEAL = {"en": "Steal", "it": "Ruba", "pl": "Kradnij"}
OF_EACH_KIND = 3  # questions of a game that are looked at

# What is wrong while the page is at its top. Targets: all of each is inside the window, its middle is not covered, and
# neither is a square of the smallest size. Signs: what is drawn on the table is inside the window above the dock, and
# nothing but a part of the same thing lies over its middle. The three colours of a back are looked for one by one.
FAULTS = """([smallest, largestDock]) => {
  scrollTo({ top: 0, behavior: 'instant' })
  const frame = document.querySelector('.frame')
  const dock = document.querySelector('.dock').getBoundingClientRect()
  const name = (thing) => thing.dataset.action ?? thing.dataset.testid ?? thing.dataset.place ?? thing.ariaLabel
    ?? `${thing.getAttribute('class')} ${thing.textContent.trim().slice(0, 20)}`
  const isDrawn = (thing) => thing.checkVisibility({ visibilityProperty: true })
    && !thing.closest('.visually-hidden') && thing.getBoundingClientRect().width > 1
  const isInside = ({ left, right, top, bottom }, lowest) =>
    left >= -1 && right <= innerWidth + 1 && top >= -1 && bottom <= lowest + 1
  const hits = (thing, x, y) => {
    const top = document.elementFromPoint(x, y)
    return top !== null && (thing.contains(top) || top.contains(thing))
  }
  // The square in the middle, or at a side where the next card covers the rest.
  const hasFreeSquare = (thing, { x, y, width, height }) => [0.5, 0, 1].some((part) => {
    const [left, top] = [x + (width - smallest) * part, y + (height - smallest) / 2]
    return [[1, 1], [smallest - 1, 1], [1, smallest - 1], [smallest - 1, smallest - 1]]
      .every(([dx, dy]) => thing.contains(document.elementFromPoint(left + dx, top + dy)))
  })
  const faults = []
  for (const target of frame.querySelectorAll('button, select, input, a[href]:not(.rule)')) {
    if (!isDrawn(target)) continue
    const box = target.getBoundingClientRect()
    const middle = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)
    if (!isInside(box, innerHeight)) faults.push(`${name(target)} is outside`)
    else if (!target.contains(middle)) faults.push(`${name(target)} is covered by ${name(middle)}`)
    else if (box.width < smallest - 0.5 || box.height < smallest - 0.5) faults.push(`${name(target)} is too small`)
    else if (!hasFreeSquare(target, box)) faults.push(`${name(target)} is too small where it is free`)
  }
  const drawn = '.board :is([role=img], [data-place], .plate, .cloth), .own :is([role=img], .plate)'
  for (const sign of frame.querySelectorAll(drawn)) {
    if (!isDrawn(sign)) continue
    const box = sign.getBoundingClientRect()
    if (!isInside(box, sign.closest('.board') ? dock.top : innerHeight)) faults.push(`${name(sign)} is outside`)
    else if (!hits(sign.closest('.plate') ?? sign, box.x + box.width / 2, box.y + box.height / 2))
      faults.push(`${name(sign)} is covered`)
  }
  for (const word of frame.querySelectorAll('.target span'))
    if (!isDrawn(word) || !isInside(word.getBoundingClientRect(), innerHeight)) faults.push('a place without its word')
  const question = document.querySelector('[data-testid=question]')
  if (isDrawn(question) && !isInside(question.getBoundingClientRect(), innerHeight)) faults.push('no question')
  for (const pile of document.querySelectorAll('.pile')) {
    const { x, y, width, height } = pile.getBoundingClientRect()
    for (const part of [1 / 6, 1 / 2, 5 / 6])
      if (!pile.contains(document.elementFromPoint(x + width / 2, y + height * part))) faults.push(`colour at ${part}`)
  }
  // A pressed one is lifted, which does not change where it lies.
  const rivals = [...document.querySelectorAll('.others > *')].map((place) => place.offsetTop)
  if (new Set(rivals).size > 1) faults.push('others in several rows')
  const header = document.querySelector('header').getBoundingClientRect()
  if (header.top < innerHeight) faults.push('the header is in sight')
  const ticker = document.querySelector('.ticker')
  if (ticker?.checkVisibility() && ticker.getBoundingClientRect().height > 25) faults.push('several events')
  if (dock.height > innerHeight * largestDock) faults.push(`the dock takes ${(dock.height / innerHeight).toFixed(3)}`)
  return faults
}"""


def assert_all_in_sight(player: Player, name: str, window: tuple[int, int], largest_dock: float = LARGEST_DOCK) -> None:
    page = player.page
    page.set_viewport_size({"width": window[0], "height": window[1]})
    deadline = time.monotonic() + SETTLED
    while faults := page.evaluate(FAULTS, [SMALLEST_TARGET, largest_dock]) or page.evaluate(WIDER_THAN_THE_WINDOW):
        assert time.monotonic() < deadline, f"{name}, {window[0]} by {window[1]}: {faults}"
        page.wait_for_timeout(100)


def at_a_full_table(player: Player, game: str, level: str = "easy") -> None:
    """Start with as many players as the game takes: then the most has to fit."""
    assert player.page.request.post("/api/me", data={"name": "Ada"}).ok
    wanted = {"game": game, "seats": MOST_PLAYERS[game], "level": level}
    table = player.page.request.post("/api/play-now", data=wanted).json()["id"]
    player.view, player.turn = None, -1
    player.page.goto(f"/table/{table}")
    player.wait_for_cards()


@pytest.mark.parametrize("game", GAMES)
def test_the_whole_table_is_in_sight_in_every_window_and_language(visitor: Callable[..., Player], game: str) -> None:
    player = visitor(phone=True)
    at_a_full_table(player, game)
    assert player.decide(2)
    for language in LANGUAGES:
        in_language(player.page, language)
        for window in WINDOWS:
            assert_all_in_sight(player, f"{game}, {language}", window)


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_everything_that_a_game_asks_is_in_sight(visitor: Callable[..., Player], game: str) -> None:
    """A whole game: at some questions of each kind, and when an answer is selected, in the next window and language."""
    player = visitor(phone=True)
    cases = itertools.cycle(itertools.product(WINDOWS, LANGUAGES))
    asked: Counter[str] = Counter()
    at_a_full_table(player, game)
    while player.wait_for_turn():
        view = player.view or {}
        action = choose(view)
        verbs = ", ".join(sorted({action.partition(" ")[0] for action in view["legal"]}))
        asked[verbs] += 1
        if asked[verbs] > OF_EACH_KIND:
            player.act(action)
            continue
        window, language = next(cases)
        in_language(player.page, language)
        assert_all_in_sight(player, f"{game}, {language}, {verbs}", window)
        if player.is_only(action) or player.is_in_words:
            player.act(action)
            continue
        player.select(action)
        assert_all_in_sight(player, f"{game}, {language}, {action}", window)
        turn = player.turn
        player.page.get_by_test_id("confirm").click()
        player.wait_past(turn)


# The numbers on cards and tiles of the table, as high as they are drawn.
NUMBERS = """() => [...document.querySelectorAll('.middle .card-drawing text.numeral')]
  .map((text) => text.getBoundingClientRect().height)"""


@pytest.mark.parametrize(("window", "smallest"), [((390, 664), 14), ((360, 616), 12)])
def test_the_numbers_of_splendor_can_be_read(
    visitor: Callable[..., Player], window: tuple[int, int], smallest: int
) -> None:
    player = visitor(phone=True)
    at_a_full_table(player, "splendor-marvel")
    assert player.wait_for_turn()
    player.page.set_viewport_size({"width": window[0], "height": window[1]})
    player.page.locator(".locations li").nth(4).wait_for()
    numbers = player.page.evaluate(NUMBERS)
    assert len(numbers) > 12 + 4
    assert min(numbers) >= smallest


# Where the dock begins, and how wide the cards of the hand are.
HAND = """() => [
  Math.round(document.querySelector('.dock').getBoundingClientRect().top),
  Math.min(...[...document.querySelectorAll('.hand li')].map((card) => Math.round(card.getBoundingClientRect().width))),
]"""


def test_the_hand_stays_where_and_as_large_as_it_is(visitor: Callable[..., Player]) -> None:
    """Whatever Infinity Gauntlet asks but a number, an order or the snap: who may fight reads the card that does."""
    player = visitor(phone=True)
    player.page.set_viewport_size({"width": 390, "height": 664})
    seen: dict[str, list[int]] = {}
    for _ in range(4):
        player.play_now("infinity-gauntlet")
        while len(seen) < 4 and player.wait_for_turn():
            action = choose(player.view or {})
            kind = action.partition(" ")[0]
            if (
                kind not in ("guess", "order", "snap", "end-turn", "copy")
                and "snap" not in (player.view or {})["legal"]
            ):
                expect(player.page.get_by_test_id("question")).to_be_visible()
                seen[kind] = player.page.evaluate(HAND)
            player.act(action)
    assert {"play", "choose", "fight"} <= set(seen)
    tops, widths = zip(*seen.values(), strict=True)
    assert max(tops) - min(tops) <= 1, f"more than a fraction of a pixel: {seen}"
    assert len(set(widths)) == 1, seen
    assert widths[0] >= 54


TOOLS = """() => [...document.querySelectorAll('.tools .button')]
  .map((tool) => [tool.className.split(' ').slice(0, 3).join(' '), Math.round(tool.getBoundingClientRect().left)])"""


def test_tools_keep_their_places_when_the_turn_passes(visitor: Callable[..., Player]) -> None:
    """A hint is offered in one's own turn only: behind the others, where no finger finds it instead of one of them."""
    player = visitor(phone=True, speed="slow")
    player.page.set_viewport_size({"width": 390, "height": 664})
    player.play_into("mantis", 0)
    player.page.get_by_test_id("confirm").wait_for(timeout=120_000)
    asked = player.page.evaluate(TOOLS)
    player.act(choose(player.view or {}))
    player.page.get_by_role("button", name="Skip ahead").wait_for()
    watching = player.page.evaluate(TOOLS)
    assert 3 < len(watching) < len(asked)
    assert asked[: len(watching)] == watching


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_places_of_others_say_what_a_tap_does(visitor: Callable[..., Player], language: str) -> None:
    player = visitor(phone=True, language=language)
    at_a_full_table(player, "mantis")
    assert player.wait_for_turn()
    for width, height in (*WINDOWS, (390, 844)):
        player.page.set_viewport_size({"width": width, "height": height})
        words = player.page.locator(".others .target span")
        assert words.count() == MOST_PLAYERS["mantis"] - 1
        for word in words.all():
            expect(word).to_be_in_viewport(ratio=1)
            assert word.inner_text() == STEAL[language]


@pytest.mark.parametrize("game", GAMES)
def test_the_first_step_of_a_lesson_is_in_sight(visitor: Callable[..., Player], game: str) -> None:
    player = visitor(phone=True, language="pl")
    player.page.goto(f"/learn/{game}/tutorial")
    press(player, "help-close")
    player.page.get_by_test_id("lesson").wait_for()
    for window in WINDOWS:
        assert_all_in_sight(player, f"{game}, its lesson", window, LARGEST_DOCK_OF_A_LESSON)


@pytest.mark.long
@each_language_and_each(GAMES)
def test_every_step_of_a_lesson_is_in_sight(visitor: Callable[..., Player], game: str, language: str) -> None:
    player = visitor(phone=True, language=language)
    player.page.goto(f"/learn/{game}/tutorial")
    player.page.get_by_test_id("help").wait_for()
    lesson: dict[str, Any] = player.page.request.get(f"/api/tutorials/{game}").json()
    texts = player.page.request.get(f"/api/texts/{language}").json()
    windows = itertools.cycle(WINDOWS)
    for number, chapter in enumerate(lesson["chapters"]):
        if number:
            press(player, "next-chapter")
        press(player, "help-close")
        for at, step in enumerate(chapter["lessons"]):
            window = next(windows)
            where = f"{game}, {language}, step {at}"
            if step["seat"] == chapter["seat"]:
                player.page.wait_for_function(WORDS_ARE, arg=texts[step["text"]])
                assert_all_in_sight(player, where, window, LARGEST_DOCK_OF_A_LESSON)
                player.view = chapter["frames"][at]["view"]
                if not player.is_only(step["action"]) and not player.is_in_words:
                    player.select(step["action"])
                    assert_all_in_sight(player, where, window, LARGEST_DOCK_OF_A_LESSON)
                    player.page.get_by_test_id("confirm").click()
                else:
                    player.answer(step["action"])
            if step["after"] is not None:
                player.page.wait_for_function(WORDS_ARE, arg=texts[step["after"]])
                assert_all_in_sight(player, where, window, LARGEST_DOCK_OF_A_LESSON)
                if at + 1 < len(chapter["lessons"]):
                    press(player, "next")
