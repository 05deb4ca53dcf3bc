"""The numbers by which the net of Splendor: Marvel knows a seat: what it has, what its rivals have, and its plans.

All are about 0 to 1. For each card that the seat can aim for: how many tokens are missing, what it brings, and how many
its nearest rival is missing. Of the seat and its nearest rival: how many tokens are missing for a card that ends the
game. The last input is the prospect of `evaluate`, which the net corrects.
"""

import numpy as np
from numpy.typing import NDArray

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
    MOST_PLAYERS,
    NO_LOCATION,
    PACKED_COST,
    PACKED_LOCATION_COST,
    POINTS,
    POINTS_NEEDED,
    TIME_STONE_LEVEL,
)
from tavolino.games.splendor_marvel.payment import bonuses_of, shortfall
from tavolino.games.splendor_marvel.policy.evaluation import LATE, WORTH, Worth, belongings, new_prospects, outlook_for
from tavolino.games.splendor_marvel.policy.plans import MOST_MISSING, MOST_PLANS, tokens_held
from tavolino.games.splendor_marvel.state import SplendorState

# The places of the inputs of a seat as a whole.
BONUSES, TOKENS, HAVE = 3, 8, 13  # from here on, one for each colour; then what it has
PLACE, RIVALS, OUTLOOK = 23, 31, 39
WHOLE, PER_CARD = 44, 13
SHAPE = NetShape(WHOLE, MOST_PLANS, PER_CARD, features=2)
INPUTS = SHAPE.inputs
FAR = 9  # tokens or bonuses: nobody is that near
# Of a card, the inputs that depend on it alone, and quotients by counts: from tables, because a division takes long.
CARDS = np.column_stack((POINTS / 5.0, LEVEL == 2, LEVEL == 0, AVENGERS / 2.0)).astype(np.float32)
_COUNTS = np.arange(max(MOST_MISSING, FAR) + 1)
NEAR, SIXTHS = (1.0 / (1 + _COUNTS)).astype(np.float32), (_COUNTS / 6.0).astype(np.float32)
# What is counted for each seat, after the missing tokens of each plan.
TOTAL, COLOURS, FINISH, COUNTED = MOST_PLANS, MOST_PLANS + 1, MOST_PLANS + 2, MOST_PLANS + 3


@compiled
def features(s: SplendorState, inputs: Floats) -> None:
    prospects, counts = new_prospects(), np.empty((MOST_PLAYERS, COUNTED), np.int64)
    for seat in range(s.players):
        x, own = inputs[seat], counts[seat]
        own[TOTAL], own[COLOURS] = _count_bonuses(s, seat)
        outlook = outlook_for(s, seat, prospects)
        own[FINISH] = FAR
        for i in range(s.n_face_up + s.n_reserved[seat]):
            own[i] = prospects.missing[i]
            if own[i] < own[FINISH] and _could_finish(s, seat, int64(prospects.cards[i]), int64(own[COLOURS])):
                own[FINISH] = own[i]
        x[OUTLOOK] = outlook / 5.0
        x[INPUTS - 1] = WORTH[Worth.OUTLOOK] * outlook + belongings(s, seat)
    for seat in range(s.players):
        x, own = inputs[seat], counts[seat]
        bonuses = bonuses_of(s, seat)
        _describe_seat(s, seat, int64(own[TOTAL]), int64(own[COLOURS]), x)
        _describe_place(s, seat, bonuses, x)
        _compare_with_rivals(s, seat, counts, x)
        n = s.n_face_up + s.n_reserved[seat]
        for i in range(s.n_face_up):
            rival = int64(FAR)
            for other in range(s.players):
                if other != seat:
                    rival = min(rival, counts[other, i])
            at = WHOLE + PER_CARD * i
            _describe_card(s, seat, int64(s.face_up[i]), bonuses, int64(own[i]), rival, x[at : at + PER_CARD])
            x[at + 9] = 0.0
        for i in range(s.n_face_up, n):
            card = int64(s.reserved[seat, i - s.n_face_up])
            at = WHOLE + PER_CARD * i
            _describe_card(s, seat, card, bonuses, int64(own[i]), FAR, x[at : at + PER_CARD])
            x[at + 9] = 1.0
        for i in range(WHOLE + PER_CARD * n, INPUTS - 1):
            x[i] = 0.0


@compiled
def _count_bonuses(s: SplendorState, seat: int) -> tuple[int, int]:
    """How many bonuses a seat has, and of how many colours."""
    total, colours = int64(0), int64(0)
    for colour in range(COLOUR_COUNT):
        total += s.bonuses[seat, colour]
        colours += 1 if s.bonuses[seat, colour] > 0 else 0
    return total, colours


@compiled
def _could_finish(s: SplendorState, seat: int, card: int, colours: int) -> bool:
    """Whether this card alone fulfils the Gauntlet condition (SM-30), tiles left aside."""
    if s.points[seat] + POINTS[card] < POINTS_NEEDED:
        return False
    if s.tokens[seat, GREEN] == 0 and LEVEL[card] + 1 < TIME_STONE_LEVEL:
        return False
    return colours + (1 if s.bonuses[seat, BONUS[card]] == 0 else 0) == COLOUR_COUNT


@compiled
def _describe_seat(s: SplendorState, seat: int, total: int, colours: int, x: Floats) -> None:
    points = int64(s.points[seat])
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
def _describe_place(s: SplendorState, seat: int, bonuses: int, x: Floats) -> None:
    """When the seat moves, who holds the tile, and how far the nearest locations are."""
    wait = (seat - s.current + s.players) % s.players
    x[PLACE] = 1.0 if wait == 0 else 0.0
    x[PLACE + 1] = wait / s.players
    x[PLACE + 2] = ((seat - s.first + s.players) % s.players) / s.players
    x[PLACE + 3] = s.round_number / 25.0
    x[PLACE + 4] = 1.0 if s.avengers_tile == seat else 0.0
    x[PLACE + 5] = 1.0 if s.avengers_tile == NOBODY else 0.0
    best, second = int64(FAR), int64(FAR)
    for place in range(s.players):
        if s.locations[place] != NO_LOCATION:
            missing = shortfall(PACKED_LOCATION_COST[s.locations[place]], bonuses)
            second = max(best, min(second, missing))
            best = min(best, missing)
    x[PLACE + 6] = NEAR[best]
    x[PLACE + 7] = NEAR[second]


@compiled
def _compare_with_rivals(s: SplendorState, seat: int, counts: NDArray[np.int64], x: Floats) -> None:
    """The most that any rival has."""
    points, bonuses, colours, avengers, stone = int64(0), int64(0), int64(0), int64(0), int64(0)
    finish = int64(FAR)
    for other in range(s.players):
        if other != seat:
            points, bonuses = max(points, s.points[other]), max(bonuses, counts[other, TOTAL])
            colours, avengers = max(colours, counts[other, COLOURS]), max(avengers, s.avengers[other])
            stone, finish = max(stone, s.tokens[other, GREEN]), min(finish, counts[other, FINISH])
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
    x[OUTLOOK + 3], x[OUTLOOK + 4] = NEAR[counts[seat, FINISH]], NEAR[finish]


@compiled
def _describe_card(s: SplendorState, seat: int, card: int, bonuses: int, missing: int, rival: int, x: Floats) -> None:
    """All inputs of a card but whether it is reserved."""
    facts = CARDS[card]
    x[0] = 1.0
    x[1] = NEAR[missing]
    x[2] = SIXTHS[missing]
    x[3] = SIXTHS[shortfall(PACKED_COST[card], bonuses)]
    x[4], x[5], x[6], x[8] = facts[0], facts[1], facts[2], facts[3]
    x[7] = 1.0 if s.bonuses[seat, BONUS[card]] == 0 else 0.0
    x[10] = NEAR[rival]
    x[11] = 1.0 if missing == 0 and s.points[seat] + POINTS[card] >= POINTS_NEEDED else 0.0
    x[12] = 1.0 if LEVEL[card] == 2 and s.tokens[seat, GREEN] == 0 else 0.0
