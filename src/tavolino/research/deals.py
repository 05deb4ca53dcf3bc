"""The chance nodes of a deal: its seed byte by byte, or its decks card by card.

A seed determines all chance of a game in a few nodes, and players do not know it; but seeds do not enumerate the deals.
If the decks are small and the only source of chance, there can be a node for each card: then algorithms that traverse
the whole tree visit every deal once, with its probability.
"""

from collections.abc import Iterator, Sequence
from typing import Protocol

import numpy as np

from tavolino.engine.game import Game
from tavolino.research.table import Table

BYTE = 256
KINDS = ("seed", "deck")

Outcomes = list[tuple[int, float]]


class Deal(Protocol):
    """The chance nodes of one kind; `chosen` are the outcomes so far."""

    nodes: int
    most_outcomes: int

    def outcomes(self, chosen: Sequence[int]) -> Outcomes:
        """The outcomes of the next node with their probabilities."""

    def text(self, chosen: Sequence[int], outcome: int) -> str:
        """An outcome of the next node as text."""

    def begin(self, table: Table, chosen: Sequence[int]) -> None:
        """Begin the game; the outcomes of all nodes are chosen."""

    def check(self, table: Table) -> None:
        """Raise ValueError if the game used chance that is in no node."""


class SeedDeal:
    """The seed of the game, byte by byte."""

    most_outcomes = BYTE
    _OUTCOMES: Outcomes = [(outcome, 1.0 / BYTE) for outcome in range(BYTE)]  # noqa: RUF012 - never changed

    def __init__(self, length: int):
        self.nodes = length

    def outcomes(self, chosen: Sequence[int]) -> Outcomes:
        return self._OUTCOMES

    def text(self, chosen: Sequence[int], outcome: int) -> str:
        return f"seed {outcome:02x}"

    def begin(self, table: Table, chosen: Sequence[int]) -> None:
        table.begin(bytes(chosen))

    def check(self, table: Table) -> None:
        """The seed decides everything."""


class DeckDeal:
    """Every deck card by card, from the top; the last card of a deck is left over."""

    def __init__(self, game: Game):
        if any(deck.longest for deck in game.decks.values()):
            raise ValueError(f"A deck of {game.name} cannot be arranged as a whole: use chance=seed.")
        self._game = game
        self._decks = list(game.decks.values())
        self.nodes = sum(len(deck.cards) - 1 for deck in self._decks)
        self.most_outcomes = max((len(deck.cards) for deck in self._decks), default=1)

    def _piles(self, chosen: Sequence[int]) -> Iterator[tuple[int, list[int]]]:
        """Each deck's number, and which of its cards are chosen."""
        at = 0
        for number, deck in enumerate(self._decks):
            size = len(deck.cards) - 1
            yield number, list(chosen[at : at + size])
            at += size

    def _next(self, chosen: Sequence[int]) -> tuple[int, list[int]]:
        """The deck of the next node, and its cards that are left."""
        for number, pile in self._piles(chosen):
            size = len(self._decks[number].cards)
            if len(pile) < size - 1:
                return number, [card for card in range(size) if card not in pile]
        raise ValueError("All cards are dealt.")

    def outcomes(self, chosen: Sequence[int]) -> Outcomes:
        _, left = self._next(chosen)
        return [(card, 1.0 / len(left)) for card in left]

    def text(self, chosen: Sequence[int], outcome: int) -> str:
        number, _ = self._next(chosen)
        return f"{list(self._game.decks)[number]} {self._decks[number].cards[outcome]}"

    def begin(self, table: Table, chosen: Sequence[int]) -> None:
        arranged, counts = table.setting.arranged.copy(), table.setting.n_arranged.copy()
        for number, pile in self._piles(chosen):
            deck = self._decks[number]
            order = pile + [card for card in range(len(deck.cards)) if card not in pile]
            arranged[number, : len(order)] = [deck.numbers[card] for card in order]
            counts[number] = len(order)
        table.begin(0, arranged, counts)
        self.check(table)

    def check(self, table: Table) -> None:
        if np.any(table.states["blocks"]):
            raise ValueError(f"{self._game.name} leaves more to chance than its decks: use chance=seed.")
