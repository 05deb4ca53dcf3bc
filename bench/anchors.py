"""Play the levels of each game against each other and write their fixed ratings into the games' folders.

    .venv/bin/python bench/anchors.py [GAME ...] [--games 2000] [--hard-games 400 --iterations 2000]

Without --hard-games the games of `hard`, which take hours, stay as they are in the file; those that are shipped are the
ones in docs/balance.md.

`tests/lab/test_anchors.py` checks that the ratings in a file are those that its figures lead to.
"""

from __future__ import annotations

import argparse
import json
from typing import Any

import tavolino
from tavolino.bots.anchors import FILE
from tavolino.lab.anchors import Pair, measure


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games_named", nargs="*", metavar="GAME", default=list(tavolino.games()))
    parser.add_argument("--games", type=int, default=2000, help="for each pair of quick levels")
    parser.add_argument("--hard-games", type=int, default=0)
    parser.add_argument("--iterations", type=int, help="of hard, for one decision")
    args = parser.parse_args()
    for name in args.games_named:
        path = tavolino.load(name).folder / FILE
        before: dict[str, Any] = {"pairs": [], "iterations": 2000}
        if path.is_file():
            before = json.loads(path.read_text("utf-8"))
        known, iterations = [Pair(*pair) for pair in before["pairs"]], args.iterations or before["iterations"]
        found = measure(name, args.games, args.hard_games, iterations, lambda said: print(said, flush=True), known)
        path.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
        print(name, found["levels"], found.get("one", ""), flush=True)


if __name__ == "__main__":
    main()
