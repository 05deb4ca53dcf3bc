"""Whole games by invite link: one person on a phone, one by keyboard and screen reader alone."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.browser.player import Player
from tests.browser.strategy import choose

MOST_DECISIONS = 400
LONGEST = 300.0  # seconds
BY_TAB = 3  # decisions made with the Tab key; the rest are typed

# Keeps all texts of the page's live region.
LISTEN = """() => {
  window.heard = []
  const region = document.querySelector('[data-testid=announced]')
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) for (const { textContent } of addedNodes) window.heard.push(textContent)
  }).observe(region, { childList: true })
}"""
KEYS = {"t": 1, "c": 1, "s": 3, "1": 1, "l": 1, "n": 1}  # the least number of texts that each key reads out


def heard(page: Page) -> list[str]:
    texts: list[str] = page.evaluate("() => window.heard.map((text) => text.trim()).filter(Boolean)")
    return texts


def log_lines(page: Page) -> list[str]:
    texts: list[str] = page.evaluate(
        "() => [...document.querySelectorAll('[data-testid=log] [data-told]')].map((line) => line.textContent.trim())"
    )
    return texts


def try_the_keys(page: Page) -> None:
    """Each key reads something out and does not change the page."""
    for key, least in KEYS.items():
        before = len(heard(page))
        page.keyboard.press(key)
        page.wait_for_function(f"() => window.heard.length >= {before + least}")
    page.get_by_role("tab").first.click()
    page.keyboard.press("/")
    page.get_by_role("combobox", name="Wpisz ruch").wait_for()


def type_action(player: Player, action: str) -> None:
    """Type an action into the command field: it is completed by the legal actions, and played."""
    field = player.page.get_by_role("combobox", name="Wpisz ruch")
    turn = player.turn
    field.fill(action)
    player.page.get_by_role("option").filter(has_text=action).first.wait_for()
    field.press("Enter")
    player.wait_past(turn)


@pytest.mark.parametrize("game", ["mantis", "infinity-gauntlet", "splendor-marvel"])
def test_a_whole_game_between_a_phone_and_a_screen_reader(visitor: Callable[..., Player], game: str) -> None:
    host = visitor(phone=True)
    guest = visitor(language="pl")
    host.start_with(guest, "Łucja & <b>Ada</b>", game)
    guest.page.get_by_test_id("announced").wait_for(state="attached")
    guest.page.evaluate(LISTEN)
    known = len(log_lines(guest.page))

    decisions = typed = 0
    deadline = time.monotonic() + LONGEST
    while not (host.is_over and guest.is_over):
        assert decisions < MOST_DECISIONS
        assert time.monotonic() < deadline
        if host.is_asked:
            host.act(choose(host.view or {}))
            decisions += 1
        elif guest.is_asked:
            question = guest.page.get_by_test_id("question").evaluate("one => one.firstChild.textContent.trim()")
            if typed:  # the first question may have been read out before the test listened
                guest.page.wait_for_function("words => window.heard.at(-1)?.trim() === words", arg=question)
            if typed == BY_TAB:
                try_the_keys(guest.page)
            if typed < BY_TAB:
                guest.act_by_keyboard(choose(guest.view or {}))
            else:
                type_action(guest, choose(guest.view or {}))
            typed += 1
            decisions += 1

    for player in (host, guest):
        player.page.get_by_test_id("fairness").wait_for()
        assert player.page.get_by_test_id("fairness").get_attribute("data-fair") == "proven"
        player.page.wait_for_function("() => document.activeElement?.dataset.testid === 'after'")
        assert player.page.get_by_test_id("standings").locator("tbody tr").count() == 2
    said = iter(heard(guest.page))
    missing = [line for line in log_lines(guest.page)[known:] if line not in said]
    assert missing == [], "every line of the log was read out, in its order"
