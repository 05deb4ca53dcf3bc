"""The interface of a game's beliefs: which places are hidden from a seat, and how likely each card is in each.

A belief is the distribution that `resample` draws from: even over the arrangements of the cards that fit what the seat
has seen, nothing inferred from how the others play. A game's module `beliefs` holds `BELIEFS = Beliefs(...)`.
Seats are counted clockwise from the seat that believes.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tavolino.engine.game import Game

Table = NDArray[np.float64]  # by place and card: how many of the card are there, on average


@dataclass(frozen=True)
class Hidden:
    """How much of a card is in a place of one world: 1, or less where the place is one of several without an order."""

    place: int
    card: int
    share: float = 1.0


@dataclass(frozen=True, eq=False)
class Beliefs:
    """The hidden places of one game."""

    game: Game
    cards: Sequence[str]
    places: Sequence[str]
    # The cards in the places that a viewer cannot see, in one world; `s` is a state as plain numbers and lists.
    hidden: Callable[[Any, int], Iterable[Hidden]]
    # The same for all worlds, counted; None where that takes too long: then worlds are drawn.
    count: Callable[[Any, int], Table | None]

    def empty(self) -> Table:
        return np.zeros((len(self.places), len(self.cards)))

    def in_world(self, s: Any, viewer: int) -> Table:
        """What is in each hidden place of one world."""
        table = self.empty()
        for each in self.hidden(s, viewer):
            table[each.place, each.card] += each.share
        return table
