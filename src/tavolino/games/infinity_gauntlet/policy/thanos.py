"""The heuristic of Thanos: play the stones one by one, and take lives meanwhile.

- Every stone that he plays stays on the table. Six of them, on the table or in his hand, win.
- Attack heroes whose cards are partly known: who declined a fight, who won one, who was guessed wrongly. Corvus Glaive
  needs a low card, the Soul Stone a high one, an Outrider a known one.
- The Thanos card or a token wins fights; do not start one with a stone that would go back into the deck.
- Ebony Maw and the Reality Stone search for missing stones: they are worth more with more stones on the table.
- Heroes guess and fight the cards that stay in his hand, at random: high cards protect the others.
"""

from tavolino.engine.compiled import compiled
from tavolino.engine.knowledge import count
from tavolino.engine.policy import Reals
from tavolino.engine.record import NOBODY, Numbers
from tavolino.games.infinity_gauntlet import actions as act
from tavolino.games.infinity_gauntlet.effects import can_be_copied, can_challenge
from tavolino.games.infinity_gauntlet.facts import (
    CARD_COUNT,
    CORVUS_HIGHEST,
    FIRST_THANOS_CARD,
    HIGHEST_HERO,
    NO_CARD,
    NUMBER,
    SOUL_LOWEST,
    STONE_COUNT,
    STONES,
    THANOS,
    Card,
)
from tavolino.games.infinity_gauntlet.policy.odds import (
    best_number,
    challenge_value,
    estimate,
    life_of_heroes,
)
from tavolino.games.infinity_gauntlet.policy.weights import Weight
from tavolino.games.infinity_gauntlet.state import GauntletState, Step

WIN = 10.0  # more than any other value


@compiled
def score_as_thanos(s: GauntletState, weights: Reals, actions: Numbers, n: int, scores: Reals) -> None:
    """The value of each action for Thanos."""
    odds = estimate(s, weights, s.thanos + 0)
    for i in range(n):
        action = actions[i] + 0
        if action == act.SNAP:
            scores[i] = WIN
        elif s.step == Step.PLAY:
            scores[i] = _play(s, weights, odds, action - act.PLAY)
        elif s.step == Step.CHOOSE:
            scores[i] = _chance_to_hit(s, odds, action - act.CHOOSE)
        elif s.step == Step.GUESS:
            scores[i] = _guess(s, odds, action - act.GUESS + 1)
        elif s.step == Step.CHALLENGE:
            scores[i] = 0.0
            if action != act.DECLINE:
                scores[i] = _best_card_against(s, weights, odds, action - act.CHOOSE, NO_CARD)
        elif s.step == Step.FIGHT_WITH:
            scores[i] = _fight_with(s, weights, odds, action - act.FIGHT_WITH_CARD, s.target + 0)
        elif s.step == Step.GIVE_UP:
            scores[i] = -_value_in_hand(s, weights, action - act.GIVE_UP_CARD)
        elif s.step == Step.BOTTOM:
            scores[i] = -_value_in_hand(s, weights, action - act.BOTTOM_CARD)
        elif s.step == Step.COPY:
            scores[i] = _effect(s, weights, odds, action - act.COPY_CARD, NO_CARD)
        else:
            scores[i] = 0.0


@compiled
def _is_stone(card: int) -> bool:
    return (STONES >> card) & 1 != 0


@compiled
def _value_on_table(s: GauntletState, weights: Reals, card: int) -> float:
    """The value of this card on the table: a step towards the snap if it is a stone."""
    if not _is_stone(card):
        return 0.0
    return weights[Weight.STONE] + weights[Weight.NEXT_STONE] * count(s.shown & STONES)


@compiled
def _value_in_hand(s: GauntletState, weights: Reals, card: int) -> float:
    """The value of this card in the hand: for defence, and to play it later."""
    return weights[Weight.HOLD_1 + NUMBER[card] - 1] + _value_on_table(s, weights, card)


@compiled
def _play(s: GauntletState, weights: Reals, odds: Reals, card: int) -> float:
    """The value of the card's effect, of the step towards the snap, and of the cards that stay in hand."""
    if card == Card.TIME_STONE:
        value = _best_copy(s, weights, odds)
    else:
        value = _effect(s, weights, odds, card, card)
    return value + _value_on_table(s, weights, card) - weights[Weight.HOLD_1 + NUMBER[card] - 1]


@compiled
def _effect(s: GauntletState, weights: Reals, odds: Reals, card: int, leaving: int) -> float:
    """The value of a card's effect; `leaving` is the card that is played for it, and cannot fight."""
    if card == Card.MIND_STONE:
        best = 0.0
        for number in range(1, HIGHEST_HERO + 1):
            best = max(best, _guess_for_all(s, odds, number))
        return best
    if card == Card.PROXIMA_MIDNIGHT:
        return weights[Weight.THANOS_TOKEN]
    if card == Card.POWER_STONE:
        return 2.0 * weights[Weight.THANOS_TOKEN]
    if card == Card.EBONY_MAW:
        return _value_of_drawing(s, weights, weights[Weight.EBONY_MAW], 1, leaving)
    if card == Card.REALITY_STONE:
        return _value_of_drawing(s, weights, weights[Weight.REALITY_STONE], 2, leaving)
    best, second = 0.0, 0.0
    for seat in range(s.players):
        if seat == s.thanos:
            continue
        value = 0.0
        if card == Card.OUTRIDER:
            value = best_number(odds, seat) * life_of_heroes(s)
        elif card == Card.CORVUS_GLAIVE:
            value = _odds_between(odds, seat, 1, CORVUS_HIGHEST) * life_of_heroes(s)
        elif card == Card.SOUL_STONE:
            value = _odds_between(odds, seat, SOUL_LOWEST, HIGHEST_HERO) * life_of_heroes(s)
        elif card == Card.BLACK_DWARF or card == Card.SPACE_STONE:
            value = _best_card_against(s, weights, odds, seat, leaving)
        if value > best:
            best, second = value, best
        elif value > second:
            second = value
    if card == Card.SPACE_STONE:
        return best + second
    return best


@compiled
def _value_of_drawing(s: GauntletState, weights: Reals, value: float, cards: int, leaving: int) -> float:
    """The value of drawing cards and putting as many back: more with each stone, and most for the last one."""
    drawn = min(cards, s.deck_size[THANOS] + 0)
    if drawn == 0:
        return 0.0
    return value + weights[Weight.DIG] * drawn * count(s.shown & STONES) + _snap_chance(s, drawn, leaving)


@compiled
def _snap_chance(s: GauntletState, drawn: int, leaving: int) -> float:
    """The probability that the draw gives all missing stones, and that the hand can hold them."""
    thanos = s.thanos + 0
    laid, held, kept = s.shown & STONES, 0, 0
    if leaving != NO_CARD:
        laid |= (1 << leaving) & STONES
    for i in range(s.hand_size[thanos]):
        card = s.hand[thanos, i] + 0
        if card != leaving:
            held |= (1 << card) & STONES
            kept += 1
    in_hand = STONE_COUNT - count(laid)
    missing = in_hand - count(held)
    if missing > drawn or in_hand > kept:
        return 0.0
    chance = 1.0
    for i in range(missing):
        chance *= (drawn - i) / (s.deck_size[THANOS] - i)
    return chance


@compiled
def _best_copy(s: GauntletState, weights: Reals, odds: Reals) -> float:
    """IG-72: the Time Stone is worth as much as the best card on the table."""
    best = 0.0
    cards = can_be_copied(s)
    for card in range(FIRST_THANOS_CARD, CARD_COUNT):
        if (cards >> card) & 1 != 0:
            best = max(best, _effect(s, weights, odds, card, Card.TIME_STONE.value))
    return best


@compiled
def _odds_between(odds: Reals, seat: int, lowest: int, highest: int) -> float:
    chance = 0.0
    for number in range(lowest, highest + 1):
        chance += odds[seat, number]
    return chance


@compiled
def _chance_to_hit(s: GauntletState, odds: Reals, seat: int) -> float:
    """The probability that the chosen opponent is hit."""
    if s.effect == Card.CORVUS_GLAIVE:
        return _odds_between(odds, seat, 1, CORVUS_HIGHEST)
    if s.effect == Card.SOUL_STONE:
        return _odds_between(odds, seat, SOUL_LOWEST, HIGHEST_HERO)
    return best_number(odds, seat)


@compiled
def _guess(s: GauntletState, odds: Reals, number: int) -> float:
    if s.target == NOBODY:
        return _guess_for_all(s, odds, number)
    return odds[s.target, number]


@compiled
def _guess_for_all(s: GauntletState, odds: Reals, number: int) -> float:
    """Mind Stone: the expected number of lives that a number takes, as a share of those that are left."""
    lives = 0.0
    for seat in range(s.players):
        if seat != s.thanos:
            lives += odds[seat, number]
    return lives * life_of_heroes(s)


@compiled
def _fight_with(s: GauntletState, weights: Reals, odds: Reals, card: int, hero: int) -> float:
    """The value of a fight with this card; ties go to the card that is worth less on the table."""
    value = challenge_value(s, hero, NUMBER[card] + 0, odds, weights[Weight.THANOS_CAUTION])
    return value - 0.01 * _value_on_table(s, weights, card)


@compiled
def _best_card_against(s: GauntletState, weights: Reals, odds: Reals, hero: int, leaving: int) -> float:
    """The best fight against a hero, with a card other than the one that is being played."""
    best = 0.0
    if not can_challenge(s, hero):
        return best
    thanos = s.thanos + 0
    for i in range(s.hand_size[thanos]):
        card = s.hand[thanos, i] + 0
        if card != leaving:
            best = max(best, _fight_with(s, weights, odds, card, hero))
    return best
