"""The page of a server without some features: their pages, menu entries, strips and panels are gone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from tavolino.server import features
from tests.browser.conftest import ServerProcess, open_browsers

OPTIONAL = sorted(name for name, package in features.packages().items() if not package.FEATURE.is_required)


@contextmanager
def started(folder: Path, *options: str) -> Iterator[ServerProcess]:
    process = ServerProcess(folder, None, *options)
    try:
        process.start()
        yield process
    finally:
        process.stop()


@pytest.fixture(scope="module")
def server_without(built_page: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with started(tmp_path_factory.mktemp("without"), "--without", "chat,circles") as process:
        yield process


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


def links_of(page: Page) -> set[str]:
    """The addresses to which a page leads once nothing more is loaded, without what is behind a #."""
    page.wait_for_load_state("networkidle")
    addresses: list[str] = page.locator("a[href]").evaluate_all("links => links.map(each => each.href)")
    return {address.partition("#")[0] for address in addresses}


def kind_of(address: str) -> str:
    """Pages with the same first word are alike."""
    return urlsplit(address).path.split("/")[1]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "off"),
    [((), ()), (("--for", "class"), features.not_for("class")), (("--without", ",".join(OPTIONAL)), OPTIONAL)],
    ids=["none", "class", "all"],
)
def test_every_link_leads_to_a_page_of_this_server(
    options: tuple[str, ...],
    off: Sequence[str],
    chromium: Browser,
    built_page: Path,
    tmp_path: Path,
    request: pytest.FixtureRequest,
) -> None:
    """From home, a table and its end on: through a page of each kind."""
    with started(tmp_path, *options) as process, open_browsers(chromium, process, request.node.nodeid) as browsers:
        player = browsers.visitor()
        page = player.page
        page.goto("/")
        player.play_now("mantis")
        table = urlsplit(page.url).path
        page.locator("button.menu").first.click()
        found = links_of(page)
        assert page.request.post(f"/api{table.replace('table', 'tables')}/commands", data={"type": "resign"}).ok
        page.get_by_test_id("after").wait_for()
        found |= links_of(page)
        seen = {"api": "files to download"}
        waiting = {process.url + path for path in ("/", "/you", "/learn", "/open?game=mantis")} | found
        while waiting:
            address = min(waiting)
            seen[kind_of(address)] = address
            page.goto(address)
            found |= links_of(page)
            waiting = {each for each in found if kind_of(each) not in seen}
        assert {urlsplit(each).netloc for each in found} == {urlsplit(process.url).netloc}
        assert {each: page.request.get(each).status for each in found} == dict.fromkeys(found, 200)
        own = {kind for kind in seen if kind in features.pages()}
        assert own <= set(features.pages(off))
        assert own >= {"puzzles", "history", "circles"} & set(features.pages(off))
        assert set(seen) >= {"", "you", "learn", "replay"}
