"""`tavolino site`: the page on a plain HTTP server, under a path, without a server of ours."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Request, Response, expect

import tavolino
from tavolino.games import load
from tavolino.site.writing import write
from tests.browser.conftest import Browsers
from tests.browser.packs import overhear, pack
from tests.browser.player import Player
from tests.browser.strategy import choose
from tests.ports import free_port
from tests.verify.files import sealed_game

FIRST = "mantis"  # `make test-slow` plays this one, `make test-long` the others: compiling them takes minutes
GAMES = [name if name == FIRST else pytest.param(name, marks=pytest.mark.long) for name in tavolino.games()]
pytestmark = pytest.mark.slow
BASE = "/cards/tavolino/"
MOST_DECISIONS = 400
STARTED_WITHIN = 120_000


class Host:
    """Python's own HTTP server over a folder with a site below BASE."""

    def __init__(self, root: Path) -> None:
        self.folder = root / BASE.strip("/")
        self.root = root
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}{BASE}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = [sys.executable, "-m", "http.server", str(self.port), "--bind", "127.0.0.1"]
        self._process = subprocess.Popen([*command, "--directory", str(self.root)], stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            try:
                with urllib.request.urlopen(self.url, timeout=2):
                    return
            except OSError:
                time.sleep(0.1)
        raise TimeoutError("the plain server did not come up")

    def stop(self) -> None:
        assert self._process is not None
        self._process.terminate()
        self._process.wait(timeout=60)


@contextmanager
def hosted(root: Path, game: str) -> Iterator[Host]:
    host = Host(root)
    write(host.folder, pack(game), [load(game)])
    host.start()
    yield host
    host.stop()


class Strict(Browsers):
    """No request may fail or go elsewhere than to the site, and nothing may be wrong in the console."""

    def __init__(self, browser: Browser, host: Host) -> None:
        super().__init__(browser, host.url, "a plain host")
        self.asked: list[str] = []
        self.failed: list[str] = []

    def visitor(self, **kind: object) -> Player:
        player = super().visitor(**kind)  # type: ignore[arg-type]
        player.page.context.on("request", self._note_request)
        player.page.context.on("requestfailed", self._note_failure)
        player.page.context.on("response", self._note_response)
        overhear(player)
        return player

    def _note_request(self, request: Request) -> None:
        self.asked.append(request.url)
        if not request.url.startswith((self.base, "data:", "blob:")):
            self.foreign.append(request.url)

    def _note_failure(self, request: Request) -> None:
        """A page that is left while a helper still loads ends its requests."""
        if request.failure != "net::ERR_ABORTED":
            self.failed.append(request.url)

    def _note_response(self, response: Response) -> None:
        if response.status >= 400:
            self.failed.append(f"{response.status} {response.url}")

    def _note(self, text: str) -> None:
        self.errors.append(text)

    def check(self) -> None:
        super().check()
        assert self.asked
        assert self.failed == []


@pytest.fixture
def game() -> str:
    return FIRST


@pytest.fixture
def host(built_page: Path, tmp_path: Path, game: str) -> Iterator[Host]:
    with hosted(tmp_path, game) as opened:
        yield opened


@pytest.fixture
def browsers(chromium: Browser, host: Host) -> Iterator[Strict]:
    opened = Strict(chromium, host)
    yield opened
    opened.close()
    opened.check()


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_on_a_plain_host(browsers: Strict, game: str) -> None:
    player = browsers.visitor()
    page = player.page
    page.goto(browsers.base)
    page.get_by_test_id(f"play-{game}").click()
    page.get_by_test_id("question").wait_for(timeout=STARTED_WITHIN)
    assert page.url.startswith(f"{browsers.base}?/table/~")
    decisions = 0
    while player.wait_for_turn():
        player.act(choose(player.view or {}))
        decisions += 1
        assert decisions < MOST_DECISIONS
    page.get_by_test_id("after").wait_for()
    assert page.get_by_test_id("fairness").get_attribute("data-fair") == "proven"
    page.get_by_role("link", name="Replay").first.click()
    page.wait_for_url(f"{browsers.base}?/replay/~*")
    page.get_by_role("slider").wait_for()
    page.wait_for_load_state("networkidle")
    page.reload()
    page.get_by_role("slider").wait_for(timeout=STARTED_WITHIN)


def test_home_remembers_the_person_and_the_games(browsers: Strict) -> None:
    player = browsers.visitor()
    page = player.page
    page.goto(f"{browsers.base}?/you")
    page.get_by_label("Your name").fill("Ada")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("status")).to_have_text("Your name is saved.")
    page.get_by_role("link", name="Tavolino").click()
    assert page.url == browsers.base
    assert not any("/offline/" in address for address in browsers.asked), "the pack is loaded when it is wanted"
    page.get_by_test_id(f"play-{FIRST}").click()
    page.get_by_test_id("question").wait_for(timeout=STARTED_WITHIN)
    assert player.decide(1)
    address = page.url
    page.goto(browsers.base)
    page.get_by_test_id("continue").get_by_role("link").first.click(timeout=STARTED_WITHIN)
    assert page.url == address
    page.get_by_test_id("question").wait_for(timeout=STARTED_WITHIN)
    expect(page.get_by_role("link", name="Ada")).to_be_visible()


def test_lessons_rules_and_puzzles(browsers: Strict) -> None:
    page = browsers.visitor().page
    page.goto(browsers.base)
    page.get_by_test_id("learn-first").click()
    page.get_by_test_id("question").or_(page.get_by_test_id("tutorial")).first.wait_for()
    assert page.url == f"{browsers.base}?/learn/{FIRST}/tutorial"
    page.goto(f"{browsers.base}?/learn/{FIRST}/rules#MA-13")
    page.locator("[id='MA-13']").wait_for()
    assert page.url.endswith("#MA-13")
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="Learn").first.click(modifiers=["ControlOrMeta"])
    assert opened.value.url == f"{browsers.base}?/learn"
    page.goto(f"{browsers.base}?/puzzles")
    first = page.get_by_test_id(f"puzzles-{FIRST}-easy")
    first.click(timeout=STARTED_WITHIN)
    page.locator("[data-action]:visible").first.click(timeout=STARTED_WITHIN)
    page.get_by_test_id("confirm").click()
    page.get_by_role("button", name="Next").wait_for()
    page.goto(f"{browsers.base}?/puzzles")
    page.get_by_test_id(f"puzzles-{FIRST}-easy").wait_for(timeout=STARTED_WITHIN)


def drop(page: Page, name: str, content: str, size: int = 0) -> None:
    """As a file from the desk; `size`: so many spaces follow."""
    page.locator(".drop").wait_for()  # the address of the page comes before the page
    page.evaluate(
        """([name, content, size]) => {
          const transfer = new DataTransfer()
          transfer.items.add(new File([content, new Uint8Array(size).fill(32)], name, { type: 'application/json' }))
          const target = document.querySelector('.drop')
          target.dispatchEvent(new DragEvent('dragover', { dataTransfer: transfer, bubbles: true, cancelable: true }))
          target.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }))
        }""",
        [name, content, size],
    )


def test_game_files_are_checked_on_a_plain_host(browsers: Strict) -> None:
    record = sealed_game(load(FIRST), 0)
    page = browsers.visitor().page
    page.goto(f"{browsers.base}?/offline")
    page.get_by_test_id("verify-a-file").click(timeout=STARTED_WITHIN)
    page.wait_for_url(f"{browsers.base}?/verify")
    findings = page.get_by_test_id("findings")
    drop(page, "good.json", json.dumps(record))
    expect(findings).to_have_attribute("data-result", "consistent", timeout=STARTED_WITHIN)
    drop(page, "tampered.json", json.dumps({**record, "actions": record["actions"][:-1]}))
    expect(findings).to_have_attribute("data-result", "broken")
    drop(page, "large.json", json.dumps(record), 50 * 2**20)
    expect(page.get_by_role("heading", name="larger than 1 MB")).to_be_visible()
    drop(page, "good.json", json.dumps(record))
    expect(findings).to_have_attribute("data-result", "consistent")


class AnswersUnknownPaths(SimpleHTTPRequestHandler):
    """As hosts of static pages do: with 404.html, and its status."""

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        content = (Path(self.directory) / BASE.strip("/") / "404.html").read_bytes()
        self.send_response(code)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


@pytest.fixture
def host_with_404(built_page: Path, tmp_path: Path) -> Iterator[str]:
    write(tmp_path / BASE.strip("/"), pack(FIRST), [load(FIRST)], BASE)
    handler = partial(AnswersUnknownPaths, directory=str(tmp_path))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_path_without_a_file_shows_its_page_or_says_that_there_is_none(chromium: Browser, host_with_404: str) -> None:
    opened = Browsers(chromium, host_with_404, "a plain host")
    page = opened.visitor().page
    page.goto(f"{BASE}learn/{FIRST}/rules#MA-13")
    page.locator("[id='MA-13']").wait_for()
    page.get_by_role("link", name="Learn").first.click()
    assert page.url == f"{host_with_404}{BASE}?/learn"
    for path in (f"{BASE}no/such/page", "/elsewhere"):
        page.goto(path)
        expect(page.get_by_role("heading", name="Page not found")).to_be_visible()
        page.locator("main").get_by_role("link").click()
        page.get_by_test_id(f"play-{FIRST}").wait_for()
        assert page.url == f"{host_with_404}{BASE}"
    opened.close()
    opened.check()


@pytest.mark.parametrize("address", ["open", "table/AAAAAAAAAAAAAAAAAAAAAA"])
def test_what_needs_a_server_says_so(browsers: Strict, address: str) -> None:
    page = browsers.visitor().page
    page.goto(browsers.base)
    expect(page.get_by_role("link", name="Play with friends")).to_have_count(0)
    page.goto(f"{browsers.base}?/{address}")
    expect(page.get_by_role("heading", name="needs a server")).to_be_visible()
