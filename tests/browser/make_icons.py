"""Draws the page's icons, and the pictures for links, as PNG from the SVG drawings: run it when a drawing changes.

.venv/bin/python -m tests.browser.make_icons
"""

import re
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tavolino.server.http.previews import HEIGHT, WIDTH
from tests.browser.conftest import chromium_path

PUBLIC = Path(__file__).parents[2] / "web" / "public"
GAMES = PUBLIC.parent / "src" / "games"
# Name, size, how much of it the drawing fills, and the ground (a maskable icon is cut to any shape: it needs one).
ICONS = (
    ("icon-192.png", 192, 1.0, "transparent"),
    ("icon-512.png", 512, 1.0, "transparent"),
    ("icon-maskable-512.png", 512, 0.72, "#f6eedd"),
)


def main() -> None:
    drawing = (PUBLIC / "icon.svg").read_text("utf-8")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=["--no-sandbox"])
        for name, size, filled, ground in ICONS:
            page = browser.new_page(viewport={"width": size, "height": size})
            page.set_content(
                f"<style>body{{margin:0;display:grid;place-items:center;height:100vh;background:{ground}}}"
                f"svg{{width:{filled * 100}%}}</style>{drawing}"
            )
            page.screenshot(path=PUBLIC / name, omit_background=True)
            page.close()
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        for cover in sorted(GAMES.glob("*/cover.svg")):
            _draw_preview(page, cover.read_text("utf-8"), "cover", cover.parent / "preview.png")
        (PUBLIC / "previews").mkdir(exist_ok=True)
        _draw_preview(page, drawing, "contain", PUBLIC / "previews" / "home.png")
        browser.close()


def _draw_preview(page: Page, drawing: str, fit: str, to: Path) -> None:
    whole = "slice" if fit == "cover" else "meet"
    page.set_content(
        f"<style>body{{margin:0;background:#f6eedd}}svg{{display:block;width:{WIDTH}px;height:{HEIGHT}px}}</style>"
        + re.sub("<svg", f'<svg preserveAspectRatio="xMidYMid {whole}"', drawing, count=1)
    )
    page.screenshot(path=to)


if __name__ == "__main__":
    main()
