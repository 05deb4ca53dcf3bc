"""The weights of players of Splendor: Marvel, by name, in one place. Values are in points."""

from enum import IntEnum

import numpy as np

from tavolino.engine.policy import FIRST_OWN_WEIGHT


class Weight(IntEnum):
    BONUS = FIRST_OWN_WEIGHT  # what a bonus is worth at the start of the game, in points
    DEMAND = 3  # ... and more for each card in sight that asks for its colour
    LACKING = 4  # ... and more for a colour that one has no bonus of (SM-30)
    TIME_STONE = 5  # the first card with the Time Stone
    AVENGER = 6  # an Avengers symbol
    LOCATION = 7  # a step towards a location, divided by the steps that are missing
    PATIENCE = 8  # the discount for each token that a plan lacks
    SECOND_PLAN = 9  # how much the second best plan counts beside the best
    THIRD_PLAN = 10
    TOKEN = 11  # a token that no plan asks for
    GREY = 12  # ... a grey one
    RISK = 13  # how much less a plan counts whose card others can take
    DENY = 14  # a point kept from somebody who could recruit it at once
    TOO_MANY = 15  # what a token beyond ten costs
    HASTE = 16  # how much of a bonus' worth is gone when the leader has all points


# fmt: off
WEIGHTS = {
    "medium": np.array([0.0, 0.0, 0.94, 0.32, 1.0, 0.28, 0.22, 1.72, 0.8, 0.07, 0.25, 0.05, 0.02, 1.0, 0.05, 2.2, 1.5]),
    "easy": np.array([0.25, 0.6, 0.94, 0.0, 1.0, 0.28, 0.0, 0.0, 0.8, 0.0, 0.0, 0.05, 0.02, 1.0, 0.0, 2.2, 0.0]),
}
# fmt: on
