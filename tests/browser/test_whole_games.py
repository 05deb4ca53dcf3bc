"""Whole games by invite link: one person on a phone, one by keyboard alone."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from tests.browser.player import Player
from tests.browser.strategy import choose

MOST_DECISIONS = 400
LONGEST = 300.0  # seconds


@pytest.mark.parametrize("game", ["mantis", "infinity-gauntlet", "splendor-marvel"])
def test_a_whole_game_between_a_phone_and_a_keyboard(visitor: Callable[..., Player], game: str) -> None:
    host = visitor(phone=True)
    guest = visitor(language="pl")
    link = host.open_table(game, 2)
    guest.join(link, "Łucja & <b>Ada</b>")
    host.page.get_by_text("Łucja & <b>Ada</b>").first.wait_for()
    host.page.get_by_test_id("start").click()
    host.wait_for_cards()
    guest.wait_for_cards()

    decisions = 0
    deadline = time.monotonic() + LONGEST
    while not (host.is_over and guest.is_over):
        assert decisions < MOST_DECISIONS
        assert time.monotonic() < deadline
        if host.is_asked:
            host.act(choose(host.view or {}))
            decisions += 1
        elif guest.is_asked:
            guest.act_by_keyboard(choose(guest.view or {}))
            decisions += 1

    for player in (host, guest):
        player.page.get_by_test_id("fairness").wait_for()
        assert player.page.get_by_test_id("fairness").get_attribute("data-fair") == "proven"
