"""Each lesson is played through to its end in the browser, on a desktop and on a phone, in three languages."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.player import Player
from tests.sampling import each_language_and_each

# Polish joins one-letter words to the next word by a space that does not break.
WORDS_ARE = (
    "words => document.querySelector('[data-testid=lesson]').innerText.trim().replaceAll('\\u00a0', ' ') === words"
)
MOST_HEIGHT = 60  # pixels, of a button with one line
# Lessons call the others by their names.
NAMES = {"{first}": "Macchiato", "{second}": "Ristretto"}
GAMES = ("infinity-gauntlet", "mantis", "splendor-marvel")


def said(text: str) -> str:
    for place, name in NAMES.items():
        text = text.replace(place, name)
    return text


def press(player: Player, name: str) -> None:
    player.page.get_by_test_id(name).click()


def play_chapter(player: Player, chapter: dict[str, Any], texts: dict[str, str]) -> None:
    """Read the goal, and follow a lesson step by step: what is asked before a step, what is said after it."""
    press(player, "help-close")
    lessons = chapter["lessons"]
    for number, step in enumerate(lessons):
        if step["seat"] == chapter["seat"]:
            player.page.wait_for_function(WORDS_ARE, arg=said(texts[step["text"]]))
            player.view = chapter["frames"][number]["view"]
            player.answer(step["action"])
        if step["after"] is not None:
            player.page.wait_for_function(WORDS_ARE, arg=said(texts[step["after"]]))
            if number + 1 < len(lessons):
                press(player, "next")


@pytest.mark.slow
@each_language_and_each(GAMES)
def test_a_lesson_is_played_to_its_end(visitor: Callable[..., Player], game: str, language: str) -> None:
    player = visitor(phone=language != "en", language=language)
    player.page.goto(f"/learn/{game}/tutorial")
    player.page.get_by_test_id("help").wait_for()
    lesson = player.page.request.get(f"/api/tutorials/{game}").json()
    texts = player.page.request.get(f"/api/texts/{language}").json()
    for number, chapter in enumerate(lesson["chapters"]):
        if number:
            press(player, "next-chapter")
        play_chapter(player, chapter, texts)
        last = chapter["frames"][-1]["view"]
    assert last["over"]
    after = player.page.get_by_test_id("play-after")
    after.wait_for()
    assert after.evaluate("one => one.offsetHeight") <= MOST_HEIGHT, "its words stand in one line"
    player.page.goto("/")
    expect(player.page.get_by_test_id(f"play-{game}")).to_have_class(re.compile(r"\bmain\b"))
    expect(player.page.get_by_test_id("learn-first")).to_have_count(0)


def test_another_choice_than_the_lesson_asks_for_is_explained(visitor: Callable[..., Player]) -> None:
    player = visitor()
    player.page.goto("/learn/mantis/tutorial")
    press(player, "help-close")
    player.page.locator('[data-action="steal 1"]:visible').first.click()
    player.page.get_by_test_id("confirm").click()
    player.page.get_by_role("alert").filter(has_text="Score").wait_for()


def test_what_continues_a_lesson_is_in_sight_in_low_windows(visitor: Callable[..., Player]) -> None:
    """Beside the board, below a long text: the button stays at the bottom of the window."""
    player = visitor()
    page = player.page
    for width, height in ((640, 360), (740, 360), (844, 390)):
        page.set_viewport_size({"width": width, "height": height})
        page.goto("/learn/infinity-gauntlet/tutorial")
        press(player, "help-close")
        expect(page.get_by_test_id("next")).to_be_in_viewport(ratio=1)
        page.goto("/learn/splendor-marvel/tutorial")
        press(player, "help-close")
        for colour in ("yellow", "blue", "red"):
            page.locator(f"[data-place=bank-{colour}] button").click()
        expect(page.get_by_test_id("confirm")).to_be_in_viewport(ratio=1)
        # The last lines of the page are not behind it.
        page.evaluate("() => scrollTo({ top: 10_000, behavior: 'instant' })")
        footer = page.locator("footer p").bounding_box()
        controls = page.locator(".controls").bounding_box()
        assert footer is not None
        assert controls is not None
        assert footer["x"] + footer["width"] <= controls["x"], (width, height)
