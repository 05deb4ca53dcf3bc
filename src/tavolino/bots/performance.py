"""The rating of a player who plays against fixed bots: the one with which the expected results are the actual ones.

The bots' ratings are fixed (`anchors.py`). The chances are those of Bradley and Terry's model, for several sides of
Luce's; a side is as strong as its members are on average, as in the ratings of the server (decision 088).
"""

from collections import Counter
from collections.abc import Sequence
from math import exp
from typing import NamedTuple

import tavolino
from tavolino.bots.anchors import POINTS, anchors_of

LOWEST, HIGHEST = -2000.0, 5000.0
STEPS = 40


class Place(NamedTuple):
    """A seat, and the levels in all seats; the own one does not count. `alone` plays against all others."""

    game: str
    seat: int
    levels: tuple[str, ...]
    alone: int | None


def chance_of(place: Place, rating: float) -> float:
    """The chance that a player of this rating wins in this place."""
    anchors = anchors_of(tavolino.load(place.game).folder)
    rated = [anchors.levels[level] for level in place.levels]
    rated[place.seat] = rating
    sides = {seat: [own] for seat, own in enumerate(rated)}
    if place.alone is not None:
        others = [own for seat, own in enumerate(rated) if seat != place.alone]
        sides = {place.alone: [rated[place.alone] + anchors.one], -1: others}
    own_side = place.seat if place.seat in sides else -1
    strengths = {side: sum(members) / len(members) / POINTS for side, members in sides.items()}
    return 1 / sum(exp(strength - strengths[own_side]) for strength in strengths.values())


def rating_of(places: Sequence[Place], share: float) -> float:
    """The rating with which this share of the wins is expected in these places.

    Half a game is added to both sides, so that it is finite for who has lost or won every game.
    """
    games = len(places)
    wanted = (share * games + 0.5) / (games + 1)
    counted = Counter(places)
    low, high = LOWEST, HIGHEST
    for _ in range(STEPS):
        middle = (low + high) / 2
        expected = sum(count * chance_of(place, middle) for place, count in counted.items()) / games
        low, high = (middle, high) if expected < wanted else (low, middle)
    return (low + high) / 2
