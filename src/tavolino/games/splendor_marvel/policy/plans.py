"""Plans: the cards that a seat can aim for, the value of each, and how many tokens are missing."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tavolino.engine.compiled import compiled, int64
from tavolino.engine.policy import Reals
from tavolino.engine.record import NOBODY
from tavolino.games.splendor_marvel.facts import (
    AVENGERS,
    AVENGERS_NEEDED,
    AVENGERS_POINTS,
    BONUS,
    COLOUR_COUNT,
    COST,
    FACE_UP,
    GREEN,
    LEVEL,
    MOST_RESERVED,
    NO_LOCATION,
    PACKED_COST,
    PACKED_LOCATION_COST,
    POINTS,
    POINTS_NEEDED,
    TIME_STONE_LEVEL,
    TOKEN_COUNT,
)
from tavolino.games.splendor_marvel.payment import bonuses_of, colours_lacking, shortfall
from tavolino.games.splendor_marvel.policy.weights import Weight
from tavolino.games.splendor_marvel.state import SplendorState

MOST_PLANS = FACE_UP + MOST_RESERVED
MOST_MISSING = int(COST.sum(axis=1).max())


class Plans(NamedTuple):
    """The cards that a seat can aim for: first those of the rows, then its own reserved ones.

    `values[missing, plan]` is the value of a plan by the number of missing tokens. It is computed once, because up to
    forty actions use it.
    """

    cards: NDArray[np.int64]
    values: Reals  # less for those that others may take first
    number: int


@compiled
def tokens_held(s: SplendorState, seat: int) -> int:
    held = 0
    for token in range(TOKEN_COUNT):
        held += s.tokens[seat, token]
    return held


@compiled
def list_plans(s: SplendorState, weights: Reals, seat: int, cards: NDArray[np.int64], values: Reals) -> Plans:
    """The plans of a seat, written into the two arrays."""
    n = value_plans(s, weights, seat, cards, values[0], np.empty(COLOUR_COUNT))
    plans = Plans(cards, values, n)
    discount(weights, plans, 0, n)
    return plans


@compiled
def value_plans(
    s: SplendorState, weights: Reals, seat: int, cards: NDArray[np.int64], values: Reals, worth: Reals
) -> int:
    """Write the cards of a seat's plans and their values with nothing missing. Returns how many there are.

    `worth` is scratch memory.
    """
    _value_bonuses(s, weights, seat, worth)
    n = 0
    for at in range(s.n_face_up):
        cards[n] = s.face_up[at]
        values[n] = _value(s, weights, seat, cards[n], worth) * weights[Weight.RISK]
        n += 1
    for place in range(s.n_reserved[seat]):
        cards[n] = s.reserved[seat, place]
        values[n] = _value(s, weights, seat, cards[n], worth)
        n += 1
    return n


@compiled
def discount(weights: Reals, plans: Plans, first: int, end: int) -> None:
    """Compute the values with missing tokens of these plans from the first row."""
    for missing in range(1, MOST_MISSING + 1):
        for plan in range(first, end):
            plans.values[missing, plan] = plans.values[missing - 1, plan] * weights[Weight.PATIENCE]


@compiled
def _value_bonuses(s: SplendorState, weights: Reals, seat: int, worth: Reals) -> None:
    """What one more bonus of each colour is worth to a seat, in points."""
    most = 0
    for other in range(s.players):
        most = max(most, s.points[other])
    time_left = max(0.0, 1.0 - weights[Weight.HASTE] * most / POINTS_NEEDED)
    bonuses = bonuses_of(s, seat)
    asking = int64(0)  # by colour, packed: how many visible cards cost more than the seat has
    for at in range(s.n_face_up):
        asking += colours_lacking(PACKED_COST[s.face_up[at]], bonuses)
    for colour in range(COLOUR_COUNT):
        worth[colour] = time_left * (weights[Weight.BONUS] + weights[Weight.DEMAND] * ((asking >> 8 * colour) & 0xFF))
        if s.bonuses[seat, colour] == 0:
            worth[colour] += weights[Weight.LACKING]
    for place in range(s.players):
        location = s.locations[place]
        if location != NO_LOCATION:
            missing = shortfall(PACKED_LOCATION_COST[location], bonuses)
            lacking = colours_lacking(PACKED_LOCATION_COST[location], bonuses)
            for colour in range(COLOUR_COUNT):
                if (lacking >> 8 * colour) & 1 != 0:
                    worth[colour] += weights[Weight.LOCATION] / missing


@compiled
def _value(s: SplendorState, weights: Reals, seat: int, card: int, worth: Reals) -> float:
    """What a card is worth to a seat, in points, once it is recruited."""
    value = POINTS[card] + worth[BONUS[card]] + weights[Weight.AVENGER] * AVENGERS[card]
    if LEVEL[card] + 1 == TIME_STONE_LEVEL and s.tokens[seat, GREEN] == 0:
        value += weights[Weight.TIME_STONE]
    if AVENGERS[card] > 0 and brings_tile(s, seat, card):
        value += AVENGERS_POINTS
    return value


@compiled
def brings_tile(s: SplendorState, seat: int, card: int) -> bool:
    """SM-21."""
    symbols = s.avengers[seat] + AVENGERS[card]
    holder = s.avengers_tile
    if symbols < AVENGERS_NEEDED or holder == seat:
        return False
    return holder == NOBODY or symbols > s.avengers[holder]


@compiled
def outlook_of(weights: Reals, plans: Plans, means: int, grey: int, without: int) -> float:
    """The value of the best plans, each discounted for missing tokens; the card `without` does not count."""
    best, second, third = 0.0, 0.0, 0.0
    for i in range(plans.number):
        card = plans.cards[i]
        if card == without:
            continue
        value = plans.values[max(shortfall(PACKED_COST[card], means) - grey, 0), i]
        third = max(third, min(second, value))
        second = max(second, min(best, value))
        best = max(best, value)
    return (
        best + weights[Weight.SECOND_PLAN] * second + weights[Weight.THIRD_PLAN] * third + weights[Weight.GREY] * grey
    )
