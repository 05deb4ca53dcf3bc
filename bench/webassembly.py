"""The games' code in WebAssembly (node) beside the shared object: search and random play, in turns in one run.

python -m bench.webassembly PACK CODE [GAME ...] [--turns N]
PACK: a folder of `python -m tavolino.offline`. CODE: one of `python -m tavolino.aot`, of the same sources.

Both run the same Python around the compiled code, with the same results, or the run ends with an error. A ratio is
that of the best turns, in CPU time. Wanted: 0.75 of the search and 0.8 of random play.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

from bench.timing import human, table

from tavolino.games import games
from tavolino.offline.building import MANIFEST, WITH_NODE

HERE = Path(__file__).parent
PLAYERS = 4
MIDDLE = {"mantis": 16, "splendor-marvel": 60, "infinity-gauntlet": 24}  # decisions before the middle of a game
ITERATIONS = {"mantis": 40_000, "splendor-marvel": 30_000, "infinity-gauntlet": 6_000}
RANDOM_GAMES = {"mantis": 20_000, "splendor-marvel": 4_000, "infinity-gauntlet": 12_000}
PROGRAM = """
import json
import numpy as np
import tavolino
from tavolino.bots.levels import Search
from tavolino.bots.policies import policy_of
from tavolino.engine import loops
from tavolino.engine.options import resolve

name, players, middle, iterations, count = {given!r}
game = tavolino.load(name)

def search():
    match = game.start(players, "bench")
    for number in range(middle):
        match.play(match.legal()[number * 7 % len(match.legal())])
    while len(match.legal()) < 2:
        match.play(match.legal()[0])
    seat, policy = match.to_act, policy_of(name)
    world = match.resample(seat, 3)._states
    seconds, done, seed = 0.0, 0, 0
    while done < iterations:
        searching = Search(game, world, seat, seed, policy.search, policy.weights_of("hard"))
        began = cpu()
        searching._grow(policy.search.iterations)  # it stops before if one action is left
        seconds += cpu() - began
        done, seed = done + searching.iterations, seed + 1
    return seconds, done, str(searching.choice())

def play():
    states = game.new_states()
    states["quiet"] = True
    numbers = game.option_numbers(players, resolve(game.options, players, {{}}))
    room = max(len(deck.cards) for deck in game.decks.values())
    arranged = np.full((len(game.decks), room), -1, np.int32)
    arranged_counts = np.zeros(len(game.decks), np.int32)
    out, outcomes = np.zeros(game.action_count, np.int32), np.zeros((count, 3), np.int32)
    began = cpu()
    decisions = loops.random_games(states, 0, 0, count, 1, numbers, arranged, arranged_counts, out, outcomes)
    return cpu() - began, int(decisions), str(outcomes[count - 1].tolist())

search(), play()  # the engine of node compiles what is called often a second time
print(json.dumps({{"search": search(), "random play": play()}}), flush=True)
"""
NATIVE_CLOCK = "from time import process_time as cpu"
NODE_CLOCK = "import js; cpu = lambda: sum(js.process.cpuUsage().to_py().values()) / 1e6"
Run = dict[str, tuple[float, int, str]]  # seconds, units of work, and a result, of each kind of work


def native(program: str, code: Path) -> Run:
    settings = {**os.environ, "TAVOLINO_COMPILED": "ahead", "TAVOLINO_AHEAD": str(code)}
    done = subprocess.run(
        [sys.executable, "-c", NATIVE_CLOCK + program], env=settings, capture_output=True, text=True, check=True
    )
    run: Run = json.loads(done.stdout)
    return run


def in_node(program: str, pack: Path) -> Run:
    command = [str(WITH_NODE), "node", str(HERE / "webassembly.mjs"), str(pack)]
    done = subprocess.run(command, input=json.dumps(NODE_CLOCK + program), capture_output=True, text=True, check=True)
    run: Run = json.loads(done.stdout)
    return run


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.webassembly")
    parser.add_argument("pack", type=Path)
    parser.add_argument("code", type=Path)
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--turns", type=int, default=3)
    args = parser.parse_args()
    pack = args.pack / json.loads((args.pack / MANIFEST).read_text("utf-8"))["version"]
    rows = []
    for name in args.games or games():
        program = PROGRAM.format(given=(name, PLAYERS, MIDDLE[name], ITERATIONS[name], RANDOM_GAMES[name]))
        turns = [(native(program, args.code), in_node(program, pack)) for _ in range(args.turns)]
        for what in turns[0][0]:
            results = {tuple(run[what][1:]) for turn in turns for run in turn}
            assert len(results) == 1, f"{name}, {what}: {results}"
            ours, wasm = (max(turn[nth][what][1] / turn[nth][what][0] for turn in turns) for nth in (0, 1))
            rows.append([name, what, human(ours), human(wasm), f"{wasm / ours:.2f}"])
    load = os.getloadavg()[0]
    table(f"A second of CPU, at a load of {load:.0f}", ["game", "what", "native", "WebAssembly", "ratio"], rows)


if __name__ == "__main__":
    main()
