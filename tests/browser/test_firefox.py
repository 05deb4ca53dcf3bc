"""Play without a connection in Firefox: a local game with the server gone, the curtain, and the check of the deal."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import ServerProcess
from tests.browser.firefox import Firefox, open_firefox
from tests.browser.strategy import choose
from tests.browser.test_local_tables import FIRST, MOST_DECISIONS, game, server_with_pack  # noqa: F401

pytestmark = pytest.mark.long
QUESTION, AFTER, SHOW = "[data-testid=question]", "[data-testid=after]", "[data-testid=show]"


@pytest.fixture
def firefox(tmp_path: Path) -> Iterator[Firefox]:
    profile = tmp_path / "profile"
    profile.mkdir()
    with open_firefox(profile) as browser:
        yield browser


def view_of(firefox: Firefox) -> tuple[dict[str, Any], int]:
    """When somebody is asked, or the game is over."""
    firefox.wait_until("window.lastPlay && (lastPlay.view.legal.length || lastPlay.view.over)")
    last = firefox.evaluate("lastPlay")
    return last["view"], last["turn"]


def decide(firefox: Firefox, most: int) -> bool:
    """So many decisions; whether the game is over."""
    for _ in range(most):
        view, turn = view_of(firefox)
        if view["over"]:
            return True
        firefox.click(f'[data-action="{choose(view)}"]')
        firefox.click("[data-testid=confirm]")
        firefox.wait_until(f"lastPlay.turn > {turn}")
    return bool(view_of(firefox)[0]["over"])


def test_a_game_goes_on_without_the_server(
    firefox: Firefox,
    server_with_pack: ServerProcess,  # noqa: F811
) -> None:
    firefox.goto(f"{server_with_pack.url}/")
    firefox.click("[data-testid=offline]")
    firefox.wait_for("[data-testid=kept][data-kept=kept]")
    firefox.click(f"[data-testid=play-here-{FIRST}]")
    firefox.wait_for(QUESTION)
    assert not decide(firefox, 2)
    server_with_pack.kill()
    assert not decide(firefox, 1)
    turn = view_of(firefox)[1]
    firefox.reload()
    firefox.wait_for(QUESTION)
    assert view_of(firefox)[1] == turn
    assert decide(firefox, MOST_DECISIONS)
    firefox.wait_for(AFTER)
    assert firefox.evaluate("document.querySelector('[data-testid=fairness]').dataset.fair") == "proven"
    firefox.click("[data-testid=verify]")
    firefox.wait_for("[data-testid=findings]")
    assert firefox.evaluate("document.querySelector('[data-testid=findings]').dataset.result") == "sealed"

    firefox.goto(f"{server_with_pack.url}/hot-seat")
    for number, name in enumerate(("Ada", "Bea"), 1):
        firefox.fill(f"[aria-label='Name of player {number}']", name)
    firefox.click("[data-testid=start-hot-seat]")
    firefox.wait_for(SHOW)
    assert firefox.evaluate(f"document.querySelectorAll('{QUESTION}').length") == 0
    firefox.click(SHOW)
    firefox.wait_for(QUESTION)
    firefox.reload()
    firefox.wait_for(SHOW)
    assert firefox.evaluate(f"document.querySelectorAll('{QUESTION}').length") == 0
    assert [error for error in firefox.errors if "NetworkError" not in error] == []
