"""Beliefs in Infinity Gauntlet: the hands of the others, and each place of the decks, from the top (IG-90, IG-91).

A hand is one place with all its cards. A viewer who knows a card knows it here too.
"""

from collections import Counter
from collections.abc import Iterator
from math import comb, perm
from typing import Any, NamedTuple

import numpy as np

from tavolino.engine.beliefs import Beliefs, Hidden, Table
from tavolino.games.infinity_gauntlet.arrangements import BLOCK, MOST_HANDS, list_deals
from tavolino.games.infinity_gauntlet.assignments import ALL_WAYS, Holder, assign
from tavolino.games.infinity_gauntlet.facts import (
    CARDS,
    DECK_SIZES,
    FIRST_THANOS_CARD,
    HERO_DECK,
    HEROES,
    LARGEST_DECK,
    MOST_PLAYERS,
    NO_CARD,
    SIDES,
    THANOS,
    THANOS_CARD_KINDS,
    THANOS_DECK,
    Card,
)
from tavolino.games.infinity_gauntlet.game import GAME
from tavolino.games.infinity_gauntlet.possible import FIRST_OF_DECK, LARGEST_HERO_HAND, MOST_PLACES, TOO_MANY
from tavolino.games.infinity_gauntlet.thanos_pasts import PLACE_BITS, PLACE_MASK

FIRST_HAND = 0
FIRST_OF_DECKS = (MOST_PLAYERS - 1, MOST_PLAYERS - 1 + DECK_SIZES[HEROES])
PLACES = (
    *(f"hand +{distance}" for distance in range(1, MOST_PLAYERS)),
    *(f"{side}-deck {n + 1}" for side, size in zip(SIDES, DECK_SIZES, strict=True) for n in range(size)),
)
OUTRIDER = int(Card.OUTRIDER)


def hidden(s: Any, viewer: int) -> Iterator[Hidden]:
    for distance in range(1, s.players):
        seat = (viewer + distance) % s.players
        yield from (Hidden(_hand_place(s, viewer, seat), card) for card in s.hand[seat][: s.hand_size[seat]])
    for side, first in enumerate(FIRST_OF_DECKS):
        size = s.deck_size[side]
        yield from (Hidden(first + n, s.deck[side][size - 1 - n]) for n in range(size))


def _hand_place(s: Any, viewer: int, seat: int) -> int:
    """-1 for the viewer's own hand."""
    distance: int = (seat - viewer) % s.players
    return FIRST_HAND + distance - 1


# -- counting


class ThanosDeal(NamedTuple):
    """A hand of Thanos, with the unknown cards that he put under his deck, by place from the bottom."""

    hand: Counter[int]
    under_deck: dict[int, int]
    ways: int  # the numbers at the ties with which it has a past
    weight: int  # how many deals there are, but for the order of the other cards: the two Outriders are two cards


def count(s: Any, viewer: int) -> Table | None:
    """Every deal that has a past counts once; None where they cannot be listed (arrangements.py)."""
    heroes = np.zeros((MOST_PLACES + 1, FIRST_THANOS_CARD), np.int64)
    hands, deck = np.zeros((MOST_HANDS, 3), np.int64), np.zeros(LARGEST_DECK, np.int32)
    n = list_deals(s.states, 0, s.states.copy(), viewer if viewer >= 0 else s.players, heroes, hands, deck)
    if n == TOO_MANY:
        return None
    known = deck[: s.deck_size[THANOS]].tolist()
    left = Counter(THANOS_DECK) - Counter(s.face_up[s.thanos][: s.face_up_size[s.thanos]]) - Counter(known)
    deals = [_thanos_deal(hand, cards, ways, left) for hand, cards, ways in hands[:n].tolist() if ways]
    weights = Counter[int]()
    for deal in deals:
        weights[deal.ways] += deal.weight
    holders = dict(_holders(s, viewer, heroes.tolist()))
    assigned = assign(
        list(holders.values()),
        [card for card in HERO_DECK if not s.shown >> card & 1],
        lambda ways: sum(weight for theirs, weight in weights.items() if theirs & ways),
    )
    if assigned is None:
        return None
    table = np.zeros((len(PLACES) + 1, len(CARDS)))  # the last row is for the viewer's own hand
    for place, shares in zip(holders, assigned.shares, strict=True):
        for card, share in shares.items():
            table[place, card] = share
    top, block = FIRST_OF_DECKS[HEROES], int(heroes[BLOCK, 0])
    if block:
        table[top : top + block] = table[top : top + block].mean(axis=0)
    _add_thanos(table, _hand_place(s, viewer, s.thanos), deals, assigned.by_ways, known, left)
    return table[: len(PLACES)]


def _holders(s: Any, viewer: int, heroes: list[list[int]]) -> Iterator[tuple[int, Holder]]:
    """The hero cards: the places of the beliefs, each with what can be there."""
    for seat in range(s.players):
        if seat != s.thanos and s.hand_size[seat]:
            held, drawn = (_cards(heroes[LARGEST_HERO_HAND * seat + n]) for n in range(LARGEST_HERO_HAND))
            is_two = s.hand_size[seat] == LARGEST_HERO_HAND
            yield _hand_place(s, viewer, seat), Holder(held, frozenset(drawn) if is_two else None)
    size = s.deck_size[HEROES]
    for at in range(size):
        ways = dict.fromkeys(_cards(heroes[FIRST_OF_DECK + at]), ALL_WAYS)
        yield FIRST_OF_DECKS[HEROES] + size - 1 - at, Holder(ways)


def _cards(ways: list[int]) -> dict[int, int]:
    return {card: each for card, each in enumerate(ways) if each}


def _thanos_deal(bits: int, under: int, ways: int, left: Counter[int]) -> ThanosDeal:
    kinds = (n % THANOS_CARD_KINDS for n in range(THANOS_CARD_KINDS + 1) if bits >> n & 1)
    hand = Counter(FIRST_THANOS_CARD + kind for kind in kinds)
    cards = {at: under >> PLACE_BITS * at & PLACE_MASK for at in range(DECK_SIZES[THANOS])}
    under_deck = {at: FIRST_THANOS_CARD + kind - 1 for at, kind in cards.items() if kind}
    held, below = hand[OUTRIDER], list(under_deck.values()).count(OUTRIDER)
    outriders = left[OUTRIDER]
    return ThanosDeal(hand, under_deck, ways, comb(outriders, held) * perm(outriders - held, below))


def _add_thanos(
    table: Table, hand_place: int, deals: list[ThanosDeal], by_ways: Counter[int], known: list[int], left: Counter[int]
) -> None:
    """The cards of Thanos. The places of his deck that are not known nor named in a deal hold the rest in any order."""
    fitting = {ways: sum(n for theirs, n in by_ways.items() if theirs & ways) for ways in {deal.ways for deal in deals}}
    total = 0
    held, under, rest = Counter[int](), Counter[tuple[int, int]](), Counter[int]()
    for deal in deals:
        number = deal.weight * fitting[deal.ways]
        total += number
        for card, copies in deal.hand.items():
            held[card] += number * copies
        for at, card in deal.under_deck.items():
            under[at, card] += number
    for card, copies in left.items():
        below = sum(number for (_, other), number in under.items() if other == card)
        rest[card] = copies * total - held[card] - below
    for card, number in held.items():
        table[hand_place, card] = number / total
    named = {at for at, _ in under}
    free = [at for at, card in enumerate(known) if card == NO_CARD and at not in named]
    for at, card in enumerate(known):
        place = FIRST_OF_DECKS[THANOS] + len(known) - 1 - at
        if card != NO_CARD:
            table[place, card] = 1
        elif at in named:
            for other in left:
                table[place, other] = under[at, other] / total
        else:
            for other, number in rest.items():
                table[place, other] = number / (total * len(free))


BELIEFS = Beliefs(GAME, CARDS, PLACES, hidden, count)
