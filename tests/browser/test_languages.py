"""A fourth language in one folder: the page lists it, says how much is translated, and uses what there is."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.conftest import ServerProcess


@pytest.fixture
def server_with_german(built_page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ServerProcess]:
    folder = tmp_path / "languages" / "de"
    folder.mkdir(parents=True)
    (folder / "page.json").write_text(json.dumps({"home.play": "Jetzt spielen"}), "utf-8")
    (folder / "mantis.json").write_text(json.dumps({"tagline": "Drei Farben hinten, eine vorn."}), "utf-8")
    monkeypatch.setenv("TAVOLINO_LANGUAGES", str(folder.parent))
    (tmp_path / "data").mkdir()
    process = ServerProcess(tmp_path / "data")
    process.start()
    yield process
    process.stop()


def test_the_page_speaks_a_language_as_far_as_it_goes(server_with_german: ServerProcess, chromium: Browser) -> None:
    page = chromium.new_context(base_url=server_with_german.url, locale="en-GB").new_page()
    page.goto("/")
    page.get_by_test_id("language").locator("option[value=de]").wait_for(state="attached")
    assert page.get_by_test_id("language").locator("option").all_inner_texts() == [
        "English",
        "Italiano",
        "Polski",
        "Deutsch (0%)",
    ]
    page.get_by_test_id("language").select_option("de")
    page.get_by_text("Jetzt spielen").first.wait_for()
    page.get_by_text("Drei Farben hinten, eine vorn.").wait_for()
    assert page.get_by_text("Open a table").count() > 0, "what is missing is in English"
    page.reload()
    page.get_by_text("Jetzt spielen").first.wait_for()
    assert page.evaluate("document.documentElement.lang") == "de"
    page.context.close()
