"""The weights of the bots of Infinity Gauntlet, by name. Values are in shares of a team's life.

Taking one of the k lives that the other side has left is worth 1/k. All other weights (tokens, a look, a good card in
hand) use the same unit.
"""

from enum import IntEnum

import numpy as np

from tavolino.engine.policy import FIRST_OWN_WEIGHT


class Weight(IntEnum):
    REMEMBERS = FIRST_OWN_WEIGHT  # the probability of using everything that was seen and ruled out, at a decision
    CAUTION = 3  # how much more a lost life counts than a taken one, for a hero at a fight
    # Heroes: the value of playing a card that takes no life by itself,
    LOOK = 4
    HERO_TOKEN = 5
    TOP_THREE = 6
    # and of keeping a card of each number (the last of six).
    KEEP_1 = 7
    KEEP_6 = 12
    # Thanos: the same for his cards,
    THANOS_TOKEN = 13
    EBONY_MAW = 14
    REALITY_STONE = 15
    # a stone on the table, and more for each stone that is there already,
    STONE = 16
    NEXT_STONE = 17
    # and a card of each number in hand (the last of seven).
    HOLD_1 = 18
    HOLD_7 = 24
    # To draw and put back: more for each card drawn and each stone on the table.
    DIG = 25
    THANOS_CAUTION = 26  # CAUTION on his side


# fmt: off
_MEDIUM = [
    1.0, 0.5,
    0.03, 0.05, 0.01,
    0.03, 0.0, 0.02, 0.03, 0.04, 0.06,
    0.16, 0.02, 0.04,
    0.09, 0.02,
    0.0, 0.01, 0.02, 0.03, 0.04, 0.125, 0.08,
    0.02, 3.5,
]
# fmt: on
WEIGHTS = {
    "medium": np.array([0.0, 0.0, *_MEDIUM]),
    "easy": np.array([0.15, 0.04, 0.35, *_MEDIUM[1:]]),
}
