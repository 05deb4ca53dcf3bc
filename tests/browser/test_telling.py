"""Each event is shown with its sentence before the table changes, at the chosen speed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.browser.player import Player
from tests.browser.strategy import choose

ASKED_AGAIN = 120_000  # milliseconds
# Keeps every caption that the page shows, in their order.
WATCH = """() => {
  window.changes = []
  new MutationObserver(() => {
    const caption = document.querySelector('[data-testid=caption]')?.textContent ?? null
    const last = window.changes.at(-1)
    if (caption !== last) window.changes.push(caption)
  }).observe(document.querySelector('.frame'), { childList: true, subtree: true, characterData: true })
}"""


def read_out(player: Player) -> list[str]:
    return player.page.get_by_test_id("announced").locator("p").all_inner_texts()


@pytest.mark.parametrize(
    "game",
    [
        "mantis",
        pytest.param("infinity-gauntlet", marks=pytest.mark.slow),
        pytest.param("splendor-marvel", marks=pytest.mark.slow),
    ],
)
def test_events_are_told_one_by_one_and_then_the_question(visitor: Callable[..., Player], game: str) -> None:
    player = visitor(phone=True, speed="fast")
    player.play_now(game)
    player.page.get_by_test_id("confirm").wait_for(timeout=ASKED_AGAIN)
    player.page.evaluate(WATCH)
    before = len(read_out(player))
    player.act(choose(player.view or {}))
    player.page.get_by_test_id("caption").wait_for()
    assert player.page.locator("[data-action]:visible").count() == 0, "nothing can be chosen while events are told"
    player.page.get_by_test_id("confirm").or_(player.page.get_by_test_id("fairness")).wait_for(timeout=ASKED_AGAIN)

    captions = [text for text in player.page.evaluate("() => window.changes") if text]
    said = read_out(player)[before:]
    assert captions, "no event was told"
    assert [text for text in said if text in captions] == captions, "each event is read out once, in its order"
    question = player.page.get_by_test_id("question").inner_text()
    assert question.startswith(said[-1]), "the question comes last"
    assert said.count(said[-1]) == 1
    assert player.page.get_by_test_id("ticker").inner_text().splitlines()[-1] == captions[-1]

    player.page.keyboard.press("r")
    player.page.wait_for_function(
        "words => document.querySelector('[data-testid=announced]').lastElementChild.textContent === words"
        " && document.querySelectorAll('[data-testid=announced] p').length > 1",
        arg=said[-1],
    )
    assert read_out(player)[-2:] == said[-2:], "the last event and the question are repeated"
    assert read_out(player).count(said[-1]) >= 2


@pytest.mark.slow
def test_a_line_of_the_log_is_shown_again(visitor: Callable[..., Player]) -> None:
    player = visitor(speed="fast")
    player.play_now("mantis")
    confirm = player.page.get_by_test_id("confirm")
    confirm.wait_for(timeout=ASKED_AGAIN)
    player.act(choose(player.view or {}))
    player.page.get_by_test_id("caption").wait_for()
    confirm.or_(player.page.get_by_test_id("fairness")).wait_for(timeout=ASKED_AGAIN)
    line = player.page.get_by_test_id("log").get_by_role("button").last
    words = line.inner_text()
    line.click()
    caption = player.page.get_by_test_id("caption")
    caption.wait_for()
    assert caption.inner_text() == words
    confirm.wait_for()


@pytest.mark.slow
def test_wait_for_me_goes_on_by_a_button(visitor: Callable[..., Player]) -> None:
    player = visitor(speed="wait")
    player.play_now("mantis")
    go_on, confirm = player.page.get_by_test_id("go-on"), player.page.get_by_test_id("confirm")
    go_on.or_(confirm).wait_for(timeout=ASKED_AGAIN)
    while confirm.count():
        player.act(choose(player.view or {}))
        player.page.get_by_test_id("caption").wait_for()
        go_on.or_(confirm).wait_for(timeout=ASKED_AGAIN)
    table = player.page.locator(".board").inner_text()
    player.page.wait_for_timeout(1_500)
    assert go_on.is_visible()
    assert player.page.locator(".board").inner_text() == table
    go_on.click()
    player.page.get_by_test_id("caption").or_(confirm).wait_for(timeout=ASKED_AGAIN)


# Keeps each text of the notebook, and whether an event was being shown when it came.
WATCH_NOTEBOOK = """() => {
  const text = () => document.querySelector('.notebook').innerText
  window.notes = [[text(), false]]
  new MutationObserver(() => {
    if (text() === window.notes.at(-1)[0]) return
    window.notes.push([text(), document.querySelector('[data-testid=caption]') !== null])
  }).observe(document.body, { childList: true, subtree: true, characterData: true })
}"""


def test_the_notebook_does_not_know_what_is_still_to_be_shown(visitor: Callable[..., Player]) -> None:
    player = visitor(speed="fast")
    player.play_now("mantis")
    confirm = player.page.get_by_test_id("confirm")
    confirm.wait_for(timeout=ASKED_AGAIN)
    player.page.get_by_role("tab", name="Notebook").click()
    player.page.get_by_role("button", name="Use the notebook").click()
    player.page.get_by_text("Still in the draw pile").wait_for()
    player.page.evaluate(WATCH_NOTEBOOK)
    player.act(choose(player.view or {}))
    player.page.get_by_test_id("caption").wait_for()
    confirm.or_(player.page.get_by_test_id("fairness")).wait_for(timeout=ASKED_AGAIN)
    player.page.wait_for_function("() => window.notes.length > 1")
    assert [shown for _, shown in player.page.evaluate("() => window.notes")] == [False, False]
