"""Beliefs in Infinity Gauntlet: the hands of the others, and each place of the decks, from the top (IG-90, IG-91).

A hand is one place with all its cards. A viewer who knows a card knows it here too.
"""

from collections.abc import Iterator
from typing import Any

from tavolino.engine.beliefs import Beliefs, Hidden, Table
from tavolino.games.infinity_gauntlet.facts import CARDS, DECK_SIZES, HEROES, MOST_PLAYERS, SIDES
from tavolino.games.infinity_gauntlet.game import GAME

FIRST_HAND = 0
FIRST_OF_DECK = (MOST_PLAYERS - 1, MOST_PLAYERS - 1 + DECK_SIZES[HEROES])
PLACES = (
    *(f"hand +{distance}" for distance in range(1, MOST_PLAYERS)),
    *(f"{side}-deck {n + 1}" for side, size in zip(SIDES, DECK_SIZES, strict=True) for n in range(size)),
)


def hidden(s: Any, viewer: int) -> Iterator[Hidden]:
    for distance in range(1, s.players):
        seat = (viewer + distance) % s.players
        yield from (Hidden(FIRST_HAND + distance - 1, card) for card in s.hand[seat][: s.hand_size[seat]])
    for side, first in enumerate(FIRST_OF_DECK):
        size = s.deck_size[side]
        yield from (Hidden(first + n, s.deck[side][size - 1 - n]) for n in range(size))


def count(s: Any, viewer: int) -> Table | None:
    """The arrangements are too many to count: worlds are drawn."""
    return None


BELIEFS = Beliefs(GAME, CARDS, PLACES, hidden, count)
