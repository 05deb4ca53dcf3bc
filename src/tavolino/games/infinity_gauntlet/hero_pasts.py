"""Whether a deal of the hero cards has a past: a sequence of choices that leads to it and fits what a viewer has seen.

All cards that have left a hand are known, and so are, in a proposed deal, those that are still hidden. The unknown is
what each hero played in each turn: the card drawn or the one held before. Going back over a turn in which c was played,
a hero who holds a now held a before (and drew c) or held c (and drew a). So one set of cards for each hero is enough,
and heroes do not depend on each other: a card that two of them claimed would have left both their hands. A drawn card
came from the top of the deck, so a viewer who looked there (IG-57) knows more.

A viewer's knowledge of the deck is followed forwards: each place has a card or a set of cards. When somebody else puts
three cards back, these places become a block without an order; each draw from it takes one of its items, and all ways
to do so are tried. At least one card is drawn between two such orders, so a new block always contains the old one.
"""

import numpy as np

from tavolino.engine.compiled import compiled
from tavolino.engine.knowledge import count, is_one
from tavolino.engine.record import Numbers
from tavolino.games.infinity_gauntlet.actions import Event, Result
from tavolino.games.infinity_gauntlet.evidence import cards_guessed, cards_of_numbers, is_hit, spared_can, winner_can
from tavolino.games.infinity_gauntlet.facts import (
    CARD_BITS,
    HERO_CARDS,
    LARGEST_DECK,
    MOST_PLAYERS,
    OF_NUMBER,
    TOP_CARDS,
)
from tavolino.games.infinity_gauntlet.history import (
    EVERYBODY,
    HERO_CARD,
    PUBLIC,
    card_at,
    is_told,
    kind_of,
    result_of,
    seat_of,
)
from tavolino.games.infinity_gauntlet.state import GauntletState

MOST_CHOICES = 32  # draws out of blocks with different items, in one game
FITS, FAILS = 1, 0
ALL_NUMBERS = 0b11111110  # one bit for each number from 1 to 7
EMPTY_HAND = -1


# -- the deck, forwards


@compiled
def follow_deck(
    s: GauntletState, row: int, choices: Numbers, allowed: Numbers, deck: Numbers
) -> tuple[int, int, int, int]:
    """Write into `allowed`, by entry, which cards each draw can have been, as far as the viewer knows the deck.

    `choices` says which item of a block each draw from it takes. Returns whether that fits what was seen later, how
    many choices there were until then, and for the deck as it is known now (the first row of `deck`) its size and how
    many of its top cards are a block. The second row is scratch memory for cards that were looked at.
    """
    items, seen = deck[0], deck[1]
    items[:LARGEST_DECK] = HERO_CARDS
    size, block, made, known = LARGEST_DECK + 0, 0, 0, 0
    for i in range(s.n_history):
        entry = s.history[i] + 0
        kind, seat = kind_of(entry), seat_of(entry)
        if kind == Event.DRAWN and seat != s.thanos:
            own = 1 << card_at(entry, PUBLIC) if is_told(s, entry, row) else HERO_CARDS
            at = size - 1
            if block > 0 and not _all_alike(items, size, block):
                if own != HERO_CARDS:
                    at = _item_of(items, size, block, own)
                else:
                    if made == MOST_CHOICES or choices[made] >= block:
                        return FAILS, made + 1, size, block
                    at = size - 1 - choices[made]
                    made += 1
                    for other in range(at + 1, size):
                        if items[other] == items[at]:  # equal to one that was tried already
                            return FAILS, made, size, block
            item = items[at] + 0
            items[at] = items[size - 1]
            can = item if is_one(item) else item & ~known
            known &= ~item if is_one(item) else -1
            if can & own == 0:
                return FAILS, made, size, block
            allowed[i] = can & own
            size -= 1
            block = max(block - 1, 0)
        elif (kind == Event.PLAYED or kind == Event.DEFEATED) and known & (1 << card_at(entry, PUBLIC)) != 0:
            return FAILS, made, size, block  # a card that leaves a hand was drawn
        elif kind == Event.NEW_DECK:
            cards = (entry >> PUBLIC) & HERO_CARDS
            added = count(cards)
            for at in range(size - 1, -1, -1):
                items[at + added] = items[at] if is_one(items[at] + 0) else items[at] & ~cards
            for at in range(added):
                items[at] = cards
            size += added
        elif kind == Event.TOP_THREE or kind == Event.ORDERED:
            if is_told(s, entry, row):
                for place in range(TOP_CARDS):
                    seen[size - 1 - place] = card_at(entry, PUBLIC + CARD_BITS * place)
                # The looker's own order moves the three cards; that they are these was checked at the look.
                if kind == Event.TOP_THREE and not fits_deck(deck, size - TOP_CARDS, size, block, seen):
                    return FAILS, made, size, block
                for place in range(TOP_CARDS):
                    items[size - 1 - place] = 1 << seen[size - 1 - place]
                    known |= 1 << seen[size - 1 - place]
                block = 0
            elif kind == Event.ORDERED:
                block = TOP_CARDS + 0
    return FITS, made, size, block


@compiled
def _known(items: Numbers, size: int) -> int:
    """The cards whose place, or block, the viewer knows."""
    known = 0
    for at in range(size):
        if is_one(items[at] + 0):
            known |= items[at]
    return known


@compiled
def _all_alike(items: Numbers, size: int, block: int) -> bool:
    for at in range(size - block, size - 1):
        if items[at] != items[size - 1]:
            return False
    return True


@compiled
def _item_of(items: Numbers, size: int, block: int, card: int) -> int:
    """The item of a block that a card is: the card itself, or else a set of cards that contains it."""
    found = size - 1
    for at in range(size - block, size):
        if items[at] == card:
            return at
        if not is_one(items[at] + 0) and items[at] & card != 0:
            found = at
    return found


@compiled
def fits_deck(deck: Numbers, first: int, size: int, block: int, cards: Numbers) -> bool:
    """Whether cards can be in the places from `first` on, those of the block in any order."""
    items = deck[0]
    known = _known(items, size)
    ordered = max(size - block, first)
    for at in range(first, ordered):
        if not _is_item(items[at] + 0, 1 << cards[at], known):
            return False
    taken = 0
    for at in range(ordered, size):
        found = -1
        for other in range(ordered, size):
            # Items are equal or disjoint, so the first one that fits can be taken.
            if (taken >> (other - ordered)) & 1 == 0 and _is_item(items[other] + 0, 1 << cards[at], known):
                found = other
                break
        if found < 0:
            return False
        taken |= 1 << (found - ordered)
    return True


@compiled
def _is_item(item: int, card: int, known: int) -> bool:
    if is_one(item):
        return item == card
    return item & card != 0 and known & card == 0


@compiled
def list_items(deck: Numbers, size: int, shown: int, can: Numbers) -> None:
    """What each place of the deck can hold, as far as the viewer knows the deck; those of a block in any order."""
    known = _known(deck[0], size)
    for at in range(size):
        item = deck[0, at] + 0
        can[at] = item if is_one(item) else item & ~known & ~shown


# -- the hands, backwards


@compiled
def follow_hands(s: GauntletState, row: int, allowed: Numbers, tie_can: Numbers) -> bool:
    """Go back through all turns with the set of cards that each hero can have held.

    `tie_can` has, for each tie in which the viewer did not fight, the newest first, the set of numbers that the hero
    can have had; it is narrowed to those that are still possible.
    """
    held = np.empty(MOST_PLAYERS, np.int32)
    played = np.zeros(MOST_PLAYERS, np.int32)
    for seat in range(s.players):
        held[seat] = EMPTY_HAND
        if seat != s.thanos and s.hand_size[seat] > 0:
            held[seat] = 1 << s.hand[seat, 0]
            if s.hand_size[seat] == 2:
                played[seat] = 1 << s.hand[seat, 1]
    ties = 0
    for i in range(s.n_history - 1, -1, -1):
        entry = s.history[i] + 0
        kind, seat = kind_of(entry), seat_of(entry)
        if kind == Event.NEW_DECK:
            for other in range(s.players):
                if held[other] != EMPTY_HAND:
                    held[other] &= ~(entry >> PUBLIC)
                    if held[other] == 0:
                        return False
            continue
        if kind == Event.GUESSED:
            if seat != s.thanos:
                cards, is_for_all = cards_guessed(entry), seat == EVERYBODY
                for other in range(s.players):
                    if other != s.thanos and (is_for_all or seat == other):
                        held[other] &= cards if is_hit(entry, other) else ~cards
                        if held[other] == 0:
                            return False
            continue
        if seat == s.thanos:
            continue
        if kind == Event.DRAWN:
            if played[seat] != 0:  # held the present card and drew the played one, or the reverse
                before = 0
                if played[seat] & allowed[i] != 0:
                    before = held[seat] + 0
                if held[seat] & allowed[i] != 0:
                    before |= played[seat]
                held[seat] = before
                played[seat] = 0
            else:
                before = held[seat] & allowed[i]
                held[seat] = EMPTY_HAND
            if before == 0:
                return False
        elif kind == Event.PLAYED:
            played[seat] = 1 << card_at(entry, PUBLIC)
        elif kind == Event.DEFEATED:
            held[seat] = 1 << card_at(entry, PUBLIC)
        elif kind == Event.SPARED:
            held[seat] &= spared_can(entry)
        elif kind == Event.FIGHT:
            if is_told(s, entry, row):
                held[seat] &= 1 << card_at(entry, HERO_CARD)
            elif result_of(entry) == Result.WON:
                held[seat] &= winner_can(entry)
            elif result_of(entry) == Result.TIE:
                held[seat] &= cards_of_numbers(tie_can[ties] + 0)
                tie_can[ties] = _numbers_of(held[seat] + 0)
                ties += 1
        if held[seat] == 0:
            return False
    return True


@compiled
def _numbers_of(cards: int) -> int:
    numbers = 0
    for number in range(1, 8):
        if cards & OF_NUMBER[number] & HERO_CARDS != 0:
            numbers |= 1 << number
    return numbers
