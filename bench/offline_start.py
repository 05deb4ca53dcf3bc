"""How long a table in the browser takes to its first question, in Chromium.

python -m bench.offline_start PACK [--rounds N]
PACK: a folder of `python -m tavolino.offline`, compressed. Each round has a new profile of the browser: a first start
(a server on this machine sends the pack), then two more in new tabs. From the click on “Play without a connection” on,
with the click on a game as soon as it is there; the page itself clicks and reads its clock, because a driver takes up
to half a second to see a change. Wanted on an idle machine: 5 s, and 1 s from the second start.

CPU seconds are those of all processes of the browser; on a busy machine they say more than the time. Memory is what the
processes have five seconds later, beyond the home page (proportional set size).
"""

from __future__ import annotations

import argparse
import os
import subprocess
import tempfile
from pathlib import Path
from statistics import median

from bench.timing import table
from playwright.sync_api import BrowserContext, sync_playwright
from tests.browser.conftest import AT_ONCE, FLAGS, ServerProcess, chromium_path

GAME = "mantis"
STARTS = ("first start", "second start", "third start")
WAIT = 300_000  # milliseconds, on a busy machine
Figures = tuple[float, float, float]  # seconds, CPU seconds, MB
# Clicks, and gives the seconds until the first question is shown.
UNTIL_THE_QUESTION = """(game) => new Promise((done) => {
  const find = (name) => document.querySelector(`[data-testid="${name}"]`)
  const began = performance.now()
  let hasClicked = false
  new MutationObserver((_, observer) => {
    const button = find(`play-here-${game}`)
    if (button && !hasClicked) {
      hasClicked = true
      button.click()
    }
    if (!find('question')) return
    observer.disconnect()
    done((performance.now() - began) / 1000)
  }).observe(document, { subtree: true, childList: true })
  find('offline').click()
})"""


def processes(root: int) -> list[int]:
    """A process and its descendants."""
    children: dict[int, list[int]] = {}
    for line in subprocess.check_output(["ps", "-eo", "pid=,ppid="], text=True).splitlines():
        process, parent = map(int, line.split())
        children.setdefault(parent, []).append(process)
    found = [root]
    for process in found:
        found += children.get(process, [])
    return found


def used(root: int) -> tuple[float, float]:
    """CPU seconds and MB."""
    ticks, kilobytes = 0, 0
    for process in processes(root):
        try:
            ticks += sum(map(int, Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[11:13]))
            rollup = Path(f"/proc/{process}/smaps_rollup").read_text()
        except OSError:  # it has ended
            continue
        kilobytes += next(int(line.split()[1]) for line in rollup.splitlines() if line.startswith("Pss:"))
    return ticks / os.sysconf("SC_CLK_TCK"), kilobytes / 1024


def start(context: BrowserContext, root: int, url: str) -> Figures:
    page = context.new_page()
    page.set_default_timeout(WAIT)
    page.goto(url)
    page.get_by_test_id("offline").wait_for()
    page.wait_for_timeout(2_000)  # the home page is at rest
    cpu, memory = used(root)
    seconds = page.evaluate(UNTIL_THE_QUESTION, GAME)
    after, _ = used(root)
    page.wait_for_timeout(5_000)  # the helper has started
    figures = seconds, after - cpu, used(root)[1] - memory
    page.close()
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.offline_start")
    parser.add_argument("pack", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    measured: dict[str, list[Figures]] = {name: [] for name in STARTS}
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        server = ServerProcess(Path(data), None, "--offline-pack", str(args.pack.resolve()))
        server.start()
        try:
            for _ in range(args.rounds):
                with tempfile.TemporaryDirectory() as profile:
                    context = playwright.chromium.launch_persistent_context(
                        profile, executable_path=chromium_path("--without-window"), args=list(FLAGS)
                    )
                    context.add_init_script(AT_ONCE.replace("SPEED", "instant"))
                    command = ["pgrep", "-of", f"user-data-dir={profile}"]
                    root = int(subprocess.check_output(command, text=True).split()[0])
                    for name in STARTS:
                        measured[name].append(start(context, root, server.url))
                    context.close()
        finally:
            server.stop()
    rows = []
    for name, figures in measured.items():
        seconds, cpu, memory = (median(each) for each in zip(*figures, strict=True))
        rows.append([name, f"{seconds:.2f}", f"{cpu:.2f}", f"{memory:.0f}"])
    title = f"Medians of {args.rounds} rounds, at a load of {os.getloadavg()[0]:.0f}"
    table(title, ["", "seconds", "CPU seconds", "MB"], rows)


if __name__ == "__main__":
    main()
