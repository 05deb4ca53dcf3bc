"""Arranged decks: a start with given cards on top, for tests, puzzles and tutorials."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Deck:
    """A named deck: the ids of its cards, repeated for each copy, and their numbers in the rules."""

    cards: Sequence[str]
    numbers: Sequence[int]
    longest: int = 0  # how many cards may be arranged, if fewer than there are ids (0: all)


def arrange(
    decks: Mapping[str, Deck],
    given: Mapping[str, Sequence[str]] | None,
    check: Callable[[Mapping[str, Sequence[str]]], None],
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """The given cards as numbers, one row for each deck, top card first; and the number of cards in each row."""
    room = max((len(deck.cards) for deck in decks.values()), default=0)
    arranged = np.full((len(decks), room), -1, dtype=np.int32)
    counts = np.zeros(len(decks), dtype=np.int32)
    if given is None:
        return arranged, counts
    if not isinstance(given, Mapping):
        raise ValueError(f"Decks are a dict of deck names and lists of cards, not {type(given).__name__}.")
    for name in given:
        if name not in decks:
            raise ValueError(f"There is no deck {name!r}. Decks: {', '.join(decks)}.")
    for row, (name, deck) in enumerate(decks.items()):
        cards = given.get(name, ())
        if isinstance(cards, str) or not isinstance(cards, Sequence):
            raise ValueError(f"The deck {name} must be a list of card ids, not {cards!r}.")
        _check_cards(name, deck, cards)
        number_of = dict(zip(deck.cards, deck.numbers, strict=True))
        arranged[row, : len(cards)] = [number_of[card] for card in cards]
        counts[row] = len(cards)
    check(given)
    return arranged, counts


def _check_cards(name: str, deck: Deck, cards: Sequence[Any]) -> None:
    copies = Counter(deck.cards)
    for card in cards:
        if not isinstance(card, str) or card not in copies:
            raise ValueError(f"There is no card {card!r} in the deck {name}.")
    for card, times in Counter(cards).items():
        if times > copies[card]:
            raise ValueError(f"The deck {name} has the card {card} {copies[card]} times, not {times}.")
    if deck.longest and len(cards) > deck.longest:
        raise ValueError(f"The deck {name} takes at most {deck.longest} cards, not {len(cards)}.")
