"""Links that hold all that they lead to: they open on a plain host and on a server with the pack, and play at once."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Browsers
from tests.browser.player import Player
from tests.browser.strategy import choose

# The fixtures and the pack are those of other tests: building a pack takes a minute.
from tests.browser.test_local_tables import (  # noqa: F401
    FIRST,
    begin,
    game,
    offline_browsers,
    server_with_pack,
    visitor,
)
from tests.browser.test_site import STARTED_WITHIN, Host, Strict, hosted
from tests.browser.test_verify import resign

pytestmark = pytest.mark.slow
MARKUP = "t1.<img src=x onerror=alert(1)>"


@pytest.fixture
def host(built_page: object, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    with hosted(tmp_path_factory.mktemp("site"), FIRST) as opened:
        yield opened


@pytest.fixture
def strangers(chromium: Browser, host: Host) -> Iterator[Strict]:
    opened = Strict(chromium, host)
    yield opened
    opened.close()
    opened.check()


def copied(page: Page, name: str) -> str:
    page.get_by_test_id(f"copy-{name}").first.click()
    field = page.get_by_test_id(f"link-{name}").first
    field.wait_for(timeout=STARTED_WITHIN)
    return field.input_value()


def part(link: str) -> str:
    """What no server gets."""
    return urlsplit(link).fragment


def a_game(player: Player) -> None:
    begin(player, FIRST)
    while player.wait_for_turn():
        player.act(choose(player.view or {}))
    player.page.get_by_test_id("after").wait_for()


def test_links_of_a_server_open_on_a_plain_host(
    offline_browsers: Browsers,  # noqa: F811
    strangers: Strict,
    host: Host,
) -> None:
    player = visitor(offline_browsers)
    page = player.page
    a_game(player)
    whole = copied(page, "game")
    page.get_by_role("link", name="Replay").first.click()
    page.get_by_role("slider").wait_for()
    for _ in range(3):
        page.get_by_role("button", name="Next move", exact=True).click()
    address = page.url
    position = copied(page, "position")
    assert page.url == address
    page.goto(f"/puzzles/{FIRST}?level=easy")
    page.locator("[data-action]:visible").first.click(timeout=STARTED_WITHIN)
    page.get_by_test_id("confirm").click()
    page.get_by_role("button", name="Next").wait_for()
    worth = page.locator("ol.worth").inner_text().replace("Yours", "")
    puzzle = copied(page, "puzzle")
    assert all(link.startswith(f"{offline_browsers.base}/link#t1.") for link in (whole, position, puzzle))

    stranger = strangers.visitor()
    there = stranger.page
    there.goto(f"{host.url}?/link#{part(whole)}")
    there.wait_for_url(f"{host.url}?/replay/~.*", timeout=STARTED_WITHIN)
    there.get_by_role("slider").wait_for()
    there.keyboard.press("ArrowRight")
    there.reload()
    there.get_by_role("slider").wait_for(timeout=STARTED_WITHIN)
    there.goto(f"{host.url}?/link#{part(position)}")
    there.wait_for_url(f"{host.url}?/table/~*", timeout=STARTED_WITHIN)
    assert stranger.wait_for_turn()
    assert stranger.decide(1)
    there.goto(f"{host.url}?/link#{part(puzzle)}")
    there.locator("[data-action]:visible").first.click(timeout=STARTED_WITHIN)
    there.get_by_test_id("confirm").click()
    there.get_by_role("button", name="Next").wait_for()
    assert there.locator("ol.worth").inner_text().replace("Yours", "") == worth
    sent = [address for address in strangers.asked if "t1." in urlsplit(address)._replace(fragment="").geturl()]
    assert sent == []


def test_links_of_a_plain_host_open_on_a_server(
    offline_browsers: Browsers,  # noqa: F811
    strangers: Strict,
    host: Host,
) -> None:
    stranger = strangers.visitor()
    page = stranger.page
    page.goto(f"{host.url}?/offline")
    page.get_by_test_id(f"play-here-{FIRST}").click(timeout=STARTED_WITHIN)
    stranger.wait_for_cards()
    assert stranger.decide(2)
    resign(page)
    link = copied(page, "game")
    assert link.startswith(f"{host.url}?/link#t1.")
    there = visitor(offline_browsers).page
    there.goto(f"/link#{part(link)}")
    there.wait_for_url("**/replay/~.*", timeout=STARTED_WITHIN)
    there.get_by_role("slider").wait_for()


def test_a_review_is_linked(offline_browsers: Browsers) -> None:  # noqa: F811
    player = visitor(offline_browsers)
    a_game(player)
    page = player.page
    table = page.url.rpartition("/")[2]
    page.goto(f"/review/{table}?seat=0")
    page.get_by_role("heading", name="Decisions").wait_for(timeout=STARTED_WITHIN)
    link = copied(page, "review")
    other = visitor(offline_browsers).page
    other.goto(link)
    other.wait_for_url("**/review/~.*", timeout=STARTED_WITHIN)
    other.get_by_role("heading", name="Decisions").wait_for(timeout=STARTED_WITHIN)


def test_each_bad_link_has_a_sentence(offline_browsers: Browsers) -> None:  # noqa: F811
    player = visitor(offline_browsers)
    page = player.page
    begin(player, FIRST)
    assert player.decide(1)
    resign(page)
    good = copied(page, "game")
    for wrong, sentence in (
        (good[:-30], "The end of this link is missing"),
        (good.replace("#t1.", "#t9."), "This is not a link"),
        (f"{offline_browsers.base}/link#{MARKUP}", "This link was changed"),
        (f"{offline_browsers.base}/link", "This is not a link"),
        (good + "A" * 200_000, "holds more than"),
    ):
        page.goto("/offline")
        page.goto(wrong)
        expect(page.get_by_role("heading", level=1)).to_contain_text(sentence, timeout=STARTED_WITHIN)
        assert page.locator("main img").count() == 0
    page.goto(good)
    page.wait_for_url("**/replay/~.*", timeout=STARTED_WITHIN)


def test_a_link_opens_while_another_tab_has_the_games(offline_browsers: Browsers) -> None:  # noqa: F811
    player = visitor(offline_browsers)
    begin(player, FIRST)
    assert player.decide(1)
    resign(player.page)
    link = copied(player.page, "game")
    second = player.page.context.new_page()
    second.goto(link)
    second.get_by_test_id("take-over").click(timeout=STARTED_WITHIN)
    second.wait_for_url("**/replay/~.*", timeout=STARTED_WITHIN)
