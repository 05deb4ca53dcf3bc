"""Code compiled ahead beside Numba's and ordinary Python, in one run: speed, first view, memory, sizes. All of it in
CPU time, in turns.

python -m bench.compiled FOLDER [ENVIRONMENT]
FOLDER: libraries for this platform (`python -m tavolino.aot FOLDER`). Numba's cache should be warm.
ENVIRONMENT: a virtual environment with a wheel and its extra `server`, whose parts are weighed
"""

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench.timing import human, table

PLAIN, NUMBA, AHEAD = "plain", "numba", "ahead"
COMPILED = (NUMBA, AHEAD)
TURNS = 3
REPEATS = 5
GAMES = {"mantis": 16, "splendor-marvel": 60, "infinity-gauntlet": 24}  # decisions before the middle of a game
PLAYERS = 4
ITERATIONS = 4_000
WORLDS = 3_000
SLOWER = 100  # ordinary Python does so many times less
SETTLED = 5.0  # seconds after a server is ready
FIRST_VIEW = "import tavolino; tavolino.load({name!r}).start(4, 1).view(0)"


def best(work: Callable[[], int], repeats: int = REPEATS) -> float:
    """Units of work in a second of CPU, in the best of several runs."""
    work()
    highest = 0.0
    for _ in range(repeats):
        began = time.thread_time()
        units = work()
        highest = max(highest, units / (time.thread_time() - began))
    return highest


def rates(name: str) -> dict[str, float]:
    """In the mode of this process: decisions of random play, iterations of a search, and worlds drawn, in a second."""
    from bench import rules

    import tavolino
    from tavolino.bots.levels import Search
    from tavolino.bots.policies import policy_of
    from tavolino.engine import loops
    from tavolino.engine.chance import key_from_seed
    from tavolino.engine.compiled import IS_PLAIN
    from tavolino.engine.entry_points import sample_actions

    less, repeats = (SLOWER, 1) if IS_PLAIN else (1, REPEATS)
    rules.GAMES = {each: games // less for each, games in rules.GAMES.items()}
    match = tavolino.load(name).start(PLAYERS, "bench")
    for number in range(GAMES[name]):
        match.play(match.legal()[number * 7 % len(match.legal())])
    while len(match.legal()) < 2:
        match.play(match.legal()[0])
    assert match.to_act is not None
    seat, policy = match.to_act, policy_of(name)
    world = match.resample(seat, 3)._states
    actions = sample_actions(match.game)

    def search() -> int:
        searching = Search(match.game, world, seat, 5, policy.search, policy.weights_of("hard"))
        searching.run(iterations=ITERATIONS // less)
        return searching.iterations

    def draw() -> int:
        states, key = world.copy(), key_from_seed("bench")
        for number in range(WORLDS // less):
            key[0] = number
            loops.draw_world(states, 0, seat, key, actions)
        return WORLDS // less

    rates = {
        "random play": best(rules.random_play(name, PLAYERS, True), repeats),
        "search": best(search, repeats),
        "worlds": best(draw, repeats),
    }
    if name == "mantis" and not IS_PLAIN:
        rates["as bench/mantis.c"] = best(rules.random_play(name, PLAYERS, True, icons=False), repeats)
    return rates


def settings_of(mode: str, folder: str) -> dict[str, str]:
    portable = {"NUMBA_CPU_NAME": "x86-64-v2", "NUMBA_CPU_FEATURES": ""} if mode == NUMBA else {}
    written = {"PYTHONDONTWRITEBYTECODE": ""}  # bytecode is there as in an installation, after the first run
    return {**os.environ, **portable, **written, "TAVOLINO_COMPILED": mode, "TAVOLINO_AHEAD": folder}


def in_mode(mode: str, folder: str, *command: str) -> tuple[str, float, float]:
    """What a Python prints, its CPU seconds, and its peak memory in MB."""
    process = subprocess.Popen(
        [sys.executable, *command], env=settings_of(mode, folder), stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    printed = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return printed, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def server(mode: str, folder: str) -> tuple[float, float]:
    """The memory in MB, and the CPU seconds until then, of a server that is ready and has settled."""
    with tempfile.TemporaryDirectory() as data:
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = str(free.getsockname()[1])
        command = [sys.executable, "-m", "tavolino", "serve", "--port", port, "--data", data]
        process = subprocess.Popen(command, env=settings_of(mode, folder), stderr=subprocess.DEVNULL)
        try:
            while not is_ready(f"http://127.0.0.1:{port}/readyz"):
                time.sleep(0.5)
            time.sleep(SETTLED)
            status = Path(f"/proc/{process.pid}/status").read_text()
            memory = next(int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmRSS"))
            times = Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
            return memory, sum(map(int, times[11:15])) / os.sysconf("SC_CLK_TCK")
        finally:
            process.terminate()
            process.wait()


def is_ready(address: str) -> bool:
    try:
        with urllib.request.urlopen(address, timeout=5) as answer:
            return bool(answer.status == 200)
    except (OSError, urllib.error.HTTPError):
        return False


def size(path: Path) -> float:
    """In MB."""
    files = [each for each in ([path] if path.is_file() else path.rglob("*")) if not each.is_symlink()]
    return sum(each.stat().st_size for each in files if each.is_file()) / 1e6


def weigh(environment: Path) -> None:
    """A virtual environment and its five largest parts."""
    (packages,) = environment.glob("lib/python3.*/site-packages")
    parts = sorted(((size(each), each.name) for each in packages.iterdir()), reverse=True)[:5]
    rows = [["all of it", f"{size(environment):.0f}"], *([name, f"{weight:.0f}"] for weight, name in parts)]
    table("An environment with the extra server", ["what", "MB"], rows)


def main() -> None:
    if sys.argv[1] == "--rates":
        print(json.dumps(rates(sys.argv[2])))
        return
    folder, *environments = sys.argv[1:]
    measured: dict[tuple[str, str], dict[str, float]] = {}
    starts: dict[tuple[str, str], list[Any]] = {}
    for name in GAMES:
        measured[name, PLAIN] = json.loads(in_mode(PLAIN, folder, "-m", "bench.compiled", "--rates", name)[0])
    for _ in range(TURNS):
        for name in GAMES:
            for mode in COMPILED:
                again = json.loads(in_mode(mode, folder, "-m", "bench.compiled", "--rates", name)[0])
                known = measured.setdefault((name, mode), again)
                known.update({what: max(rate, known[what]) for what, rate in again.items()})
                _, seconds, memory = in_mode(mode, folder, "-c", FIRST_VIEW.format(name=name))
                starts.setdefault((name, mode), []).append((seconds, memory))
    rows = []
    for name in GAMES:
        plain, numba, ahead = (measured[name, mode] for mode in (PLAIN, NUMBA, AHEAD))
        for what in numba:
            slow = human(plain[what]) if what in plain else ""
            rows.append([name, what, slow, human(numba[what]), human(ahead[what]), f"{ahead[what] / numba[what]:.2f}"])
    table("A second of CPU", ["game", "what", "plain", "Numba", "ahead", "ahead / Numba"], rows)
    from bench.rules import mantis_in_c

    c, ours = mantis_in_c(PLAYERS), measured["mantis", AHEAD]["as bench/mantis.c"]
    table(
        "Mantis in C",
        ["program", "decisions/s", "ratio"],
        [["C", human(c), "1"], ["ahead", human(ours), f"{ours / c:.2f}"]],
    )
    rows = [
        [name, mode, f"{min(starts[name, mode])[0]:.2f}", f"{min(starts[name, mode])[1]:.0f}"]
        for name in GAMES
        for mode in COMPILED
    ]
    table("The first view", ["game", "mode", "CPU seconds", "MB at most"], rows)
    rows = []
    for mode in COMPILED:
        version = min(in_mode(mode, folder, "-m", "tavolino", "--version")[1] for _ in range(REPEATS))
        memory, seconds = server(mode, folder)
        rows.append([mode, f"{version:.3f}", f"{memory:.0f}", f"{seconds:.1f}"])
    head = ["mode", "tavolino --version, CPU seconds", "a server with three games, MB", "its CPU seconds"]
    table("Programs", head, rows)
    for environment in environments:
        weigh(Path(environment))


if __name__ == "__main__":
    main()
