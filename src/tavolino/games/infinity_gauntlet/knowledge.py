"""What viewers know in Infinity Gauntlet: for each hidden place the set of cards that can be there (IG-90 to IG-92).

Sets are computed from the history: from the public half of an entry, and from its private half only for a viewer in its
audience. So nothing can be known that was not seen. They are computed lazily (`recall`), for bots that estimate odds,
for learning, and for `resample`, which starts from them. Sets do not store dependencies between places: they contain
everything that is possible, but can contain more. pasts.py and possible.py compute what is exactly possible.
A row of `hand_can` and `deck_can` belongs to a viewer; an empty set is no place.
"""

from tavolino.engine.compiled import compiled
from tavolino.engine.knowledge import (
    count,
    exclude,
    known_cards,
    one_is_among,
    open_cards,
    remove_one,
    see_in_hand,
    union,
)
from tavolino.engine.record import NOBODY, SPECTATOR, Numbers
from tavolino.games.infinity_gauntlet.actions import Event, Result
from tavolino.games.infinity_gauntlet.evidence import cards_guessed, is_hit, spared_can, winner_can
from tavolino.games.infinity_gauntlet.facts import (
    CARD_BITS,
    DECK_SIZES,
    HERO_CARDS,
    HEROES,
    LARGEST_DECK,
    LARGEST_HAND,
    MOST_PLAYERS,
    OF_NUMBER,
    OUTRIDER_BIT,
    OUTRIDERS,
    THANOS,
    THANOS_CARDS,
    TOP_CARDS,
    Card,
)
from tavolino.games.infinity_gauntlet.history import (
    ENDS_ACTION,
    EVERYBODY,
    HERO_CARD,
    PUBLIC,
    THANOS_CARD,
    card_at,
    is_told,
    kind_of,
    lead_of,
    result_of,
    seat_of,
)
from tavolino.games.infinity_gauntlet.state import VIEWERS, GauntletState

THANOS_DECK_SIZE = DECK_SIZES[THANOS]
NOTHING = 0  # the empty set of cards
SECOND_OUTRIDER = 1 << 28  # in a set of face-up cards: both of them
IS_UNFINISHED = 1 << 30  # in `shown_to`: the sets are new, and `conclude` has not run on them yet


@compiled
def row_of(s: GauntletState, viewer: int) -> int:
    """The row of a viewer's sets: the spectator's row follows those of the seats."""
    return s.players + 0 if viewer == SPECTATOR else viewer + 0


@compiled
def first_card(cards: int) -> int:
    """The lowest card of a set; for a known place, its card."""
    return count((cards & -cards) - 1)


@compiled
def know_nothing(s: GauntletState) -> None:
    """Two shuffled decks, before anything is dealt."""
    s.history[:] = 0
    s.n_history, s.n_own, s.whose_own = 0, 0, NOBODY
    for row in range(VIEWERS):
        s.read_to[row], s.shown_to[row] = 0, 0
        is_there = row <= s.players
        for seat in range(MOST_PLAYERS):
            for i in range(LARGEST_HAND):
                s.hand_can[row, seat, i] = NOTHING
        for at in range(LARGEST_DECK):
            s.deck_can[row, HEROES, at] = HERO_CARDS if is_there else NOTHING
            s.deck_can[row, THANOS, at] = THANOS_CARDS if is_there and at < THANOS_DECK_SIZE else NOTHING


@compiled
def recall(s: GauntletState, row: int) -> None:
    """Bring a viewer's sets up to date with the entries since the last call, action by action."""
    first = s.read_to[row] + 0
    if s.shown_to[row] & IS_UNFINISHED != 0:
        s.shown_to[row] &= ~IS_UNFINISHED
        conclude(s, row)
    while first < s.n_history:
        end = first
        while s.history[end] & ENDS_ACTION == 0:
            end += 1
        for i in range(first, end + 1):
            s.shown_to[row] = _shown_after(s.shown_to[row] + 0, s.history[i] + 0)
        for i in range(first, end + 1):
            _learn(s, row, s.history[i] + 0)
        conclude(s, row)
        first = end + 1
    s.read_to[row] = first


@compiled
def settle(s: GauntletState) -> None:
    """Bring all viewers' sets up to date: the hash of a record includes them."""
    if s.quiet == 0:
        for row in range(s.players + 1):
            recall(s, row)


@compiled
def _shown_after(shown: int, entry: int) -> int:
    """The face-up cards after an entry. A defeated stone is face up for a moment, until it is shuffled in."""
    kind, card = kind_of(entry), card_at(entry, PUBLIC)
    if kind == Event.PLAYED or kind == Event.DEFEATED:
        if card == Card.OUTRIDER and shown & OUTRIDER_BIT != 0:
            return shown | SECOND_OUTRIDER
        return shown | (1 << card)
    if kind == Event.SHUFFLED_BACK:
        return shown & ~(1 << card)
    if kind == Event.NEW_DECK:
        return shown & ~HERO_CARDS
    return shown


@compiled
def shown_now(s: GauntletState) -> int:
    """The face-up cards, as `shown_to` has them."""
    return s.shown | (SECOND_OUTRIDER if outriders_shown(s) == OUTRIDERS else 0)


@compiled
def _learn(s: GauntletState, row: int, entry: int) -> None:
    """What one viewer learns from one event. Private parts are read only where `is_told` allows it."""
    hands, decks = s.hand_can[row], s.deck_can[row]
    kind, seat = kind_of(entry), seat_of(entry)
    card, is_mine = card_at(entry, PUBLIC), is_told(s, entry, row)
    if kind == Event.DRAWN:
        deck = decks[THANOS if seat == s.thanos else HEROES]
        top = _places(deck) - 1
        hands[seat, _places(hands[seat])] = 1 << card if is_mine else deck[top]
        deck[top] = NOTHING
    elif kind == Event.PLAYED or kind == Event.DEFEATED:
        _learn_leaving(hands, decks, seat, card)
    elif kind == Event.SHUFFLED_BACK:
        conclude(s, row)
        _learn_shuffle(decks[THANOS], 1 << card)
    elif kind == Event.NEW_DECK:
        _learn_new_deck(decks[HEROES], (entry >> PUBLIC) & HERO_CARDS)
    elif kind == Event.LOOKED:
        if is_mine:
            _see(hands[s.thanos], card)
    elif kind == Event.FIGHT:
        if is_mine:
            _see(hands[seat], card_at(entry, HERO_CARD))
            _see(hands[s.thanos], card_at(entry, THANOS_CARD))
        else:
            _learn_fight(hands[seat], hands[s.thanos], entry)
    elif kind == Event.TOP_THREE or kind == Event.ORDERED:
        _learn_top_three(decks[HEROES], entry, kind == Event.ORDERED, is_mine)
    elif kind == Event.BOTTOM:
        _learn_bottom(hands[seat], decks[THANOS], 1 << card if is_mine else THANOS_CARDS)
    elif kind == Event.GUESSED:
        for other in range(s.players):
            if seat == other or (seat == EVERYBODY and other != s.thanos):
                _learn_number(hands[other], cards_guessed(entry), is_hit(entry, other))
    elif kind == Event.SPARED:
        hands[seat, 0] &= spared_can(entry)
    elif kind == Event.SNAP:
        for i in range(_places(hands[seat])):
            hands[seat, i] = 1 << card_at(entry, PUBLIC + CARD_BITS * i)


@compiled
def _places(places: Numbers) -> int:
    """The number of places: they come before the empty sets."""
    n = 0
    while n < len(places) and places[n] != NOTHING:
        n += 1
    return n


@compiled
def _learn_leaving(hands: Numbers, decks: Numbers, seat: int, card: int) -> None:
    """Everybody saw which card left a hand. No place can hold it now, unless there is a second copy."""
    remove_one(hands[seat], _places(hands[seat]), 1 << card)
    if card != Card.OUTRIDER:
        exclude(hands, 1 << card)
        exclude(decks, 1 << card)


@compiled
def _learn_shuffle(deck: Numbers, card: int) -> None:
    """IG-21: the deck is shuffled with one more card: its order becomes unknown, its cards do not."""
    cards = union(deck) | card
    for at in range(_places(deck) + 1):
        deck[at] = cards


@compiled
def _learn_new_deck(deck: Numbers, cards: int) -> None:
    """IG-30, IG-58: these cards are shuffled and put under the rest of the hero deck."""
    left, size = _places(deck), count(cards)
    for at in range(left + size - 1, -1, -1):
        deck[at] = deck[at - size] if at >= size else cards


@compiled
def _learn_top_three(deck: Numbers, entry: int, is_ordered: bool, is_mine: bool) -> None:
    """IG-57: the looker knows them; for the others each of them can be in any of the three places afterwards."""
    top = _places(deck) - 1
    cards = deck[top] | deck[top - 1] | deck[top - 2]
    for i in range(TOP_CARDS):
        if is_mine:
            deck[top - i] = 1 << card_at(entry, PUBLIC + CARD_BITS * i)
        elif is_ordered:
            deck[top - i] = cards


@compiled
def _learn_bottom(hand: Numbers, deck: Numbers, cards: int) -> None:
    """IG-73: one card of the hand, from a set, is now on the bottom of the deck."""
    under = union(hand) & cards
    remove_one(hand, _places(hand), cards)
    for at in range(_places(deck), 0, -1):
        deck[at] = deck[at - 1]
    deck[0] = under


@compiled
def _see(hand: Numbers, card: int) -> None:
    see_in_hand(hand, _places(hand), card)


@compiled
def _learn_number(hand: Numbers, cards: int, is_held: bool) -> None:
    """IG-51, IG-61, IG-62: whether the hand holds a card of the guessed number; `cards` are those with the number."""
    n = _places(hand)
    if is_held:
        one_is_among(hand, n, cards)
    else:
        for i in range(n):
            hand[i] &= ~cards


@compiled
def _learn_fight(hero: Numbers, thanos: Numbers, entry: int) -> None:
    """IG-44: viewers who did not fight see the tokens and the defeated card, and deduce what the other one can be."""
    hero_can, thanos_can = HERO_CARDS, THANOS_CARDS
    if result_of(entry) == Result.WON:
        hero_can = winner_can(entry)
    elif result_of(entry) == Result.LOST:
        thanos_can = winner_can(entry)
    else:
        lead = lead_of(entry)
        hero_can, thanos_can = 0, 0
        for number in range(1, 7):
            other = number + lead
            if 1 <= other <= 7 and hero[0] & OF_NUMBER[number] != 0 and union(thanos) & OF_NUMBER[other] != 0:
                hero_can |= OF_NUMBER[number]
                thanos_can |= OF_NUMBER[other]
    hero[0] &= hero_can
    one_is_among(thanos, _places(thanos), thanos_can)


@compiled
def conclude(s: GauntletState, row: int) -> None:
    """If all copies of a card are face up or in known places, it is in no other place."""
    hands, decks = s.hand_can[row], s.deck_can[row]
    shown = s.shown_to[row] + 0
    made_known = True
    while made_known:
        gone = (shown & (HERO_CARDS | THANOS_CARDS)) | known_cards(hands) | known_cards(decks)
        if gone & (open_cards(hands) | open_cards(decks)) == 0:
            return  # the most common case, and a cheap test
        if gone & OUTRIDER_BIT != 0 and _outriders_found(shown, hands[s.thanos], decks[THANOS]) < OUTRIDERS:
            gone &= ~OUTRIDER_BIT
        made_known = exclude(hands, gone)
        made_known = exclude(decks, gone) or made_known


@compiled
def _outriders_found(shown: int, hand: Numbers, deck: Numbers) -> int:
    found = 0
    if shown & OUTRIDER_BIT != 0:
        found = OUTRIDERS if shown & SECOND_OUTRIDER != 0 else 1
    for i in range(len(hand)):
        found += hand[i] == OUTRIDER_BIT
    for at in range(len(deck)):
        found += deck[at] == OUTRIDER_BIT
    return found


@compiled
def outriders_shown(s: GauntletState) -> int:
    shown = 0
    for i in range(s.face_up_size[s.thanos]):
        shown += s.face_up[s.thanos, i] == Card.OUTRIDER
    return shown
