"""How long the page takes to draw a new view late in a game, from the browser's own trace.

    python -m bench.drawing [GAME ...]

Each game is played against bots in Chromium, on a desk and on a phone whose processor is slowed down four times. Once
a game is far on, every view that comes over the socket is measured: the processor's time of the page's main thread
from the message to the frame, script, style, layout and paint together. That is thread time (`tdur`), not time on the
clock, so other programs on the machine hardly count. A game ends after a few views, so games are played until there
are enough of them. Given are the median, the 95th percentile and the maximum; the median of each kind of view (the
viewer is asked, somebody else is, the game is over); and what an average view and the slowest one spent their time
on. Messages without a view, such as a notebook's, are drawn too and are not counted among the views. Bars of the
median: 16 ms on a desk, 50 ms on a phone; beyond them the exit code is 1.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, ViewportSize, sync_playwright
from tests.browser.conftest import AT_ONCE, DESK, FLAGS, PHONE, ServerProcess, chromium_path
from tests.browser.player import Player

import tavolino

PLAYED = 6  # decisions of the player's before the measurement: half of a game of the shorter ones
MEASURED = 8  # decisions of the player's in one measurement; the game may end before
VIEWS = 40
SLOWED = 4
WHERE: tuple[tuple[str, ViewportSize, int, float], ...] = (
    ("desk", DESK, 1, 16.0),
    (f"phone, slowed down {SLOWED} times", PHONE, SLOWED, 50.0),
)
CATEGORIES = ["devtools.timeline", "disabled-by-default-devtools.timeline", "v8.execute"]
PARTS = ("FunctionCall", "UpdateLayoutTree", "Layout", "PrePaint", "Paint", "Layerize", "Commit", "RunMicrotasks")

Event = dict[str, Any]


@dataclass
class Drawing:
    """A frame after messages of the socket."""

    kind: str  # of the last view among the messages; '' if there is none
    time: float  # milliseconds of the main thread since the first message
    parts: Counter[str]


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


def kind_of(message: str) -> str:
    news = json.loads(message)
    if news["type"] != "play":
        return ""
    return "over" if news["view"]["over"] else "asked" if news["view"]["legal"] else "others"


def kinds_of(received: list[Event], messages: list[str]) -> list[str]:
    """The kinds of the messages in a trace: the last ones that the player saw, but for those that a page that is slowed
    down had not handled at its end. Of each the trace knows the length, or that of its last piece."""
    lengths = [event["args"]["data"]["dataLength"] for event in received]
    for end in range(len(messages), len(lengths) - 1, -1):
        last = messages[end - len(lengths) : end]
        if all(length <= len(message.encode()) for length, message in zip(lengths, last, strict=True)):
            return [kind_of(message) for message in last]
    raise ValueError("the trace and the player saw different messages")


def drawings(events: list[Event], messages: list[str]) -> list[Drawing]:
    """All frames after messages of the socket."""
    thread = main_thread(events)
    sockets = [event for event in thread if event["name"] == "WebSocketReceive"]
    kinds = kinds_of(sockets, messages)
    received = [event["ts"] for event in sockets]
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
        together = [kind for kind, at in zip(kinds, received, strict=True) if kind and since <= at < until]
        found.append(Drawing(together[-1] if together else "", spent / 1000, parts))
    return found


def measure(player: Player, browser: Browser, game: str, rate: int) -> list[Drawing]:
    """What is drawn in the later part of one game."""
    session = player.page.context.new_cdp_session(player.page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    player.play_into(game, PLAYED)
    session.send("Emulation.setCPUThrottlingRate", {"rate": rate})
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "trace.json"
        browser.start_tracing(page=player.page, path=path, categories=CATEGORIES)
        player.decide(MEASURED)
        player.page.wait_for_timeout(300)  # what came last is drawn
        browser.stop_tracing()
        return drawings(json.loads(path.read_text("utf-8"))["traceEvents"], player.frames)


def enough(browser: Browser, server: ServerProcess, game: str, size: ViewportSize, rate: int) -> list[Drawing]:
    """The drawn views of as many games as it takes."""
    context = browser.new_context(viewport=size, base_url=server.url, locale="en")
    context.add_init_script(AT_ONCE.replace("SPEED", "instant"))
    player = Player(context.new_page())
    views: list[Drawing] = []
    while len(views) < VIEWS:
        views += [drawing for drawing in measure(player, browser, game, rate) if drawing.kind]
    context.close()
    return views


def words(parts: Counter[str], count: int = 1) -> str:
    return ", ".join(f"{name} {time / count:.1f}" for name, time in parts.most_common())


def report(name: str, views: list[Drawing], bar: float) -> bool:
    """Print the figures; whether the median is within the bar."""
    times = sorted(view.time for view in views)
    median, high = statistics.median(times), times[int(0.95 * (len(times) - 1))]
    print(
        f"{name}: {len(times)} views, median {median:.1f} ms (bar {bar:.0f}), "
        f"95 % {high:.1f} ms, maximum {times[-1]:.1f} ms"
    )
    kinds = {kind: [view.time for view in views if view.kind == kind] for kind in ("asked", "others", "over")}
    print("   medians:", ", ".join(f"{kind} {statistics.median(k):.1f} ({len(k)})" for kind, k in kinds.items() if k))
    print("   the average:", words(sum((view.parts for view in views), Counter()), len(views)))
    print("   the slowest:", words(max(views, key=lambda view: view.time).parts), flush=True)
    return median <= bar


def main(games: list[str]) -> int:
    missed = 0
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = ServerProcess(Path(folder))
        server.start()
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=list(FLAGS))
        try:
            for game in games:
                for where, size, rate, bar in WHERE:
                    missed += not report(f"{game}, {where}", enough(browser, server, game, size, rate), bar)
        finally:
            browser.close()
            server.stop()
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or list(tavolino.games())))
