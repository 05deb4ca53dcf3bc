"""Whole games through the accessibility tree alone: every question and every event is announced."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.browser.player import Player
from tests.browser.screen_reader import QUESTION, Node, ScreenReader

MOST_DECISIONS = 300
# Words in the names of buttons that bring a game to its end sooner.
PREFERRED = {
    "mantis": ("score",),
    "infinity-gauntlet": ("Snap", "Fight"),
    "splendor-marvel": ("you can afford", "Pay"),
}


def log_of(tree: list[Node]) -> list[str]:
    """The lines of the log panel."""
    texts = [node.name for node in tree if node.role == "StaticText" and "tabpanel Log" in node.inside]
    return [text for text in texts if text.endswith((".", "!"))]


@pytest.mark.slow
@pytest.mark.parametrize("game", sorted(PREFERRED))
def test_a_whole_game_is_played_by_what_is_said(visitor: Callable[..., Player], game: str) -> None:
    page = visitor().page
    page.goto("/")
    page.get_by_test_id(f"play-{game}").click()
    page.get_by_role("region", name=QUESTION).wait_for(timeout=120_000)
    reader = ScreenReader(page)
    dealt = len(log_of(reader.tree()))  # earlier events are in the log, and a key reads them out
    decisions = 0
    while (tree := reader.wait_for_question()) is not None:
        assert decisions < MOST_DECISIONS
        reader.decide(tree, PREFERRED[game])
        decisions += 1
    assert decisions > 5
    said = iter(reader.heard)
    lines = log_of(reader.tree())[dealt:]
    assert len(lines) > decisions
    missing = [line for line in lines if line not in said]
    assert missing == [], "every line of the log was said, in its order"
