"""Browsers and servers that lack something for tables in the browser: a sentence says so, and play online goes on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Playwright, Route, expect

from tests.browser.conftest import FLAGS, Browsers, ServerProcess, chromium_path
from tests.browser.packs import pack
from tests.browser.player import Player

# The fixtures and the pack are those of the tests of local tables: building a pack takes a minute.
from tests.browser.test_local_tables import (  # noqa: F401
    FIRST,
    LOG,
    begin,
    game,
    offline_browsers,
    server_with_pack,
    visitor,
)
from tests.browser.test_verify import WITHOUT_WEBASSEMBLY, check_from_the_end, resign

pytestmark = pytest.mark.slow
REFUSED = "Object.defineProperty(self, 'indexedDB', { get() { throw new DOMException('no', 'SecurityError') } })\n"
HOST = "table.test"  # a name that is not this machine's: plain HTTP there is no secure context
STARTED_WITHIN = 120_000


def says(page: Page, words: str) -> None:
    page.goto("/offline")
    expect(page.get_by_role("heading", name=words)).to_be_visible(timeout=STARTED_WITHIN)


def plays_online(player: Player) -> None:
    player.play_now(FIRST)
    assert "/table/~" not in player.page.url
    assert player.decide(1)


def test_without_webassembly(offline_browsers: Browsers) -> None:  # noqa: F811
    player = offline_browsers.visitor()
    player.page.add_init_script(WITHOUT_WEBASSEMBLY)
    says(player.page, "too old to run a table itself")
    plays_online(player)


def test_without_storage(offline_browsers: Browsers) -> None:  # noqa: F811
    player = offline_browsers.visitor()

    def refuse(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=REFUSED + answer.text())

    player.page.route("**/worker.mjs", refuse)
    says(player.page, "let this page store anything")
    plays_online(player)


@pytest.mark.parametrize("name", ["worker.mjs", "app.zip", "python.zip", "pyodide.asm.wasm"])
def test_a_damaged_pack(offline_browsers: Browsers, name: str) -> None:  # noqa: F811
    player = offline_browsers.visitor()

    def damage(route: Route) -> None:
        answer = route.fetch()
        content = answer.body()
        route.fulfill(response=answer, body=content[: len(content) // 2])

    player.page.route(f"**/{name}", damage)
    says(player.page, "files for it may be damaged")
    offline_browsers.errors.clear()  # Python has said why it could not start
    plays_online(player)
    player.page.unroute(f"**/{name}")
    player.page.goto("/offline")
    player.page.get_by_test_id(f"play-here-{FIRST}").wait_for(timeout=STARTED_WITHIN)


def test_the_connection_ends_while_the_pack_is_loaded(offline_browsers: Browsers) -> None:  # noqa: F811
    """The sentence is all that is said: what else was being loaded is no error of its own."""
    player = offline_browsers.visitor()
    lost = ("pyodide.asm.mjs", "pyodide.asm.wasm", "pyodide-lock.json", "app.zip", "python.zip")
    for name in lost:
        player.page.route(f"**/{name}", lambda route: route.abort())
    says(player.page, "Loading it for the first time needs a connection")
    assert offline_browsers.errors == []
    for name in lost:
        player.page.unroute(f"**/{name}")
    player.page.get_by_role("button", name="Try again").click()
    player.page.get_by_test_id(f"play-here-{FIRST}").wait_for(timeout=STARTED_WITHIN)


@pytest.fixture
def on_a_lan(playwright: Playwright, built_page: Path, tmp_path: Path) -> Iterator[Browsers]:
    server = ServerProcess(tmp_path, None, "--offline-pack", str(pack(FIRST)), "--allow-host", HOST)
    server.start()
    flags = [f"--host-resolver-rules=MAP {HOST} 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"]
    flags += [flag for flag in FLAGS if "host-resolver" not in flag]
    chromium: Browser = playwright.chromium.launch(executable_path=chromium_path("--without-window"), args=flags)
    browsers = Browsers(chromium, server.url.replace("127.0.0.1", HOST), "plain HTTP")
    yield browsers
    browsers.close()
    chromium.close()
    server.stop()
    assert [error for error in browsers.errors if "Cross-Origin-Opener-Policy" not in error] == []


def test_plain_http_on_a_lan(on_a_lan: Browsers) -> None:
    """There is no service worker, no lock and no `crypto.subtle`."""
    player = visitor(on_a_lan)
    page = player.page
    begin(player, FIRST)
    assert page.evaluate("[isSecureContext, 'locks' in navigator, 'subtle' in crypto]") == [False, False, False]
    assert player.decide(2)
    told = page.evaluate(LOG)
    page.reload()
    player.wait_for_cards()
    assert page.evaluate(LOG) == told
    page.goto("/offline")
    expect(page.get_by_test_id("kept")).to_have_attribute("data-kept", "none", timeout=STARTED_WITHIN)
    page.get_by_test_id("here").get_by_role("link").first.click()
    player.wait_for_cards()
    resign(page)
    check_from_the_end(page)
