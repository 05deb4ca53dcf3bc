"""Other worlds: everything that a viewer cannot know, drawn anew (IG-91).

A deal is a set of cards for each hand and an order for each deck; the two Outriders are two cards. `resample` draws one
evenly from all deals that fit the viewer's sets, those that everybody has, and the fights that all remember.

Places are filled one after the other, those with the fewest possible cards first. For each place there is a bound: it
can never have more cards left to choose from than its set has, less one for every earlier place whose set lies
within. A number is drawn below that bound; if there is no such card left, the whole deal is thrown away. So every
way to fill the places has the same chance, and with nested sets, which are the rule, nothing is thrown away.
"""

import numpy as np
from numpy.typing import NDArray

from tavolino.engine.chance import draw
from tavolino.engine.compiled import compiled
from tavolino.engine.knowledge import count, is_one, ways_of_equals, ways_to_lie
from tavolino.games.infinity_gauntlet.facts import (
    HERO_CARDS,
    HEROES,
    LARGEST_DECK,
    LARGEST_HAND,
    MOST_PLAYERS,
    NUMBER,
    OUTRIDER_BIT,
    OUTRIDERS,
    THANOS,
    THANOS_CARDS,
    TOP_CARDS,
    Card,
)
from tavolino.games.infinity_gauntlet.knowledge import conclude, fits_fights, outriders_shown, row_of
from tavolino.games.infinity_gauntlet.state import GauntletState, Step

Numbers = NDArray[np.int32]
OUTRIDER = int(Card.OUTRIDER)
# The columns of a list of places that are still to be filled.
SET, BOUND, HOLDER, AT = 0, 1, 2, 3


@compiled
def resample(s: GauntletState, viewer: int) -> None:
    """Draw all hidden cards anew; of what the others know, keep what everybody knows and what they now hold."""
    row = row_of(s, viewer)
    places = np.empty((LARGEST_DECK, 4), np.int32)
    while True:
        for side in range(2):
            _draw_side(s, row, side, places)
        if fits_fights(s):  # both sides together or not at all, so that all deals stay equally likely
            break
    for seat in range(s.players + 0):
        _sort_hand(s, seat)
        if seat != row:
            _know_what_all_know(s, seat)
            _know_own_cards(s, seat)
            if s.quiet == 0:
                conclude(s, seat)


@compiled
def _sort_hand(s: GauntletState, seat: int) -> None:
    for end in range(s.hand_size[seat] - 1, 0, -1):
        for i in range(end):
            if s.hand[seat, i] > s.hand[seat, i + 1]:
                s.hand[seat, i], s.hand[seat, i + 1] = s.hand[seat, i + 1], s.hand[seat, i]


@compiled
def _know_what_all_know(s: GauntletState, seat: int) -> None:
    """The sets of the spectator, cell by cell."""
    spectator = s.players + 0
    for holder in range(MOST_PLAYERS):
        for i in range(LARGEST_HAND):
            s.hand_can[seat, holder, i] = s.hand_can[spectator, holder, i]
    for side in range(2):
        for at in range(LARGEST_DECK):
            s.deck_can[seat, side, at] = s.deck_can[spectator, side, at]


@compiled
def _know_own_cards(s: GauntletState, seat: int) -> None:
    """A player knows the own hand; whoever is looking at the top three goes on seeing them (IG-57)."""
    for i in range(s.hand_size[seat]):
        s.hand_can[seat, seat, i] = 1 << s.hand[seat, i]
    if s.step == Step.ORDER and seat == s.current:
        size = s.deck_size[HEROES]
        for at in range(size - TOP_CARDS, size):
            s.deck_can[seat, HEROES, at] = 1 << s.deck[HEROES, at]


@compiled
def _draw_side(s: GauntletState, row: int, side: int, places: Numbers) -> None:
    """Deal the hidden cards of one side: its deck, and the hand or hands that hold cards of it."""
    everything = HERO_CARDS if side == HEROES else THANOS_CARDS
    cards = everything & ~s.shown
    outriders = OUTRIDERS - outriders_shown(s) if side == THANOS else 0
    n = 0
    for holder in range(s.players + 1):  # the deck is the last
        is_deck = holder == s.players
        if not is_deck and (holder == s.thanos) != (side == THANOS):
            continue
        size = s.deck_size[side] if is_deck else s.hand_size[holder]
        for at in range(size):
            can = s.deck_can[row, side, at] + 0 if is_deck else s.hand_can[row, holder, at] + 0
            if is_one(can):
                _put(s, side, holder, at + 0, count(can - 1))
                outriders -= can == OUTRIDER_BIT
                cards &= ~can
            else:
                _list_place(places, n + 0, can, holder, at + 0)
                n += 1
    if outriders > 0:
        cards |= OUTRIDER_BIT
    _set_bounds(places, n + 0, cards, outriders)
    while not (_fill(s, side, places, n + 0, cards, outriders) and _is_accepted(s, row, side)):
        pass


@compiled
def _put(s: GauntletState, side: int, holder: int, at: int, card: int) -> None:
    if holder == s.players:
        s.deck[side, at] = card
    else:
        s.hand[holder, at] = card


@compiled
def _list_place(places: Numbers, n: int, can: int, holder: int, at: int) -> None:
    """Put a place into a list of n, in the order of how many cards places can hold."""
    size = count(can)
    i = n
    while i > 0:
        before = count(places[i - 1, SET])
        if before < size or (before == size and places[i - 1, SET] <= can):
            break
        for column in range(4):
            places[i, column] = places[i - 1, column]
        i -= 1
    places[i, SET] = can
    places[i, HOLDER] = holder
    places[i, AT] = at


@compiled
def _set_bounds(places: Numbers, n: int, cards: int, outriders: int) -> None:
    for i in range(n):
        can = places[i, SET] & cards
        places[i, SET] = can
        if i > 0 and can == places[i - 1, SET]:
            places[i, BOUND] = places[i - 1, BOUND] - 1
            continue
        bound = _copies(can, outriders)
        for j in range(i):
            if places[j, SET] & ~can == 0:
                bound -= 1
        places[i, BOUND] = bound


@compiled
def _copies(cards: int, outriders: int) -> int:
    """How many cards a set stands for, when so many Outriders are hidden."""
    if cards & OUTRIDER_BIT != 0:
        return count(cards) + outriders - 1
    return count(cards)


@compiled
def _fill(s: GauntletState, side: int, places: Numbers, n: int, cards: int, outriders: int) -> bool:
    """Fill the listed places; False if a place had no card at the number drawn."""
    for i in range(n):
        fitting = places[i, SET] & cards
        chosen = draw(s, places[i, BOUND] + 0)
        if chosen >= _copies(fitting, outriders):
            return False
        if chosen >= count(fitting):  # the second Outrider
            card = OUTRIDER
        else:
            for _ in range(chosen):
                fitting &= fitting - 1
            card = count((fitting & -fitting) - 1)
        if card == OUTRIDER:
            outriders -= 1
        if card != OUTRIDER or outriders == 0:
            cards &= ~(1 << card)
        _put(s, side, places[i, HOLDER] + 0, places[i, AT] + 0, card)
    return True


@compiled
def _is_accepted(s: GauntletState, row: int, side: int) -> bool:
    """Whether a filled side is a deal to keep.

    The places of a hand are filled one by one, but the hand is a set: one that fits its places in many ways is kept
    so much less often.
    """
    for seat in range(s.players):
        size = s.hand_size[seat] + 0
        if (seat == s.thanos) != (side == THANOS):
            continue
        hand, places = s.hand[seat], s.hand_can[row, seat]
        if size > 1:
            ways = ways_to_lie(hand, places, size)
            equals = ways_of_equals(places, size)
            if ways > equals and draw(s, ways) >= equals:
                return False
        if row != s.players and ways_to_lie(hand, s.hand_can[s.players, seat], size) == 0:
            return False
    if row != s.players:
        for at in range(s.deck_size[side]):
            if (s.deck_can[s.players, side, at] >> s.deck[side, at]) & 1 == 0:
                return False
    return side == HEROES or _can_answer(s)


@compiled
def _can_answer(s: GauntletState) -> bool:
    """IG-52: while Thanos is asked to give up a card, everybody knows that he holds one of that number."""
    if s.step != Step.GIVE_UP:
        return True
    for i in range(s.hand_size[s.thanos]):
        if NUMBER[s.hand[s.thanos, i]] == s.number:
            return True
    return False
