"""How a good player plays Splendor: Marvel.

Do not collect tokens: plan purchases. Every card in sight has a value for you (its points; what its bonus will save
you; a colour that you still lack, the Time Stone, Avengers symbols, a step towards a location), and it is so many
tokens away. A plan is worth its value, discounted for every token that is still missing, and what you have is worth
your two or three best plans. So each action is judged by what it makes of your plans:

- recruit when the card gives more than the tokens would have brought elsewhere;
- take the tokens that bring the best plans nearer, and not more than ten;
- reserve what you need before somebody else takes it, or a card that somebody else is about to win with;
- pay with the tokens that your next plans do not need.

As the end comes near, points count for more and bonuses for less: there is no time left to use them.
"""

from enum import IntEnum
from math import exp

import numpy as np
from numpy.typing import NDArray

from tavolino.bots.choice import FIRST_OWN_HABIT, Numbers, Reals
from tavolino.bots.dispatch import register
from tavolino.engine.compiled import compiled
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
    GREY,
    LEVEL,
    LOCATION_POINTS,
    MOST_RESERVED,
    MOST_TOKENS,
    NO_CARD,
    NO_LOCATION,
    PACKED_COST,
    PACKED_LOCATION_COST,
    POINTS,
    POINTS_NEEDED,
    TIME_STONE_LEVEL,
    TOKEN_COUNT,
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
from tavolino.games.splendor_marvel.state import RECORD, SplendorState

PACKED_TAKEN = pack(TAKEN)
MOST_PLANS = FACE_UP + MOST_RESERVED


class Habit(IntEnum):
    BONUS = FIRST_OWN_HABIT  # what a bonus is worth at the start of the game, in points
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
    EAGERNESS = 17  # how much one point more multiplies the prospects, as a logarithm


# fmt: off
HABITS = {
    "medium": np.array([0.0, 0.0, 0.94, 0.32, 1.0, 0.28, 0.22, 1.72, 0.8, 0.07, 0.25, 0.05, 0.02, 1.0, 0.05, 2.2, 1.5, 0.42]),
    "easy": np.array([0.25, 0.6, 0.94, 0.0, 1.0, 0.28, 0.0, 0.0, 0.8, 0.0, 0.0, 0.05, 0.02, 1.0, 0.0, 2.2, 0.0, 0.42]),
}
# fmt: on
# Inside a search.
PLAYOUT = HABITS["medium"]
FINISH = 100.0  # to meet the Gauntlet condition is worth more than anything else


@compiled
def weigh(s: SplendorState, habits: Reals, actions: Numbers, n: int, scores: Reals) -> None:
    """What each action makes of the plans, in points."""
    me = np.int64(s.current)
    cards, values = np.empty(MOST_PLANS, np.int64), np.empty(MOST_PLANS)
    plans = _list_plans(s, habits, me, cards, values)
    means, grey = means_of(s, me), np.int64(s.tokens[me, GREY])
    held = _tokens_held(s, me)
    for i in range(n):
        action = np.int64(actions[i])
        if action < RESERVE:
            taken = _count_taken(action)
            score = _outlook(habits, cards, values, plans, means + PACKED_TAKEN[action], grey, NO_CARD)
            score += taken * habits[Habit.TOKEN] - habits[Habit.TOO_MANY] * max(held + taken - MOST_TOKENS, 0)
        elif action < RECRUIT:
            score = _after_reserve(s, habits, me, action, cards, values, plans, means, grey, held)
        elif action < PAY:
            score = _after_recruit(s, habits, me, action - RECRUIT, cards, values, plans, means, grey)
        elif action < RETURN:
            score = _after_payment(s, habits, me, action, cards, values, plans, means, grey)
        elif action < VISIT:
            score = _after_return(habits, action - RETURN, cards, values, plans, means, grey)
        elif action < PASS:
            score = _envy(s, me, action - VISIT)
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
def _tokens_held(s: SplendorState, seat: int) -> int:
    held = 0
    for token in range(TOKEN_COUNT):
        held += s.tokens[seat, token]
    return held


# -- plans


@compiled
def _list_plans(s: SplendorState, habits: Reals, seat: int, cards: NDArray[np.int64], values: Reals) -> int:
    """The cards that a seat can hope for, with their values: the rows, and its own reserved cards."""
    worth = np.empty(COLOUR_COUNT)
    _value_bonuses(s, habits, seat, worth)
    n = 0
    for at in range(s.n_face_up):
        cards[n] = s.face_up[at]
        values[n] = _value(s, habits, seat, cards[n], worth) * habits[Habit.RISK]
        n += 1
    for place in range(s.n_reserved[seat]):
        cards[n] = s.reserved[seat, place]
        values[n] = _value(s, habits, seat, cards[n], worth)
        n += 1
    return n


@compiled
def _value_bonuses(s: SplendorState, habits: Reals, seat: int, worth: Reals) -> None:
    """What one more bonus of each colour is worth to a seat, in points."""
    most = 0
    for other in range(s.players):
        most = max(most, s.points[other])
    time_left = max(0.0, 1.0 - habits[Habit.HASTE] * most / POINTS_NEEDED)
    bonuses = bonuses_of(s, seat)
    for colour in range(COLOUR_COUNT):
        had = s.bonuses[seat, colour]
        asking = 0
        for at in range(s.n_face_up):
            asking += COST[s.face_up[at], colour] > had
        value = time_left * (habits[Habit.BONUS] + habits[Habit.DEMAND] * asking)
        if had == 0:
            value += habits[Habit.LACKING]
        for place in range(s.players):
            location = s.locations[place]
            if location != NO_LOCATION:
                missing = shortfall(PACKED_LOCATION_COST[location], bonuses)
                if missing > 0 and shortfall(PACKED_LOCATION_COST[location], bonuses + (1 << 8 * colour)) < missing:
                    value += habits[Habit.LOCATION] / missing
        worth[colour] = value


@compiled
def _value(s: SplendorState, habits: Reals, seat: int, card: int, worth: Reals) -> float:
    """What a card is worth to a seat, in points, once it is recruited."""
    value = POINTS[card] + worth[BONUS[card]] + habits[Habit.AVENGER] * AVENGERS[card]
    if LEVEL[card] + 1 == TIME_STONE_LEVEL and s.tokens[seat, GREEN] == 0:
        value += habits[Habit.TIME_STONE]
    if AVENGERS[card] > 0 and _brings_tile(s, seat, card):
        value += AVENGERS_POINTS
    return value


@compiled
def _brings_tile(s: SplendorState, seat: int, card: int) -> bool:
    """SM-21."""
    symbols = s.avengers[seat] + AVENGERS[card]
    holder = s.avengers_tile
    if symbols < AVENGERS_NEEDED or holder == seat:
        return False
    return holder == NOBODY or symbols > s.avengers[holder]


@compiled
def _outlook(
    habits: Reals, cards: NDArray[np.int64], values: Reals, plans: int, means: int, grey: int, without: int
) -> float:
    """The best plans, each discounted for the tokens that it lacks; one card may be gone."""
    best, second, third = 0.0, 0.0, 0.0
    for i in range(plans):
        if cards[i] == without:
            continue
        plan = values[i]
        for _ in range(shortfall(PACKED_COST[cards[i]], means) - grey):
            plan *= habits[Habit.PATIENCE]
        if plan > best:
            best, second, third = plan, best, second
        elif plan > second:
            second, third = plan, second
        elif plan > third:
            third = plan
    return best + habits[Habit.SECOND_PLAN] * second + habits[Habit.THIRD_PLAN] * third + habits[Habit.GREY] * grey


# -- what actions make of them


@compiled
def _after_reserve(
    s: SplendorState,
    habits: Reals,
    me: int,
    action: int,
    cards: NDArray[np.int64],
    values: Reals,
    plans: int,
    means: int,
    grey: int,
    held: int,
) -> float:
    """The card is safe, and a grey token comes with it; a place in the hand is used up."""
    gained = 1 if s.bank[GREY] > 0 else 0
    score = -habits[Habit.TOO_MANY] * max(held + gained - MOST_TOKENS, 0)
    if action >= RESERVE_BLIND:
        return score + _outlook(habits, cards, values, plans, means, grey + gained, NO_CARD)
    card = action - RESERVE
    for i in range(plans):
        if cards[i] == card:
            at_risk = values[i]
            values[i] = at_risk / habits[Habit.RISK]
            score += _outlook(habits, cards, values, plans, means, grey + gained, NO_CARD)
            values[i] = at_risk
    for seat in range(s.players):
        if seat != me and shortfall(PACKED_COST[card], means_of(s, seat)) <= s.tokens[seat, GREY]:
            score += habits[Habit.DENY] * POINTS[card]
            if s.points[seat] + POINTS[card] >= POINTS_NEEDED:
                score += habits[Habit.DENY] * POINTS_NEEDED
    return score


@compiled
def _after_recruit(
    s: SplendorState,
    habits: Reals,
    me: int,
    card: int,
    cards: NDArray[np.int64],
    values: Reals,
    plans: int,
    means: int,
    grey: int,
) -> float:
    """The card's value at once, and the other plans with what is left: tokens fewer, one bonus more."""
    value = 0.0
    for i in range(plans):
        if cards[i] == card:
            value = values[i] if i >= s.n_face_up else values[i] / habits[Habit.RISK]
    for colour in range(COLOUR_COUNT):
        due = max(COST[card, colour] - s.bonuses[me, colour], 0)
        paid = min(due, s.tokens[me, colour])
        means -= np.int64(paid) << (8 * colour)
        value -= habits[Habit.TOKEN] * paid
        grey -= due - paid
    means += np.int64(1) << (8 * BONUS[card])
    if _finishes(s, me, card):
        value += FINISH
    return value + _outlook(habits, cards, values, plans, means, grey, card)


@compiled
def _finishes(s: SplendorState, me: int, card: int) -> bool:
    """Whether this card brings the Gauntlet condition (SM-30), with the tile and a location that come with it."""
    points = s.points[me] + POINTS[card]
    if _brings_tile(s, me, card):
        points += AVENGERS_POINTS
    bonuses = bonuses_of(s, me) + (np.int64(1) << (8 * BONUS[card]))
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
def _after_payment(
    s: SplendorState,
    habits: Reals,
    me: int,
    action: int,
    cards: NDArray[np.int64],
    values: Reals,
    plans: int,
    means: int,
    grey: int,
) -> float:
    """The other plans with what this payment leaves."""
    for colour in range(COLOUR_COUNT):
        means -= np.int64(s.payment[colour]) << (8 * colour)
    grey -= s.payment[GREY]
    if action >= GREY_FOR:
        means += np.int64(1) << (8 * (action - GREY_FOR))
        grey -= 1
    means += np.int64(1) << (8 * BONUS[s.paying_for])
    return _outlook(habits, cards, values, plans, means, grey, np.int64(s.paying_for))


@compiled
def _after_return(
    habits: Reals, token: int, cards: NDArray[np.int64], values: Reals, plans: int, means: int, grey: int
) -> float:
    if token == GREY:
        grey -= 1
    else:
        means -= np.int64(1) << (8 * token)
    return _outlook(habits, cards, values, plans, means, grey, NO_CARD)


@compiled
def _envy(s: SplendorState, me: int, location: int) -> float:
    """Of several locations take the one that another player is nearest to."""
    nearest = 0
    for seat in range(s.players):
        if seat != me:
            nearest = max(nearest, 16 - shortfall(PACKED_LOCATION_COST[location], bonuses_of(s, seat)))
    return np.float64(nearest)


# -- the whole table


@compiled
def worth(s: SplendorState, habits: Reals, values: Reals) -> None:
    """Each player's share of all prospects: points, bonuses and plans together."""
    cards, plan_values, bonus_worth = np.empty(MOST_PLANS, np.int64), np.empty(MOST_PLANS), np.empty(COLOUR_COUNT)
    total = 0.0
    for seat in range(s.players):
        plans = _list_plans(s, habits, seat, cards, plan_values)
        standing = s.points[seat] + _outlook(
            habits, cards, plan_values, plans, means_of(s, seat), np.int64(s.tokens[seat, GREY]), NO_CARD
        )
        _value_bonuses(s, habits, seat, bonus_worth)
        standing += _held_worth(s, habits, seat)
        values[seat] = exp(habits[Habit.EAGERNESS] * standing)
        total += values[seat]
    for seat in range(s.players):
        values[seat] /= total


@compiled
def _held_worth(s: SplendorState, habits: Reals, seat: int) -> float:
    """What a seat has beside points and plans, in points."""
    held = habits[Habit.AVENGER] * s.avengers[seat] + habits[Habit.TOKEN] * _tokens_held(s, seat)
    if s.tokens[seat, GREEN] > 0:
        held += habits[Habit.TIME_STONE]
    bonuses = bonuses_of(s, seat)
    for colour in range(COLOUR_COUNT):
        held += habits[Habit.BONUS] * s.bonuses[seat, colour]
        if s.bonuses[seat, colour] > 0:
            held += habits[Habit.LACKING]
    for place in range(s.players):
        if s.locations[place] != NO_LOCATION:
            held += habits[Habit.LOCATION] / (1 + shortfall(PACKED_LOCATION_COST[s.locations[place]], bonuses))
    return held


@compiled
def team(s: SplendorState, seat: int) -> int:
    """Everybody for themselves."""
    return seat


@compiled
def sight(s: SplendorState, viewer: int) -> int:
    """What chance has brought to light: the cards in the rows."""
    seen = 0
    for at in range(s.n_face_up):
        seen = (seen * 91 + s.face_up[at]) & 0x3FFFFFFF
    return seen


register(RECORD, weigh=weigh, worth=worth, team=team, sight=sight)
