"""The pages of games without a server, as `test_pages.py` checks the others: axe in languages and themes, no key."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Browsers, in_language

# The fixtures and the pack are those of the tests of one person's tables: building a pack takes a minute.
from tests.browser.test_hot_seat import Passed
from tests.browser.test_local_tables import (  # noqa: F401
    FIRST,
    begin,
    game,
    offline_browsers,
    server_with_pack,
    visitor,
)
from tests.browser.test_pages import check_everywhere, in_one_or_all_pairs

pytestmark = pytest.mark.slow


@in_one_or_all_pairs
@pytest.mark.parametrize("address", ["/offline", "/hot-seat", "/verify"])
def test_a_page_that_needs_the_pack_is_for_everyone(
    offline_browsers: Browsers,  # noqa: F811
    address: str,
    in_all: bool,
) -> None:
    page = visitor(offline_browsers).page
    page.goto(address)
    page.locator("main h1").wait_for()
    page.locator("main :is(button, input):visible").first.wait_for(timeout=120_000)
    check_everywhere(page, address, in_all)


@in_one_or_all_pairs
def test_the_curtain_and_a_passed_table_are_for_everyone(offline_browsers: Browsers, in_all: bool) -> None:  # noqa: F811
    passed = Passed(visitor(offline_browsers), 2)
    passed.begin(FIRST)
    check_everywhere(passed.page, "curtain", in_all)
    in_language(passed.page, "en")
    passed.take()
    check_everywhere(passed.page, "a table that is passed around", in_all)


@in_one_or_all_pairs
def test_the_end_of_a_local_game_and_its_deal_are_for_everyone(offline_browsers: Browsers, in_all: bool) -> None:  # noqa: F811
    player = visitor(offline_browsers)
    page = player.page
    begin(player, FIRST)
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Yes, resign").click()
    page.get_by_test_id("after").wait_for()
    check_everywhere(page, "after a local game", in_all)
    in_language(page, "en")
    page.get_by_test_id("fairness").locator("summary").click()
    with page.expect_download() as saving:
        page.get_by_role("button", name="Download the game file").click()
    path = saving.value.path()
    page.goto("/offline")
    expect(page.get_by_role("heading", name="Finished on this device")).to_be_visible(timeout=120_000)
    check_everywhere(page, "finished on this device", in_all)
    page.goto("/verify")
    page.locator("input[type=file]").set_input_files(path)
    page.get_by_test_id("findings").wait_for(timeout=120_000)
    check_everywhere(page, "verified", in_all)
