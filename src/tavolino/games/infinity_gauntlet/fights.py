"""Fights (IG-40 to IG-47)."""

from tavolino.engine.chance import draw
from tavolino.engine.compiled import compiled
from tavolino.engine.events import emit
from tavolino.games.infinity_gauntlet.actions import Event, Result
from tavolino.games.infinity_gauntlet.facts import NUMBER, TOKEN_BONUS
from tavolino.games.infinity_gauntlet.state import GauntletState
from tavolino.games.infinity_gauntlet.table import defeat_hero_cards, defeat_thanos_card


@compiled
def random_card_of_thanos(s: GauntletState) -> int:
    """IG-43, IG-53: one card of the hand of Thanos, drawn uniformly."""
    card: int = s.hand[s.thanos, draw(s, s.hand_size[s.thanos] + 0)] + 0
    return card


@compiled
def _spend_token(s: GauntletState, seat: int) -> int:
    """IG-45, IG-46: a fighter who has a token must spend exactly one. Returns what it adds."""
    if s.tokens[seat] == 0:
        return 0
    s.tokens[seat] -= 1
    return TOKEN_BONUS


@compiled
def fight(s: GauntletState, starter: int, hero: int, thanos_card: int) -> None:
    """IG-40: the lower number is defeated; on a tie both keep their cards."""
    hero_card = s.hand[hero, 0] + 0
    hero_bonus = _spend_token(s, hero)
    thanos_bonus = _spend_token(s, s.thanos + 0)
    hero_value = NUMBER[hero_card] + hero_bonus
    thanos_value = NUMBER[thanos_card] + thanos_bonus
    result = Result.TIE.value
    if hero_value > thanos_value:
        result = Result.WON.value
    elif hero_value < thanos_value:
        result = Result.LOST.value
    thanos = s.thanos + 0
    fighters = (1 << hero) | (1 << thanos)
    emit(s, Event.FIGHT, fighters, hero, thanos, starter, hero_bonus, thanos_bonus, result, hero_card, thanos_card)
    if result == Result.WON:
        defeat_thanos_card(s, thanos_card)
    elif result == Result.LOST:
        defeat_hero_cards(s, 1 << hero)
