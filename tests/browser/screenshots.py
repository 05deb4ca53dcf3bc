"""Takes the screenshots for docs/images: `python tests/browser/screenshots.py`; then look at each of them.

It starts a server, plays some moves of each game with the players of the tests, and takes each page on a desktop or a
phone, in the light or the dark theme.
"""

from __future__ import annotations

import io
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from tests.browser.conftest import FLAGS, ROOT, Browsers, ServerProcess, chromium_path
from tests.browser.player import Player

IMAGES = ROOT / "docs" / "images"
PALETTE = 256
GAMES = ("infinity-gauntlet", "mantis", "splendor-marvel")
INTO_THE_GAME = {"infinity-gauntlet": 5, "mantis": 3, "splendor-marvel": 14}


def take(page: Page, name: str, *, whole: bool = False) -> None:
    page.wait_for_timeout(700)
    photograph = Image.open(io.BytesIO(page.screenshot(full_page=whole))).convert("RGB")
    # Flat printed colours: a palette holds them all, in a third of the size.
    photograph.quantize(PALETTE, dither=Image.Dither.NONE).save(IMAGES / f"{name}.png", optimize=True)
    print(name, flush=True)


def table(browsers: Browsers, game: str, name: str, *, phone: bool, theme: str, language: str) -> Player:
    player = browsers.visitor(phone=phone, theme=theme, language=language)
    player.play_into(game, INTO_THE_GAME[game])
    player.page.locator(".fight").wait_for(state="detached")
    player.page.evaluate("() => scrollTo(0, 0)")
    player.page.mouse.move(2, 2)
    take(player.page, name)
    return player


def finish(player: Player) -> None:
    """End a game early, through the menu."""
    player.page.get_by_role("button", name="Settings").click()
    player.page.get_by_role("button", name="Resign").click()
    player.page.get_by_role("button", name="Yes, resign").click()
    player.page.get_by_test_id("fairness").locator("summary").click()


def main() -> None:
    IMAGES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = ServerProcess(Path(folder))
        server.start()
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=list(FLAGS))
        browsers = Browsers(browser, server.url, "pictures")
        try:
            for name, theme, phone in (
                ("home", "light", False),
                ("home-night", "dark", False),
                ("home-phone", "light", True),
            ):
                page = browsers.visitor(theme=theme, phone=phone).page
                page.goto("/")
                page.locator("h1").wait_for()
                take(page, name, whole=not phone)
            for number, game in enumerate(GAMES):
                language = ("en", "it", "pl")[number]
                table(browsers, game, f"{game}", phone=False, theme="light", language="en")
                table(browsers, game, f"{game}-night", phone=False, theme="dark", language=language)
                table(
                    browsers, game, f"{game}-phone", phone=True, theme=("dark", "light", "light")[number], language="en"
                )
                page = browsers.visitor(phone=number == 1).page
                page.goto(f"/learn/{game}/tutorial")
                page.get_by_test_id("help-close").click()
                page.get_by_test_id("lesson").wait_for()
                take(page, f"lesson-{game}")
            host = browsers.visitor()
            host.open_table("infinity-gauntlet", 4)
            take(host.page, "waiting-room", whole=True)
            for address, name in (
                ("/learn", "learn"),
                ("/learn/infinity-gauntlet/rules", "rules"),
                ("/you", "you"),
                ("/open", "open-a-table"),
                ("/table/gone", "no-such-table"),
            ):
                host.page.goto(address)
                host.page.wait_for_timeout(500)
                take(host.page, name)
            player = browsers.visitor()
            player.play_into("infinity-gauntlet", 3)
            finish(player)
            take(player.page, "after-the-game")
            player.page.get_by_role("link", name="Watch the replay").click()
            player.page.get_by_label("View").wait_for()
            take(player.page, "replay")
        finally:
            browsers.close()
            browser.close()
            server.stop()


if __name__ == "__main__":
    main()
