"""The estimated chances to win a position of Splendor: Marvel, where a playout is cut off."""

from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from tavolino.engine.arithmetic import exp
from tavolino.engine.compiled import compiled, int64
from tavolino.engine.policy import Reals
from tavolino.games.splendor_marvel.facts import COLOUR_COUNT, GREEN, GREY, NO_CARD, NO_LOCATION, PACKED_LOCATION_COST
from tavolino.games.splendor_marvel.payment import bonuses_of, means_of, shortfall
from tavolino.games.splendor_marvel.policy.plans import MOST_MISSING, MOST_PLANS, list_plans, outlook_of, tokens_held
from tavolino.games.splendor_marvel.policy.weights import WEIGHTS
from tavolino.games.splendor_marvel.state import SplendorState


class Worth(IntEnum):
    """The terms of `evaluate`, as logarithms of prospects, fitted to 2,500 games between `medium` bots."""

    POINT = 0
    LATE_POINT = 1  # more for each point beyond ten
    OUTLOOK = 2  # the plans
    BONUS = 3
    COLOUR = 4  # of which there is a bonus
    TIME_STONE = 5
    AVENGER = 6
    TOKEN = 7
    LOCATION = 8  # shared by the steps that are missing
    TURN = 9  # to be the next to move
    TILE = 10  # the Avengers tile can be lost again


WORTH = np.array([0.22, 0.12, 0.19, 0.30, 0.50, 0.40, 0.14, 0.07, 2.0, 0.25, -0.3])
LATE = 10
PLANNER = WEIGHTS["medium"]


@compiled
def evaluate(s: SplendorState, values: Reals) -> None:
    """Each player's share of all prospects: what they have, and their plans."""
    cards, plan_values = np.empty(MOST_PLANS, np.int64), np.empty((MOST_MISSING + 1, MOST_PLANS))
    total = 0.0
    for seat in range(s.players):
        outlook = outlook_for(s, seat, cards, plan_values)
        values[seat] = exp(WORTH[Worth.OUTLOOK] * outlook + belongings(s, seat))
        total += values[seat]
    for seat in range(s.players):
        values[seat] /= total


@compiled
def outlook_for(s: SplendorState, seat: int, cards: NDArray[np.int64], plan_values: Reals) -> float:
    """The value of a seat's plans; the arrays are scratch memory."""
    plans = list_plans(s, PLANNER, seat, cards, plan_values)
    return outlook_of(PLANNER, plans, means_of(s, seat), int64(s.tokens[seat, GREY]), NO_CARD)


@compiled
def belongings(s: SplendorState, seat: int) -> float:
    """What a seat has, plans aside."""
    points = s.points[seat]
    held = WORTH[Worth.POINT] * points + WORTH[Worth.LATE_POINT] * max(points - LATE, 0)
    held += WORTH[Worth.AVENGER] * s.avengers[seat] + WORTH[Worth.TOKEN] * tokens_held(s, seat)
    held += WORTH[Worth.TIME_STONE] * s.tokens[seat, GREEN]
    if s.current == seat:
        held += WORTH[Worth.TURN]
    if s.avengers_tile == seat:
        held += WORTH[Worth.TILE]
    bonuses = bonuses_of(s, seat)
    for colour in range(COLOUR_COUNT):
        held += WORTH[Worth.BONUS] * s.bonuses[seat, colour]
        if s.bonuses[seat, colour] > 0:
            held += WORTH[Worth.COLOUR]
    for place in range(s.players):
        if s.locations[place] != NO_LOCATION:
            held += WORTH[Worth.LOCATION] / (1 + shortfall(PACKED_LOCATION_COST[s.locations[place]], bonuses))
    return held
