"""Several people pass one device: a curtain between them, and nobody sees another's cards."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tavolino.cli.commands import run
from tests.browser.conftest import Browsers
from tests.browser.player import Player
from tests.browser.strategy import choose

# The fixtures and the pack are those of the tests of one person's tables: building a pack takes a minute.
from tests.browser.test_local_tables import (  # noqa: F401
    FIRST,
    GAMES,
    LOG,
    MOST_DECISIONS,
    game,
    offline_browsers,
    server_with_pack,
    visitor,
)
from tests.browser.test_verify import check_from_the_end, save_record

pytestmark = pytest.mark.slow
NAMES = ("Ada", "Bea", "Carl")
HIDES = """() => {
  Object.defineProperty(document, 'hidden', { configurable: true, get: () => true })
  document.dispatchEvent(new Event('visibilitychange'))
  const left = document.querySelectorAll('[data-testid=question], [data-testid=log]').length
  Object.defineProperty(document, 'hidden', { configurable: true, get: () => false })
  return left
}"""


class Passed:
    """One device, and whose cards it shows."""

    def __init__(self, player: Player, people: int) -> None:
        self.player, self.page, self.people = player, player.page, people

    def begin(self, title: str) -> None:
        page = self.page
        page.goto("/hot-seat")
        page.get_by_test_id("hot-seat-game").select_option(title)
        for _ in range(2, self.people):
            page.get_by_test_id("add-player").click()
        for number in range(self.people):
            page.get_by_label(f"Name of player {number + 1}").fill(NAMES[number])
        page.get_by_test_id("start-hot-seat").click()
        page.get_by_test_id("show").wait_for(timeout=120_000)
        assert "/table/~~" in page.url

    @property
    def is_over(self) -> bool:
        return self.page.get_by_test_id("after").is_visible()

    def take(self) -> str:
        """Whoever is next opens the curtain; the name."""
        page, button = self.page, self.page.get_by_test_id("show")
        button.wait_for()
        assert page.get_by_test_id("question").count() == 0
        name = next(name for name in NAMES if name in button.inner_text())
        assert name in page.get_by_role("heading", level=1).inner_text()
        self.player.view = None
        button.click()
        self.player.wait_for_cards()
        return name

    def decide(self, name: str) -> None:
        """All decisions of a turn."""
        seat = NAMES.index(name)
        while self.player.wait_for_turn():
            view: dict[str, Any] = self.player.view or {}
            assert view["seat"] == seat
            self.player.act(choose(view))
            if (self.player.view or {})["to_act"] != seat:
                break

    def hand_over(self) -> None:
        if not (self.player.view or {})["over"]:
            self.page.get_by_test_id("hand-over").click()


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_on_one_device(offline_browsers: Browsers, tmp_path: Path, game: str) -> None:  # noqa: F811
    passed = Passed(visitor(offline_browsers), 3)
    page = passed.page
    passed.begin(game)
    seen = set()
    for _ in range(MOST_DECISIONS):
        name = passed.take()
        seen.add(name)
        passed.decide(name)
        if (passed.player.view or {})["over"]:
            break
        passed.hand_over()
    page.get_by_test_id("after").wait_for(timeout=60_000)
    assert seen == set(NAMES)
    told = page.evaluate(LOG)
    assert any(line.startswith("Ada") for line in told)
    assert [line for line in told if line.startswith("You ") or " you" in line] == []
    assert page.get_by_test_id("fairness").get_attribute("data-fair") == "proven"
    end = page.url
    save_record(page, tmp_path / "game.json")
    assert run(["verify", str(tmp_path / "game.json")]) == 0
    check_from_the_end(page)  # with the numbers of all three
    page.goto(end)
    page.get_by_test_id("after").wait_for(timeout=60_000)
    reviews = page.get_by_test_id("reviews").get_by_role("link")
    assert reviews.count() == 3
    reviews.last.click()  # it is worked out here, by another worker
    page.get_by_role("heading", name="Decisions").wait_for(timeout=120_000)


def test_threat_79_nobody_sees_the_cards_of_another(offline_browsers: Browsers) -> None:  # noqa: F811
    player = visitor(offline_browsers)
    passed, page = Passed(player, 2), player.page
    passed.begin(FIRST)
    name = passed.take()
    other = next(one for one in NAMES[:2] if one != name)
    told = page.evaluate(LOG)
    assert [line for line in told if line.startswith("You ")] == []

    assert page.evaluate(HIDES) == 0  # the window is hidden: at once
    expect(page.get_by_test_id("curtain")).to_be_visible()
    assert passed.take() == name

    page.evaluate("window.dispatchEvent(new Event('blur'))")
    expect(page.get_by_test_id("blank")).to_be_visible()
    page.evaluate("window.dispatchEvent(new Event('focus'))")
    expect(page.get_by_test_id("blank")).to_have_count(0)

    page.reload()
    assert passed.take() == name
    address = page.url
    page.goto("/offline")
    page.go_back()
    assert page.url == address
    page.get_by_test_id("show").wait_for(timeout=60_000)
    assert page.get_by_test_id("question").count() == 0
    page.goto(f"/replay/{address.rpartition('/')[2]}?perspective=1")
    expect(page.get_by_role("heading", level=1)).to_be_visible(timeout=60_000)
    assert page.get_by_test_id("question").count() == 0
    page.goto(address)
    assert passed.take() == name

    passed.decide(name)
    heard = len(player.frames)
    passed.hand_over()
    expect(page.get_by_role("heading", level=1)).to_contain_text(other)
    page.get_by_test_id("show").wait_for()
    views = [json.loads(text) for text in player.frames[heard:]]
    assert {each["view"]["seat"] for each in views if each["type"] == "play"} == {None}
    assert passed.take() == other
    page.get_by_test_id("hide").click()
    page.get_by_test_id(f"show-{NAMES.index(name)}").click()
    player.wait_for_cards()
    expect(page.get_by_test_id("bar")).to_contain_text(other)
