"""Draws the page's icons as PNG from web/public/icon.svg: run it when the drawing changes.

.venv/bin/python -m tests.browser.make_icons
"""

from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.browser.conftest import chromium_path

PUBLIC = Path(__file__).parents[2] / "web" / "public"
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
        browser.close()


if __name__ == "__main__":
    main()
