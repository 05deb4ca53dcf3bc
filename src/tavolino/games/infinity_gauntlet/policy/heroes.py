"""The heuristic of the heroes: attack what is known of Thanos's hand, and keep the card that helps the team.

- A 1 is worth more with more knowledge: name the most likely number, and keep the card while little is known.
- A fight (3, or a 6) is against a random card of his: count the cards that are out, and fight if the odds are good.
  With a 6, a team mate who probably holds a high card, or has a token, may be a better fighter; they may decline.
- A 2 is for the hero whose turn comes next, who can use what they see.
- A 4 is for a hero who will fight; a 5 puts strong cards on top for those who draw next.
"""

from tavolino.engine.compiled import compiled
from tavolino.engine.policy import Reals
from tavolino.engine.record import Numbers
from tavolino.games.infinity_gauntlet import actions as act
from tavolino.games.infinity_gauntlet.actions import ORDERS
from tavolino.games.infinity_gauntlet.facts import HEROES, HIGHEST_HERO, NUMBER, TOP_CARDS
from tavolino.games.infinity_gauntlet.policy.odds import (
    THANOS_HOLDS,
    best_number,
    estimate,
    fight_value,
    life_of_thanos,
)
from tavolino.games.infinity_gauntlet.policy.weights import Weight
from tavolino.games.infinity_gauntlet.state import GauntletState, Step


@compiled
def score_as_hero(s: GauntletState, weights: Reals, actions: Numbers, n: int, scores: Reals) -> None:
    """The value of each action for the heroes."""
    me = s.to_act + 0
    odds = estimate(s, weights, me)
    for i in range(n):
        action = actions[i] + 0
        if s.step == Step.PLAY:
            scores[i] = _play(s, weights, me, action - act.PLAY, odds)
        elif s.step == Step.GUESS:
            scores[i] = odds[THANOS_HOLDS, action - act.GUESS + 1]
        elif s.step == Step.CHOOSE:
            scores[i] = _choose(s, weights, me, action - act.CHOOSE, odds)
        elif s.step == Step.FIGHT:
            number = NUMBER[s.hand[me, 0]] + 0
            is_fight = action == act.FIGHT
            scores[i] = fight_value(s, me, number, odds, weights[Weight.CAUTION]) if is_fight else 0.0
        else:
            scores[i] = _order(s, weights, action - act.ORDER)


@compiled
def _play(s: GauntletState, weights: Reals, me: int, card: int, odds: Reals) -> float:
    """The value of the card's effect and of the card that stays in hand."""
    kept = s.hand[me, 0] + 0
    if kept == card:
        kept = s.hand[me, 1] + 0
    number, kept_number = NUMBER[card] + 0, NUMBER[kept] + 0
    value = value_of_keeping(weights, kept_number)
    if number == 1:
        value += best_number(odds, THANOS_HOLDS) * life_of_thanos(s)
    elif number == 2:
        value += weights[Weight.LOOK]
    elif number == 3:
        value += max(0.0, fight_value(s, me, kept_number, odds, weights[Weight.CAUTION]))
    elif number == 4:
        value += weights[Weight.HERO_TOKEN]
    elif number == 5:
        value += weights[Weight.TOP_THREE]
    else:
        best = max(0.0, fight_value(s, me, kept_number, odds, weights[Weight.CAUTION]))
        for seat in range(s.players):
            if seat != s.thanos and seat != me:
                best = max(best, _offer(s, weights, seat, odds))
        value += best
    return value


@compiled
def value_of_keeping(weights: Reals, number: int) -> float:
    """What it is worth to keep a card of this number."""
    return weights[Weight.KEEP_1 + number - 1]


@compiled
def _offer(s: GauntletState, weights: Reals, mate: int, odds: Reals) -> float:
    """The value of offering a fight to a team mate, who knows their own card and declines a bad fight."""
    value = 0.0
    for number in range(1, HIGHEST_HERO + 1):
        value += odds[mate, number] * max(0.0, fight_value(s, mate, number, odds, weights[Weight.CAUTION]))
    return value


@compiled
def _choose(s: GauntletState, weights: Reals, me: int, seat: int, odds: Reals) -> float:
    """The value of choosing a hero for a 2, a 4 or a 6."""
    number = NUMBER[s.effect]
    if number == 2:
        return -_turns_until(s, me, seat) * 1.0
    if seat != me:
        offer = _offer(s, weights, seat, odds)
        return offer if number == 6 else offer - s.tokens[seat] * life_of_thanos(s)
    own = fight_value(s, me, NUMBER[s.hand[me, 0]] + 0, odds, weights[Weight.CAUTION])
    return max(0.0, own) if number == 6 else own - s.tokens[me] * life_of_thanos(s)


@compiled
def _turns_until(s: GauntletState, me: int, seat: int) -> int:
    """How many seats away a team mate's turn is."""
    return (seat - me + s.players) % s.players


@compiled
def _order(s: GauntletState, weights: Reals, order: int) -> float:
    """Better cards first: the top one is drawn next."""
    top = s.deck_size[HEROES] - 1
    deck = s.deck[HEROES]
    low = min(deck[top], deck[top - 1], deck[top - 2]) + 0
    high = max(deck[top], deck[top - 1], deck[top - 2]) + 0
    middle = deck[top] + deck[top - 1] + deck[top - 2] - low - high
    value = 0.0
    for i in range(TOP_CARDS):
        rank = ORDERS[order, i]
        card = low if rank == 0 else (middle if rank == 1 else high)
        value += value_of_keeping(weights, NUMBER[card] + 0) * (TOP_CARDS - i)
    return value
