"""A feature from an installed package, in a real browser: its panel comes from the server, the page stays as built."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import ServerProcess, open_browsers
from tests.browser.player import Player
from tests.outside.packages import DICE_ROLLS, install


@pytest.fixture(scope="module")
def server_with_dice(built_page: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    folder = tmp_path_factory.mktemp("dice")
    install(DICE_ROLLS, folder / "site")
    (folder / "data").mkdir()
    process = ServerProcess(folder / "data", folder / "site")
    process.start()
    yield process
    process.stop()


@pytest.mark.slow
@pytest.mark.parametrize("phone", [True, False], ids=["phone", "desk"])
def test_dice_are_rolled_at_a_table(
    chromium: Browser, server_with_dice: ServerProcess, request: pytest.FixtureRequest, phone: bool
) -> None:
    with open_browsers(chromium, server_with_dice, request.node.nodeid) as browsers:
        player = Player(browsers.visitor(phone=phone).page)
        page = player.page
        page.goto("/")
        player.play_now("mantis")
        if phone:
            page.locator(".opener").click()
        page.get_by_role("tab", name="Dice").click()
        panel = page.get_by_test_id("outside-dice_rolls")
        panel.get_by_role("button", name="Roll the die").click()
        expect(panel.locator("li")).to_have_count(1)
        panel.get_by_role("button", name="Roll the die").click()
        expect(panel.locator("li")).to_have_count(2)
