"""Nothing is lost when the page is reloaded or the server is killed during a game."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.conftest import Browsers, ServerProcess
from tests.browser.player import Player


def log_of(player: Player) -> list[str]:
    """The lines of the log, with the mark at the first one since the player's last turn."""
    lines: list[str] = (
        player.page.get_by_test_id("log")
        .locator("li")
        .evaluate_all("lines => lines.map((line) => line.textContent.trim())")
    )
    return lines


def test_a_reload_in_the_middle_loses_nothing(visitor: Callable[..., Player]) -> None:
    player = visitor()
    player.play_into("mantis", 3)
    before, view, address = log_of(player), player.view, player.page.url
    assert sum(line.startswith("Since your last turn") for line in before) == 1
    player.page.reload()
    player.wait_for_cards()
    assert player.wait_for_turn()
    assert player.page.url == address
    assert player.view == view
    assert log_of(player) == before
    player.decide(1)
    assert len(log_of(player)) > len(before)


@pytest.mark.slow
def test_a_killed_server_is_waited_for_and_the_game_goes_on(
    chromium: Browser, built_page: Path, tmp_path: Path
) -> None:
    server = ServerProcess(tmp_path)
    server.start()
    browsers = Browsers(chromium, server.url, "a killed server")
    browsers.offline_allowed = True
    try:
        player = browsers.visitor()
        player.play_into("mantis", 2)
        before = log_of(player)
        board = player.page.locator(".board").bounding_box()
        server.kill()
        player.page.get_by_text("Connection lost").wait_for()
        assert player.page.locator(".board").bounding_box() == board  # the layout does not move
        server.start()
        player.page.get_by_text("Connection lost").wait_for(state="detached", timeout=60_000)
        assert log_of(player)[: len(before)] == before
        player.decide(1)
        assert len(log_of(player)) > len(before)
    finally:
        browsers.close()
        server.stop()
    assert browsers.errors == []
    assert browsers.foreign == []


def test_the_check_in_the_browser_agrees_with_tavolino_verify(
    visitor: Callable[..., Player], server: ServerProcess, tmp_path: Path
) -> None:
    player = visitor()
    player.play_into("mantis", 2)
    player.page.get_by_role("button", name="Settings").click()
    player.page.get_by_role("button", name="Resign").click()
    player.page.get_by_role("button", name="Yes, resign").click()
    fairness = player.page.get_by_test_id("fairness")
    fairness.wait_for()
    assert fairness.get_attribute("data-fair") == "proven"
    fairness.locator("summary").click()
    seed = player.page.get_by_test_id("seed").inner_text()

    with player.page.expect_download() as download:
        player.page.get_by_role("link", name="Download the game file").click()
    record = tmp_path / "record.json"
    download.value.save_as(record)
    command = [
        sys.executable,
        "-c",
        "import sys; from tavolino.cli import main; sys.exit(main())",
        "verify",
        str(record),
    ]
    verdict = subprocess.run(command, capture_output=True, text=True, check=False)
    assert verdict.returncode == 0, verdict.stdout + verdict.stderr
    assert seed in record.read_text("utf-8")
