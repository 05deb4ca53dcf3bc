"""Whether long searches keep the answers of shipped puzzles: `python -m bench.puzzles_proven [--times N] [GAME ...]`.

Puzzles are drawn at random, and `expert` searches each with TIMES the table's iterations and other random numbers.
Prints the puzzles whose answer it does not choose, with what both actions are worth by searches for each alone.

After a change of the search or its net, `--drop` searches every puzzle as those are that find puzzles (ten times the
table's iterations, two seeds), and writes the game's file without those that do not hold any more.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import time

import tavolino
from tavolino.bots.policies import settings_of
from tavolino.coach.intervals import wilson
from tavolino.coach.judge import LEVEL, advise, search_worths
from tavolino.coach.puzzle_files import FILES, ID_LENGTH, puzzles_of
from tavolino.coach.puzzles import search_finds
from tavolino.engine.records import replay


def measure(name: str, args: argparse.Namespace) -> None:
    puzzles = sorted(puzzles_of(tavolino.load(name)).values(), key=lambda puzzle: puzzle.id)
    random.Random(args.seed).shuffle(puzzles)
    iterations, begun = args.times * settings_of(LEVEL, name).iterations, time.process_time()
    searched = kept = 0
    for puzzle in puzzles[: args.puzzles]:
        if args.cpu is not None and time.process_time() - begun > args.cpu:
            break
        match = replay(puzzle.record, tavolino.load)
        answer = advise(match, puzzle.seat, "proof", iterations).action
        searched, kept = searched + 1, kept + (answer == puzzle.best)
        if answer != puzzle.best:
            worth = search_worths(match, puzzle.seat, (puzzle.best, answer), iterations, "proof")
            said = ", ".join(f"{action} {100 * chance:.1f} %" for action, (chance, _) in worth.items())
            print(f"  {name} {puzzle.id} ({puzzle.difficulty}): {said}", flush=True)
    low, high = wilson(kept, searched)
    share = f"{kept} of {searched} keep their answer ({100 * low:.0f} to {100 * high:.0f} %)"
    print(f"{name}, {args.times} times: {share}; {time.process_time() - begun:.0f} s of CPU", flush=True)


def drop(name: str) -> None:
    """Write the file of a game's puzzles without those that do not hold any more."""
    game, begun = tavolino.load(name), time.process_time()
    path = game.folder / FILES[0]
    lines = gzip.decompress(path.read_bytes()).splitlines()
    kept = []
    for line in lines:
        row = json.loads(line)
        if search_finds(replay(row["record"], tavolino.load), row["seat"], row["best"]):
            kept.append(line)
        else:
            print(f"  {name} {row['record']['chain'][:ID_LENGTH]}: dropped", flush=True)
    path.write_bytes(gzip.compress(b"\n".join(kept) + b"\n", mtime=0))
    print(f"{name}: {len(kept)} of {len(lines)} hold; {time.process_time() - begun:.0f} s of CPU", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=list(tavolino.games()))
    parser.add_argument("--puzzles", type=int, default=30)
    parser.add_argument("--times", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--cpu", type=float, metavar="SECONDS")
    parser.add_argument("--drop", action="store_true")
    args = parser.parse_args()
    for game in args.games:
        if args.drop:
            drop(game)
        else:
            measure(game, args)


if __name__ == "__main__":
    main()
