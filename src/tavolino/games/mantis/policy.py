"""The heuristic of Mantis.

Everything is public except the top card, of which players see the three colours on its back. Each back belongs to three
cards, so at most three cards are possible. For every action the heuristic turns each of them, and evaluates the table
that follows:

- A card in the score pile is safe. A card in the tank is worth less: it scores when the player turns its colour, and is
  lost when somebody who steals does.
- The number of colours counts too: with more colours in the tank the next card matches more often.
- Points count by how close they are to the goal, compared with the other players, so it is best to steal from the one
  who is nearest. The chance to win is estimated as the player's share of everybody's prospects, which grow by the same
  factor with each card.
"""

from enum import IntEnum

import numpy as np

from tavolino.engine.arithmetic import exp
from tavolino.engine.compiled import compiled, inlined, int64
from tavolino.engine.knowledge import count
from tavolino.engine.policy import FIRST_OWN_WEIGHT, Policy, Reals, SearchSettings
from tavolino.engine.record import Numbers, next_seat
from tavolino.games.mantis.facts import (
    BACK,
    COLOUR_COUNT,
    FRONT,
    ICON,
    MOST_PLAYERS,
    NO_CARD,
    PLAYERS,
    Icon,
)
from tavolino.games.mantis.notation import END_TURN, SCORE, STEAL, TAKE
from tavolino.games.mantis.state import RECORD, MantisState

BACK_COUNT = int(BACK.max()) + 1
CARDS_PER_BACK = 3
UNKNOWN = -1.0  # not computed yet
CARDS_OF_BACK = np.array([np.flatnonzero(np.equal(BACK, back)) for back in range(BACK_COUNT)], dtype=np.int32)


class Weight(IntEnum):
    COUNTS_CARDS = FIRST_OWN_WEIGHT  # 1: remembers which of the cards with this back are gone, and their icons
    IN_TANK = 3  # what a card in a tank is worth, in cards of the score pile
    COLOUR = 4  # what one more colour in a tank is worth
    EAGERNESS = 5  # how much one card more multiplies the prospects, as a logarithm
    MOVES_NEXT = 6  # what it is worth to have the next turn
    ANOTHER_TURN = 7  # what one more turn of one's own is worth
    WINS_NEXT = 8  # the extra value of a stack that would reach the goal when it scores
    FRESH_CARD = 9  # what it is worth to leave this top card to the other player and have the next one (MA-41)


WEIGHTS = {
    "medium": np.array([0.0, 0.0, 1.0, 0.34, 0.06, 0.49, 0.05, 1.2, 0.5, 1.7]),
    "easy": np.array([0.2, 0.05, 0.0, 0.34, 0.06, 0.49, 0.0, 0.0, 0.0, 0.0]),
}


class Sign(IntEnum):
    """The terms of `evaluate`, as logarithms of prospects, fitted to the results of games between `medium` bots."""

    POINT = 0
    CARD = 1  # in the tank
    POINT_AND_CARD = 2  # their product: near the goal cards count for less
    WAIT = 3  # the share of a round before the player's turn
    WINS = 4  # a stack that reaches the goal when it scores
    WINS_SOON = 5  # ... more if the turn comes sooner


# fmt: off
SIGNS = np.array([
    [0.25, 0.06, -0.003, -0.34, -0.02, 0.38],  # 2 players
    [0.43, 0.16, -0.013, -0.50, 0.06, 0.35],
    [0.39, 0.14, -0.014, -0.46, 0.08, 0.37],
    [0.37, 0.11, -0.012, -0.44, 0.07, 0.42],
    [0.33, 0.09, -0.009, -0.45, 0.06, 0.43],
])
# fmt: on
FEWEST = PLAYERS.start


@inlined
def _stack(s: MantisState, weights: Reals, score: int, held: int) -> float:
    """The value of a stack for a player with this score, in cards of the score pile.

    Both results are computed before one is selected: unpredictable branches would cost more.
    """
    worth, last = weights[Weight.COLOUR] + held * weights[Weight.IN_TANK], weights[Weight.WINS_NEXT]
    worth += last if score + held + 1 >= s.goal else 0.0
    return worth if held > 0 else 0.0


@compiled
def _standing(s: MantisState, weights: Reals, seat: int, score: int) -> float:
    """A player's standing, in cards of the score pile."""
    standing = np.float64(score)
    for colour in range(COLOUR_COUNT):
        standing += _stack(s, weights, score, s.tank[seat, colour])
    return standing


@compiled
def _prospects(weights: Reals, standing: float) -> float:
    return exp(weights[Weight.EAGERNESS] * standing)


@compiled
def _estimate_all(s: MantisState, weights: Reals, mover: int, standings: Reals, prospects: Reals) -> float:
    """Everybody's standing and prospects, and the sum of the prospects of all but the player whose turn it is."""
    others = 0.0
    for seat in range(s.players):
        standings[seat] = _standing(s, weights, seat, s.score[seat])
        if seat == mover:
            standings[seat] += weights[Weight.MOVES_NEXT]
        prospects[seat] = _prospects(weights, standings[seat])
        if seat != s.current:
            others += prospects[seat]
    return others


@compiled
def score_actions(s: MantisState, weights: Reals, actions: Numbers, n: int, scores: Reals) -> None:
    """The chance to win after each action, as a sum over the cards that the top card can be.

    The sums are comparable: every action is judged over the same cards.
    """
    me = int64(s.current)
    table = np.empty((2, MOST_PLAYERS))
    standings, prospects = table[0], table[1]
    others = _estimate_all(s, weights, next_seat(s, me), standings, prospects)
    if actions[0] >= TAKE:
        for i in range(n):
            scores[i] = _after_take(s, weights, int64(actions[i] - TAKE), standings, prospects, others)
        return
    can_be = _possible_top_cards(s, weights)
    for i in range(n):
        if actions[i] == SCORE:
            scores[i] = _after_score(s, weights, me, can_be, standings, others)
        elif actions[i] == END_TURN:
            scores[i] = _after_end_turn(s, weights, can_be, standings, prospects)
        else:
            victim = int64(actions[i] - STEAL)
            scores[i] = _after_steal(s, weights, me, victim, can_be, standings, prospects, others)


@compiled
def _possible_top_cards(s: MantisState, weights: Reals) -> int:
    """The possible top cards: a bit for each place in the row of CARDS_OF_BACK."""
    can_be = 0
    for nth in range(CARDS_PER_BACK):
        if weights[Weight.COUNTS_CARDS] == 0.0 or _is_undrawn(s, CARDS_OF_BACK[BACK[s.top], nth]):
            can_be |= 1 << nth
    return can_be


@compiled
def _is_undrawn(s: MantisState, card: int) -> bool:
    found = s.top == card
    for at in range(s.pile_size):
        found |= s.pile[at] == card  # no early exit, so that the compiler can vectorise the loop
    return found


@compiled
def _after_score(s: MantisState, weights: Reals, me: int, can_be: int, standings: Reals, others: float) -> float:
    total, without_match = 0.0, UNKNOWN
    for nth in range(CARDS_PER_BACK):
        if (can_be >> nth) & 1 == 0:
            continue
        colour = FRONT[CARDS_OF_BACK[BACK[s.top], nth]]
        if s.tank[me, colour] > 0:
            total += _after_matching_score(s, weights, me, colour, others)
            continue
        if without_match == UNKNOWN:  # the same for every colour
            prospects = _prospects(weights, standings[me] + _stack(s, weights, s.score[me], 1))
            without_match = prospects / (prospects + others)
        total += without_match
    return total


@compiled
def _after_matching_score(s: MantisState, weights: Reals, me: int, colour: int, others: float) -> float:
    there = s.tank[me, colour]
    score = s.score[me] + there + 1
    if score >= s.goal:
        return 1.0
    prospects = _prospects(weights, _standing(s, weights, me, score) - _stack(s, weights, score, there))
    return prospects / (prospects + others)


@compiled
def _after_steal(
    s: MantisState,
    weights: Reals,
    me: int,
    victim: int,
    can_be: int,
    standings: Reals,
    prospects: Reals,
    others: float,
) -> float:
    total, without_match = 0.0, UNKNOWN
    for nth in range(CARDS_PER_BACK):
        if (can_be >> nth) & 1 == 0:
            continue
        card = CARDS_OF_BACK[BACK[s.top], nth]
        if s.tank[victim, FRONT[card]] > 0:
            total += _after_matching_steal(s, weights, me, victim, card, standings, prospects, others)
            continue
        if without_match == UNKNOWN:
            theirs = _prospects(weights, standings[victim] + _stack(s, weights, s.score[victim], 1))
            without_match = _share(prospects[me], theirs, prospects[victim], others)
        total += without_match
    return total


@compiled
def _after_matching_steal(
    s: MantisState,
    weights: Reals,
    me: int,
    victim: int,
    card: int,
    standings: Reals,
    prospects: Reals,
    others: float,
) -> float:
    colour = FRONT[card]
    there = s.tank[victim, colour]
    icon = Icon.NONE.value
    if s.icons == 1 and s.players > 2 and weights[Weight.COUNTS_CARDS] > 0.0:
        icon = ICON[card]
    score, mine, held = s.score[me], standings[me], s.tank[me, colour]
    if icon == Icon.SCORE_AND_STEAL:
        score += there + 1
        mine += there + 1
    else:
        mine += _stack(s, weights, score, held + there + 1) - _stack(s, weights, score, held)
        if icon == Icon.STEAL_A_CARD:
            score += 1
            mine += 1
    if score >= s.goal:
        return 1.0
    if icon == Icon.ANOTHER_TURN or s.players == 2:
        mine += weights[Weight.ANOTHER_TURN]
    theirs = _prospects(weights, standings[victim] - _stack(s, weights, s.score[victim], there))
    return _share(_prospects(weights, mine), theirs, prospects[victim], others)


@compiled
def _after_end_turn(s: MantisState, weights: Reals, can_be: int, standings: Reals, prospects: Reals) -> float:
    """The other player uses this top card as is best for them; then the next card is mine."""
    me = int64(s.current)
    other = next_seat(s, me)
    mine = _prospects(weights, standings[me] + weights[Weight.FRESH_CARD])
    by_score = _after_score(s, weights, other, can_be, standings, mine)
    by_steal = _after_steal(s, weights, other, me, can_be, standings, prospects, mine)
    return count(can_be) - max(by_score, by_steal)


@compiled
def _after_take(
    s: MantisState, weights: Reals, victim: int, standings: Reals, prospects: Reals, others: float
) -> float:
    me = s.current
    if s.score[me] + 1 >= s.goal:
        return 1.0
    theirs = _prospects(weights, standings[victim] - 1.0)
    return _share(_prospects(weights, standings[me] + 1), theirs, prospects[victim], others)


@compiled
def _share(mine: float, theirs: float, theirs_before: float, others: float) -> float:
    """My share of all prospects, when those of one other player have changed."""
    others += theirs - theirs_before
    return mine / (mine + others)


@compiled
def evaluate(s: MantisState, values: Reals) -> None:
    """Each player's share of all prospects."""
    signs = SIGNS[s.players - FEWEST]
    total = 0.0
    for seat in range(s.players):
        values[seat] = exp(_log_prospects(s, signs, seat))
        total += values[seat]
    for seat in range(s.players):
        values[seat] /= total


@compiled
def _log_prospects(s: MantisState, signs: Reals, seat: int) -> float:
    wait = ((seat - s.current + s.players) % s.players) / s.players
    score, cards, winning = s.score[seat], 0, 0
    for colour in range(COLOUR_COUNT):
        held = s.tank[seat, colour]
        cards += held
        winning += held > 0 and score + held + 1 >= s.goal
    prospects = signs[Sign.POINT] * score + signs[Sign.CARD] * cards + signs[Sign.POINT_AND_CARD] * score * cards
    prospects += signs[Sign.WAIT] * wait + winning * (signs[Sign.WINS] + signs[Sign.WINS_SOON] * (1.0 - wait))
    return prospects


@compiled
def information_key(s: MantisState, viewer: int) -> int:
    """Everything public: the back on top, tanks and score piles."""
    seen = 0 if s.top == NO_CARD else 1 + BACK[s.top]
    for seat in range(s.players):
        seen = seen * 31 + s.score[seat]
        for colour in range(COLOUR_COUNT):
            seen = (seen * 17 + s.tank[seat, colour]) & 0x3FFFFFFF
    return seen


POLICY = Policy(
    record=RECORD,
    weights=WEIGHTS,
    score_actions=score_actions,
    evaluate=evaluate,
    information_key=information_key,
    search=SearchSettings(
        iterations=30_000,
        exploration=0.15,
        depth=1,
        widening=10.0,
        playout=8,
        random_percent=0,
        by_information=True,
        informed=0,
        opponents_search=False,
        margin=1.0,
        common_worlds=True,
    ),
)
