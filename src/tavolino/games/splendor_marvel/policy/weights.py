"""The weights of the bots of Splendor: Marvel, by name. Values are in points."""

from enum import IntEnum

import numpy as np

from tavolino.engine.policy import FIRST_OWN_WEIGHT


class Weight(IntEnum):
    BONUS = FIRST_OWN_WEIGHT  # what a bonus is worth at the start of the game, in points
    DEMAND = 3  # ... and more for each visible card that costs its colour
    LACKING = 4  # ... and more for a colour without a bonus (SM-30)
    TIME_STONE = 5  # the first card with the Time Stone
    AVENGER = 6  # an Avengers symbol
    LOCATION = 7  # a step towards a location, divided by the steps that are missing
    PATIENCE = 8  # the discount for each token that a plan lacks
    SECOND_PLAN = 9  # how much the second best plan counts beside the best
    THIRD_PLAN = 10
    TOKEN = 11  # a token that no plan needs
    GREY = 12  # ... a grey one
    RISK = 13  # how much less a plan counts if others can take its card
    DENY = 14  # a point denied to somebody who could recruit the card at once
    TOO_MANY = 15  # what a token beyond ten costs
    HASTE = 16  # the share of a bonus's value that is lost when the leader has all points


# fmt: off
WEIGHTS = {
    "medium": np.array([0.0, 0.0, 0.94, 0.32, 1.0, 0.28, 0.22, 1.72, 0.8, 0.07, 0.25, 0.05, 0.02, 1.0, 0.05, 2.2, 1.5]),
    "easy": np.array([0.25, 0.6, 0.94, 0.0, 1.0, 0.28, 0.0, 0.0, 0.8, 0.0, 0.0, 0.05, 0.02, 1.0, 0.0, 2.2, 0.0]),
}
# fmt: on
