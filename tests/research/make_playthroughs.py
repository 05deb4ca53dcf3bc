"""Writes the playthroughs of OpenSpiel that `test_openspiel.py` compares: a random game of each title."""

import sys
from pathlib import Path

from absl import flags
from open_spiel.python.algorithms import generate_playthrough

import tavolino
from tavolino.research.openspiel import short_name

FOLDER = Path(__file__).parent / "playthroughs"

if __name__ == "__main__":
    flags.FLAGS(sys.argv[:1])
    for name in tavolino.games():
        game = f"{short_name(name)}(players=2,seed_bytes=1)"
        text = generate_playthrough.playthrough(game, [], seed=1)
        (FOLDER / f"{short_name(name)}.txt").write_text(text, "utf-8")
