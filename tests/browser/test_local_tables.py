"""Play without a connection: the table is in a worker of the page, and the server may go."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Error, expect

import tavolino
from tests.browser.conftest import Browsers, ServerProcess
from tests.browser.packs import overhear, pack
from tests.browser.player import Player
from tests.browser.strategy import choose
from tests.sampling import few_or_many

FIRST = "mantis"  # `make test-slow` plays this one, `make test-long` the others: compiling them takes minutes
GAMES = [name if name == FIRST else pytest.param(name, marks=pytest.mark.long) for name in tavolino.games()]
pytestmark = pytest.mark.slow
MOST_DECISIONS = 400
CRASHES = few_or_many(6, 20)
NEWER = "f" * 16  # the version of a pack
LOG = "() => [...document.querySelectorAll('[data-testid=log] [data-told]')].map((line) => line.textContent.trim())"


@pytest.fixture
def game() -> str:
    return FIRST


@pytest.fixture
def server_with_pack(built_page: Path, tmp_path: Path, game: str) -> Iterator[ServerProcess]:
    process = ServerProcess(tmp_path, None, "--offline-pack", str(pack(game)))
    process.start()
    yield process
    process.stop()


@pytest.fixture
def offline_browsers(chromium: Browser, server_with_pack: ServerProcess) -> Iterator[Browsers]:
    browsers = Browsers(chromium, server_with_pack.url, "without a connection")
    browsers.offline_allowed = True
    yield browsers
    browsers.close()
    browsers.check()


def visitor(browsers: Browsers) -> Player:
    player = browsers.visitor()
    overhear(player)
    return player


def begin(player: Player, game: str) -> None:
    """From the home page to the first question of a game in the page."""
    player.page.goto("/")
    player.page.get_by_test_id("offline").click()
    player.page.get_by_test_id(f"play-here-{game}").click(timeout=120_000)
    player.wait_for_cards()
    assert "/table/~" in player.page.url


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_after_the_server_has_gone(
    offline_browsers: Browsers, server_with_pack: ServerProcess, game: str
) -> None:
    player = visitor(offline_browsers)
    begin(player, game)
    server_with_pack.kill()
    decisions = 0
    while player.wait_for_turn():
        player.act(choose(player.view or {}))
        decisions += 1
        assert decisions < MOST_DECISIONS
    page = player.page
    page.get_by_test_id("after").wait_for()
    assert page.get_by_test_id("fairness").get_attribute("data-fair") == "proven"
    assert page.get_by_text("Connection lost").count() == 0
    with page.expect_download() as saved:
        page.get_by_role("button", name="Download").click()
    assert saved.value.suggested_filename.startswith("tavolino-~")


def test_a_reload_and_a_closed_tab_lose_nothing(offline_browsers: Browsers) -> None:
    player = visitor(offline_browsers)
    begin(player, FIRST)
    assert player.decide(2)
    told = player.page.evaluate(LOG)
    turn, address = player.turn, player.page.url
    player.page.reload()
    player.wait_for_cards()
    assert player.page.evaluate(LOG) == told
    assert player.turn == turn
    assert player.decide(1)
    told = player.page.evaluate(LOG)

    context = player.page.context
    player.page.close()
    again = Player(context.new_page())
    overhear(again)
    again.page.goto("/offline")
    again.page.get_by_test_id("here").get_by_role("link").first.click(timeout=120_000)
    again.wait_for_cards()
    assert again.page.url == address
    assert again.page.evaluate(LOG) == told
    assert again.decide(1)


def test_a_second_tab_says_that_another_one_has_the_games(offline_browsers: Browsers) -> None:
    player = visitor(offline_browsers)
    begin(player, FIRST)
    second = player.page.context.new_page()
    second.goto(player.page.url)
    expect(second.get_by_role("heading", name="open in another tab")).to_be_visible(timeout=60_000)
    second.goto("/offline")
    expect(second.get_by_test_id("take-over")).to_be_visible(timeout=60_000)
    player.page.close()
    second.get_by_test_id("here").wait_for(timeout=120_000)  # by itself


def test_a_second_tab_takes_the_games_over(offline_browsers: Browsers) -> None:
    player = visitor(offline_browsers)
    begin(player, FIRST)
    assert player.decide(2)
    told, turn, address = player.page.evaluate(LOG), player.turn, player.page.url
    second = Player(player.page.context.new_page())
    overhear(second)
    second.page.goto("/offline")
    second.page.get_by_test_id("take-over").click(timeout=60_000)
    second.page.get_by_test_id("here").get_by_role("link").first.click(timeout=120_000)
    second.wait_for_cards()
    assert second.page.url == address
    assert second.page.evaluate(LOG) == told
    assert second.turn == turn
    assert second.decide(1)
    expect(player.page.get_by_role("heading", name="open in another tab")).to_be_visible(timeout=60_000)
    player.page.get_by_role("link", name="Play without a connection").click()
    told = second.page.evaluate(LOG)
    player.page.get_by_test_id("take-over").click(timeout=60_000)
    player.page.get_by_test_id("here").get_by_role("link").first.click(timeout=120_000)
    player.wait_for_cards()
    assert player.page.evaluate(LOG) == told


def test_a_browser_that_drops_what_was_stored_is_not_hidden(
    offline_browsers: Browsers, server_with_pack: ServerProcess
) -> None:
    """As when it needs the room, or the person clears the data of this site."""
    player = visitor(offline_browsers)
    begin(player, FIRST)
    assert player.decide(1)
    turn = player.turn
    session = player.page.context.new_cdp_session(player.page)
    session.send("Storage.clearDataForOrigin", {"origin": server_with_pack.url, "storageTypes": "indexeddb"})
    player.answer(choose(player.view or {}))
    expect(player.page.get_by_text("could not save that, so it does not count")).to_be_visible()
    assert player.turn == turn
    player.page.reload()
    expect(player.page.get_by_role("heading", name="Table not found")).to_be_visible(timeout=120_000)


def test_a_full_device_says_so_and_goes_on_when_there_is_room(
    offline_browsers: Browsers, server_with_pack: ServerProcess
) -> None:
    player = visitor(offline_browsers)
    begin(player, FIRST)
    assert player.decide(1)
    told, address = player.page.evaluate(LOG), player.page.url
    session = player.page.context.new_cdp_session(player.page)
    player.page.goto("/offline")
    button = player.page.get_by_test_id(f"play-here-{FIRST}")
    button.wait_for(timeout=120_000)
    session.send("Storage.overrideQuotaForOrigin", {"origin": server_with_pack.url, "quotaSize": 1})
    no_room = player.page.get_by_text("has no room left, so that was not saved")
    for _ in range(50):  # what was left before may still be filled: the browser asks for it now and then
        button.click()
        expect(no_room.or_(player.page.get_by_test_id("question"))).to_be_visible(timeout=60_000)
        if no_room.is_visible():
            break
        player.page.goto("/offline")
    expect(no_room).to_be_visible()
    session.send("Storage.overrideQuotaForOrigin", {"origin": server_with_pack.url})
    button.click()
    player.wait_for_cards()
    player.page.goto(address)
    player.wait_for_cards()
    assert player.page.evaluate(LOG) == told


def test_games_go_into_a_file_and_come_back_elsewhere(offline_browsers: Browsers, tmp_path: Path) -> None:
    player = visitor(offline_browsers)
    begin(player, FIRST)
    assert player.decide(2)
    told, address = player.page.evaluate(LOG), player.page.url
    player.page.goto("/offline")
    file = tmp_path / "games.jsonl"
    with player.page.expect_download(timeout=120_000) as saving:
        player.page.get_by_test_id("save-games").click(timeout=120_000)
    saving.value.save_as(file)

    other = visitor(offline_browsers)
    other.page.goto("/offline")
    reading, said = other.page.get_by_test_id("read-games"), other.page.get_by_test_id("brought")
    (tmp_path / "other.jsonl").write_bytes(b"\x89PNG" * 10**6)
    reading.wait_for(state="attached", timeout=120_000)
    reading.set_input_files(tmp_path / "other.jsonl")
    expect(said).to_contain_text("This is not a file of games")
    file.write_text(file.read_text("utf-8") + "{}\n", "utf-8")
    reading.set_input_files(file)
    expect(said).to_contain_text("1 game was added.")
    expect(said).to_contain_text("Line 3: it is not a game")
    reading.set_input_files(file)
    expect(said).to_contain_text("stays as it is")
    other.page.get_by_test_id("here").get_by_role("link").first.click()
    other.wait_for_cards()
    assert other.page.url == address
    assert other.page.evaluate(LOG) == told
    assert other.decide(1)


def test_crashes_in_the_middle_of_moves_lose_nothing_that_was_acknowledged(offline_browsers: Browsers) -> None:
    """The renderer crashes, with the page and its worker, a little later each time after a move was sent. A view that
    the page has heard is one of entries that were acknowledged."""
    player = visitor(offline_browsers)
    context = player.page.context
    begin(player, FIRST)
    reached = []
    for crash in range(CRASHES):
        if not player.wait_for_turn():
            begin(player, FIRST)
            assert player.wait_for_turn()
        address, turn, told = player.page.url, player.turn, player.page.evaluate(LOG)
        action = choose(player.view or {})
        if not player.is_only(action):
            player.select(action)
        player.page.get_by_test_id("confirm").click(no_wait_after=True)
        player.page.wait_for_timeout(crash % 10 * 5)
        with player.page.expect_event("crash"), suppress(Error):
            player.page.goto("chrome://crash")
        heard = player.turn
        player.page.close()
        player = Player(context.new_page())
        overhear(player)
        player.page.goto(address)
        player.wait_for_cards()
        assert player.page.evaluate(LOG)[: len(told)] == told
        assert player.turn >= heard >= turn
        reached.append(player.turn > turn)
    assert any(reached)


def replace_pack(folder: Path, version: str) -> None:
    """As a new version of Tavolino would that no longer knows the rules of the games that run."""
    newer = folder / NEWER
    shutil.copytree(folder / version, newer)
    for manifest in (folder / "pack.json", newer / "pack.json"):
        manifest.write_text((folder / version / "pack.json").read_text("utf-8").replace(version, NEWER), "utf-8")
    script = newer / "tables.mjs"
    planted = "from tavolino.engine.game import Game\nGame.versions = property(lambda game: ('99',))"
    script.write_text(script.read_text("utf-8").replace("open_tables\n`", f"{planted}\nopen_tables\n`"), "utf-8")
    assert planted in script.read_text("utf-8")


def test_a_running_game_keeps_the_pack_that_knows_its_rules(
    chromium: Browser, built_page: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "packs"
    version = json.loads((pack(FIRST) / "pack.json").read_text("utf-8"))["version"]
    shutil.copytree(pack(FIRST) / version, folder / version)
    shutil.copy(pack(FIRST) / "pack.json", folder)
    server = ServerProcess(tmp_path, None, "--offline-pack", str(folder))
    server.start()
    browsers = Browsers(chromium, server.url, "an update")
    browsers.offline_allowed = True
    try:
        player = visitor(browsers)
        begin(player, FIRST)
        assert player.decide(1)
        told = player.page.evaluate(LOG)
        server.stop()
        replace_pack(folder, version)
        server.start()
        started: list[str] = []
        player.page.on("request", lambda each: started.append(each.url) if each.url.endswith("worker.mjs") else None)
        player.page.reload()
        player.wait_for_cards()
        assert [each.split("/")[-2] for each in started] == [NEWER, version]
        assert player.page.evaluate(LOG) == told
        assert player.decide(1)
        player.page.get_by_role("button", name="Settings").click()
        player.page.get_by_role("button", name="Resign").click()
        player.page.get_by_role("button", name="Yes, resign").click()
        player.page.get_by_test_id("after").wait_for()
        started.clear()
        player.page.goto("/offline")
        player.page.get_by_role("heading", name="Finished on this device").wait_for(timeout=120_000)
        assert [each.split("/")[-2] for each in started] == [NEWER]
    finally:
        browsers.close()
        server.stop()
    browsers.check()


def test_an_online_table_loads_nothing_of_the_pack(offline_browsers: Browsers) -> None:
    player = offline_browsers.visitor()
    asked: list[str] = []
    player.page.on("request", lambda request: asked.append(request.url))
    player.play_now(FIRST)
    player.page.get_by_test_id("confirm").wait_for(state="attached")
    assert asked
    assert [address for address in asked if "/offline/" in address] == []
