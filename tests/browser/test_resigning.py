"""After resigning, a bot plays the seat to the end: the log says the player's name, not "You"."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.player import Player
from tests.browser.strategy import choose
from tests.browser.test_staying import log_of


def decide_in_turn(people: list[Player], wanted: Player) -> None:
    """Whoever is asked decides, until this one has."""
    turn = -1
    while True:
        for player in people:
            if player.is_asked and player.turn > turn:
                turn = player.turn
                player.act(choose(player.view or {}))
                if player is wanted:
                    return


def test_after_resigning_the_log_names_the_player_for_what_the_bot_does(visitor: Callable[..., Player]) -> None:
    ada, bruno = visitor(), visitor()
    bruno.join(ada.open_table("mantis", 3), "Bruno")
    ada.page.get_by_text("Bruno").first.wait_for()
    ada.page.get_by_test_id("start").click()
    ada.wait_for_cards()
    bruno.wait_for_cards()
    decide_in_turn([ada, bruno], ada)
    own = [line for line in log_of(ada) if "You try to" in line]
    assert len(own) == 1

    ada.page.get_by_role("button", name="Settings").click()
    ada.page.get_by_role("button", name="Resign").click()
    ada.page.get_by_role("button", name="Yes, resign").click()
    expect(ada.page.get_by_test_id("log").get_by_text("You try to")).to_have_count(0)
    api = f"/api/tables/{ada.page.url.rpartition('/')[2]}"
    seats = ada.page.request.get(api).json()["seats"]
    assert [seat["resigned"] for seat in seats] == [True, False, False]
    name = seats[0]["name"]
    decide_in_turn([bruno], bruno)
    decide_in_turn([bruno], bruno)
    lines = log_of(ada)
    assert not [line for line in lines if "You " in line or " you" in line]
    assert sum(f"{name} tries to" in line for line in lines) >= len(own) + 1, "its own move, and one of the bot's"
    expect(ada.page.locator("[data-action]")).to_have_count(0)  # even if the bot is now to move for this seat
    expect(bruno.page.get_by_text("bot playing")).to_be_visible()

    # Nobody is to move any more when the last one has resigned, although the game stopped in a turn.
    assert bruno.page.request.post(f"{api}/commands", data={"type": "resign"}).ok
    bruno.page.get_by_test_id("after").wait_for()
    expect(bruno.page.get_by_text("to move")).to_have_count(0)
