"""The rules of Infinity Gauntlet: set-up, turns, what is legal, and the snap (IG-01 to IG-17, IG-82 to IG-84).

The effects of cards are in effects.py, fights in fights.py, drawing and defeat in table.py.
"""

from tavolino.engine.chance import shuffle
from tavolino.engine.compiled import compiled
from tavolino.engine.events import NO_ONE, emit
from tavolino.engine.knowledge import count
from tavolino.engine.record import NOBODY, Numbers, next_seat
from tavolino.games.infinity_gauntlet import actions
from tavolino.games.infinity_gauntlet.actions import Event
from tavolino.games.infinity_gauntlet.effects import (
    begin_effect,
    can_be_copied,
    can_challenge,
    challenge,
    choose_hero,
    choose_victim,
    copy,
    fight_thanos,
    give_up,
    guess_heroes,
    guess_thanos,
    guessable,
    order_top_three,
    put_on_bottom,
)
from tavolino.games.infinity_gauntlet.facts import (
    CARD_COUNT,
    DECK,
    DECK_SIZES,
    FIRST_THANOS_CARD,
    HEROES,
    LARGEST_DECK,
    LARGEST_HAND,
    MOST_PLAYERS,
    NO_CARD,
    NUMBER,
    STONE_COUNT,
    STONES,
    THANOS,
    Card,
    Reason,
)
from tavolino.games.infinity_gauntlet.history import remember
from tavolino.games.infinity_gauntlet.knowledge import know_nothing
from tavolino.games.infinity_gauntlet.state import GauntletState, Step
from tavolino.games.infinity_gauntlet.table import draw_card, end, lay_face_up, take_from_hand

HERO_DECK_SIZE, THANOS_DECK_SIZE = DECK_SIZES


# -- set-up


@compiled
def setup(s: GauntletState, options: Numbers, arranged: Numbers, n_arranged: Numbers) -> None:
    """Shuffle both decks and deal (IG-04); Thanos draws for his first turn before his first decision (IG-16)."""
    s.players, s.thanos = options[0], options[1]
    s.life[HEROES], s.life[THANOS] = options[2], options[3]
    s.winners, s.reason = 0, Reason.NONE
    s.n_events = 0
    s.to_bottom = 0
    s.shown = 0
    for seat in range(MOST_PLAYERS):
        s.tokens[seat] = 0
        s.hand_size[seat] = 0
        s.face_up_size[seat] = 0
        for i in range(LARGEST_HAND):
            s.hand[seat, i] = NO_CARD
        for i in range(LARGEST_DECK):
            s.face_up[seat, i] = NO_CARD
    for side in range(2):
        _lay_deck(s, side, arranged[side], n_arranged[side] + 0)
    seat = next_seat(s, s.thanos + 0)
    while seat != s.thanos:
        draw_card(s, seat)
        seat = next_seat(s, seat)
    draw_card(s, seat)
    draw_card(s, seat)
    _begin_turns(s, seat)
    if s.quiet == 0:
        know_nothing(s)
        remember(s)


@compiled
def _lay_deck(s: GauntletState, side: int, arranged: Numbers, n_arranged: int) -> None:
    """The arranged cards last and reversed, because the top card is the last; the others below, shuffled."""
    deck = s.deck[side]
    size = HERO_DECK_SIZE if side == HEROES else THANOS_DECK_SIZE
    for at in range(LARGEST_DECK):
        deck[at] = DECK[side, at]
    s.deck_size[side] = size
    for i in range(n_arranged):
        place = size - 1 - i
        at = 0
        while deck[at] != arranged[i]:
            at += 1
        deck[at], deck[place] = deck[place], deck[at]
    shuffle(s, deck, 0, size - n_arranged)


# -- turns


@compiled
def _begin_turns(s: GauntletState, seat: int) -> None:
    """IG-11: with two players the hero has two turns in a row."""
    s.current = seat
    s.turns_left = 2 if s.players == 2 and seat != s.thanos else 1
    _begin_turn(s)


@compiled
def _begin_turn(s: GauntletState) -> None:
    """IG-12: draw a card, then play one."""
    s.turns_left -= 1
    s.effect = NO_CARD
    s.target = NOBODY
    s.fought = NOBODY
    s.number = 0
    draw_card(s, s.current + 0)
    s.to_act = s.current
    s.step = Step.PLAY


@compiled
def _finish_effect(s: GauntletState) -> None:
    """IG-83: Thanos gets one more decision whenever it is possible for the others that he can snap."""
    stones_shown = count(s.shown & STONES)
    if s.current == s.thanos and stones_shown + s.hand_size[s.thanos] >= STONE_COUNT:
        s.to_act = s.thanos
        s.step = Step.END_TURN
    else:
        _finish_turn(s)


@compiled
def _finish_turn(s: GauntletState) -> None:
    if s.turns_left > 0:
        _begin_turn(s)
    else:
        _begin_turns(s, next_seat(s, s.current + 0))


@compiled
def can_snap(s: GauntletState) -> bool:
    """IG-82: all six stones are face up in front of Thanos or in his hand."""
    stones = s.shown & STONES
    for i in range(s.hand_size[s.thanos]):
        stones |= (1 << s.hand[s.thanos, i]) & STONES
    return stones == STONES


# -- what is legal


@compiled
def legal(s: GauntletState, out: Numbers) -> int:
    """The legal actions of the current step, in ascending order."""
    step = s.step
    n = 0
    if step == Step.PLAY:
        seat = s.current
        for i in range(s.hand_size[seat]):
            card = s.hand[seat, i]
            is_repeated = i > 0 and card == s.hand[seat, i - 1]
            if card != Card.THANOS and not is_repeated:  # IG-14
                out[n] = actions.PLAY + card
                n += 1
        if seat == s.thanos and can_snap(s):
            out[n] = actions.SNAP
            n += 1
    elif step == Step.CHOOSE or step == Step.CHALLENGE:
        for seat in range(s.players):
            if can_choose(s, seat):
                out[n] = actions.CHOOSE + seat
                n += 1
        if step == Step.CHALLENGE:
            out[n] = actions.DECLINE
            n += 1
    elif step == Step.GUESS:
        for number in range(1, guessable(s) + 1):
            out[n] = actions.GUESS + number - 1
            n += 1
    elif step == Step.FIGHT:
        out[0], out[1] = actions.FIGHT, actions.DECLINE
        n = 2
    elif step == Step.ORDER:
        for order in range(6):
            out[order] = actions.ORDER + order
        n = 6
    elif step == Step.COPY:
        cards = can_be_copied(s)
        for card in range(FIRST_THANOS_CARD, CARD_COUNT):
            if (cards >> card) & 1 != 0:
                out[n] = actions.COPY_CARD + card
                n += 1
    elif step == Step.END_TURN:
        if can_snap(s):
            out[0] = actions.SNAP
            n = 1
        out[n] = actions.END_TURN
        n += 1
    elif step != Step.OVER:
        n = _legal_from_hand(s, out)
    return n


@compiled
def can_choose(s: GauntletState, seat: int) -> bool:
    """Always a hero: for a 2 not oneself (IG-53), for the Space Stone a different opponent (IG-66)."""
    if seat == s.thanos:
        return False
    if s.step == Step.CHALLENGE:
        return can_challenge(s, seat)
    return s.effect >= FIRST_THANOS_CARD or NUMBER[s.effect] != 2 or seat != s.current


@compiled
def _legal_from_hand(s: GauntletState, out: Numbers) -> int:
    """Thanos shows or moves a card of his hand: to fight (IG-42), to give up (IG-52), to the bottom (IG-70)."""
    first = actions.BOTTOM_CARD
    if s.step == Step.FIGHT_WITH:
        first = actions.FIGHT_WITH_CARD
    elif s.step == Step.GIVE_UP:
        first = actions.GIVE_UP_CARD
    n = 0
    for i in range(s.hand_size[s.thanos]):
        card = s.hand[s.thanos, i]
        is_repeated = i > 0 and card == s.hand[s.thanos, i - 1]
        fits = s.step != Step.GIVE_UP or NUMBER[card] == s.number
        if fits and not is_repeated:
            out[n] = first + card
            n += 1
    return n


# -- actions


@compiled
def apply(s: GauntletState, action: int) -> None:
    """Play a legal action, and continue to the next decision."""
    if action < actions.CHOOSE:
        _play(s, action + 0)
    elif action < actions.GUESS:
        _choose(s, action - actions.CHOOSE)
    elif action < actions.FIGHT:
        _guess(s, action - actions.GUESS + 1)
    elif action == actions.FIGHT:
        fight_thanos(s)
    elif action == actions.DECLINE:
        emit(s, Event.DECLINED, NO_ONE, s.to_act + 0)
        s.step = Step.DONE  # IG-55, IG-59, IG-65, IG-68
    elif action < actions.GIVE_UP:
        challenge(s, action - actions.FIGHT_WITH_CARD)
    elif action < actions.ORDER:
        give_up(s, action - actions.GIVE_UP_CARD)
    elif action < actions.BOTTOM:
        order_top_three(s, action - actions.ORDER)
    elif action < actions.COPY:
        put_on_bottom(s, action - actions.BOTTOM_CARD)
    elif action < actions.SNAP:
        copy(s, action - actions.COPY_CARD)
    elif action == actions.SNAP:
        _snap(s)
    else:
        emit(s, Event.TURN_ENDED, NO_ONE, s.thanos + 0)
        _finish_turn(s)
    if s.step == Step.DONE:
        _finish_effect(s)
    if s.quiet == 0:
        remember(s)


@compiled
def _play(s: GauntletState, card: int) -> None:
    """IG-12, IG-13: put the card face up in front of its player, and carry out its effect."""
    seat = s.current + 0
    take_from_hand(s, seat, card)
    lay_face_up(s, seat, card)
    emit(s, Event.PLAYED, NO_ONE, seat, card)
    begin_effect(s, card)


@compiled
def _choose(s: GauntletState, seat: int) -> None:
    s.target = seat
    emit(s, Event.CHOSEN, NO_ONE, s.to_act + 0, seat, s.effect + 0)
    if s.step == Step.CHALLENGE:
        s.step = Step.FIGHT_WITH
    elif s.current == s.thanos:
        choose_victim(s, seat)
    else:
        choose_hero(s, seat)


@compiled
def _guess(s: GauntletState, number: int) -> None:
    s.number = number
    if s.current == s.thanos:
        guess_heroes(s, number)
    else:
        guess_thanos(s, number)


@compiled
def _snap(s: GauntletState) -> None:
    """IG-82: Thanos reveals his hand and wins."""
    thanos = s.thanos + 0
    hand = s.hand[thanos]
    emit(s, Event.SNAP, NO_ONE, thanos, hand[0] + 0, hand[1] + 0, hand[2] + 0, hand[3] + 0)
    end(s, 1 << thanos, Reason.SNAP)
