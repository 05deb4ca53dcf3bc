"""The page without a connection, after one visit that asked for it: after a server or a plain host has gone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Browsers, ServerProcess, in_language
from tests.browser.packs import overhear, pack
from tests.browser.player import Player
from tests.browser.strategy import choose
from tests.browser.test_site import FIRST, STARTED_WITHIN, Host, hosted

pytestmark = pytest.mark.slow
REGISTERED = "async () => (await navigator.serviceWorker.getRegistrations()).length"
CACHES = "async () => (await caches.keys()).length"


@pytest.fixture
def server_with_pack(built_page: Path, tmp_path: Path) -> Iterator[ServerProcess]:
    process = ServerProcess(tmp_path, None, "--offline-pack", str(pack(FIRST)))
    process.start()
    yield process
    process.stop()


@pytest.fixture
def browsers(chromium: Browser, server_with_pack: ServerProcess) -> Iterator[Browsers]:
    opened = Browsers(chromium, server_with_pack.url, "without a connection")
    opened.offline_allowed = True
    yield opened
    opened.close()
    opened.check()


def ask_to_keep(player: Player, address: str) -> None:
    """The one visit."""
    overhear(player)
    player.page.goto(address)
    player.page.locator("[data-kept=kept]").wait_for(timeout=STARTED_WITHIN)


def look_around(page: Page, at: str) -> None:
    """`at`: what stands before an address of the page."""
    for language, title in (("it", "Un tavolino"), ("pl", "Mały"), ("en", "A small table")):
        page.goto(f"{at}/")
        in_language(page, language)
        expect(page.get_by_role("heading", level=1)).to_contain_text(title)
        page.goto(f"{at}/learn/{FIRST}/rules")
        page.locator("[id='MA-13']").wait_for()
    page.goto(f"{at}/learn/{FIRST}/tutorial")
    page.get_by_test_id("tutorial").or_(page.get_by_test_id("question")).first.wait_for()
    page.goto(f"{at}/puzzles/{FIRST}?level=easy")
    page.locator("[data-action]:visible").first.click(timeout=STARTED_WITHIN)
    page.get_by_test_id("confirm").click()
    page.get_by_role("button", name="Next").wait_for()
    page.goto(f"{at}/you")
    page.get_by_role("heading", level=1).wait_for()


def play_to_the_end(player: Player) -> None:
    while player.wait_for_turn():
        player.act(choose(player.view or {}))
    player.page.get_by_test_id("after").wait_for()


def test_after_the_server_has_gone(browsers: Browsers, server_with_pack: ServerProcess) -> None:
    player = browsers.visitor()
    page = player.page
    ask_to_keep(player, "/offline")
    server_with_pack.kill()
    look_around(page, browsers.base)
    page.goto("/offline")
    page.get_by_test_id(f"play-here-{FIRST}").click(timeout=STARTED_WITHIN)
    player.wait_for_cards()
    assert player.decide(1)
    page.reload()
    player.wait_for_cards()
    play_to_the_end(player)
    page.get_by_role("link", name="Replay").first.click()
    page.get_by_role("slider").wait_for()
    page.reload()
    page.get_by_role("slider").wait_for(timeout=STARTED_WITHIN)
    page.goto("/")
    page.get_by_test_id(f"play-{FIRST}").click()
    player.wait_for_cards()
    assert "/table/~" in page.url


def test_who_has_not_asked_keeps_nothing(browsers: Browsers) -> None:
    player = browsers.visitor()
    player.play_now(FIRST)
    assert player.page.evaluate(REGISTERED) == 0
    assert player.page.evaluate(CACHES) == 0


@pytest.fixture
def host(built_page: Path, tmp_path: Path) -> Iterator[Host]:
    with hosted(tmp_path, FIRST) as opened:
        yield opened


@pytest.fixture
def visitors(chromium: Browser, host: Host) -> Iterator[Browsers]:
    opened = Browsers(chromium, host.url, "a plain host")
    yield opened
    opened.close()
    opened.check()


def test_after_a_plain_host_has_gone(visitors: Browsers, host: Host) -> None:
    player = visitors.visitor()
    ask_to_keep(player, f"{host.url}?/offline")
    host.stop()
    look_around(player.page, f"{host.url}?")
    player.page.goto(host.url)
    player.page.get_by_test_id(f"play-{FIRST}").click(timeout=STARTED_WITHIN)
    player.wait_for_cards()
    assert player.decide(2)
    player.page.reload()
    player.wait_for_cards()
    assert player.decide(1)


def test_a_new_version_waits_until_the_person_reloads(visitors: Browsers, host: Host) -> None:
    page = visitors.visitor().page
    page.goto(f"{host.url}?/offline")
    page.locator("[data-kept=kept]").wait_for(timeout=STARTED_WITHIN)
    page.reload()  # the service worker has this page from now on
    page.locator("[data-kept=kept]").wait_for(timeout=STARTED_WITHIN)
    publish_another_version(host.folder)
    page.evaluate("async () => void (await navigator.serviceWorker.ready).update()")
    page.get_by_test_id("new-version").wait_for(timeout=STARTED_WITHIN)
    assert "index-another" not in first_script(page)
    with page.expect_navigation():
        page.get_by_role("button", name="Reload").click()
    assert "index-another" in first_script(page)
    host.stop()
    page.reload()
    page.locator("[data-kept]").wait_for(timeout=STARTED_WITHIN)
    assert "index-another" in first_script(page)
    expect(page.get_by_test_id("new-version")).to_have_count(0)


def first_script(page: Page) -> str:
    return str(page.locator("script[type=module]").first.get_attribute("src"))


def publish_another_version(folder: Path) -> None:
    """The same page with a first script of another name, as after an update."""
    (script,) = (
        path.name for path in folder.glob("assets/index-*.js") if path.name in (folder / "index.html").read_text()
    )
    (folder / "assets" / script).rename(folder / "assets" / "index-another.js")
    for path in (folder / "index.html", folder / "service-worker.js", *folder.glob("assets/*.js")):
        path.write_text(path.read_text("utf-8").replace(script, "index-another.js"), "utf-8")
    worker = folder / "service-worker.js"
    worker.write_text(worker.read_text("utf-8").replace('"version":"', '"version":"another-', 1), "utf-8")
