"""A game from an installed package, without a drawing of its own, is found, offered and played in a real browser."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.conftest import ROOT, ServerProcess, in_language, open_browsers
from tests.browser.packs import overhear
from tests.browser.test_generic_table import GenericPlayer
from tests.browser.test_pages import check_everywhere
from tests.outside.packages import KUHN, install

LONGEST = 120.0  # seconds
GAMES = 4


@pytest.fixture(scope="module")
def server_with_kuhn(built_page: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    folder = tmp_path_factory.mktemp("kuhn")
    install(KUHN, folder / "site")
    (folder / "data").mkdir()
    process = ServerProcess(folder / "data", folder / "site")
    process.start()
    yield process
    process.stop()


def build_pack(site: Path, folder: Path) -> None:
    """In a process of its own, which finds the game as an installed one."""
    paths = os.pathsep.join([str(site), str(ROOT / "src")])
    command = [sys.executable, "-m", "tavolino.offline", str(folder), "kuhn-poker", "--plain"]
    subprocess.run(command, check=True, env={**os.environ, "PYTHONPATH": paths})


@pytest.mark.slow
def test_kuhn_poker_is_played_without_a_server(
    chromium: Browser, built_page: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """On the generic table, with its own module in the pack."""
    site = tmp_path / "site"
    install(KUHN, site)
    (tmp_path / "data").mkdir()
    build_pack(site, tmp_path / "pack")
    process = ServerProcess(tmp_path / "data", site, "--offline-pack", str(tmp_path / "pack"))
    process.start()
    try:
        with open_browsers(chromium, process, request.node.nodeid) as browsers:
            browsers.offline_allowed = True
            player = GenericPlayer(browsers.visitor().page)
            overhear(player)
            player.page.goto("/offline")
            player.page.locator("[data-kept=kept]").wait_for(timeout=120_000)
            process.kill()
            for number in range(GAMES):
                player.view = None
                player.page.goto("/offline")
                player.page.get_by_test_id("play-here-kuhn-poker").click(timeout=120_000)
                player.wait_for_cards()
                while player.wait_for_turn():
                    assert player.view is not None
                    legal = player.view["legal"]
                    player.act(legal[number % len(legal)])
                player.page.get_by_test_id("fairness").wait_for()
            assert player.page.locator(".generic").count() == 1
    finally:
        process.stop()


@pytest.mark.slow
@pytest.mark.parametrize(("phone", "language"), [(True, "pl"), (False, "it")], ids=["phone", "desk"])
def test_kuhn_poker_is_played_to_its_end(
    chromium: Browser, server_with_kuhn: ServerProcess, request: pytest.FixtureRequest, phone: bool, language: str
) -> None:
    with open_browsers(chromium, server_with_kuhn, request.node.nodeid) as browsers:
        player = GenericPlayer(browsers.visitor(phone=phone).page)
        player.page.goto("/")
        in_language(player.page, language)
        for number in range(GAMES):
            player.play_now("kuhn-poker")
            deadline = time.monotonic() + LONGEST
            while not player.is_over:
                assert time.monotonic() < deadline
                if player.is_asked:
                    legal = (player.view or {})["legal"]
                    player.act(legal[number % len(legal)])
            player.page.get_by_test_id("fairness").wait_for()
        assert player.page.locator(".generic").count() == 1
        check_everywhere(player.page, "a game from outside", in_all=not phone)
