"""Code compiled ahead beside Numba's, in one run: speed, first view, memory. All of it in CPU time, in turns.

python -m bench.compiled FOLDER: a folder of libraries (`python -m tavolino.aot FOLDER`); Numba's cache must be warm
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

from bench.timing import human, table

MODES = ("numba", "ahead")
TURNS = 3
REPEATS = 5
# By game: players, decisions before the middle of a game, and games of random play.
GAMES = {"mantis": (4, 16, 30_000), "splendor-marvel": (4, 60, 3_000), "infinity-gauntlet": (4, 24, 9_000)}
ITERATIONS = 4_000
WORLDS = 3_000
FIRST_VIEW = "import tavolino; tavolino.load({name!r}).start(4, 1).view(0)"


def best(work: Callable[[], int]) -> float:
    """Units of work in a second of CPU, in the best of several runs."""
    work()
    highest = 0.0
    for _ in range(REPEATS):
        began = time.thread_time()
        units = work()
        highest = max(highest, units / (time.thread_time() - began))
    return highest


def rates(name: str) -> dict[str, float]:
    """In the mode of this process: decisions of random play, iterations of a search, and worlds drawn, in a second."""
    from bench.rules import random_play

    import tavolino
    from tavolino.bots.levels import Search
    from tavolino.bots.policies import policy_of
    from tavolino.engine import loops
    from tavolino.engine.chance import key_from_seed
    from tavolino.engine.entry_points import sample_actions

    players, decisions, _ = GAMES[name]
    match = tavolino.load(name).start(players, "bench")
    for number in range(decisions):
        match.play(match.legal()[number * 7 % len(match.legal())])
    while len(match.legal()) < 2:
        match.play(match.legal()[0])
    assert match.to_act is not None
    seat, policy = match.to_act, policy_of(name)
    world = match.resample(seat, 3)._states
    actions = sample_actions(match.game)

    def search() -> int:
        searching = Search(match.game, world, seat, 5, policy.search, policy.weights_of("hard"))
        searching.run(iterations=ITERATIONS)
        return searching.iterations

    def draw() -> int:
        states, key = world.copy(), key_from_seed("bench")
        for number in range(WORLDS):
            key[0] = number
            loops.draw_world(states, 0, seat, key, actions)
        return WORLDS

    return {
        "random play": best(random_play(name, players, True)),
        "search": best(search),
        "worlds": best(draw),
    }


def in_mode(mode: str, folder: str, *command: str) -> tuple[str, float, float]:
    """What a Python prints, its CPU seconds, and its peak memory in MB."""
    settings = {"TAVOLINO_COMPILED": mode, "TAVOLINO_AHEAD": folder}
    portable = {"NUMBA_CPU_NAME": "x86-64-v2", "NUMBA_CPU_FEATURES": ""} if mode == "numba" else {}
    process = subprocess.Popen(
        [sys.executable, *command], env={**os.environ, **portable, **settings}, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    printed = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return printed, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def main() -> None:
    if sys.argv[1] == "--rates":
        print(json.dumps(rates(sys.argv[2])))
        return
    folder = sys.argv[1]
    found: dict[tuple[str, str], dict[str, float]] = {}
    starts: dict[tuple[str, str], list[Any]] = {}
    for _ in range(TURNS):
        for name in GAMES:
            for mode in MODES:
                measured = json.loads(in_mode(mode, folder, "-m", "bench.compiled", "--rates", name)[0])
                known = found.setdefault((name, mode), measured)
                known.update({what: max(rate, known[what]) for what, rate in measured.items()})
                _, seconds, memory = in_mode(mode, folder, "-c", FIRST_VIEW.format(name=name))
                starts.setdefault((name, mode), []).append((seconds, memory))
    rows = [
        [name, what, human(found[name, "numba"][what]), human(found[name, "ahead"][what]),
         f"{found[name, 'ahead'][what] / found[name, 'numba'][what]:.2f}"]
        for name in GAMES
        for what in found[name, "numba"]
    ]  # fmt: skip
    table("A second of CPU", ["game", "what", "Numba", "ahead", "ratio"], rows)
    rows = [
        [name, mode, f"{min(starts[name, mode])[0]:.2f}", f"{min(starts[name, mode])[1]:.0f}"]
        for name in GAMES
        for mode in MODES
    ]
    table("The first view", ["game", "mode", "CPU seconds", "MB at most"], rows)
    version = min(in_mode("ahead", folder, "-m", "tavolino", "--version")[1] for _ in range(REPEATS))
    table("Commands", ["what", "CPU seconds"], [["tavolino --version", f"{version:.3f}"]])


if __name__ == "__main__":
    main()
