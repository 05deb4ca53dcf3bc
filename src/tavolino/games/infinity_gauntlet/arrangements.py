"""All deals that `resample` draws from, listed so that they can be counted (IG-91).

A deal has a past if there is one number for each tie with which both sides have one (pasts.py). The ways to choose
these numbers are the bits of a set: each card of a hero and each hand of Thanos has the set of the ways with which it
has a past. Heroes do not depend on each other, so a deal has a past if its cards have a way in common.

Nothing is listed where cards were drawn in several ways from blocks whose items differ (hero_pasts.py), where the ties
have more than MOST_WAYS ways, and where Thanos has more than MOST_HANDS hands, with the unknown cards that he put under
his deck, or more than MOST_TRIED for all ways.
"""

import numpy as np
from numpy.typing import NDArray

from tavolino.engine.compiled import compiled, entry, int64
from tavolino.engine.entry_points import declare
from tavolino.engine.knowledge import count_arrangements
from tavolino.engine.record import Numbers, States
from tavolino.games.infinity_gauntlet.facts import (
    FIRST_THANOS_CARD,
    LARGEST_DECK,
    NO_CARD,
    THANOS,
    THANOS_CARD_KINDS,
)
from tavolino.games.infinity_gauntlet.hero_pasts import FITS, follow_deck, list_items
from tavolino.games.infinity_gauntlet.history import forget_secrets_of_others
from tavolino.games.infinity_gauntlet.knowledge import recall
from tavolino.games.infinity_gauntlet.pasts import (
    Room,
    choose_next,
    first_numbers,
    make_room,
    next_numbers,
    thanos_fits,
    write_over,
)
from tavolino.games.infinity_gauntlet.possible import (
    FIRST_OF_DECK,
    MOST_PLACES,
    TOO_MANY,
    empty_hidden_places,
    find_in_hand,
    hold,
    lay_known,
    narrow_ties,
    next_of_size,
    put_hands_aside,
)
from tavolino.games.infinity_gauntlet.state import RECORD, GauntletState
from tavolino.games.infinity_gauntlet.thanos_pasts import (
    HAND_MASK,
    PLACE_BITS,
    PLACE_MASK,
    SECOND_OUTRIDER,
    bottoms_before,
    copies,
)

Sets = NDArray[np.int64]

MOST_WAYS = 60
MOST_HANDS = 1500
MOST_TRIED = 20_000
MOST_UNDER_DECK = 2
# The columns of a hand of Thanos: its cards in the format of thanos_pasts.py; the cards under his deck that the viewer
# does not know, as kind + 1 in PLACE_BITS for each place from the bottom; and its ways.
HAND, UNDER_DECK, WAYS = 0, 1, 2
BLOCK = MOST_PLACES  # the row of `heroes` that begins with how many top places of the hero deck have no order


@entry
def list_deals(states: States, index: int, worlds: States, row: int, heroes: Sets, hands: Sets, deck: Numbers) -> int:
    """Write into `heroes`, by place (possible.py) and card, the ways with which the card can be there; the second place
    of two, and the deck, have 1 for all ways. Write into `hands` the hands of Thanos, and into `deck` the cards of his
    deck that the viewer knows, else NO_CARD.

    Returns the number of hands, or TOO_MANY. `worlds` is scratch memory for one world.
    """
    recall(states[index], row)
    worlds[0] = states[index]
    s = worlds[0]
    forget_secrets_of_others(s, row)
    empty_hidden_places(s)
    room = make_room(s, row)
    ways = narrow_ties(s, room)
    if ways > MOST_WAYS:
        return TOO_MANY
    tie_can, numbers = room.tie_can.copy(), np.empty(room.ties, np.int32)
    block = _follow_the_deck(s, room)
    n_hands = _list_hands(s, room, hands)
    if block == TOO_MANY or n_hands == TOO_MANY or n_hands * ways > MOST_TRIED:
        return TOO_MANY
    heroes[:] = 0
    heroes[BLOCK, 0] = block
    _list_deck(s, room, heroes)
    way = int64(1)
    first_numbers(tie_can, numbers)
    while True:
        _add_heroes(s, room, numbers, way, heroes)
        _add_hands(s, room, numbers, way, hands, n_hands)
        if not next_numbers(tie_can, numbers):
            break
        way *= 2
    lay_known(s, row)
    write_over(deck, s.deck[THANOS])
    return n_hands


declare(
    "coach",
    list_deals,
    lambda game: (
        *(game.new_states(), 0, game.new_states(), 0),
        *(np.zeros((MOST_PLACES + 1, FIRST_THANOS_CARD), np.int64), np.zeros((MOST_HANDS, 3), np.int64)),
        np.zeros(LARGEST_DECK, np.int32),
    ),
    record=RECORD,
)


@compiled
def _follow_the_deck(s: GauntletState, room: Room) -> int:
    """Follow the hero deck in the only way that fits, and return the size of its block; TOO_MANY if several fit."""
    ways, block_of_it = 0, 0
    fitting = room.choices.copy()
    room.choices[:] = 0
    while True:
        fits, made, _, block = follow_deck(s, room.row, room.choices, room.allowed, room.deck)
        if fits == FITS:
            ways, block_of_it = ways + 1, block
            write_over(fitting, room.choices)
        if ways > 1:
            return TOO_MANY
        if not choose_next(room.choices, made):
            break
    write_over(room.choices, fitting)
    follow_deck(s, room.row, room.choices, room.allowed, room.deck)
    return block_of_it


@compiled
def _list_deck(s: GauntletState, room: Room, heroes: Sets) -> None:
    can = np.zeros(LARGEST_DECK, np.int32)
    list_items(room.deck, s.deck_size[0] + 0, s.shown + 0, can)
    for at in range(s.deck_size[0]):
        for card in range(FIRST_THANOS_CARD):
            heroes[FIRST_OF_DECK + at, card] = (can[at] >> card) & 1


@compiled
def _add_heroes(s: GauntletState, room: Room, numbers: Numbers, way: int, heroes: Sets) -> None:
    """Add a way to the cards that the heroes can hold with these numbers."""
    can = np.zeros(MOST_PLACES, np.int32)
    sizes = put_hands_aside(s)
    for seat in range(s.players):
        if seat != s.thanos and sizes[seat] > 0:
            find_in_hand(s, room, numbers, seat, sizes[seat] + 0, can)
    write_over(s.hand_size, sizes)
    for place in range(FIRST_OF_DECK):
        for card in range(FIRST_THANOS_CARD):
            if (can[place] >> card) & 1 != 0:
                heroes[place, card] |= 1 if place % 2 == 1 else way


@compiled
def _list_hands(s: GauntletState, room: Room, hands: Sets) -> int:
    """Write all hands of Thanos that fit the viewer's sets, with no ways yet. Returns their number, or TOO_MANY."""
    thanos, size = s.thanos + 0, s.hand_size[s.thanos] + 0
    left = lay_known(s, room.row)
    under, n_under = np.zeros(MOST_UNDER_DECK, np.int64), 0
    if room.facts > 0:
        for at in range(min(bottoms_before(s, s.n_history + 0), s.deck_size[THANOS] + 0)):
            if s.deck[THANOS, at] == NO_CARD:
                if n_under == MOST_UNDER_DECK:
                    return TOO_MANY
                under[n_under] = at
                n_under += 1
    n = 0
    hand = (1 << size) - 1
    while hand <= HAND_MASK:
        if hand & ~left == 0 and (hand & SECOND_OUTRIDER == 0 or hand & 1 != 0):
            hold(s, hand)
            if count_arrangements(s.hand[thanos], s.hand_can[room.row, thanos], size) > 0:
                for code in range(THANOS_CARD_KINDS**n_under):
                    cards = _under_deck(left, hand, under, n_under, code)
                    if cards >= 0:
                        if n == MOST_HANDS:
                            return TOO_MANY
                        hands[n, HAND], hands[n, UNDER_DECK], hands[n, WAYS] = hand, cards, 0
                        n += 1
        if hand == 0:
            break
        hand = next_of_size(hand)
    return n


@compiled
def _under_deck(left: int, hand: int, under: Sets, n: int, code: int) -> int:
    """The kinds of cards under the deck that are the digits of a code; NO_CARD if there are not so many cards."""
    cards = int64(0)
    for i in range(n):
        kind = code % THANOS_CARD_KINDS
        code //= THANOS_CARD_KINDS
        others = copies(hand, kind)
        for j in range(i):
            others += (cards >> (PLACE_BITS * under[j])) & PLACE_MASK == kind + 1
        if others >= copies(left, kind):
            return int64(NO_CARD)
        cards |= int64(kind + 1) << (PLACE_BITS * under[i])
    return cards


@compiled
def _add_hands(s: GauntletState, room: Room, numbers: Numbers, way: int, hands: Sets, n: int) -> None:
    """Add a way to the hands of Thanos that have a past with these numbers."""
    lay_known(s, room.row)
    write_over(room.one_each, numbers)
    for i in range(n):
        hold(s, hands[i, HAND] + 0)
        for at in range(s.deck_size[THANOS]):
            kind = (hands[i, UNDER_DECK] >> (PLACE_BITS * at)) & PLACE_MASK
            if kind != 0:
                s.deck[THANOS, at] = FIRST_THANOS_CARD + kind - 1
        if thanos_fits(s, room, room.one_each):
            hands[i, WAYS] |= way
        for at in range(s.deck_size[THANOS]):
            if (hands[i, UNDER_DECK] >> (PLACE_BITS * at)) & PLACE_MASK != 0:
                s.deck[THANOS, at] = NO_CARD
