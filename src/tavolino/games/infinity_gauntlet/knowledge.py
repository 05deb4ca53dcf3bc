"""Who knows what in Infinity Gauntlet: the sets of cards that each viewer keeps for each hidden place (IG-90 to IG-92).

Sets change by events alone, after each action, one viewer at a time: by the public half of an event, and by its private
half only for a viewer in its audience. So nothing can be known that was not seen. A quiet record has no events, and
its sets stand still. What a fight showed of two hands together no set can hold: `remembered` keeps it until one of the
two lets a card go. A row of `hand_can` and `deck_can` belongs to a viewer; an empty set is no place.
"""

import numpy as np
from numpy.typing import NDArray

from tavolino.engine.compiled import compiled
from tavolino.engine.knowledge import (
    count,
    known_cards,
    let_one_go,
    one_is_among,
    open_cards,
    see_in_hand,
    strike_out,
    union,
)
from tavolino.engine.record import NOBODY, SPECTATOR
from tavolino.games.infinity_gauntlet.actions import Event, Result
from tavolino.games.infinity_gauntlet.facts import (
    DECK_SIZES,
    HERO_CARDS,
    HEROES,
    LARGEST_DECK,
    LARGEST_HAND,
    MOST_PLAYERS,
    NUMBER,
    OF_NUMBER,
    OUTRIDER_BIT,
    OUTRIDERS,
    THANOS,
    THANOS_CARDS,
    TOKEN_BONUS,
    TOP_CARDS,
    Card,
)
from tavolino.games.infinity_gauntlet.state import VIEWERS, GauntletState

Numbers = NDArray[np.int32]
THANOS_DECK_SIZE = DECK_SIZES[THANOS]
NOTHING = 0  # the empty set of cards
FIRST, SECOND = 2, 3  # where the numbers of an event stand in its row, after its kind and audience


@compiled
def row_of(s: GauntletState, viewer: int) -> int:
    """The row of a viewer's sets: that of the spectator comes after those of the seats."""
    return s.players + 0 if viewer == SPECTATOR else viewer + 0


@compiled
def know_nothing(s: GauntletState) -> None:
    """Two shuffled decks, before anything is dealt."""
    for seat in range(MOST_PLAYERS):
        s.remembered[seat] = 0
    for row in range(VIEWERS):
        is_there = row <= s.players
        for seat in range(MOST_PLAYERS):
            for i in range(LARGEST_HAND):
                s.hand_can[row, seat, i] = NOTHING
        for at in range(LARGEST_DECK):
            s.deck_can[row, HEROES, at] = HERO_CARDS if is_there else NOTHING
            s.deck_can[row, THANOS, at] = THANOS_CARDS if is_there and at < THANOS_DECK_SIZE else NOTHING


@compiled
def learn(s: GauntletState) -> None:
    """What every viewer learns from the events of an action."""
    for i in range(s.n_events):
        _remember(s, s.events[i])
    for row in range(s.players + 1):
        for i in range(s.n_events):
            is_told = row < s.players and (s.events[i, 1] >> row) & 1 != 0
            _learn_event(s, row, s.events[i], is_told)
        conclude(s, row)


@compiled
def _learn_event(s: GauntletState, row: int, event: Numbers, is_told: bool) -> None:
    """What one viewer learns from one event. Private parts are read where `is_told` says so, and nowhere else."""
    hands, decks = s.hand_can[row], s.deck_can[row]
    kind, seat = event[0] + 0, event[FIRST] + 0
    if kind == Event.DRAWN:
        deck = decks[THANOS if seat == s.thanos else HEROES]
        top = _places(deck) - 1
        hands[seat, _places(hands[seat])] = 1 << event[SECOND] if is_told else deck[top]
        deck[top] = NOTHING
    elif kind == Event.PLAYED or kind == Event.DEFEATED:
        _learn_leaving(hands, decks, seat, event[SECOND] + 0)
    elif kind == Event.SHUFFLED_BACK:
        conclude(s, row)
        _learn_shuffle(decks[THANOS], 1 << event[SECOND])
    elif kind == Event.NEW_DECK:
        _learn_new_deck(decks[HEROES], event[FIRST] + 0)
    elif kind == Event.LOOKED:
        if is_told:
            _see(hands[s.thanos], event[SECOND] + 0)
    elif kind == Event.FIGHT:
        if is_told:
            _see(hands[seat], event[FIRST + 6] + 0)
            _see(hands[s.thanos], event[FIRST + 7] + 0)
        else:
            _learn_fight(hands[seat], hands[s.thanos], event)
    elif kind == Event.TOP_THREE or kind == Event.ORDERED:
        _learn_top_three(decks[HEROES], event, kind == Event.ORDERED, is_told)
    elif kind == Event.BOTTOM:
        _learn_bottom(hands[seat], decks[THANOS], 1 << event[SECOND] if is_told else THANOS_CARDS)
    elif kind == Event.GUESSED:
        for other in range(s.players):
            if event[SECOND] == other or (event[SECOND] == NOBODY and other != s.thanos):
                _learn_number(hands[other], event[FIRST + 2] + 0, (event[FIRST + 3] >> other) & 1 != 0)
    elif kind == Event.SPARED:
        spared = numbers_from(4) if event[FIRST + 2] == Card.CORVUS_GLAIVE else ~numbers_from(3)
        hands[event[SECOND], 0] &= spared
    elif kind == Event.SNAP:
        for i in range(_places(hands[seat])):
            hands[seat, i] = 1 << event[SECOND + i]


@compiled
def _places(places: Numbers) -> int:
    """How many places there are: they come before the empty sets."""
    n = 0
    while n < len(places) and places[n] != NOTHING:
        n += 1
    return n


@compiled
def _learn_leaving(hands: Numbers, decks: Numbers, seat: int, card: int) -> None:
    """Everybody saw which card left a hand. No place can hold it now, unless there are two of it."""
    let_one_go(hands[seat], _places(hands[seat]), 1 << card)
    if card != Card.OUTRIDER:
        strike_out(hands, 1 << card)
        strike_out(decks, 1 << card)


@compiled
def _learn_shuffle(deck: Numbers, card: int) -> None:
    """IG-21: with one more card the deck is shuffled: its order is forgotten, not its cards."""
    cards = union(deck) | card
    for at in range(_places(deck) + 1):
        deck[at] = cards


@compiled
def _learn_new_deck(deck: Numbers, cards: int) -> None:
    """IG-30, IG-58: these cards are shuffled and laid under what is left of the hero deck."""
    left, size = _places(deck), count(cards)
    for at in range(left + size - 1, -1, -1):
        deck[at] = deck[at - size] if at >= size else cards


@compiled
def _learn_top_three(deck: Numbers, event: Numbers, is_ordered: bool, is_told: bool) -> None:
    """IG-57: known to the one who looks; when they are put back, for the others any of them is anywhere."""
    top = _places(deck) - 1
    cards = deck[top] | deck[top - 1] | deck[top - 2]
    for i in range(TOP_CARDS):
        if is_told:
            deck[top - i] = 1 << event[SECOND + i]
        elif is_ordered:
            deck[top - i] = cards


@compiled
def _learn_bottom(hand: Numbers, deck: Numbers, cards: int) -> None:
    """IG-73: one card of the hand, out of a set, lies on the bottom of the deck."""
    under = union(hand) & cards
    let_one_go(hand, _places(hand), cards)
    for at in range(_places(deck), 0, -1):
        deck[at] = deck[at - 1]
    deck[0] = under


@compiled
def _see(hand: Numbers, card: int) -> None:
    see_in_hand(hand, _places(hand), card)


@compiled
def _learn_number(hand: Numbers, number: int, is_held: bool) -> None:
    """IG-51, IG-61, IG-62: whether a card in that hand bears a number."""
    n = _places(hand)
    if is_held:
        one_is_among(hand, n, OF_NUMBER[number] + 0)
    else:
        for i in range(n):
            hand[i] &= ~OF_NUMBER[number]


@compiled
def numbers_from(lowest: int) -> int:
    """All cards, of both decks, with this number or a higher one."""
    cards = 0
    for number in range(1, 8):
        if number >= lowest:
            cards |= OF_NUMBER[number]
    return cards


@compiled
def _learn_fight(hero: Numbers, thanos: Numbers, event: Numbers) -> None:
    """IG-44: who did not fight sees the tokens and the defeated card, and concludes what the other one can be."""
    lead = event[FIRST + 3] - event[FIRST + 4]  # of the hero, by tokens
    hero_can, thanos_can = HERO_CARDS, THANOS_CARDS
    if event[FIRST + 5] == Result.WON:
        hero_can = numbers_from(NUMBER[event[FIRST + 7]] - lead + 1)  # the card of Thanos is shown: it is defeated
    elif event[FIRST + 5] == Result.LOST:
        thanos_can = numbers_from(NUMBER[event[FIRST + 6]] + lead + 1)  # the same of the hero's
    else:
        hero_can, thanos_can = 0, 0
        for number in range(1, 7):
            other = number + lead
            if 1 <= other <= 7 and hero[0] & OF_NUMBER[number] != 0 and union(thanos) & OF_NUMBER[other] != 0:
                hero_can |= OF_NUMBER[number]
                thanos_can |= OF_NUMBER[other]
    hero[0] &= hero_can
    one_is_among(thanos, _places(thanos), thanos_can)


@compiled
def _remember(s: GauntletState, event: Numbers) -> None:
    """IG-44: what all have seen of a fight goes on being true while its cards are surely still held."""
    kind, seat = event[0] + 0, event[FIRST] + 0
    if kind == Event.FIGHT:
        lead = event[FIRST + 3] - event[FIRST + 4]
        if event[FIRST + 5] == Result.LOST:
            number = NUMBER[event[FIRST + 6]] + lead + 1
            s.remembered[s.thanos] = max(s.remembered[s.thanos] + 0, number + 0)
        elif event[FIRST + 5] == Result.TIE:
            s.remembered[seat] |= 1 << (lead + TOKEN_BONUS)
    elif kind == Event.PLAYED or kind == Event.DEFEATED:
        if seat != s.thanos:
            s.remembered[seat] = 0
        else:
            _forget_ties(s)
            if NUMBER[event[SECOND]] >= s.remembered[seat]:
                s.remembered[seat] = 0
    elif kind == Event.BOTTOM:
        _forget_ties(s)
        s.remembered[seat] = 0


@compiled
def _forget_ties(s: GauntletState) -> None:
    for seat in range(s.players):
        if seat != s.thanos:
            s.remembered[seat] = 0


@compiled
def fits_fights(s: GauntletState) -> bool:
    """Whether the cards in the hands are such that the fights that are remembered can have gone as they did."""
    best = 0
    for i in range(s.hand_size[s.thanos]):
        best = max(best, NUMBER[s.hand[s.thanos, i]] + 0)
    if best < s.remembered[s.thanos]:
        return False
    for hero in range(s.players):
        if hero != s.thanos:
            for lead in range(-TOKEN_BONUS, TOKEN_BONUS + 1):
                if (s.remembered[hero] >> (lead + TOKEN_BONUS)) & 1 != 0 and not _can_tie(s, hero, lead):
                    return False
    return True


@compiled
def _can_tie(s: GauntletState, hero: int, lead: int) -> bool:
    for i in range(s.hand_size[hero]):
        for j in range(s.hand_size[s.thanos]):
            if NUMBER[s.hand[hero, i]] + lead == NUMBER[s.hand[s.thanos, j]]:
                return True
    return False


@compiled
def conclude(s: GauntletState, row: int) -> None:
    """A card all of whose copies are face up or in known places is in no other place."""
    hands, decks = s.hand_can[row], s.deck_can[row]
    made_known = True
    while made_known:
        gone = s.shown | known_cards(hands) | known_cards(decks)
        if gone & (open_cards(hands) | open_cards(decks)) == 0:
            return  # as it is most of the time, and quickly told
        if gone & OUTRIDER_BIT != 0 and _outriders_found(s, hands[s.thanos], decks[THANOS]) < OUTRIDERS:
            gone &= ~OUTRIDER_BIT
        made_known = strike_out(hands, gone)
        made_known = strike_out(decks, gone) or made_known


@compiled
def _outriders_found(s: GauntletState, hand: Numbers, deck: Numbers) -> int:
    found = outriders_shown(s)
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
