"""Each lesson is played through to its end in the browser, on a desktop and on a phone, in three languages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.player import Player
from tests.sampling import each_language_and_each

WORDS_ARE = "words => document.querySelector('[data-testid=lesson]').innerText.trim() === words"
GAMES = ("infinity-gauntlet", "mantis", "splendor-marvel")


def press(player: Player, name: str) -> None:
    player.page.get_by_test_id(name).click()


def play_chapter(player: Player, chapter: dict[str, Any], texts: dict[str, str]) -> None:
    """Follow the texts of a lesson step by step; other players' steps without a text are shown together."""
    for number, step in enumerate(chapter["lessons"]):
        is_mine = step["seat"] == chapter["seat"]
        assert step["text"] is not None or not is_mine, "the learner is asked without a word"
        if step["text"] is not None:
            player.page.wait_for_function(WORDS_ARE, arg=texts[step["text"]])
        if is_mine:
            player.view = chapter["frames"][number]["view"]
            player.select(step["action"])
            player.page.get_by_test_id("confirm").click()
        elif step["text"] is not None:
            press(player, "next")


@pytest.mark.slow
@each_language_and_each(GAMES)
def test_a_lesson_is_played_to_its_end(visitor: Callable[..., Player], game: str, language: str) -> None:
    player = visitor(phone=language != "en", language=language)
    player.page.goto(f"/learn/{game}/tutorial")
    player.page.get_by_test_id("lesson").wait_for()
    lesson = player.page.request.get(f"/api/tutorials/{game}").json()
    texts = player.page.request.get(f"/api/texts/{language}").json()
    for number, chapter in enumerate(lesson["chapters"]):
        if number:
            press(player, "next-chapter")
        play_chapter(player, chapter, texts)
        last = chapter["frames"][-1]["view"]
    assert last["over"]
    player.page.get_by_test_id("play-after").wait_for()


def test_another_choice_than_the_lesson_asks_for_is_explained(visitor: Callable[..., Player]) -> None:
    player = visitor()
    player.page.goto("/learn/mantis/tutorial")
    player.page.locator('[data-action="steal 1"]:visible').first.click()
    player.page.get_by_test_id("confirm").click()
    player.page.get_by_role("alert").filter(has_text="Score").wait_for()
