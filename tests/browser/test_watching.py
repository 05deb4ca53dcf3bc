"""Two people watch a finished game together: one leads, the other follows, looks around, comes back, and takes over."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.finished import finish_game
from tests.browser.player import Player
from tests.browser.test_pages import violations


def at(page: Page, move: int | str) -> None:
    expect(page.get_by_test_id("watching")).to_have_attribute("data-move", str(move))


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


@pytest.mark.slow
def test_one_leads_the_other_follows_looks_around_and_takes_over(visitor: Callable[..., Player]) -> None:
    ada, bruno = visitor(phone=True).page, visitor(speed="normal").page
    table = finish_game(ada, "mantis", 2)
    ada.goto(f"/replay/{table}")
    ada.get_by_test_id("watch-together").click()
    leading, following = ada.get_by_test_id("watching"), bruno.get_by_test_id("watching")
    expect(leading).to_contain_text("You’re leading")
    bruno.goto(f"/watch/{table}")
    expect(following).to_contain_text("You’re following Ada")

    press(ada, "Next move")
    expect(bruno.get_by_test_id("stage")).to_be_visible()  # the leader's next move, event by event
    ada.keyboard.press("ArrowRight")
    at(ada, 2)
    at(bruno, 2)
    press(bruno, "Next move")
    expect(following).to_contain_text("on your own")
    at(bruno, 3)
    press(ada, "Next turn")
    at(bruno, 3)
    shown = leading.get_attribute("data-move") or ""
    assert int(shown) > 2
    bruno.get_by_test_id("follow").click()
    at(bruno, shown)

    ada.get_by_test_id("what-if").click()
    expect(leading).to_contain_text("Choose a move for")
    ada.get_by_test_id("bots-1").click()
    expect(following).to_contain_text(f"Variation 1, from move {shown}")
    at(bruno, int(shown) + 1)
    ada.locator("[data-action]:visible").first.click()
    ada.get_by_test_id("confirm").click()
    at(bruno, int(shown) + 2)
    assert violations(ada) == []
    ada.get_by_test_id("bots-1000").click()
    press(ada, "Done")
    press(ada, "To the end")
    expect(bruno.get_by_test_id("question")).to_contain_text("wins")

    ada.get_by_role("button", name="Log, notebook, chat").click()
    ada.get_by_label("Note at move").fill("<b>Here</b> it was lost.")
    press(ada, "Add")
    expect(bruno.get_by_test_id("note-here")).to_contain_text("<b>Here</b> it was lost.")
    assert violations(ada) == []

    press(bruno, "Join in")
    expect(bruno.get_by_test_id("room-people").locator("li")).to_have_count(2)
    expect(bruno.get_by_test_id("note-here")).to_be_visible()
    assert violations(bruno) == []
    ada.get_by_test_id("room").get_by_role("button", name="lead").click()
    expect(following).to_have_attribute("data-leads", "true")
    press(bruno, "To the beginning")
    expect(leading).to_have_attribute("data-leads", "false")
    at(ada, 0)

    ada.reload()
    expect(leading).to_contain_text("You’re following")
    expect(ada.get_by_test_id("watching")).to_be_visible()
    bruno.close()
    ada.get_by_test_id("take-lead").click()
    expect(leading).to_contain_text("You’re leading")


def test_a_game_that_still_runs_cannot_be_watched_so(visitor: Callable[..., Player]) -> None:
    player = visitor()
    player.play_into("mantis", 1)
    table = player.page.url.rsplit("/", 1)[1]
    player.page.goto(f"/watch/{table}")
    expect(player.page.get_by_role("heading", level=1)).to_contain_text("once the game is over")
