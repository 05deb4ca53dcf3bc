"""Sets of cards as bit masks, and deductions about hidden places.

For every hidden place a viewer has the set of cards that can be there. The places of a hand are *anonymous*: only its
owner can tell which place a card left, so each change takes the union over all places that it can have been. The sets
may lose dependencies between places; they never contain more information than was seen. An empty set (0) is no place.
"""

import numpy as np
from numpy.typing import NDArray

from tavolino.engine.compiled import compiled, inlined, int32

Sets = NDArray[np.int32]


@compiled
def count(cards: int) -> int:
    """How many cards are in a set (of at most 32)."""
    n = cards - ((cards >> 1) & 0x55555555)
    n = (n & 0x33333333) + ((n >> 2) & 0x33333333)
    n = (n + (n >> 4)) & 0x0F0F0F0F
    n = n + (n >> 8)
    return (n + (n >> 16)) & 0x3F


@compiled
def is_one(cards: int) -> bool:
    """Whether the set holds exactly one card: then the place is known."""
    return cards != 0 and (cards & (cards - 1)) == 0


@compiled
def sort_sets(places: Sets, n: int) -> None:
    """Sort by size, the smallest set first, then by number."""
    for i in range(1, n):
        cards = places[i]
        size = count(cards)
        at = i
        while at > 0:
            before = count(places[at - 1])
            if before < size or (before == size and places[at - 1] <= cards):
                break
            places[at] = places[at - 1]
            at -= 1
        places[at] = cards


@compiled
def remove_one(places: Sets, n: int, leaving: int) -> None:
    """A card from the set `leaving` has left one of n anonymous places; it is unknown which one.

    Let m1, m2, ... be the places that can have held it. If it was mj, the cards of m1 .. mj-1 and mj+1 .. fit, one
    each, into m1|m2, m2|m3, ... for every j. With nested sets, sorted by size, this removes the smallest: it is exact.
    """
    sort_sets(places, n)
    last = -1
    for i in range(n):
        if places[i] & leaving != 0:
            if last >= 0:
                places[last] |= places[i]
            last = i
    for i in range(last, n - 1):
        places[i] = places[i + 1]
    places[n - 1] = 0


@compiled
def see_in_hand(places: Sets, n: int, card: int) -> None:
    """This card was seen in one of n anonymous places."""
    remove_one(places, n, 1 << card)
    places[n - 1] = 1 << card


@compiled
def one_is_among(places: Sets, n: int, cards: int) -> None:
    """At least one of n anonymous places holds a card of a set.

    Its place can hold the cards of the set that some place can hold; the other places are as if that one had left. This
    is exact for equal or nested sets. For other sets the result can be weaker than before: then nothing changes.
    """
    meeting, meets = 0, 0
    common = 0
    for i in range(n):
        if places[i] & ~cards == 0:
            return
        if places[i] & cards != 0:
            meeting += 1
            meets = i
            common |= places[i] & cards
    if meeting == 1:
        places[meets] &= cards
        return
    # The product of the sizes measures how much is still unknown.
    before, after = 1, count(common)
    sort_sets(places, n)
    last = 0
    for i in range(n):
        if places[i] & cards != 0:
            before *= count(places[i])
            if last != 0:
                after *= count(last | places[i])
            last = places[i]
    if after < before:
        remove_one(places, n, cards)
        places[n - 1] = common


@compiled
def union(places: Sets) -> int:
    """All cards that can be in any of the places."""
    cards = 0
    for i in range(len(places)):
        cards |= places[i]
    return cards


# The three loops below run after every action, for every viewer, over every hidden place. With 32-bit numbers and no
# branches the compiler can vectorise them, eight places at a time.


@compiled
def known_cards(places: Sets) -> int:
    """The cards in all places that are known."""
    known = int32(0)
    for row in range(places.shape[0]):
        for i in range(places.shape[1]):
            cards = places[row, i]
            known = int32(known | (int32(0) if _is_open(cards) else cards))
    return known + 0


@compiled
def open_cards(places: Sets) -> int:
    """The cards that can be in places that are not known yet."""
    can = int32(0)
    for row in range(places.shape[0]):
        for i in range(places.shape[1]):
            cards = places[row, i]
            can = int32(can | (cards if _is_open(cards) else int32(0)))
    return can + 0


@compiled
def exclude(places: Sets, cards: int) -> bool:
    """Remove cards whose place is known from the other places. Returns whether more places became known."""
    left = int32(~cards)
    made_known = int32(0)
    for row in range(places.shape[0]):
        for i in range(places.shape[1]):
            before = places[row, i]
            after = int32(before & left) if _is_open(before) else before
            made_known = int32(made_known | (after if _is_open(before) and not _is_open(after) else int32(0)))
            places[row, i] = after
    return made_known != 0


@inlined
def _is_open(cards: int) -> bool:
    """Whether the set holds more than one card."""
    return int32(cards & int32(cards - 1)) != 0


@compiled
def count_arrangements(cards: Sets, places: Sets, n: int) -> int:
    """The number of ways to put n cards (at most 4) into n places, one each; 0 if they do not fit."""
    if n == 0:
        return 1
    if n == 1:
        fits: int = (places[0] >> cards[0]) & 1
        return fits
    if n == 2:
        straight: int = (places[0] >> cards[0]) & (places[1] >> cards[1]) & 1
        crossed: int = (places[0] >> cards[1]) & (places[1] >> cards[0]) & 1
        return straight + crossed
    ways = 0
    for a in range(n):
        if (places[0] >> cards[a]) & 1 == 0:
            continue
        for b in range(n):
            if b == a or (places[1] >> cards[b]) & 1 == 0:
                continue
            for c in range(n):
                if c in (a, b) or (places[2] >> cards[c]) & 1 == 0:
                    continue
                if n == 3:
                    ways += 1
                else:
                    ways += (places[3] >> cards[6 - a - b - c]) & 1
    return ways


@compiled
def count_equal_arrangements(places: Sets, n: int) -> int:
    """The number of ways to exchange places with equal sets; `count_arrangements` is always a multiple of it."""
    ways = 1
    for i in range(n):
        alike = 1
        for j in range(i):
            if places[j] == places[i]:
                alike += 1
        ways *= alike
    return ways
