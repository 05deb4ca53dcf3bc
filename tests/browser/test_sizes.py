"""At every window size nothing that the page asks for is covered, and the whole table is visible where it fits.

One page for each game is resized through all sizes. A browser at 200 % zoom is a window of half the size.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.player import Player
from tests.browser.strategy import choose

PHONES = [(360, 740), (390, 844)]
LANDSCAPE = [(740, 360), (844, 390)]
TABLETS = [(820, 1180), (1180, 820)]
DESKS = [(1280, 720), (1440, 900), (1280, 640), (1366, 657), (1536, 730)]
ZOOMED = [(width // 2, height // 2) for width, height in [(1280, 720), (1440, 900), (1180, 820)]]
SIZES = [*PHONES, *LANDSCAPE, *TABLETS, *DESKS, *ZOOMED]
DESK_FROM = 1100  # the log stands beside the table, and there is no ticker
SETTLED = 20.0  # seconds until the page has its new size, on a busy machine
# Positions in which the question takes much room.
ASKING = [*PHONES, *LANDSCAPE, (1280, 720), *ZOOMED]
# Where the whole board is visible without scrolling.
WHOLE = [*PHONES, *TABLETS, *DESKS]

# The elements that can be selected, the question and its button, each scrolled into view as the page does it: each is
# inside the window, and nothing covers its middle.
COVERED = """() => {
  const asked = [...document.querySelectorAll('[data-action], [data-testid=question], [data-testid=confirm]')]
  const isShown = (thing) => thing.checkVisibility() && !thing.matches('.visually-hidden')
  return asked.filter(isShown).filter((thing) => {
    thing.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' })
    const { x, y, width, height } = thing.getBoundingClientRect()
    const isInside = y >= -1 && y + height <= innerHeight + 1 && x >= -1 && x + width <= innerWidth + 1
    return !isInside || !thing.contains(document.elementFromPoint(x + width / 2, y + height / 2))
  }).map((thing) => thing.dataset.action ?? thing.dataset.testid)
}"""
# The question is visible wherever the page is scrolled to.
QUESTION_IN_SIGHT = """() => [0, document.documentElement.scrollHeight].every((top) => {
  scrollTo({ top, behavior: 'instant' })
  const { top: upper, bottom } = document.querySelector('[data-testid=question]').getBoundingClientRect()
  return upper >= 0 && bottom <= innerHeight
})"""
# What reaches below the upper edge of the dock while the page is at its top.
BEHIND_THE_DOCK = """() => {
  scrollTo({ top: 0, behavior: 'instant' })
  const edge = document.querySelector('.dock').getBoundingClientRect().top
  return [...document.querySelectorAll('.board :is(.plate, .cloth, [data-place])')]
    .filter((thing) => thing.getBoundingClientRect().bottom > edge + 1)
    .map((thing) => thing.dataset.place ?? thing.className)
}"""
# What reaches below the window while the page is at its top, where the dock stands beside the board.
BELOW_THE_WINDOW = """() => {
  scrollTo({ top: 0, behavior: 'instant' })
  return [...document.querySelectorAll('.board :is(.plate, .cloth, [data-place])')]
    .filter((thing) => thing.getBoundingClientRect().bottom > innerHeight + 1)
    .map((thing) => thing.dataset.place ?? thing.className)
}"""
# Answers that lie behind the row of buttons at the bottom of the dock.
BEHIND_THE_BUTTONS = """() => {
  const edge = document.querySelector('.controls').getBoundingClientRect().top
  return [...document.querySelectorAll('.choices button')]
    .filter((button) => button.getBoundingClientRect().bottom > edge)
    .map((button) => button.textContent.trim())
}"""
# The last event is visible at the lower edge of the ticker, from its first line to its end.
LAST_EVENT_IN_SIGHT = """() => {
  const last = [...document.querySelectorAll('.ticker .event')].at(-1)
  const [outer, inner] = [last.parentElement.getBoundingClientRect(), last.getBoundingClientRect()]
  return inner.top >= outer.top - 1 && inner.bottom <= outer.bottom + 1
}"""
# The heights of the dock and of its row of buttons.
HEIGHTS = "() => ['.dock', '.controls'].map((part) => document.querySelector(part).getBoundingClientRect().height)"
ONE_ROW = 60
# Sums up the layout shifts, as Lighthouse does.
WATCH_SHIFTS = """
  window.shifted = 0
  new PerformanceObserver((list) => list.getEntries().forEach(({ value }) => (window.shifted += value)))
    .observe({ type: 'layout-shift', buffered: true })
"""
SHIFTED = "() => new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(window.shifted), 100)))"
MOST_SHIFTED = 0.05
# Buttons that are too small for a finger.
TOO_SMALL = """() => [...document.querySelectorAll('.button')].filter((button) => button.checkVisibility())
  .map((button) => [button.textContent.trim(), button.getBoundingClientRect().height])
  .filter(([, height]) => height < 44)"""
WIDER_THAN_THE_DOCK = (
    "() => { const dock = document.querySelector('.dock'); return dock.scrollWidth - dock.clientWidth }"
)
# Other players' places that are cut off at a side of the window.
OTHERS_CUT_OFF = """() => [...document.querySelectorAll('.others > *')]
  .map((place) => place.getBoundingClientRect())
  .filter((place) => place.left < 0 || place.right > document.documentElement.clientWidth).length"""
WIDER_THAN_THE_WINDOW = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.mark.parametrize(
    ("game", "players"),
    [("mantis", None), ("infinity-gauntlet", None), ("infinity-gauntlet", 5), ("splendor-marvel", None)],
)
def test_nothing_that_is_asked_for_is_covered_at_any_size(
    visitor: Callable[..., Player], game: str, players: int | None
) -> None:
    """With as many players as the game takes: then the most has to fit. Four others of five stand in other rows."""
    somebody = visitor()
    somebody.page.goto("/")
    play = somebody.page.get_by_test_id(f"play-{game}")
    for width, height in [*LANDSCAPE, (1280, 720)]:
        somebody.page.set_viewport_size({"width": width, "height": height})
        expect(play).to_be_in_viewport(ratio=1)
    somebody.page.get_by_test_id(f"options-{game}").locator("summary").click()
    seats = somebody.page.get_by_test_id(f"seats-{game}")
    numbers = seats.locator("option").evaluate_all("options => options.map(({ value }) => value)")
    seats.select_option(str(players or numbers[-1]))  # the page keeps this choice
    somebody.play_into(game, 2)
    for width, height in SIZES:
        size = f"{game}, {width} by {height}"
        somebody.page.set_viewport_size({"width": width, "height": height})
        somebody.page.wait_for_timeout(100)  # until the dock has its height
        assert somebody.page.evaluate(COVERED) == [], size
        assert somebody.page.evaluate(QUESTION_IN_SIGHT), size
        assert somebody.page.evaluate(WIDER_THAN_THE_WINDOW) == 0, size
        assert somebody.page.evaluate(OTHERS_CUT_OFF) == 0, size
        if (width, height) in WHOLE:
            assert somebody.page.evaluate(BEHIND_THE_DOCK) == [], size
            assert somebody.page.evaluate(HEIGHTS)[1] <= ONE_ROW, f"{size}: the row of buttons breaks"
        else:
            assert somebody.page.evaluate(BELOW_THE_WINDOW) == [], size
        if (width, height) not in DESKS and width < DESK_FROM:
            assert somebody.page.evaluate(LAST_EVENT_IN_SIGHT), size
    # A tap that selects does not move the layout.
    somebody.page.set_viewport_size({"width": 390, "height": 844})
    somebody.page.wait_for_timeout(100)
    dock = somebody.page.evaluate(HEIGHTS)[0]
    somebody.select(choose(somebody.view or {}))
    assert somebody.page.evaluate(HEIGHTS)[0] <= dock + 1 or game == "splendor-marvel"


@pytest.mark.parametrize("game", ["mantis", "infinity-gauntlet", "splendor-marvel"])
def test_nothing_moves_while_a_table_is_opened_on_a_phone(visitor: Callable[..., Player], game: str) -> None:
    somebody = visitor(phone=True)
    somebody.play_now(game)
    somebody.wait_for_turn()
    somebody.page.add_init_script(WATCH_SHIFTS)
    somebody.page.reload()
    somebody.wait_for_cards()
    somebody.page.locator(".board .cloth").first.wait_for()
    assert somebody.page.evaluate(SHIFTED) < MOST_SHIFTED
    assert somebody.page.evaluate(TOO_SMALL) == []
    if game == "mantis":  # the game stands above the others on the home page
        somebody.page.goto("/")
        somebody.page.get_by_test_id("continue").wait_for()
        for width, height in SIZES:
            somebody.page.set_viewport_size({"width": width, "height": height})
            somebody.page.reload()
            somebody.page.get_by_test_id("daily").wait_for()
            expect(somebody.page.get_by_test_id("continue")).to_be_visible()
            expect(somebody.page.get_by_test_id("waiting")).to_be_attached()
            assert somebody.page.evaluate(SHIFTED) < MOST_SHIFTED, f"home, {width} by {height}"


def assert_nothing_covered(somebody: Player, name: str, width: int, height: int) -> None:
    somebody.page.set_viewport_size({"width": width, "height": height})
    deadline = time.monotonic() + SETTLED
    while (found := somebody.page.evaluate(COVERED) or somebody.page.evaluate(WIDER_THAN_THE_DOCK)) or (
        (width, height) in WHOLE and (found := somebody.page.evaluate(BEHIND_THE_DOCK))
    ):
        assert time.monotonic() < deadline, f"{name}, {width} by {height}: {found}"
        somebody.page.wait_for_timeout(100)


@pytest.mark.slow
def test_what_a_card_of_infinity_gauntlet_asks_leaves_the_own_place_in_sight(visitor: Callable[..., Player]) -> None:
    """A number, a hero, an order of three cards: each needs more room in the dock than a hand does."""
    somebody = visitor()
    somebody.play_now("infinity-gauntlet")
    wanted = {"guess", "choose", "order"}
    while wanted:
        if not somebody.wait_for_turn():
            somebody.play_now("infinity-gauntlet")
            continue
        view = somebody.view or {}
        for verb in wanted & {action.partition(" ")[0] for action in view["legal"]}:
            for width, height in ASKING:
                assert_nothing_covered(somebody, f"{verb} is asked", width, height)
            somebody.select(choose(view))
            for width, height in ASKING:
                assert_nothing_covered(somebody, f"{verb} is selected", width, height)
            somebody.page.get_by_role("button", name="Cancel").click()
            wanted.remove(verb)
        somebody.act(choose(view))


@pytest.mark.slow
def test_both_answers_of_a_question_are_in_sight_in_low_windows(visitor: Callable[..., Player]) -> None:
    """In Polish, whose words are long: the two buttons stand one below the other."""
    somebody = visitor(language="pl")
    somebody.page.goto("/")
    somebody.page.get_by_test_id("options-infinity-gauntlet").locator("summary").click()
    somebody.page.get_by_test_id("side-infinity-gauntlet").select_option("other")  # a hero
    somebody.play_now("infinity-gauntlet")
    while not somebody.wait_for_turn() or "fight" not in (somebody.view or {})["legal"]:
        if somebody.is_over:
            somebody.play_now("infinity-gauntlet")
        else:
            somebody.act(choose(somebody.view or {}))
    for width, height in [*LANDSCAPE, *ZOOMED]:
        somebody.page.set_viewport_size({"width": width, "height": height})
        somebody.page.wait_for_timeout(100)
        assert somebody.page.evaluate(BEHIND_THE_BUTTONS) == [], f"{width} by {height}"


def test_reserved_cards_leave_market_and_tokens_in_sight(visitor: Callable[..., Player]) -> None:
    """Reserved cards need room at the places of the players: the rows of the market leave it to them."""
    somebody = visitor()
    assert somebody.page.request.post("/api/me", data={"name": "Ada"}).ok
    wanted = {"game": "splendor-marvel", "seats": 4, "level": "random"}  # such bots reserve soon
    table = somebody.page.request.post("/api/play-now", data=wanted).json()["id"]
    somebody.page.goto(f"/table/{table}")
    while somebody.wait_for_turn():
        view = somebody.view or {}
        if all(seat["reserved"] for seat in view["seats"]) and len(view["seats"][view["seat"]]["reserved"]) == 3:
            break
        reserving = [action for action in view["legal"] if action.startswith("reserve ")]
        somebody.act(reserving[0] if reserving else choose(view))
    for width, height in [*TABLETS, *DESKS]:
        somebody.page.set_viewport_size({"width": width, "height": height})
        somebody.page.wait_for_timeout(100)
        assert somebody.page.evaluate(BEHIND_THE_DOCK) == [], f"{width} by {height}"


@pytest.mark.parametrize("language", ["en", "it", "pl"])
def test_the_waiting_room_fits_a_small_phone_and_the_table_is_shown_from_its_top(
    visitor: Callable[..., Player], language: str
) -> None:
    host, guest = visitor(), visitor(phone=True, language=language)
    guest.join(host.open_table("mantis", 3), "Zosia")
    assert guest.page.evaluate(WIDER_THAN_THE_WINDOW) == 0
    # A guest who has scrolled there sees the table from its top when the game starts.
    guest.page.evaluate("() => scrollTo(0, document.body.scrollHeight)")
    assert guest.page.evaluate("() => scrollY") > 0
    host.page.get_by_test_id("start").click()
    guest.wait_for_cards()
    guest.page.wait_for_function("() => scrollY === 0")
