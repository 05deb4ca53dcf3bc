"""Every page, in both themes and three languages: no violation, no key, no third party; languages switch in place."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from zlib import crc32

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import ROOT, Browsers, ServerProcess, in_language, open_browsers
from tests.browser.player import Player
from tests.browser.strategy import choose

AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
# Every page is checked in one pair of a language and a theme; in all pairs in the long runs.
ALL_PAIRS = tuple(product(("en", "it", "pl"), ("light", "dark")))
in_one_or_all_pairs = pytest.mark.parametrize(
    "in_all", [pytest.param(False, id="one-pair"), pytest.param(True, id="all-pairs", marks=pytest.mark.long)]
)
A_KEY = re.compile(
    r"\b(?:home|room|table|panel|menu|talk|after|fair|replay|learn|tutorial|rules|puzzles|daily|history|circles|circle|tournament|rating|curtain|hot-seat|offline|verify|you|common|server|mantis|infinity-gauntlet|splendor-marvel)"
    r"\.[a-z][\w-]*\b(?!\.(?:json|js))"
)
# Colours fade and cards move: measure when the animations are over.
SETTLED = "() => document.getAnimations().every(one => one.playState === 'finished')"
LESSONS_AND_RULES = [
    f"/learn/{game}/{part}"
    for game in ("infinity-gauntlet", "mantis", "splendor-marvel")
    for part in ("rules", "tutorial")
]
STILL = [
    *(
        "/",
        "/open",
        "/you",
        "/learn",
        "/puzzles",
        "/daily",
        "/history",
        "/circles",
        "/circle/no-such-circle",
        "/tournaments",
        "/tournament/no-such-tournament",
        "/offline",
        "/hot-seat",
        "/verify",
        "/link",
        "/nowhere/at/all",
        "/table/no-such-table",
        "/replay/no-such-table",
    ),
    *LESSONS_AND_RULES,
]


def violations(page: Page) -> list[str]:
    # The content security policy blocks foreign scripts; `evaluate` injects axe from outside.
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE.read_text("utf-8"))
    found = page.evaluate("() => axe.run(document, { resultTypes: ['violations'] })")["violations"]
    return [f"{one['id']}: {json.dumps([node['html'][:160] for node in one['nodes'][:3]])}" for one in found]


def check_everywhere(page: Page, name: str, in_all: bool) -> None:
    """Check the current page in all languages and themes, or in one pair of them, which follows from the name."""
    for language, theme in ALL_PAIRS if in_all else [ALL_PAIRS[crc32(name.encode()) % len(ALL_PAIRS)]]:
        in_language(page, language)
        page.get_by_test_id("theme").select_option(theme)
        page.wait_for_function(SETTLED)
        assert violations(page) == [], (name, language, theme)
        words = page.inner_text("body")
        assert A_KEY.findall(words) == [], (name, language)


@pytest.fixture(scope="module")
def reader(chromium: Browser, server: ServerProcess) -> Iterator[tuple[Browsers, Page]]:
    """One browser window for all pages: opening a window takes longer than loading a page."""
    with open_browsers(chromium, server, "pages that nobody plays on") as opened:
        yield opened, opened.visitor().page


@in_one_or_all_pairs
@pytest.mark.parametrize("address", STILL)
def test_a_page_is_for_everyone(reader: tuple[Browsers, Page], address: str, in_all: bool) -> None:
    browsers, page = reader
    page.goto(address)
    page.locator("main h1, main [data-testid=lesson]").first.wait_for(state="attached")
    page.wait_for_function("() => !document.querySelector('main [aria-busy=true]')")
    check_everywhere(page, address, in_all)
    browsers.check()


@in_one_or_all_pairs
@pytest.mark.parametrize("phone", [pytest.param(False, marks=pytest.mark.slow), True], ids=["desk", "phone"])
@pytest.mark.parametrize("game", ["infinity-gauntlet", "mantis", "splendor-marvel"])
def test_a_table_is_for_everyone(visitor: Callable[..., Player], game: str, phone: bool, in_all: bool) -> None:
    player = visitor(phone=phone)
    player.play_now(game)
    assert player.wait_for_turn()
    check_everywhere(player.page, game, in_all)
    if phone:
        wide = player.page.evaluate("() => document.documentElement.scrollWidth")
        assert wide <= 360, "the page scrolls sideways on a phone"
        return
    # The desktop window is resized to the sizes in between, with an action selected and another typed; then the help.
    page = player.page
    player.select(choose(player.view or {}))
    page.keyboard.press("/")
    page.get_by_test_id("command").fill((player.view or {})["legal"][0][:2])
    for width, height in ((740, 360), (820, 1180)):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function(SETTLED)
        assert violations(page) == [], (game, width, height)
    page.get_by_test_id("open-help").dispatch_event("click")
    page.get_by_test_id("help").locator("summary").last.click()
    assert violations(page) == [], (game, "help")


@in_one_or_all_pairs
def test_the_first_page_of_somebody_who_returns_is_for_everyone(visitor: Callable[..., Player], in_all: bool) -> None:
    player = visitor()
    page = player.page
    player.play_now("mantis")
    page.goto("/")
    page.get_by_test_id("continue").get_by_role("link").wait_for()
    page.get_by_test_id("options-mantis").locator("summary").click()
    check_everywhere(page, "returning", in_all)


@in_one_or_all_pairs
def test_the_waiting_room_is_for_everyone(visitor: Callable[..., Player], in_all: bool) -> None:
    player = visitor()
    player.open_table("infinity-gauntlet", 4)
    check_everywhere(player.page, "waiting room", in_all)


@in_one_or_all_pairs
def test_a_finished_game_and_its_replay_are_for_everyone(visitor: Callable[..., Player], in_all: bool) -> None:
    player = visitor()
    player.play_now("infinity-gauntlet")
    player.page.get_by_role("button", name="Settings").click()
    player.page.get_by_role("button", name="Resign").click()
    player.page.get_by_role("button", name="Yes, resign").click()
    player.page.get_by_test_id("fairness").locator("summary").click()
    check_everywhere(player.page, "after the game", in_all)
    in_language(player.page, "en")
    player.page.get_by_role("link", name="Watch the replay").click()
    player.page.get_by_label("View").wait_for()
    check_everywhere(player.page, "replay", in_all)


def test_switching_the_language_keeps_the_page_where_it_is(visitor: Callable[..., Player]) -> None:
    player = visitor()
    player.play_now("mantis")
    assert player.wait_for_turn()
    player.page.locator('[data-action="score"]:visible').first.click()
    address, lines = player.page.url, player.page.get_by_test_id("log").locator("li").count()
    in_language(player.page, "it")
    player.page.get_by_role("tab", name="Registro").wait_for()
    assert player.page.url == address
    assert player.page.get_by_test_id("log").locator("li").count() == lines
    assert player.page.locator('[data-action="score"][aria-pressed="true"]').count() > 0
    player.page.get_by_test_id("confirm").click()
    player.page.reload()
    player.wait_for_cards()
    assert player.page.evaluate("document.documentElement.lang") == "it"


def test_the_language_comes_from_the_browser_at_first(visitor: Callable[..., Player]) -> None:
    page = visitor(language="pl-PL").page
    page.goto("/")
    page.get_by_role("heading", name="Mały stolik, dobre gry").wait_for()


def test_the_first_load_is_small(built_page: Path, visitor: Callable[..., Player]) -> None:
    page = visitor().page
    sizes: list[int] = []
    page.on(
        "response",
        lambda answer: (
            sizes.append(int(answer.headers.get("content-length", 0))) if answer.url.endswith(".js") else None
        ),
    )
    page.goto("/")
    page.locator("h1").wait_for()
    assert 0 < sum(sizes) <= 150_000


def test_in_forced_colours_what_is_chosen_differs_from_what_is_not(visitor: Callable[..., Player]) -> None:
    page = visitor().page
    page.emulate_media(forced_colors="active")
    page.goto("/open?game=mantis")
    look = "one => getComputedStyle(one).outlineStyle"
    expect(page.get_by_role("radio", name="Mantis")).to_be_checked()
    assert page.locator("label", has_text="Mantis").evaluate(look) == "solid"
    assert page.locator("label", has_text="Splendor").evaluate(look) == "none"
    page.goto("/")
    page.get_by_test_id("play-mantis").click()
    page.get_by_role("tab", name="Log").wait_for(timeout=120_000)
    edge = "one => getComputedStyle(one).borderBottomColor"
    assert page.get_by_role("tab", name="Log").evaluate(edge) != page.get_by_role("tab", name="Chat").evaluate(edge)
