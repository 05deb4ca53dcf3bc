"""How long the page takes to draw a new view, from the browser's own trace.

    python -m bench.drawing [GAME ...]

Each game is played against bots in Chromium, on a desk and on a phone with the processor slowed down four times. A view
comes over the socket; what counts is the time of the main thread from there to the next frame: script, style, layout
and paint. Given are the median, the 95th percentile and the maximum. The bars: 16 ms on a desk, 50 ms on a phone.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright
from tests.browser.conftest import AT_ONCE, DESK, FLAGS, PHONE, ServerProcess, chromium_path
from tests.browser.player import Player

import tavolino

DECISIONS = 25
SLOWED = 4
CATEGORIES = ["devtools.timeline", "disabled-by-default-devtools.timeline", "v8.execute"]
DRAWING = ("FunctionCall", "UpdateLayoutTree", "Layout", "PrePaint", "Paint", "Layerize", "Commit", "RunMicrotasks")


def main_thread(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The whole tasks of the page's main thread, in order."""
    names = {
        (event["pid"], event["tid"])
        for event in events
        if event["name"] == "thread_name" and event["args"]["name"] == "CrRendererMain"
    }
    return sorted(
        (event for event in events if (event["pid"], event["tid"]) in names and event.get("ph") == "X"),
        key=lambda event: event["ts"],
    )


def drawings(events: list[dict[str, Any]]) -> list[tuple[float, Counter[str]]]:
    """For each message of the socket: milliseconds of the main thread until the frame is drawn, and for what."""
    thread = main_thread(events)
    received = [event for event in thread if event["name"] == "WebSocketReceive"]
    tasks = [event for event in thread if event["name"] == "RunTask"]
    commits = [event["ts"] for event in thread if event["name"] == "Commit"]
    found = []
    for message, following in zip(received, [*received[1:], None], strict=True):
        until = next((at for at in commits if at > message["ts"]), None)
        if until is None or (following is not None and following["ts"] < until):
            continue  # drawn together with the next one
        spent = [
            task
            for task in tasks
            if task["ts"] + task["dur"] > message["ts"] and task["ts"] <= until and task["dur"] > 200
        ]
        parts: Counter[str] = Counter()
        for event in thread:
            if event["name"] in DRAWING and message["ts"] <= event["ts"] <= until + 20_000:
                parts[event["name"]] += event["dur"] / 1000
        found.append((sum(task["dur"] for task in spent) / 1000, parts))
    return found


def measure(player: Player, browser: Any, game: str, rate: int) -> list[tuple[float, Counter[str]]]:
    player.play_now(game)
    player.wait_for_turn()
    slow = player.page.context.new_cdp_session(player.page)
    slow.send("Emulation.setCPUThrottlingRate", {"rate": rate})
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "trace.json"
        browser.start_tracing(page=player.page, path=path, categories=CATEGORIES)
        player.decide(DECISIONS)
        browser.stop_tracing()
        return drawings(json.loads(path.read_text("utf-8"))["traceEvents"])


def main(games: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = ServerProcess(Path(folder))
        server.start()
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=list(FLAGS))
        for game in games:
            for where, size, rate in (("desk", DESK, 1), ("phone, slowed down", PHONE, SLOWED)):
                context = browser.new_context(viewport=size, base_url=server.url, reduced_motion="reduce", locale="en")
                context.add_init_script(AT_ONCE.replace("SPEED", "instant"))
                found = measure(Player(context.new_page()), browser, game, rate)
                times = sorted(time for time, _ in found)
                high = times[int(0.95 * (len(times) - 1))]
                print(
                    f"{game}, {where}: {len(times)} views, median {statistics.median(times):.1f} ms, "
                    f"95 % {high:.1f} ms, maximum {times[-1]:.1f} ms"
                )
                parts = max(found, key=lambda each: each[0])[1]
                print("   the longest:", ", ".join(f"{name} {time:.1f}" for name, time in parts.most_common()))
                context.close()
        browser.close()
        server.stop()


if __name__ == "__main__":
    main(sys.argv[1:] or list(tavolino.games())[:3])
