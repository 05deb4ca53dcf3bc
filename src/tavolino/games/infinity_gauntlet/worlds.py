"""Resampling: draw everything that a viewer cannot know again, by rejection sampling (IG-91).

A deal is a set of cards for each hand and an order for each deck; the two Outriders are two cards. `resample` draws
uniformly from exactly those deals for which some past, with any hidden choices of the others, fits everything that the
viewer has seen. It proposes uniformly from the deals that fit the viewer's sets, which include all of these, and
accepts a proposal that has a past (pasts.py). Acceptance depends only on the deal, so accepted deals are uniform too.

Places are filled one after the other, those with the fewest possible cards first. Each place has a bound on the cards
that can be left to choose from: the size of its set, minus one for every earlier place whose set is a subset. A number
is drawn below that bound; if no such card is left, the whole deal is rejected. So every way to fill the places has the
same probability, and with nested sets, the usual case, nothing is rejected.
"""

import numpy as np

from tavolino.engine.chance import draw
from tavolino.engine.compiled import compiled
from tavolino.engine.knowledge import count, count_arrangements, count_equal_arrangements, is_one
from tavolino.engine.record import EVENT_ROOM, EVENT_WIDTH, Numbers
from tavolino.games.infinity_gauntlet.facts import (
    HERO_CARDS,
    HEROES,
    LARGEST_DECK,
    LARGEST_HAND,
    MOST_PLAYERS,
    OUTRIDER_BIT,
    OUTRIDERS,
    THANOS,
    THANOS_CARDS,
    TOP_CARDS,
    Card,
)
from tavolino.games.infinity_gauntlet.hero_pasts import ALL_NUMBERS, fits_deck, follow_deck, follow_hands
from tavolino.games.infinity_gauntlet.history import forget_secrets_of_others
from tavolino.games.infinity_gauntlet.knowledge import (
    IS_UNFINISHED,
    first_card,
    outriders_shown,
    recall,
    row_of,
    shown_now,
)
from tavolino.games.infinity_gauntlet.pasts import heroes_fit, make_room, sides_fit, thanos_fits
from tavolino.games.infinity_gauntlet.state import GauntletState, Step

OUTRIDER = int(Card.OUTRIDER)
# The columns of a list of places that are still to be filled.
SET, BOUND, HOLDER, AT = 0, 1, 2, 3


@compiled
def resample(s: GauntletState, viewer: int) -> None:
    """Draw all hidden cards again. The others then know what everybody knows, and their new cards."""
    row = row_of(s, viewer)
    recall(s, row)
    recall(s, s.players + 0)
    forget_secrets_of_others(s, row)
    _deal_anew(s, row)
    shown = shown_now(s)
    for seat in range(s.players + 0):
        _sort_hand(s, seat)
        if seat != row:
            _know_what_all_know(s, seat)
            _know_own_cards(s, seat)
            s.read_to[seat] = s.n_history
            s.shown_to[seat] = shown | IS_UNFINISHED


@compiled
def conceal(s: GauntletState, viewer: int) -> None:
    """Put into every hidden place the first card of the viewer's set for it, and clear what the others know.

    The policy uses only the sets of the viewer, and nothing else of the true cards is left.
    """
    row = row_of(s, viewer)
    recall(s, row)
    forget_secrets_of_others(s, row)
    for seat in range(s.players):
        if seat != row:
            for i in range(s.hand_size[seat]):
                s.hand[seat, i] = first_card(s.hand_can[row, seat, i] + 0)
    for side in range(2):
        for at in range(s.deck_size[side]):
            s.deck[side, at] = first_card(s.deck_can[row, side, at] + 0)
    for other in range(s.players + 1):
        if other != row:
            _know_nothing(s, other)
    s.n_events = 0
    for i in range(EVENT_ROOM):
        for j in range(EVENT_WIDTH):
            s.events[i, j] = 0


@compiled
def _know_nothing(s: GauntletState, row: int) -> None:
    s.read_to[row], s.shown_to[row] = 0, 0
    for holder in range(MOST_PLAYERS):
        for i in range(LARGEST_HAND):
            s.hand_can[row, holder, i] = 0
    for side in range(2):
        for at in range(LARGEST_DECK):
            s.deck_can[row, side, at] = 0


@compiled
def _deal_anew(s: GauntletState, row: int) -> None:
    """Draw each side until it has a past, and both until they have pasts that fit together.

    Only ties connect the sides: if the viewer fought in all ties, the sides are independent.
    """
    places = np.empty((LARGEST_DECK, 4), np.int32)
    room = make_room(s, row)
    # Usually there is one way to follow the deck, and it is the same for all proposals.
    _, made, size, block = follow_deck(s, row, room.choices, room.allowed, room.deck)
    while True:
        while True:
            _draw_side(s, row, HEROES, places)
            if made > 0:
                if heroes_fit(s, room):
                    break
            elif fits_deck(room.deck, 0, size, block, s.deck[HEROES]):
                room.tie_can[:] = ALL_NUMBERS
                if follow_hands(s, row, room.allowed, room.tie_can):
                    break
        room.tie_can[:] = ALL_NUMBERS
        _draw_side(s, row, THANOS, places)
        while not thanos_fits(s, room, room.tie_can):
            _draw_side(s, row, THANOS, places)
        if room.ties == 0 or sides_fit(s, room):
            return


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
    """A player knows their own hand; the player who looks at the top three sees them (IG-57)."""
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
                _put(s, side, holder, at + 0, first_card(can))
                outriders -= can == OUTRIDER_BIT
                cards &= ~can
            else:
                _list_place(places, n + 0, can, holder, at + 0)
                n += 1
    if outriders > 0:
        cards |= OUTRIDER_BIT
    _set_bounds(places, n + 0, cards, outriders)
    while not (_fill(s, side, places, n + 0, cards, outriders) and _is_hand_kept(s, row, side)):
        pass


@compiled
def _put(s: GauntletState, side: int, holder: int, at: int, card: int) -> None:
    if holder == s.players:
        s.deck[side, at] = card
    else:
        s.hand[holder, at] = card


@compiled
def _list_place(places: Numbers, n: int, can: int, holder: int, at: int) -> None:
    """Insert a place into a list of n, sorted by how many cards the places can hold."""
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
    """The number of cards in a set, if `outriders` of the Outriders are hidden."""
    if cards & OUTRIDER_BIT != 0:
        return count(cards) + outriders - 1
    return count(cards)


@compiled
def _fill(s: GauntletState, side: int, places: Numbers, n: int, cards: int, outriders: int) -> bool:
    """Fill the listed places; False if the number drawn for a place has no card."""
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
            card = first_card(fitting)
        if card == OUTRIDER:
            outriders -= 1
        if card != OUTRIDER or outriders == 0:
            cards &= ~(1 << card)
        _put(s, side, places[i, HOLDER] + 0, places[i, AT] + 0, card)
    return True


@compiled
def _is_hand_kept(s: GauntletState, row: int, side: int) -> bool:
    """The places of a hand are filled one by one, but the hand is a set: a hand that fits its places in several ways is
    accepted with a correspondingly lower probability."""
    for seat in range(s.players):
        size = s.hand_size[seat] + 0
        if size > 1 and (seat == s.thanos) == (side == THANOS):
            places = s.hand_can[row, seat]
            ways, equals = count_arrangements(s.hand[seat], places, size), count_equal_arrangements(places, size)
            if ways > equals and draw(s, ways) >= equals:
                return False
    return True
