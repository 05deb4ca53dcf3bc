"""How fast the rules are, beside the same Mantis in C and games of OpenSpiel, all in one run.

python -m bench.rules
"""

import random
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from bench.timing import human, rate, table

import tavolino
from tavolino.engine import loops
from tavolino.engine.options import resolve

HERE = Path(__file__).parent
GAMES = {"infinity-gauntlet": 1500, "mantis": 3000, "splendor-marvel": 400}


def random_play(name: str, players: int, quiet: bool, **options: Any) -> Callable[[], int]:
    """Whole random games in one compiled loop; says how many decisions they took."""
    game = tavolino.load(name)
    states = game.new_states()
    states["quiet"] = quiet
    numbers = game.option_numbers(players, resolve(game.options, players, options))
    room = max(len(deck.cards) for deck in game.decks.values())
    arranged = np.full((len(game.decks), room), -1, np.int32)
    n_arranged = np.zeros(len(game.decks), np.int32)
    out = np.zeros(game.action_count, np.int32)
    outcomes = np.zeros((GAMES[name], 3), np.int32)

    def play() -> int:
        return loops.random_games(states, 0, 0, GAMES[name], 1, numbers, arranged, n_arranged, out, outcomes)

    return play


def mantis_in_c(players: int) -> float:
    """Decisions a second of bench/mantis.c, the best of several runs."""
    program = HERE / "build" / "mantis"
    program.parent.mkdir(exist_ok=True)
    subprocess.run(["gcc", "-O3", "-march=native", "-o", program, HERE / "mantis.c"], check=True)
    best = 0.0
    for seed in range(1, 12):
        answer = subprocess.run([program, str(players), "40000", str(seed)], check=True, capture_output=True, text=True)
        decisions, seconds, _ = answer.stdout.split()
        best = max(best, int(decisions) / float(seconds))
    return best


def compiled_play() -> None:
    rows = []
    for name in tavolino.games():
        for players in tavolino.load(name).players:
            quiet = rate(random_play(name, players, True))
            full = rate(random_play(name, players, False))
            decisions = random_play(name, players, True)() / GAMES[name]
            rows.append([name, str(players), human(quiet), human(full), human(quiet / decisions), f"{decisions:.0f}"])
    head = ["game", "players", "decisions/s", "with events and knowledge", "games/s", "decisions a game"]
    table("Random play, one core", head, rows)


def beside_c() -> None:
    ours = rate(random_play("mantis", 4, True, icons=False), repeats=25)
    c = mantis_in_c(4)
    rows = [["C, gcc -O3", human(c), "1"], ["Tavolino", human(ours), f"{ours / c:.2f}"]]
    table("Mantis without icons, 4 players", ["program", "decisions/s", "ratio"], rows)


def from_python(name: str, with_views: bool) -> Callable[[], int]:
    game = tavolino.load(name)
    chance = random.Random(1)

    def play() -> int:
        match = game.start(4, 1)
        decisions = 0
        while not match.over and decisions < 150:
            match.play(chance.choice(match.legal()))
            decisions += 1
            if with_views:
                for viewer in (0, 1, 2, 3, None):
                    match.view(viewer)
        return decisions

    return play


def open_spiel(name: str) -> Callable[[], int]:
    import pyspiel

    game = pyspiel.load_game(name)
    chance = random.Random(1)

    def play() -> int:
        decisions = 0
        for _ in range(20):
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                    state.apply_action(chance.choices(outcomes, weights)[0])
                else:
                    state.apply_action(chance.choice(state.legal_actions()))
                    decisions += 1
        return decisions

    return play


def driven_from_python() -> None:
    leduc = rate(open_spiel("leduc_poker"))
    rows = [["OpenSpiel leduc_poker (C++)", human(leduc), "1", ""]]
    rows.append(["OpenSpiel hearts (C++)", human(hearts := rate(open_spiel("hearts"))), f"{hearts / leduc:.2f}", ""])
    for name in tavolino.games():
        plain, views = rate(from_python(name, False)), rate(from_python(name, True))
        rows.append([f"{name}, match.play", human(plain), f"{plain / leduc:.2f}", f"{1e6 / plain:.0f}"])
        rows.append([f"{name}, match.play and 5 views", human(views), f"{views / leduc:.2f}", f"{1e6 / views:.0f}"])
    table("Driven from Python, 4 players", ["what", "decisions/s", "to Leduc", "µs a decision"], rows)


def copies() -> None:
    rows = []
    for name in tavolino.games():
        states = tavolino.load(name).new_states(1000)
        room = states.copy()

        def copy(states: Any = states, room: Any = room) -> int:
            room[:] = states
            return len(states)

        rows.append([name, str(states.itemsize), human(rate(copy))])
    table("Copying states", ["game", "bytes", "copies/s"], rows)


def main() -> None:
    compiled_play()
    beside_c()
    driven_from_python()
    copies()


if __name__ == "__main__":
    main()
