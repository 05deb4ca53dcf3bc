"""Mantis with two players: a turn that a steal has brought is left out with a button below the question (MA-41)."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from tests.browser.player import Player

MOST_DECISIONS = 60


@pytest.mark.parametrize("phone", [pytest.param(False, marks=pytest.mark.slow), True], ids=["desk", "phone"])
def test_an_extra_turn_is_ended_with_a_button(visitor: Callable[..., Player], phone: bool) -> None:
    host, guest = visitor(phone=phone), visitor()
    host.start_with(guest, "Ada", "mantis")
    for _ in range(MOST_DECISIONS):
        player = host if host.is_asked else guest
        if not player.is_asked:
            continue
        legal = (player.view or {})["legal"]
        if player is host and "end-turn" in legal:
            break
        player.act(legal[1])  # a steal
    assert (host.view or {})["step"] == "extra-turn", "no steal has succeeded"
    question = host.page.get_by_test_id("question")
    assert "MA-41" in question.inner_text()
    size = (host.view or {})["draw"]["size"]
    host.page.get_by_role("button", name=re.compile("^End turn$")).click()
    assert "End your turn" in host.page.get_by_test_id("confirm").inner_text()
    turn = host.turn
    host.page.get_by_test_id("confirm").click()
    host.wait_past(turn)
    assert guest.wait_for_turn()
    assert (guest.view or {})["legal"] == ["score", "steal 0"]
    assert (guest.view or {})["draw"]["size"] == size
    guest.page.get_by_text(re.compile("ends their turn. The top card stays")).first.wait_for(state="attached")
