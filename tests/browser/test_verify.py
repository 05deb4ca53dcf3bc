"""A game is checked on one's own device: from the table's end, and from a file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tavolino.engine.records import MAX_BYTES
from tests.browser.conftest import Browsers, ServerProcess
from tests.browser.player import Player
from tests.browser.test_local_tables import (  # noqa: F401 (fixtures)
    FIRST,
    begin,
    game,
    offline_browsers,
    server_with_pack,
    visitor,
)

pytestmark = pytest.mark.slow
WITHOUT_WEBASSEMBLY = "delete globalThis.WebAssembly"


def resign(page: Page) -> None:
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Yes, resign").click()
    page.get_by_test_id("after").wait_for()


def result_of(page: Page) -> str:
    findings = page.get_by_test_id("findings")
    findings.wait_for(timeout=120_000)
    return str(findings.get_attribute("data-result"))


def save_record(page: Page, path: Path) -> dict[str, object]:
    with page.expect_download() as saved:
        page.get_by_text("Download the game file").click()
    saved.value.save_as(path)
    record: dict[str, object] = json.loads(path.read_text("utf-8"))
    return record


def check_from_the_end(page: Page) -> None:
    """One tap: with the seal and the number that this browser kept from before the deal."""
    page.get_by_test_id("verify").click()
    assert result_of(page) == "sealed"
    held = page.locator("[data-check]").evaluate_all("all => all.map(({dataset}) => [dataset.check, dataset.holds])")
    assert {name: holds for name, holds in held if holds != "true"} == {}
    assert {"kept", "salt", "replay"} <= {name for name, _ in held}
    assert page.locator("[data-limit]").count() == 1


def test_games_online_and_local_are_checked_here(
    offline_browsers: Browsers,  # noqa: F811
    server_with_pack: ServerProcess,  # noqa: F811
    tmp_path: Path,
) -> None:
    player = offline_browsers.visitor()
    player.play_now(FIRST)
    player.wait_for_cards()
    resign(player.page)
    check_from_the_end(player.page)

    local = visitor(offline_browsers)
    begin(local, FIRST)
    assert local.decide(1)
    resign(local.page)
    record = save_record(local.page, tmp_path / "good.json")
    check_from_the_end(local.page)

    # Another tab, while this one has the tables; and what another browser can tell of the same file.
    second = local.page.context.new_page()
    second.goto("/verify")
    second.get_by_test_id("pick").set_input_files(tmp_path / "good.json")
    assert result_of(second) == "sealed"
    other = offline_browsers.visitor().page
    other.goto("/verify")
    other.get_by_test_id("pick").set_input_files(tmp_path / "good.json")
    assert result_of(other) == "consistent"
    expect(other.locator("[data-limit=nothing-kept]")).to_be_visible()

    other.get_by_text("Paste the text of a game file").click()
    other.get_by_test_id("paste").fill(json.dumps({**record, "seed": {"bytes": "00" * 32}}))
    other.get_by_test_id("check").click()
    expect(other.get_by_test_id("findings")).to_have_attribute("data-result", "broken")
    with (tmp_path / "large.json").open("wb") as large:
        large.truncate(50 * MAX_BYTES)
    other.get_by_test_id("pick").set_input_files(tmp_path / "large.json")
    expect(other.get_by_role("heading", name="larger than 1 MB")).to_be_visible()
    # After a refusal the next file is checked as ever, also without the server.
    server_with_pack.kill()
    other.get_by_test_id("pick").set_input_files(tmp_path / "good.json")
    expect(other.get_by_test_id("findings")).to_have_attribute("data-result", "consistent")


def test_a_seal_goes_with_its_game_into_another_browser(offline_browsers: Browsers, tmp_path: Path) -> None:  # noqa: F811
    player = visitor(offline_browsers)
    begin(player, FIRST)
    assert player.decide(1)
    resign(player.page)
    table = player.page.url.rpartition("/")[2]
    player.page.goto("/offline")
    with player.page.expect_download(timeout=120_000) as saving:
        player.page.get_by_test_id("save-games").click(timeout=120_000)
    saving.value.save_as(tmp_path / "games.jsonl")

    other = visitor(offline_browsers).page
    other.goto("/offline")
    reading = other.get_by_test_id("read-games")
    reading.wait_for(state="attached", timeout=120_000)
    reading.set_input_files(tmp_path / "games.jsonl")
    expect(other.get_by_test_id("brought")).to_contain_text("1 game was added.")
    other.goto(f"/table/{table}")
    other.get_by_test_id("verify").click(timeout=120_000)
    assert result_of(other) == "consistent"
    for check in ("kept", "salt"):
        expect(other.locator(f"[data-check={check}]")).to_have_attribute("data-holds", "true")
    expect(other.locator("[data-limit=from-file]")).to_be_visible()


def test_without_webassembly_a_sentence_says_so(offline_browsers: Browsers) -> None:  # noqa: F811
    player: Player = offline_browsers.visitor()
    player.page.add_init_script(WITHOUT_WEBASSEMBLY)
    player.page.goto("/verify")
    player.page.get_by_text("Paste the text of a game file").click()
    player.page.get_by_test_id("paste").fill("{}")
    player.page.get_by_test_id("check").click()
    expect(player.page.get_by_role("heading", name="too old to check")).to_be_visible()
