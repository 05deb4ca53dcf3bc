"""Scores of actions, by how they change the plans."""

import numpy as np

from tavolino.engine.compiled import compiled, int64
from tavolino.engine.policy import Reals
from tavolino.engine.record import Numbers
from tavolino.games.splendor_marvel.facts import (
    AVENGERS_POINTS,
    BONUS,
    COLOUR_COUNT,
    COST,
    GREEN,
    GREY,
    LEVEL,
    LOCATION_POINTS,
    MOST_TOKENS,
    NO_CARD,
    NO_LOCATION,
    PACKED_COST,
    PACKED_LOCATION_COST,
    POINTS,
    POINTS_NEEDED,
    TIME_STONE_LEVEL,
    pack,
)
from tavolino.games.splendor_marvel.notation import (
    GREY_FOR,
    PASS,
    PAY,
    RECRUIT,
    RESERVE,
    RESERVE_BLIND,
    RETURN,
    TAKEN,
    VISIT,
)
from tavolino.games.splendor_marvel.payment import bonuses_of, means_of, shortfall
from tavolino.games.splendor_marvel.policy.plans import (
    MOST_MISSING,
    MOST_PLANS,
    Plans,
    brings_tile,
    discount,
    list_plans,
    outlook_of,
    tokens_held,
)
from tavolino.games.splendor_marvel.policy.weights import Weight
from tavolino.games.splendor_marvel.state import SplendorState

PACKED_TAKEN = pack(TAKEN)
FINISH = 100.0  # meeting the Gauntlet condition is worth more than anything else


@compiled
def score_actions(s: SplendorState, weights: Reals, actions: Numbers, n: int, scores: Reals) -> None:
    """The value of the plans after each action, in points."""
    me = int64(s.current)
    plans = list_plans(s, weights, me, np.empty(MOST_PLANS, np.int64), np.empty((MOST_MISSING + 1, MOST_PLANS)))
    means, grey = means_of(s, me), int64(s.tokens[me, GREY])
    held = tokens_held(s, me)
    more_grey = grey + (1 if s.bank[GREY] > 0 else 0)  # after any reservation
    reserving = outlook_of(weights, plans, means, more_grey, NO_CARD)
    for i in range(n):
        action = int64(actions[i])
        if action < RESERVE:
            taken = _count_taken(action)
            score = outlook_of(weights, plans, means + PACKED_TAKEN[action], grey, NO_CARD)
            score += taken * weights[Weight.TOKEN] - weights[Weight.TOO_MANY] * max(held + taken - MOST_TOKENS, 0)
        elif action < RECRUIT:
            score = _after_reserve(s, weights, me, action, plans, means, more_grey, held + more_grey - grey, reserving)
        elif action < PAY:
            score = _after_recruit(s, weights, me, action - RECRUIT, plans, means, grey)
        elif action < RETURN:
            score = _after_payment(s, weights, action, plans, means, grey)
        elif action < VISIT:
            score = _after_return(weights, action - RETURN, plans, means, grey)
        elif action < PASS:
            score = _nearest_rival(s, me, action - VISIT)
        else:
            score = 0.0
        scores[i] = score


@compiled
def _count_taken(take: int) -> int:
    taken = 0
    for colour in range(COLOUR_COUNT):
        taken += TAKEN[take, colour]
    return taken


@compiled
def _after_reserve(
    s: SplendorState,
    weights: Reals,
    me: int,
    action: int,
    plans: Plans,
    means: int,
    grey: int,
    held: int,
    outlook: float,
) -> float:
    """The card is safe, and it gives a grey token; it takes a place in the hand."""
    score = -weights[Weight.TOO_MANY] * max(held - MOST_TOKENS, 0)
    if action >= RESERVE_BLIND:
        return score + outlook
    card = action - RESERVE
    score += outlook if weights[Weight.RISK] == 1.0 else _safe_outlook(weights, plans, means, grey, card)
    for seat in range(s.players):
        if seat != me and shortfall(PACKED_COST[card], means_of(s, seat)) <= s.tokens[seat, GREY]:
            score += weights[Weight.DENY] * POINTS[card]
            if s.points[seat] + POINTS[card] >= POINTS_NEEDED:
                score += weights[Weight.DENY] * POINTS_NEEDED
    return score


@compiled
def _safe_outlook(weights: Reals, plans: Plans, means: int, grey: int, card: int) -> float:
    """The value of the plans if nobody else can take that card any more."""
    outlook = 0.0
    for i in range(plans.number):
        if plans.cards[i] == card:
            at_risk = plans.values[0, i]
            plans.values[0, i] = at_risk / weights[Weight.RISK]
            discount(weights, plans, i, i + 1)
            outlook = outlook_of(weights, plans, means, grey, NO_CARD)
            plans.values[0, i] = at_risk
            discount(weights, plans, i, i + 1)
    return outlook


@compiled
def _after_recruit(s: SplendorState, weights: Reals, me: int, card: int, plans: Plans, means: int, grey: int) -> float:
    """The card's value, and the value of the other plans with fewer tokens and one more bonus."""
    value = 0.0
    for i in range(plans.number):
        if plans.cards[i] == card:
            value = plans.values[0, i] if i >= s.n_face_up else plans.values[0, i] / weights[Weight.RISK]
    for colour in range(COLOUR_COUNT):
        due = max(COST[card, colour] - s.bonuses[me, colour], 0)
        paid = min(due, s.tokens[me, colour])
        means -= int64(paid) << (8 * colour)
        value -= weights[Weight.TOKEN] * paid
        grey -= due - paid
    means += int64(1) << (8 * BONUS[card])
    if _finishes(s, me, card):
        value += FINISH
    return value + outlook_of(weights, plans, means, grey, card)


@compiled
def _finishes(s: SplendorState, me: int, card: int) -> bool:
    """Whether this card fulfils the Gauntlet condition (SM-30), with the tile and a location that it gives."""
    points = s.points[me] + POINTS[card]
    if brings_tile(s, me, card):
        points += AVENGERS_POINTS
    bonuses = bonuses_of(s, me) + (int64(1) << (8 * BONUS[card]))
    for place in range(s.players):
        location = s.locations[place]
        if location != NO_LOCATION and shortfall(PACKED_LOCATION_COST[location], bonuses) == 0:
            points += LOCATION_POINTS
            break
    if points < POINTS_NEEDED or (s.tokens[me, GREEN] == 0 and LEVEL[card] + 1 < TIME_STONE_LEVEL):
        return False
    for colour in range(COLOUR_COUNT):
        if s.bonuses[me, colour] == 0 and BONUS[card] != colour:
            return False
    return True


@compiled
def _after_payment(s: SplendorState, weights: Reals, action: int, plans: Plans, means: int, grey: int) -> float:
    """The value of the other plans with the tokens that this payment leaves."""
    for colour in range(COLOUR_COUNT):
        means -= int64(s.payment[colour]) << (8 * colour)
    grey -= s.payment[GREY]
    if action >= GREY_FOR:
        means += int64(1) << (8 * (action - GREY_FOR))
        grey -= 1
    means += int64(1) << (8 * BONUS[s.paying_for])
    return outlook_of(weights, plans, means, grey, int64(s.paying_for))


@compiled
def _after_return(weights: Reals, token: int, plans: Plans, means: int, grey: int) -> float:
    if token == GREY:
        grey -= 1
    else:
        means -= int64(1) << (8 * token)
    return outlook_of(weights, plans, means, grey, NO_CARD)


@compiled
def _nearest_rival(s: SplendorState, me: int, location: int) -> float:
    """Prefer the location that another player is nearest to."""
    nearest = 0
    for seat in range(s.players):
        if seat != me:
            nearest = max(nearest, 16 - shortfall(PACKED_LOCATION_COST[location], bonuses_of(s, seat)))
    return np.float64(nearest)
