"""Odds in Infinity Gauntlet: the probabilities of hidden cards.

For each hidden card there is a set of cards that it can still be: from fights and looks, from wrong guesses, and from
the defeats of others. All cards of such a set are assumed to be equally likely.
"""

import numpy as np

from tavolino.engine.chance import draw
from tavolino.engine.compiled import compiled
from tavolino.engine.knowledge import count
from tavolino.engine.policy import THOUSAND, Reals
from tavolino.games.infinity_gauntlet.facts import (
    HERO_CARDS,
    HEROES,
    HIGHEST_HERO,
    HIGHEST_THANOS,
    MOST_PLAYERS,
    OF_NUMBER,
    OUTRIDER_BIT,
    OUTRIDERS,
    THANOS,
    THANOS_CARDS,
    TOKEN_BONUS,
)
from tavolino.games.infinity_gauntlet.knowledge import outriders_shown, recall
from tavolino.games.infinity_gauntlet.policy.weights import Weight
from tavolino.games.infinity_gauntlet.state import GauntletState

# The rows of a table of odds: for each seat, the probability that a random card of that hand has a number; the last row
# is the probability that the hand of Thanos holds a number at all.
THANOS_HOLDS = MOST_PLAYERS


@compiled
def estimate(s: GauntletState, weights: Reals, me: int) -> Reals:
    """The table of odds for one player."""
    odds = np.zeros((MOST_PLAYERS + 1, HIGHEST_THANOS + 1))
    does_remember = _remembers(s, weights)
    if does_remember:
        recall(s, me)
    copies_of_outrider = OUTRIDERS - outriders_shown(s)
    hidden_heroes, hidden_thanos = _unseen(s, me, copies_of_outrider)
    for number in range(1, HIGHEST_THANOS + 1):
        odds[THANOS_HOLDS, number] = 1.0
    for seat in range(s.players):
        for place in range(s.hand_size[seat]):
            cards = hidden_thanos if seat == s.thanos else hidden_heroes
            if seat == me:
                cards = 1 << s.hand[me, place]
            elif does_remember:
                cards = s.hand_can[me, seat, place] + 0
            _add_place(odds, seat, seat == s.thanos, s.hand_size[seat] + 0, cards, copies_of_outrider)
    for number in range(1, HIGHEST_THANOS + 1):
        odds[THANOS_HOLDS, number] = 1.0 - odds[THANOS_HOLDS, number]
    return odds


@compiled
def _remembers(s: GauntletState, weights: Reals) -> bool:
    """Whether the player uses, for this decision, what was seen and ruled out; never in a quiet world."""
    if s.quiet != 0:
        return False
    if weights[Weight.REMEMBERS] >= 1.0:
        return True
    return weights[Weight.REMEMBERS] > 0.0 and draw(s, THOUSAND) < weights[Weight.REMEMBERS] * THOUSAND


@compiled
def _unseen(s: GauntletState, me: int, copies_of_outrider: int) -> tuple[int, int]:
    """The cards of both sides that are neither face up nor in one's own hand."""
    heroes, thanos = HERO_CARDS & ~s.shown, THANOS_CARDS & ~s.shown
    if copies_of_outrider > 0:
        thanos |= OUTRIDER_BIT
    if me != s.thanos:
        for i in range(s.hand_size[me]):
            heroes &= ~(1 << s.hand[me, i])
    return heroes, thanos


@compiled
def _add_place(odds: Reals, seat: int, is_thanos: bool, size: int, cards: int, copies_of_outrider: int) -> None:
    """Add a card of a hand, from a set; there are two Outriders unless one is out."""
    twice = 1 if copies_of_outrider == OUTRIDERS and cards & OUTRIDER_BIT != 0 and cards != OUTRIDER_BIT else 0
    total = count(cards) + twice
    for number in range(1, HIGHEST_THANOS + 1):
        fitting = count(cards & OF_NUMBER[number])
        if number == 1:
            fitting += twice
        chance = fitting / total
        odds[seat, number] += chance / size
        if is_thanos:
            odds[THANOS_HOLDS, number] *= 1.0 - chance


@compiled
def best_number(odds: Reals, row: int) -> float:
    """The chance of the likeliest number of a row."""
    best = 0.0
    for number in range(1, HIGHEST_THANOS + 1):
        best = max(best, odds[row, number])
    return best


@compiled
def bonus_of(s: GauntletState, seat: int) -> int:
    """IG-45: a fighter who has a token spends one."""
    return TOKEN_BONUS if s.tokens[seat] > 0 else 0


@compiled
def fight_value(s: GauntletState, hero: int, number: int, odds: Reals, caution: float) -> float:
    """What a fight is worth to the heroes: a hero with this number against a random card of Thanos."""
    lead = number + bonus_of(s, hero) - bonus_of(s, s.thanos + 0)
    value = 0.0
    for other in range(1, HIGHEST_THANOS + 1):
        if other < lead:
            value += odds[s.thanos, other] * life_of_thanos(s)
        elif other > lead:
            value -= odds[s.thanos, other] * life_of_heroes(s) * caution
    return value


@compiled
def challenge_value(s: GauntletState, hero: int, number: int, odds: Reals, caution: float) -> float:
    """What a fight is worth to Thanos: his card with this number against the card of a hero."""
    lead = number + bonus_of(s, s.thanos + 0) - bonus_of(s, hero)
    value = 0.0
    for other in range(1, HIGHEST_HERO + 1):
        if other < lead:
            value += odds[hero, other] * life_of_heroes(s)
        elif other > lead:
            value -= odds[hero, other] * life_of_thanos(s) * caution
    return value


@compiled
def life_of_thanos(s: GauntletState) -> float:
    """What one of his lives is worth: the fewer he has, the more."""
    return 1.0 / max(s.life[THANOS], 1)


@compiled
def life_of_heroes(s: GauntletState) -> float:
    return 1.0 / max(s.life[HEROES], 1)
