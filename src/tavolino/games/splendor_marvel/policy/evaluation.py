"""The estimated chances to win a position of Splendor: Marvel, where a playout is cut off."""

from enum import IntEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tavolino.engine.arithmetic import exp
from tavolino.engine.compiled import compiled, int64
from tavolino.engine.policy import Reals
from tavolino.games.splendor_marvel.facts import (
    COLOUR_COUNT,
    GREEN,
    GREY,
    NO_LOCATION,
    PACKED_COST,
    PACKED_LOCATION_COST,
)
from tavolino.games.splendor_marvel.payment import bonuses_of, means_of, shortfall
from tavolino.games.splendor_marvel.policy.plans import MOST_PLANS, tokens_held, value_plans
from tavolino.games.splendor_marvel.policy.weights import WEIGHTS, Weight
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


class Prospects(NamedTuple):
    """Scratch memory for the plans of a seat: the cards, how many tokens each lacks, and what it is worth."""

    cards: NDArray[np.int64]
    missing: NDArray[np.int64]
    values: Reals
    worth: Reals  # of a bonus of each colour


@compiled
def new_prospects() -> Prospects:
    numbers, reals = np.empty((2, MOST_PLANS), np.int64), np.empty(MOST_PLANS + COLOUR_COUNT)
    return Prospects(numbers[0], numbers[1], reals[:MOST_PLANS], reals[MOST_PLANS:])


@compiled
def evaluate(s: SplendorState, values: Reals) -> None:
    """Each player's share of all prospects: what they have, and their plans."""
    prospects = new_prospects()
    total = 0.0
    for seat in range(s.players):
        outlook = outlook_for(s, seat, prospects)
        values[seat] = exp(WORTH[Worth.OUTLOOK] * outlook + belongings(s, seat))
        total += values[seat]
    for seat in range(s.players):
        values[seat] /= total


@compiled
def outlook_for(s: SplendorState, seat: int, prospects: Prospects) -> float:
    """The value of a seat's best plans, each discounted for missing tokens.

    The same as `outlook_of`, but without a table, which pays only where many actions use it.
    """
    plans = value_plans(s, PLANNER, seat, prospects.cards, prospects.values, prospects.worth)
    means, grey = means_of(s, seat), int64(s.tokens[seat, GREY])
    best, second, third = 0.0, 0.0, 0.0
    for i in range(plans):
        missing = max(shortfall(PACKED_COST[prospects.cards[i]], means) - grey, 0)
        prospects.missing[i] = missing
        value = prospects.values[i]
        for _ in range(missing):
            value *= PLANNER[Weight.PATIENCE]
        third = max(third, min(second, value))
        second = max(second, min(best, value))
        best = max(best, value)
    return (
        best + PLANNER[Weight.SECOND_PLAN] * second + PLANNER[Weight.THIRD_PLAN] * third + PLANNER[Weight.GREY] * grey
    )


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
