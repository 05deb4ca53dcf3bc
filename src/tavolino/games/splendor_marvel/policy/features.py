"""The numbers by which the net of Splendor: Marvel knows a seat: what it has, what its rivals have, and its plans.

All are about 0 to 1. For each card that the seat can aim for: how many tokens are missing, what it brings, and how many
its nearest rival is missing. The last input is the prospect of `evaluate`, which the net corrects.
"""

import numpy as np

from tavolino.engine.compiled import compiled, int64
from tavolino.engine.net import Floats, NetShape
from tavolino.engine.record import NOBODY
from tavolino.games.splendor_marvel.facts import (
    AVENGERS,
    BONUS,
    COLOUR_COUNT,
    GREEN,
    GREY,
    LEVEL,
    NO_LOCATION,
    PACKED_COST,
    PACKED_LOCATION_COST,
    POINTS,
    POINTS_NEEDED,
)
from tavolino.games.splendor_marvel.payment import bonuses_of, means_of, shortfall
from tavolino.games.splendor_marvel.policy.evaluation import LATE, WORTH, Worth, belongings, outlook_for
from tavolino.games.splendor_marvel.policy.plans import MOST_MISSING, MOST_PLANS, tokens_held
from tavolino.games.splendor_marvel.state import SplendorState

# The places of the inputs of a seat as a whole.
BONUSES, TOKENS, HAVE = 3, 8, 13  # from here on, one for each colour; then what it has
PLACE, RIVALS, OUTLOOK = 23, 31, 39
WHOLE, PER_CARD = 44, 13
SHAPE = NetShape(WHOLE, MOST_PLANS, PER_CARD)
INPUTS = SHAPE.inputs
FAR = 9  # tokens or bonuses: nobody is that near


@compiled
def features(s: SplendorState, inputs: Floats) -> None:
    cards, values = np.empty(MOST_PLANS, np.int64), np.empty((MOST_MISSING + 1, MOST_PLANS))
    for seat in range(s.players):
        x = inputs[seat]
        for i in range(INPUTS):
            x[i] = 0.0
        outlook = outlook_for(s, seat, cards, values)
        _describe_seat(s, seat, x)
        _describe_place(s, seat, x)
        _compare_with_rivals(s, seat, x)
        x[OUTLOOK] = outlook / 5.0
        for i in range(s.n_face_up):
            _describe_card(s, seat, int64(s.face_up[i]), False, x, WHOLE + PER_CARD * i)
        for i in range(s.n_reserved[seat]):
            _describe_card(s, seat, int64(s.reserved[seat, i]), True, x, WHOLE + PER_CARD * (s.n_face_up + i))
        x[INPUTS - 1] = WORTH[Worth.OUTLOOK] * outlook + belongings(s, seat)


@compiled
def _count_bonuses(s: SplendorState, seat: int) -> tuple[int, int]:
    """How many bonuses a seat has, and of how many colours."""
    total, colours = int64(0), int64(0)
    for colour in range(COLOUR_COUNT):
        total += s.bonuses[seat, colour]
        colours += 1 if s.bonuses[seat, colour] > 0 else 0
    return total, colours


@compiled
def _describe_seat(s: SplendorState, seat: int, x: Floats) -> None:
    points = int64(s.points[seat])
    total, colours = _count_bonuses(s, seat)
    is_ready = colours == COLOUR_COUNT and s.tokens[seat, GREEN] > 0  # only points are missing (SM-30)
    x[0] = points / POINTS_NEEDED
    x[1] = max(points - LATE, 0) / 6.0
    x[2] = 1.0 if points >= POINTS_NEEDED else 0.0
    for colour in range(COLOUR_COUNT):
        x[BONUSES + colour] = s.bonuses[seat, colour] / 4.0
        x[TOKENS + colour] = s.tokens[seat, colour] / 4.0
    x[HAVE] = s.tokens[seat, GREY] / 3.0
    x[HAVE + 1] = 1.0 if s.tokens[seat, GREEN] > 0 else 0.0
    x[HAVE + 2] = total / 10.0
    x[HAVE + 3] = 1.0 if colours == COLOUR_COUNT else 0.0
    x[HAVE + 4] = colours / 5.0
    x[HAVE + 5] = tokens_held(s, seat) / 10.0
    x[HAVE + 6] = s.avengers[seat] / 4.0
    x[HAVE + 7] = s.n_reserved[seat] / 3.0
    x[HAVE + 8] = 1.0 if is_ready else 0.0
    x[HAVE + 9] = max(POINTS_NEEDED - points, 0) / POINTS_NEEDED if is_ready else 0.0


@compiled
def _describe_place(s: SplendorState, seat: int, x: Floats) -> None:
    """When the seat moves, who holds the tile, and how far the nearest locations are."""
    wait = (seat - s.current + s.players) % s.players
    x[PLACE] = 1.0 if wait == 0 else 0.0
    x[PLACE + 1] = wait / s.players
    x[PLACE + 2] = ((seat - s.first + s.players) % s.players) / s.players
    x[PLACE + 3] = s.round_number / 25.0
    x[PLACE + 4] = 1.0 if s.avengers_tile == seat else 0.0
    x[PLACE + 5] = 1.0 if s.avengers_tile == NOBODY else 0.0
    bonuses = bonuses_of(s, seat)
    best, second = int64(FAR), int64(FAR)
    for place in range(s.players):
        if s.locations[place] != NO_LOCATION:
            missing = shortfall(PACKED_LOCATION_COST[s.locations[place]], bonuses)
            second = max(best, min(second, missing))
            best = min(best, missing)
    x[PLACE + 6] = 1.0 / (1 + best)
    x[PLACE + 7] = 1.0 / (1 + second)


@compiled
def _compare_with_rivals(s: SplendorState, seat: int, x: Floats) -> None:
    """The most that any rival has."""
    points, bonuses, colours, avengers, stone = int64(0), int64(0), int64(0), int64(0), int64(0)
    for other in range(s.players):
        if other != seat:
            total, of_colours = _count_bonuses(s, other)
            points, bonuses = max(points, s.points[other]), max(bonuses, total)
            colours, avengers = max(colours, of_colours), max(avengers, s.avengers[other])
            stone = max(stone, s.tokens[other, GREEN])
    x[RIVALS] = points / POINTS_NEEDED
    x[RIVALS + 1] = max(points - LATE, 0) / 6.0
    x[RIVALS + 2] = bonuses / 10.0
    x[RIVALS + 3] = 1.0 if colours == COLOUR_COUNT else 0.0
    x[RIVALS + 4] = avengers / 4.0
    x[RIVALS + 5] = 1.0 if stone > 0 else 0.0
    x[RIVALS + 6] = x[0] - x[RIVALS]
    x[RIVALS + 7] = x[HAVE + 2] - x[RIVALS + 2]
    x[OUTLOOK + 1] = s.bank[GREY] / 5.0
    x[OUTLOOK + 2] = 1.0 if colours == COLOUR_COUNT and stone > 0 else 0.0


@compiled
def _describe_card(s: SplendorState, seat: int, card: int, is_reserved: bool, x: Floats, at: int) -> None:
    cost = PACKED_COST[card]
    missing = max(shortfall(cost, means_of(s, seat)) - s.tokens[seat, GREY], 0)
    rival = int64(FAR)
    if not is_reserved:
        for other in range(s.players):
            if other != seat:
                rival = min(rival, max(shortfall(cost, means_of(s, other)) - s.tokens[other, GREY], 0))
    x[at] = 1.0
    x[at + 1] = 1.0 / (1 + missing)
    x[at + 2] = missing / 6.0
    x[at + 3] = shortfall(cost, bonuses_of(s, seat)) / 6.0
    x[at + 4] = POINTS[card] / 5.0
    x[at + 5] = 1.0 if LEVEL[card] == 2 else 0.0
    x[at + 6] = 1.0 if LEVEL[card] == 0 else 0.0
    x[at + 7] = 1.0 if s.bonuses[seat, BONUS[card]] == 0 else 0.0
    x[at + 8] = AVENGERS[card] / 2.0
    x[at + 9] = 1.0 if is_reserved else 0.0
    x[at + 10] = 1.0 / (1 + rival)
    x[at + 11] = 1.0 if missing == 0 and s.points[seat] + POINTS[card] >= POINTS_NEEDED else 0.0
    x[at + 12] = 1.0 if LEVEL[card] == 2 and s.tokens[seat, GREEN] == 0 else 0.0
