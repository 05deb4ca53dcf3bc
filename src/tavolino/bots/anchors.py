"""The fixed ratings of the levels, against which people are rated, and the scale of all ratings.

They come from the arena: `bench/anchors.py` plays the levels against each other and writes `anchors.json` into the
folder of a game. The scale is Elo's: `medium` is 1500 in every game, and a player who is 200 points ahead of another
one wins three of four games for two.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from math import log
from pathlib import Path

FILE = "anchors.json"
MEDIUM = 1500.0
POINTS = 400 / log(10)  # for a factor of e in the odds to win
# For a game without measured anchors: typical distances between the levels.
USUAL: Mapping[str, float] = {"random": 1000.0, "easy": 1300.0, "medium": MEDIUM, "hard": 1600.0}


@dataclass(frozen=True)
class Anchors:
    """The rating of each level and, in a game of one against all, what playing as the one is worth in points."""

    levels: Mapping[str, float]
    one: float = 0.0


@cache
def anchors_of(folder: Path) -> Anchors:
    """The anchors of the game with this folder."""
    path = folder / FILE
    if not path.is_file():
        return Anchors(_with_expert(USUAL))
    found = json.loads(path.read_text("utf-8"))
    return Anchors(_with_expert({**USUAL, **found["levels"]}), found.get("one", 0.0))


def _with_expert(levels: Mapping[str, float]) -> Mapping[str, float]:
    """Where `expert` was not measured it is rated like `hard`: it is never weaker, and mostly the same."""
    return {"expert": levels["hard"], **levels}
