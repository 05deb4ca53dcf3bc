"""The page of a server without some features: their pages, menu entries, strips and panels are gone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import ServerProcess, open_browsers


@pytest.fixture(scope="module")
def server_without(built_page: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    process = ServerProcess(tmp_path_factory.mktemp("without"), None, "--without", "chat,circles")
    process.start()
    yield process
    process.stop()


@pytest.mark.slow
def test_nothing_leads_to_chat_and_circles(
    chromium: Browser, server: ServerProcess, server_without: ServerProcess, request: pytest.FixtureRequest
) -> None:
    for process, count in ((server, 1), (server_without, 0)):
        with open_browsers(chromium, process, request.node.nodeid) as browsers:
            player = browsers.visitor()
            page = player.page
            page.goto("/")
            player.play_now("mantis")
            expect(page.get_by_role("tab", name="Chat")).to_have_count(count)
            page.goto("/")
            expect(page.get_by_test_id("daily")).to_be_visible()
            page.goto("/you")
            expect(page.locator('a[href="/history"]').first).to_be_visible()
            expect(page.locator('a[href="/circles"]')).to_have_count(count)
            answer = page.goto("/circles")
            assert answer is not None
            assert answer.status == (200 if count else 404)
