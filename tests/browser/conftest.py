"""Real Chromium against a real server process, on loopback only.

Chromium resolves no address but loopback. Requests to other hosts are recorded, and a test that leaves one fails. So
does a test with a script error, or with anything that the page's content security policy blocked.

The deals are the same in every run (tests/chance.py): each test passes its name to the server and to its browsers as
the seed.
"""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Page,
    Playwright,
    Request,
    ViewportSize,
    expect,
    sync_playwright,
)

from tests.browser.player import Player
from tests.browser.serve import WORDS
from tests.chance import DEALS
from tests.ports import free_port

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "src" / "tavolino" / "server" / "page" / "index.html"
SCRIPTS = ROOT / "scripts"
# Set by scripts/test-page where Chromium is missing; it says at the end that not everything was run.
WITHOUT_BROWSER = bool(os.environ.get("TAVOLINO_TEST_WITHOUT_BROWSER"))
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--renderer-process-limit=1",  # no spare renderer is started for each page
)
LARGE_LETTERS = "--blink-settings=defaultFontSize=32"  # twice the usual, as a reader sets it in the browser
expect.set_options(timeout=30_000)  # like `set_default_timeout` below, for busy machines
DESK: ViewportSize = {"width": 1440, "height": 900}
PHONE: ViewportSize = {"width": 360, "height": 740}
# Replaces the browser's random numbers by seeded ones. A linear congruential generator is enough for test salts.
REPEATABLE_CHANCE = """
  let state = SEED
  const byte = () => (state = (state * 1664525 + 1013904223) % 4294967296) >>> 24
  crypto.getRandomValues = (array) => {
    array.forEach((_, place) => (array[place] = byte()))
    return array
  }
"""
# Settings that a page starts with unless it has some of its own: events are not shown one by one, games not introduced.
AT_ONCE = """
  const kept = JSON.parse(localStorage.getItem('tavolino.settings') ?? '{}')
  const sides = ['infinity-gauntlet/hero', 'infinity-gauntlet/thanos']
  const introduced = ['infinity-gauntlet', ...sides, 'mantis', 'splendor-marvel', 'kuhn-poker']
  localStorage.setItem('tavolino.settings', JSON.stringify({ speed: 'SPEED', introduced, ...kept }))
"""
READY_WITHIN = 600.0  # rules may have to be compiled first, on a busy machine


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the tests that need Chromium if it is missing."""
    if not WITHOUT_BROWSER:
        return
    opening = [item for item in items if isinstance(item, pytest.Function) and "playwright" in item.fixturenames]
    config.hook.pytest_deselected(items=opening)
    items[:] = [item for item in items if item not in opening]


def chromium_path(*options: str) -> str:
    found = subprocess.run([SCRIPTS / "chromium-path", *options], capture_output=True, text=True, check=False)
    if found.returncode != 0:
        raise FileNotFoundError(found.stderr.strip())
    return found.stdout.strip()


def seed_of(*words: object) -> int:
    return int.from_bytes(hashlib.sha256(repr(words).encode()).digest()[:4])


class ServerProcess:
    """`tavolino serve` as its own process, which can be killed and started again on the same data."""

    def __init__(self, data: Path, site: Path | None = None, *options: str) -> None:
        self.data, self._options = data, options
        self.paths = [ROOT / "src", ROOT, *([site] if site else [])]  # `site`: packages that are installed there
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None
        self.draw_for("nobody yet")

    def draw_for(self, words: str) -> None:
        """Seed the server's random numbers with these words."""
        (self.data / WORDS).write_text(words, "utf-8")

    def start(self) -> None:
        arguments = ["serve", "--port", str(self.port), "--data", str(self.data), "--bot-seconds", "0.05"]
        arguments += ["--limit", "requests_burst=1000"]  # tests load pages faster than people do
        arguments += self._options
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.browser.serve", *arguments, "--log-level", "warning"],
            cwd=self.data,
            env={**os.environ, "PYTHONPATH": ":".join(map(str, self.paths))},
        )
        deadline = time.monotonic() + READY_WITHIN
        while time.monotonic() < deadline:
            try:
                with urllib.request.urlopen(f"{self.url}/healthz", timeout=2) as answer:
                    if all(json.load(answer)["games"].values()):
                        return
            except OSError:
                pass
            time.sleep(0.1)
        raise TimeoutError("the server did not come up")

    def kill(self) -> None:
        """SIGKILL: as after a power failure."""
        assert self._process is not None
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()

    def stop(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            self._process.wait(timeout=60)


@pytest.fixture(scope="session")
def built_page() -> Path:
    """The page as it would be installed; `make setup` builds it."""
    if not PAGE.is_file():
        subprocess.run([SCRIPTS / "build-page"], check=True, capture_output=True)
    return PAGE.parent


@pytest.fixture(scope="session")
def server(built_page: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    process = ServerProcess(tmp_path_factory.mktemp("server"))
    process.start()
    yield process
    process.stop()


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as running:
        yield running


@pytest.fixture(scope="session")
def chromium(playwright: Playwright) -> Iterator[Browser]:
    browser = playwright.chromium.launch(executable_path=chromium_path("--without-window"), args=list(FLAGS))
    yield browser
    browser.close()


@pytest.fixture(scope="module")
def chromium_with_notifications(playwright: Playwright) -> Iterator[Browser]:
    """The whole browser: its headless shell has no notifications."""
    browser = playwright.chromium.launch(executable_path=chromium_path(), args=list(FLAGS))
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def chromium_with_large_letters(playwright: Playwright) -> Iterator[Browser]:
    path = chromium_path("--without-window")
    browser = playwright.chromium.launch(executable_path=path, args=[*FLAGS, LARGE_LETTERS])
    yield browser
    browser.close()


class Browsers:
    """Opens browsers, one for each person, and records errors and requests to other hosts."""

    def __init__(self, browser: Browser, base: str, words: str) -> None:
        self._browser = browser
        self._words = words
        self._contexts: list[BrowserContext] = []
        self.base = base
        self.foreign: list[str] = []
        self.errors: list[str] = []
        self.offline_allowed = False

    def visitor(
        self, *, phone: bool = False, language: str = "en", theme: str = "light", speed: str | None = "instant"
    ) -> Player:
        """A player in a browser of their own; without a speed, the browser has no settings yet."""
        context = self._browser.new_context(
            viewport=PHONE if phone else DESK,
            has_touch=phone,
            is_mobile=phone,
            locale=language,
            color_scheme="dark" if theme == "dark" else "light",
            reduced_motion="reduce",
            base_url=self.base,
        )
        seed = seed_of(self._words, DEALS, len(self._contexts))
        context.add_init_script(REPEATABLE_CHANCE.replace("SEED", str(seed)))
        if speed is not None:
            context.add_init_script(AT_ONCE.replace("SPEED", speed))
        # Recorded, not intercepted: intercepting costs time for each request, and turns the browser's cache off.
        context.on("request", self._record_foreign)
        self._contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(30_000)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda message: self._note(message.text) if message.type == "error" else None)
        return Player(page)

    def _record_foreign(self, request: Request) -> None:
        address = urlsplit(request.url)
        if address.hostname != "127.0.0.1" and address.scheme not in ("data", "blob"):
            self.foreign.append(request.url)

    def _note(self, text: str) -> None:
        # A refusal is an ordinary answer, although the browser logs it as an error.
        if "Failed to load resource" in text:
            return
        if self.offline_allowed and ("WebSocket" in text or "ERR_CONNECTION" in text):
            return
        self.errors.append(text)

    def check(self) -> None:
        """No request to another host and no error so far."""
        assert self.foreign == [], "the page called a third party"
        assert self.errors == []

    def close(self) -> None:
        for context in self._contexts:
            context.close()


@contextmanager
def open_browsers(browser: Browser, server: ServerProcess, words: str) -> Iterator[Browsers]:
    server.draw_for(words)
    opened = Browsers(browser, server.url, words)
    yield opened
    opened.close()
    opened.check()


@pytest.fixture
def browsers(chromium: Browser, server: ServerProcess, request: pytest.FixtureRequest) -> Iterator[Browsers]:
    with open_browsers(chromium, server, request.node.nodeid) as opened:
        yield opened


@pytest.fixture
def visitor(browsers: Browsers) -> Callable[..., Player]:
    return browsers.visitor


@pytest.fixture
def reader(
    chromium_with_large_letters: Browser, server: ServerProcess, request: pytest.FixtureRequest
) -> Iterator[Player]:
    """A player on a phone with letters of twice the size."""
    with open_browsers(chromium_with_large_letters, server, request.node.nodeid) as opened:
        yield opened.visitor(phone=True)


def in_language(page: Page, language: str) -> None:
    page.get_by_test_id("language").select_option(language)
    page.wait_for_function("code => document.documentElement.lang === code", arg=language)
