"""How long the page takes to draw a new view late in a game, from the browser's own trace.

    python -m bench.drawing [GAME ...]

Each game is played against bots in Chromium, on a desk and on a phone whose processor is slowed down four times. Once
the game is far on, every view that comes over the socket is measured: the processor's time of the page's main thread
from the message to the frame, script, style, layout and paint together. That is thread time (`tdur`), not time on the
clock, so other programs on the machine hardly count. Given are the median, the 95th percentile and the maximum, and
what the slowest view spent its time on. Bars of the median: 16 ms on a desk, 50 ms on a phone; beyond them the exit
code is 1.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, ViewportSize, sync_playwright
from tests.browser.conftest import AT_ONCE, DESK, FLAGS, PHONE, ServerProcess, chromium_path
from tests.browser.player import Player

import tavolino

PLAYED = 6  # decisions of the player's before the measurement: half of a game of the shorter ones
MEASURED = 8
SLOWED = 4
WHERE: tuple[tuple[str, ViewportSize, int, float], ...] = (
    ("desk", DESK, 1, 16.0),
    (f"phone, slowed down {SLOWED} times", PHONE, SLOWED, 50.0),
)
CATEGORIES = ["devtools.timeline", "disabled-by-default-devtools.timeline", "v8.execute"]
PARTS = ("FunctionCall", "UpdateLayoutTree", "Layout", "PrePaint", "Paint", "Layerize", "Commit", "RunMicrotasks")

Event = dict[str, Any]


def main_thread(events: list[Event]) -> list[Event]:
    """The events of the page's main thread, in order."""
    names = {
        (event["pid"], event["tid"])
        for event in events
        if event["name"] == "thread_name" and event["args"]["name"] == "CrRendererMain"
    }
    return sorted(
        (event for event in events if (event["pid"], event["tid"]) in names and "ts" in event),
        key=lambda event: event["ts"],
    )


def drawings(events: list[Event]) -> list[tuple[float, Counter[str]]]:
    """For each frame after messages of the socket: milliseconds of the main thread since the first, and on what."""
    thread = main_thread(events)
    received = [event["ts"] for event in thread if event["name"] == "WebSocketReceive"]
    commits = [event["ts"] + event.get("dur", 0) for event in thread if event["name"] == "Commit"]
    tasks = [event for event in thread if event["name"] == "RunTask" and "tdur" in event]
    found = []
    drawn_until = 0.0
    for since in received:
        until = next((at for at in commits if at > since), None)
        if until is None or since <= drawn_until:
            continue  # drawn together with an earlier message
        drawn_until = until
        spent = sum(each["tdur"] for each in tasks if each["ts"] + each["dur"] > since and each["ts"] < until)
        parts: Counter[str] = Counter()
        for event in thread:
            if event["name"] in PARTS and since <= event["ts"] <= until:
                parts[event["name"]] += event.get("tdur", 0) / 1000
        found.append((spent / 1000, parts))
    return found


def measure(player: Player, browser: Browser, game: str, rate: int) -> list[tuple[float, Counter[str]]]:
    player.play_into(game, PLAYED)
    session = player.page.context.new_cdp_session(player.page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": rate})
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "trace.json"
        browser.start_tracing(page=player.page, path=path, categories=CATEGORIES)
        player.decide(MEASURED)
        browser.stop_tracing()
        return drawings(json.loads(path.read_text("utf-8"))["traceEvents"])


def main(games: list[str]) -> int:
    missed = 0
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = ServerProcess(Path(folder))
        server.start()
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=list(FLAGS))
        try:
            for game in games:
                for where, size, rate, bar in WHERE:
                    context = browser.new_context(viewport=size, base_url=server.url, locale="en")
                    context.add_init_script(AT_ONCE.replace("SPEED", "instant"))
                    found = measure(Player(context.new_page()), browser, game, rate)
                    context.close()
                    times = sorted(time for time, _ in found)
                    median, high = statistics.median(times), times[int(0.95 * (len(times) - 1))]
                    missed += median > bar
                    print(
                        f"{game}, {where}: {len(times)} views, median {median:.1f} ms (bar {bar:.0f}), "
                        f"95 % {high:.1f} ms, maximum {times[-1]:.1f} ms"
                    )
                    parts = max(found, key=lambda each: each[0])[1]
                    print("   the slowest:", ", ".join(f"{name} {time:.1f}" for name, time in parts.most_common()))
        finally:
            browser.close()
            server.stop()
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or list(tavolino.games())))
