"""Tables with other people: open games, proposals, leaving for a while, playing again."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import ViewportSize, expect

from tests.browser.player import Player
from tests.browser.test_pages import violations
from tests.browser.test_sizes import BEHIND_THE_DOCK, DESKS, LANDSCAPE, PHONES, TABLETS, TOO_SMALL

BARS = (390, 664)
LAPTOP: ViewportSize = {"width": 1280, "height": 720}
# By how many pixels a bubble lies over the name of who says it, or above the window.
BUBBLE_OVER_NAME = """() => {
  const bubble = document.querySelector('[data-testid=bubble-1]')
  const name = bubble.parentElement.querySelector('.name')
  const [over, under] = [bubble.getBoundingClientRect(), name.getBoundingClientRect()]
  const overlap = Math.min(over.bottom, under.bottom) - Math.max(over.top, under.top) - 1
  return Math.max(0, Math.round(Math.max(overlap, -over.top)))
}"""
# One of each layout: a bubble does not last long.
LAYOUTS = [PHONES[0], LANDSCAPE[0], TABLETS[0], DESKS[0]]


def is_in_sight(player: Player, test_id: str) -> bool:
    box = player.page.get_by_test_id(test_id).bounding_box()
    size = player.page.viewport_size
    return box is not None and size is not None and box["y"] >= 0 and box["y"] + box["height"] <= size["height"]


def test_people_agree_to_end_and_find_their_tables_again(visitor: Callable[..., Player]) -> None:
    ada, bruno = visitor(), visitor(phone=True)
    ada.page.set_viewport_size(LAPTOP)
    link = ada.open_table("mantis", 2)
    ada.page.get_by_test_id("only-here").wait_for()  # the server of the tests listens on loopback
    assert ada.page.get_by_role("img", name="QR code").count() == 0
    bruno.page.goto("/you")
    bruno.page.get_by_test_id("avatar-lemon").check(force=True)
    bruno.join(link, "Bruno")
    ada.page.locator("[data-avatar]").wait_for()
    bruno.page.get_by_test_id("howto").wait_for()
    assert bruno.page.evaluate(TOO_SMALL) == []
    bruno.page.get_by_test_id("ready").click()
    ada.page.get_by_test_id("ready-1").wait_for()
    bruno.page.get_by_label("Write a message").fill("Shall we?")
    bruno.page.get_by_role("button", name="Send").click()
    ada.page.get_by_text("Shall we?").wait_for()
    ada.page.get_by_test_id("start").click()
    ada.wait_for_cards()
    bruno.wait_for_cards()

    bruno.page.get_by_test_id("seat-react").click()  # at one's own seat: one tap says it
    expect(ada.page.get_by_test_id("bubble-1")).to_have_text("Hello!")
    bruno.page.get_by_test_id("seat-tap").click()
    bruno.page.get_by_test_id("quick-reactions").get_by_role("button", name="Well played!").click()
    bruno.page.get_by_test_id("quick-reactions").wait_for(state="detached")
    expect(ada.page.get_by_test_id("bubble-1")).to_have_text("Well played!")
    bruno.page.get_by_test_id("seat-react").and_(bruno.page.get_by_label("Well played!")).wait_for()  # the next tap
    for width, height in LAYOUTS:  # one reads who says it, whatever the window
        ada.page.set_viewport_size({"width": width, "height": height})
        assert ada.page.evaluate(BUBBLE_OVER_NAME) == 0, (width, height)
    ada.page.set_viewport_size(LAPTOP)

    # A player leaves for a while: the game comes first on the home page, and the games to start are still visible.
    ada.page.get_by_role("button", name="Settings").click()
    rules = ada.page.get_by_role("link", name="Rules", exact=True)
    assert rules.get_attribute("target") == "_blank"
    ada.page.get_by_role("button", name="Leave for now").click()
    ada.page.get_by_test_id("continue").get_by_role("link").wait_for()
    assert is_in_sight(ada, "continue")
    assert is_in_sight(ada, "play-mantis")
    if ada.page.get_by_test_id("waiting").count():  # it is Ada's turn
        assert ada.page.get_by_test_id("waiting").inner_text().startswith("1")
    ada.page.get_by_test_id("continue").get_by_role("link").click()
    ada.wait_for_cards()

    bruno.page.get_by_role("button", name="Settings").click()
    bruno.page.get_by_role("button", name="Vote to end the game").click()
    asked = ada.page.get_by_test_id("proposal")
    asked.get_by_text("Bruno wants to end the game").wait_for()
    assert ada.page.evaluate(BEHIND_THE_DOCK) == []  # the question stands beside the table
    asked.get_by_role("button", name="Keep playing").click()
    asked.wait_for(state="detached")
    bruno.page.get_by_test_id("proposal").get_by_text("wants to keep playing").wait_for()
    bruno.page.get_by_test_id("proposal").get_by_role("button", name="Close").click()
    bruno.page.get_by_test_id("proposal").wait_for(state="detached")
    bruno.page.get_by_role("button", name="Settings").click()
    bruno.page.get_by_role("button", name="Vote to end the game").click()
    asked.get_by_role("button", name="End the game").click()
    ada.page.get_by_test_id("fairness").wait_for()
    bruno.page.get_by_test_id("fairness").wait_for()

    # One of them wants to play again: the other one reads who it is, and is a tap away.
    ended = ada.page.url
    ada.page.get_by_role("button", name="Play again").click()
    wish = bruno.page.get_by_test_id("rematch-wish")
    wish.get_by_text("wants to play again").wait_for()
    for size in (BARS, PHONES[0]):
        bruno.page.set_viewport_size({"width": size[0], "height": size[1]})
        bruno.page.evaluate("() => scrollTo({ top: 0, behavior: 'instant' })")
        expect(wish.get_by_role("link")).to_be_in_viewport(ratio=1)
    assert violations(bruno.page) == []
    wish.get_by_role("link", name="Join the rematch").click()
    bruno.page.wait_for_url(lambda url: url != ended)

    # The two play again at a new table, if both want to.
    ada.open_table("mantis", 2)
    ada.page.get_by_test_id("invite-again").get_by_role("button", name="Invite Bruno").click()
    ada.page.get_by_role("button", name="Bruno has been invited").wait_for()
    bruno.page.goto("/")
    bruno.page.get_by_test_id("invitations").get_by_role("link").click()
    bruno.page.get_by_test_id("join").click()
    ada.page.get_by_role("list", name="Seats").get_by_text("Bruno").first.wait_for()


def test_playing_again_against_bots_begins_at_once_and_a_replay_at_the_beginning(
    visitor: Callable[..., Player],
) -> None:
    player = visitor()
    page = player.page
    page.goto("/")
    page.get_by_test_id("options-mantis").locator("summary").click()
    page.get_by_test_id("seats-mantis").select_option("2")
    page.get_by_test_id("side-mantis").select_option("me")
    page.get_by_test_id("play-mantis").click()
    player.wait_for_cards()
    assert player.wait_for_turn()
    assert player.view is not None
    assert (player.view["players"], player.turn) == (2, 0)  # two, and the player goes first
    player.decide(2)
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Yes, resign").click()
    page.get_by_test_id("fairness").wait_for()
    ended = page.url

    page.get_by_role("button", name="Play again").click()
    page.wait_for_url(lambda url: url != ended)
    player.wait_for_cards()
    assert page.get_by_text("Macchiato").first.is_visible()

    page.goto(ended.replace("/table/", "/replay/"))
    page.locator(".count", has_text="0 of ").wait_for()
    page.get_by_role("button", name="Next turn").click()
    page.wait_for_url("**move=*")
    at = page.url
    page.get_by_role("button", name="To the end").click()
    page.wait_for_function("before => location.href !== before", arg=at)
    page.get_by_test_id("log").get_by_role("button").first.click()  # a line of the deal
    page.locator(".count", has_text="0 of ").wait_for()


def test_a_planned_move_is_played_as_soon_as_it_is_ones_turn(visitor: Callable[..., Player]) -> None:
    ada, bruno = visitor(), visitor(phone=True)
    bruno.join(ada.open_table("mantis", 2), "Bruno")
    ada.page.get_by_test_id("start").click()
    ada.wait_for_cards()
    bruno.wait_for_cards()
    first, second = (ada, bruno) if ada.is_asked else (bruno, ada)
    assert first.page.get_by_test_id("open-plan").count() == 0
    second.page.get_by_test_id("open-plan").click()
    second.page.get_by_test_id("plan-on-board").click()
    second.page.get_by_test_id("planning").wait_for()
    second.page.locator("[data-action=score]:visible").first.click()
    second.page.get_by_role("button", name="Plan: ").click()
    second.page.get_by_test_id("planning").wait_for(state="detached")
    second.page.get_by_test_id("open-plan").click()
    second.page.get_by_test_id("unplan").wait_for()
    second.page.get_by_test_id("plan-forced").check()
    turn = second.turn
    while second.turn < turn + 2:  # a successful steal would bring the first one another turn
        if first.is_asked:
            first.act("score")
        first.page.wait_for_timeout(50)
    second.page.get_by_test_id("unplan").wait_for(state="detached")
    assert not any('"plan":{' in frame for frame in first.frames)


def test_guests_are_told_that_the_host_is_away(visitor: Callable[..., Player]) -> None:
    ada, bruno = visitor(), visitor(phone=True)
    bruno.join(ada.open_table("mantis", 2), "Bruno")
    bruno.page.get_by_text("The host will start the game.").wait_for()
    ada.page.goto("/")
    bruno.page.get_by_text("The host is away.").wait_for()
    ada.page.go_back()
    bruno.page.get_by_text("The host will start the game.").wait_for()
