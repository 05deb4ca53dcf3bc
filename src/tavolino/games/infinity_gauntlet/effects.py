"""What the cards do, one function for each effect (IG-51 to IG-73).

Each function sets the next step: Step.DONE if the effect is finished, the step of a decision that a player must make,
or Step.OVER if it ended the game.
"""

from tavolino.engine.compiled import compiled
from tavolino.engine.events import NO_ONE, emit
from tavolino.engine.record import NOBODY
from tavolino.games.infinity_gauntlet.actions import ORDERS, Event
from tavolino.games.infinity_gauntlet.facts import (
    CORVUS_HIGHEST,
    FIRST_THANOS_CARD,
    HEROES,
    HIGHEST_HERO,
    HIGHEST_THANOS,
    MAW_CARDS,
    NUMBER,
    POWER_TOKENS,
    PROXIMA_TOKENS,
    REALITY_CARDS,
    SOUL_LOWEST,
    THANOS,
    THANOS_CARDS,
    TOP_CARDS,
    Card,
)
from tavolino.games.infinity_gauntlet.fights import fight, random_card_of_thanos
from tavolino.games.infinity_gauntlet.state import GauntletState, Step
from tavolino.games.infinity_gauntlet.table import (
    defeat_hero_cards,
    defeat_thanos_card,
    draw_card,
    make_new_deck,
    take_from_hand,
)

TIME_STONE_BIT = 1 << Card.TIME_STONE


@compiled
def begin_effect(s: GauntletState, card: int) -> None:
    """Carry out a card, up to its first decision."""
    s.effect = card
    s.target = NOBODY
    s.fought = NOBODY
    s.number = 0
    s.to_act = s.current
    if card < FIRST_THANOS_CARD:
        _begin_hero_effect(s, NUMBER[card] + 0)
    elif card == Card.OUTRIDER or card == Card.CORVUS_GLAIVE or card == Card.SOUL_STONE:
        s.step = Step.CHOOSE
    elif card == Card.MIND_STONE:
        s.step = Step.GUESS
    elif card == Card.BLACK_DWARF or card == Card.SPACE_STONE:
        s.step = Step.CHALLENGE
    elif card == Card.PROXIMA_MIDNIGHT or card == Card.POWER_STONE:
        _take_tokens(s, s.thanos + 0, PROXIMA_TOKENS if card == Card.PROXIMA_MIDNIGHT else POWER_TOKENS)
    elif card == Card.EBONY_MAW or card == Card.REALITY_STONE:
        _draw_to_choose(s, MAW_CARDS if card == Card.EBONY_MAW else REALITY_CARDS)
    else:
        _begin_copy(s)


# -- hero cards


@compiled
def _begin_hero_effect(s: GauntletState, number: int) -> None:
    is_about_thanos = number <= 3 or number == 6
    if is_about_thanos and s.hand_size[s.thanos] == 0:  # IG-47
        _no_effect(s)
    elif number == 1:
        s.step = Step.GUESS
    elif number == 2 and s.players == 2:  # IG-54
        look(s, s.current + 0)
    elif number == 3:
        s.target = s.current
        s.step = Step.FIGHT
    elif number == 5:
        _look_at_top_three(s)
    else:
        s.step = Step.CHOOSE


@compiled
def choose_hero(s: GauntletState, seat: int) -> None:
    """IG-53, IG-56, IG-59: a hero has chosen a hero."""
    number = NUMBER[s.effect]
    if number == 2:
        look(s, seat)
    elif number == 4:
        _take_tokens(s, seat, 1)
    else:
        s.to_act = seat
        s.step = Step.FIGHT


@compiled
def guess_thanos(s: GauntletState, number: int) -> None:
    """IG-51, IG-52: after every right guess Thanos must answer, so that nobody learns whether he had a choice."""
    thanos = s.thanos + 0
    is_held = False
    for i in range(s.hand_size[thanos]):
        if NUMBER[s.hand[thanos, i]] == number:
            is_held = True
    emit(s, Event.GUESSED, NO_ONE, s.current + 0, thanos, number, 1 << thanos if is_held else 0)
    if is_held:
        s.to_act = thanos
        s.step = Step.GIVE_UP
    else:
        s.step = Step.DONE


@compiled
def give_up(s: GauntletState, card: int) -> None:
    """IG-52: Thanos has chosen which card of the guessed number is defeated."""
    s.step = Step.DONE
    defeat_thanos_card(s, card)


@compiled
def look(s: GauntletState, looker: int) -> None:
    """IG-53: the looker sees one random card of the hand of Thanos."""
    card = random_card_of_thanos(s)
    emit(s, Event.LOOKED, (1 << looker) | (1 << (s.thanos + 0)), looker, card, s.thanos + 0)
    s.step = Step.DONE


@compiled
def fight_thanos(s: GauntletState) -> None:
    """IG-55, IG-59: the hero who was asked fights against a random card."""
    s.step = Step.DONE
    hero = s.to_act + 0
    fight(s, hero, hero, random_card_of_thanos(s))


@compiled
def _take_tokens(s: GauntletState, seat: int, tokens: int) -> None:
    """IG-56, IG-69: the supply is unlimited (IG-05)."""
    s.tokens[seat] += tokens
    emit(s, Event.TOKENS, NO_ONE, seat, tokens)
    s.step = Step.DONE


@compiled
def _look_at_top_three(s: GauntletState) -> None:
    """IG-57, IG-58: with fewer than three in the deck a new one, with the 5 just played, is put below them."""
    if s.deck_size[HEROES] < TOP_CARDS:
        make_new_deck(s)
    top = s.deck_size[HEROES] - 1
    deck = s.deck[HEROES]
    emit(s, Event.TOP_THREE, 1 << (s.current + 0), s.current + 0, deck[top] + 0, deck[top - 1] + 0, deck[top - 2] + 0)
    s.step = Step.ORDER


@compiled
def order_top_three(s: GauntletState, order: int) -> None:
    """IG-57: the three cards, taken in ascending order, go back in one of six orders."""
    top = s.deck_size[HEROES] - 1
    deck = s.deck[HEROES]
    one, two, three = deck[top] + 0, deck[top - 1] + 0, deck[top - 2] + 0
    low, high = min(min(one, two), three), max(max(one, two), three)
    middle = one + two + three - low - high
    for i in range(TOP_CARDS):
        rank = ORDERS[order, i]
        deck[top - i] = low if rank == 0 else (middle if rank == 1 else high)
    emit(s, Event.ORDERED, 1 << (s.current + 0), s.current + 0, deck[top] + 0, deck[top - 1] + 0, deck[top - 2] + 0)
    s.step = Step.DONE


# -- Thanos cards


@compiled
def choose_victim(s: GauntletState, seat: int) -> None:
    """IG-61, IG-63, IG-64: Thanos has chosen an opponent."""
    if s.effect == Card.OUTRIDER:
        s.step = Step.GUESS
    elif s.effect == Card.CORVUS_GLAIVE:
        _defeat_if(s, seat, NUMBER[s.hand[seat, 0]] <= CORVUS_HIGHEST)
    else:
        _defeat_if(s, seat, NUMBER[s.hand[seat, 0]] >= SOUL_LOWEST)


@compiled
def _defeat_if(s: GauntletState, seat: int, is_hit: bool) -> None:
    s.step = Step.DONE
    if is_hit:
        defeat_hero_cards(s, 1 << seat)
    else:
        emit(s, Event.SPARED, NO_ONE, s.current + 0, seat, s.effect + 0)


@compiled
def guess_heroes(s: GauntletState, number: int) -> None:
    """IG-61, IG-62: the Outrider's number for one opponent, or the Mind Stone's for all of them."""
    seats = _holders(s, number)
    emit(s, Event.GUESSED, NO_ONE, s.current + 0, s.target + 0, number, seats)
    s.step = Step.DONE
    if seats != 0:
        defeat_hero_cards(s, seats)


@compiled
def _holders(s: GauntletState, number: int) -> int:
    """The heroes who hold that number: of the chosen one, or of all when nobody was chosen."""
    seats = 0
    for seat in range(s.players):
        is_meant = seat != s.thanos and (s.target == NOBODY or seat == s.target)
        if is_meant and NUMBER[s.hand[seat, 0]] == number:
            seats |= 1 << seat
    return seats


@compiled
def challenge(s: GauntletState, card: int) -> None:
    """IG-42, IG-65, IG-66: Thanos fights the chosen opponent with the chosen card; the Space Stone may continue."""
    is_first_of_two = s.effect == Card.SPACE_STONE and s.fought == NOBODY
    s.step = Step.DONE
    opponent = s.target + 0
    s.target = NOBODY
    s.fought = opponent
    fight(s, s.thanos + 0, opponent, card)
    # IG-47: without a card he cannot fight.
    if is_first_of_two and s.step == Step.DONE and s.hand_size[s.thanos] > 0:
        s.step = Step.CHALLENGE


@compiled
def can_challenge(s: GauntletState, seat: int) -> bool:
    """IG-66, IG-67: the second opponent is a different one, unless there is only one."""
    return seat != s.thanos and (seat != s.fought or s.players == 2)


@compiled
def _draw_to_choose(s: GauntletState, cards: int) -> None:
    """IG-70, IG-71: draw, then put as many cards on the bottom; no effect if the deck is empty."""
    drawn = min(cards, s.deck_size[THANOS] + 0)
    if drawn == 0:
        _no_effect(s)
        return
    for _ in range(drawn):
        draw_card(s, s.thanos + 0)
    s.to_bottom = drawn
    s.step = Step.BOTTOM


@compiled
def put_on_bottom(s: GauntletState, card: int) -> None:
    """IG-73: each card goes under the one before."""
    thanos = s.thanos + 0
    take_from_hand(s, thanos, card)
    for at in range(s.deck_size[THANOS], 0, -1):
        s.deck[THANOS, at] = s.deck[THANOS, at - 1]
    s.deck[THANOS, 0] = card
    s.deck_size[THANOS] += 1
    emit(s, Event.BOTTOM, 1 << thanos, thanos, card)
    s.to_bottom -= 1
    if s.to_bottom == 0:
        s.step = Step.DONE


@compiled
def can_be_copied(s: GauntletState) -> int:
    """IG-72: the other cards face up in front of Thanos."""
    return s.shown & THANOS_CARDS & ~TIME_STONE_BIT


@compiled
def _begin_copy(s: GauntletState) -> None:
    if can_be_copied(s) == 0:
        _no_effect(s)
    else:
        s.step = Step.COPY


@compiled
def copy(s: GauntletState, card: int) -> None:
    """IG-72: the Time Stone copies the effect of another card."""
    emit(s, Event.COPIED, NO_ONE, s.thanos + 0, card)
    begin_effect(s, card)


@compiled
def _no_effect(s: GauntletState) -> None:
    emit(s, Event.NO_EFFECT, NO_ONE, s.current + 0, s.effect + 0)
    s.step = Step.DONE


@compiled
def guessable(s: GauntletState) -> int:
    """The highest number that may be named: that of the other deck (IG-51, IG-61, IG-62)."""
    return HIGHEST_THANOS if s.effect < FIRST_THANOS_CARD else HIGHEST_HERO
