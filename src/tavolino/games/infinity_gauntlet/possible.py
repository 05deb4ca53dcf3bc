"""The exact set of cards that each hidden place can hold: those that are there in some world of `resample` (IG-90).

The sets of knowledge.py can contain more. Here every card of such a set is put into its place, in a world in which the
other hidden places are empty, and the functions that decide whether `resample` accepts a deal (pasts.py) decide whether
that card has a past. For the hero cards a matching problem remains: given what each place alone can hold, every
assignment of cards is possible, so a card can be in a place if the others can be assigned to the other places. For the
cards of Thanos all hands are tried, and each card at the bottom of his deck with them.

Numbers of ties are tried one by one, and so are the ways in which cards were drawn from blocks. If there are more than
MOST_WAYS of them, nothing is computed here, and the notebook uses the sets of knowledge.py.
"""

import numpy as np
from numpy.typing import NDArray

from tavolino.engine.compiled import compiled, entry
from tavolino.engine.entry_points import declare
from tavolino.engine.knowledge import count, count_arrangements, is_one
from tavolino.engine.record import Numbers, States
from tavolino.games.infinity_gauntlet.actions import Event
from tavolino.games.infinity_gauntlet.facts import (
    FIRST_THANOS_CARD,
    HERO_CARDS,
    LARGEST_DECK,
    MOST_PLAYERS,
    NO_CARD,
    OUTRIDERS,
    THANOS,
    THANOS_CARD_KINDS,
)
from tavolino.games.infinity_gauntlet.hero_pasts import ALL_NUMBERS, FITS, follow_deck, follow_hands, list_items
from tavolino.games.infinity_gauntlet.history import forget_secrets_of_others, kind_of, seat_of
from tavolino.games.infinity_gauntlet.knowledge import first_card, outriders_shown, recall
from tavolino.games.infinity_gauntlet.pasts import (
    Room,
    choose_next,
    first_numbers,
    make_room,
    next_numbers,
    thanos_fits,
    write_over,
)
from tavolino.games.infinity_gauntlet.state import RECORD, GauntletState
from tavolino.games.infinity_gauntlet.thanos_pasts import (
    HAND_MASK,
    SECOND_OUTRIDER,
    bottoms_before,
    copies,
    without,
)

MOST_WAYS = 300
TOO_MANY = -1
MOST_HANDS = 715  # ways to take 4 of 13 cards, as many as Thanos ever holds
LARGEST_HERO_HAND = 2
# The indices of the places of the hero cards: hands first, two places each, then the deck. The last entry is the set
# of cards that a player with two cards need not hold.
FIRST_OF_DECK = LARGEST_HERO_HAND * MOST_PLAYERS
MOST_PLACES = FIRST_OF_DECK + LARGEST_DECK
UNCERTAIN = MOST_PLACES


@entry
def list_possible(
    states: States, index: int, worlds: States, row: int, heroes: Numbers, hands: Numbers, deck: Numbers
) -> int:
    """Write into `heroes` what each place of the hero cards can hold, by FIRST_OF_DECK; into `hands` every hand that
    Thanos can hold, in the format of thanos_pasts.py; into `deck` what each place of his deck can hold.

    Returns the number of hands, or TOO_MANY. `worlds` is scratch memory for one world.
    """
    recall(states[index], row)
    worlds[0] = states[index]
    s = worlds[0]
    forget_secrets_of_others(s, row)
    empty_hidden_places(s)
    room = make_room(s, row)
    heroes[:] = 0
    deck[:] = 0
    if narrow_ties(s, room) > MOST_WAYS:
        return TOO_MANY
    tie_can, numbers = room.tie_can.copy(), np.empty(room.ties, np.int32)
    found, tried = np.empty(MOST_PLACES + 1, np.int32), np.empty(MOST_HANDS, np.int32)
    first_numbers(tie_can, numbers)
    n_hands = 0
    while True:
        if _find_heroes(s, room, numbers, found):
            write_over(room.one_each, numbers)
            n_tried = _list_hands(s, room, tried)
            if n_tried > 0:
                for place in range(MOST_PLACES + 1):
                    heroes[place] |= found[place]
                _find_in_deck(s, room, tried, n_tried, deck)
                n_hands = _add_hands(hands, n_hands, tried, n_tried)
        if not next_numbers(tie_can, numbers):
            return n_hands


declare(
    "worlds",
    list_possible,
    lambda game: (
        *(game.new_states(), 0, game.new_states(), 0),
        *(np.zeros(MOST_PLACES + 1, np.int32), np.zeros(MOST_HANDS, np.int32), np.zeros(LARGEST_DECK, np.int32)),
    ),
    record=RECORD,
)


@compiled
def empty_hidden_places(s: GauntletState) -> None:
    """Empty all hands and decks, so that the result depends only on what was seen."""
    for seat in range(s.players):
        for i in range(s.hand_size[seat]):
            s.hand[seat, i] = NO_CARD
    for side in range(2):
        for at in range(s.deck_size[side]):
            s.deck[side, at] = NO_CARD


@compiled
def narrow_ties(s: GauntletState, room: Room) -> int:
    """Write into `tie_can` the numbers that heroes can have had at the ties. Returns the number of ways to try."""
    sizes = put_hands_aside(s)
    tie_can = np.zeros(room.ties + 1, np.int32)
    lists = 0
    room.choices[:] = 0
    while True:
        fits, made, _, _ = follow_deck(s, room.row, room.choices, room.allowed, room.deck)
        lists += 1
        room.tie_can[:] = ALL_NUMBERS
        if fits == FITS and follow_hands(s, room.row, room.allowed, room.tie_can):
            for tie in range(room.ties):
                tie_can[tie] |= room.tie_can[tie]
        if lists > MOST_WAYS or not choose_next(room.choices, made):
            break
    write_over(room.tie_can, tie_can)
    ways = lists
    for tie in range(room.ties):
        ways = min(ways * count(tie_can[tie] + 0), MOST_WAYS + 1)
    write_over(s.hand_size, sizes)
    return ways


# -- hero cards


@compiled
def put_hands_aside(s: GauntletState) -> Numbers:
    """Set all hand sizes to 0: for follow_hands an empty hand can have been any card. Returns the true sizes."""
    sizes = s.hand_size.copy()
    for seat in range(s.players):
        if seat != s.thanos:
            s.hand_size[seat] = 0
    return sizes


@compiled
def _find_heroes(s: GauntletState, room: Room, numbers: Numbers, found: Numbers) -> bool:
    """Write into `found` what each place can hold if the heroes had these numbers at the ties; False if none can."""
    sizes = put_hands_aside(s)
    can = np.empty(MOST_PLACES, np.int32)
    is_possible = False
    found[:] = 0
    room.choices[:] = 0
    while True:
        fits, made, size, block = follow_deck(s, room.row, room.choices, room.allowed, room.deck)
        if fits == FITS:
            can[:] = 0
            places, two = size, NO_CARD
            for seat in range(s.players):
                if seat != s.thanos and sizes[seat] > 0:
                    find_in_hand(s, room, numbers, seat, sizes[seat] + 0, can)
                    places += sizes[seat]
                    if sizes[seat] == LARGEST_HERO_HAND:
                        two = LARGEST_HERO_HAND * seat
            list_items(room.deck, size, s.shown + 0, can[FIRST_OF_DECK:])
            if _match_cards(can, places):
                is_possible = True
                if two != NO_CARD:
                    found[UNCERTAIN] |= _uncertain(can, places, two)
                _mix_block(can[FIRST_OF_DECK:], size - block, size)
                for place in range(MOST_PLACES):
                    found[place] |= can[place]
        if not choose_next(room.choices, made):
            write_over(s.hand_size, sizes)
            return is_possible


@compiled
def _uncertain(can: Numbers, places: int, two: int) -> int:
    """The cards without which the two places from `two` on can still be filled."""
    held = can[two] | can[two + 1]
    uncertain = HERO_CARDS & ~held
    for card in range(FIRST_THANOS_CARD):
        if (held >> card) & 1 != 0:
            others = can.copy()
            others[two] &= ~(1 << card)
            others[two + 1] &= ~(1 << card)
            if _match_cards(others, places):
                uncertain |= 1 << card
    return uncertain


@compiled
def _mix_block(can: Numbers, first: int, end: int) -> None:
    """The cards of a block can be in any order."""
    cards = 0
    for at in range(first, end):
        cards |= can[at]
    for at in range(first, end):
        can[at] = cards


@compiled
def find_in_hand(s: GauntletState, room: Room, numbers: Numbers, seat: int, size: int, can: Numbers) -> None:
    """What a hero can hold, whatever the others hold. Of two cards one was held before, the other one drawn last."""
    place, end = LARGEST_HERO_HAND * seat, s.n_history + 0
    cards = (s.hand_can[room.row, seat, 0] | s.hand_can[room.row, seat, 1]) & ~s.shown
    if size == LARGEST_HERO_HAND:
        last = end - 1
        while kind_of(s.history[last] + 0) != Event.DRAWN or seat_of(s.history[last] + 0) != seat:
            last -= 1
        can[place + 1] = room.allowed[last] & cards
        s.n_history = last  # until then there was one card
    s.hand_size[seat] = 1
    for card in range(FIRST_THANOS_CARD):
        if (cards >> card) & 1 != 0:
            s.hand[seat, 0] = card
            write_over(room.one_each, numbers)
            if follow_hands(s, room.row, room.allowed, room.one_each):
                can[place] |= 1 << card
    s.hand[seat, 0] = NO_CARD
    s.hand_size[seat] = 0
    s.n_history = end


@compiled
def _match_cards(can: Numbers, places: int) -> bool:
    """Remove from each place the cards that are in no perfect matching of cards to places; False if there is none.

    Find one matching. Then card c can be in place p instead if the place that has c can take another card, the place
    of that card another one, and so on, up to the card that p has.
    """
    holder = np.full(FIRST_THANOS_CARD, NO_CARD, np.int64)
    card_at_place = np.full(MOST_PLACES, NO_CARD, np.int64)
    for place in range(MOST_PLACES):
        if can[place] != 0:
            places -= 1
            if not _match_place(can, place, holder, card_at_place):
                return False
    if places != 0:  # one place can hold nothing
        return False
    reach = can.copy()  # the cards that a place can take, directly or after others have moved
    for card in range(FIRST_THANOS_CARD):
        if holder[card] != NO_CARD:
            for place in range(MOST_PLACES):
                if (reach[place] >> card) & 1 != 0:
                    reach[place] |= reach[holder[card]]
    for place in range(MOST_PLACES):
        for card in range(FIRST_THANOS_CARD):
            if (can[place] >> card) & 1 != 0 and (reach[holder[card]] >> card_at_place[place]) & 1 == 0:
                can[place] &= ~(1 << card)
    return True


@compiled
def _match_place(can: Numbers, place: int, holder: NDArray[np.int64], card_at_place: NDArray[np.int64]) -> bool:
    """Put a card into one more place, moving others if needed (an augmenting path)."""
    asked_by = np.full(FIRST_THANOS_CARD, NO_CARD, np.int64)
    queue = np.empty(MOST_PLACES, np.int64)
    queue[0] = place
    first, end = 0, 1
    while first < end:
        asking = queue[first]
        first += 1
        for card in range(FIRST_THANOS_CARD):
            if (can[asking] >> card) & 1 == 0 or asked_by[card] != NO_CARD:
                continue
            asked_by[card] = asking
            if holder[card] != NO_CARD:
                queue[end] = holder[card]
                end += 1
                continue
            free = card
            while True:
                taker = asked_by[free]
                before = card_at_place[taker]
                card_at_place[taker], holder[free] = free, taker
                if taker == place:
                    return True
                free = before
    return False


# -- cards of Thanos


@compiled
def _list_hands(s: GauntletState, room: Room, hands: Numbers) -> int:
    """Write all hands of Thanos that have a past, with the numbers of ties in `one_each`. Returns their number."""
    thanos, size = s.thanos + 0, s.hand_size[s.thanos] + 0
    left = lay_known(s, room.row)
    n = 0
    hand = (1 << size) - 1
    while hand <= HAND_MASK:
        if hand & ~left == 0 and (hand & SECOND_OUTRIDER == 0 or hand & 1 != 0):
            hold(s, hand)
            fits = count_arrangements(s.hand[thanos], s.hand_can[room.row, thanos], size) > 0
            if fits and thanos_fits(s, room, room.one_each):
                hands[n] = hand
                n += 1
        if hand == 0:
            break
        hand = next_of_size(hand)
    return n


@compiled
def next_of_size(cards: int) -> int:
    """The next higher number with as many bits set (Gosper's hack)."""
    lowest = cards & -cards
    carried = cards + lowest
    return carried | (((cards ^ carried) >> 2) // lowest)


@compiled
def lay_known(s: GauntletState, row: int) -> int:
    """Put the known cards into the deck of Thanos. Returns the other cards that are not face up, in a hand's format."""
    left = 0
    for kind in range(THANOS_CARD_KINDS):
        if (s.shown >> (FIRST_THANOS_CARD + kind)) & 1 == 0:
            left |= 1 << kind
    left |= (0, 1, 1 | SECOND_OUTRIDER)[OUTRIDERS - outriders_shown(s)]
    for at in range(s.deck_size[THANOS]):
        can = s.deck_can[row, THANOS, at] + 0
        s.deck[THANOS, at] = NO_CARD
        if is_one(can):
            s.deck[THANOS, at] = first_card(can)
            left = without(left, first_card(can) - FIRST_THANOS_CARD)
    return left


@compiled
def hold(s: GauntletState, hand: int) -> None:
    at, thanos = 0, s.thanos + 0
    for kind in range(THANOS_CARD_KINDS + 1):
        if (hand >> kind) & 1 != 0:
            s.hand[thanos, at] = FIRST_THANOS_CARD + kind % THANOS_CARD_KINDS  # the last bit is the second Outrider
            at += 1


@compiled
def _find_in_deck(s: GauntletState, room: Room, hands: Numbers, n: int, deck: Numbers) -> None:
    """Add what each place of the deck of Thanos can hold beside one of these hands."""
    left = lay_known(s, room.row)
    bottoms = bottoms_before(s, s.n_history + 0)
    alike = NO_CARD  # a place above those, if there was one: all of them can hold the same cards
    for at in range(s.deck_size[THANOS]):
        if s.deck[THANOS, at] != NO_CARD:
            deck[at] |= 1 << s.deck[THANOS, at]
        elif alike != NO_CARD:
            deck[at] |= deck[alike]
        else:
            alike = at if at >= bottoms else NO_CARD
            for kind in range(THANOS_CARD_KINDS):
                if (left >> kind) & 1 != 0 and _can_be_at(s, room, hands, n, left, at, kind):
                    deck[at] |= 1 << (FIRST_THANOS_CARD + kind)


@compiled
def _can_be_at(s: GauntletState, room: Room, hands: Numbers, n: int, left: int, at: int, kind: int) -> bool:
    s.deck[THANOS, at] = FIRST_THANOS_CARD + kind
    is_possible = False
    for i in range(n):
        if copies(left, kind) > copies(hands[i] + 0, kind):
            hold(s, hands[i] + 0)
            if thanos_fits(s, room, room.one_each):
                is_possible = True
                break
    s.deck[THANOS, at] = NO_CARD
    return is_possible


@compiled
def _add_hands(hands: Numbers, n: int, more: Numbers, n_more: int) -> int:
    """Add the hands that are not in the list yet. Returns the new number."""
    before = n
    for i in range(n_more):
        is_there = False
        for j in range(before):
            is_there = is_there or hands[j] == more[i]
        if not is_there:
            hands[n] = more[i]
            n += 1
    return n
