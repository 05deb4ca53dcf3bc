"""Beliefs in Mantis: the top card, of which everybody sees the back (MA-04). The other undrawn cards have no order."""

from collections.abc import Iterator
from typing import Any

from tavolino.engine.beliefs import Beliefs, Hidden, Table
from tavolino.games.mantis.facts import BACKS, CARDS, NO_CARD
from tavolino.games.mantis.game import GAME

PLACES = ("top",)


def hidden(s: Any, viewer: int) -> Iterator[Hidden]:
    if s.top != NO_CARD:
        yield Hidden(0, s.top)


def count(s: Any, viewer: int) -> Table | None:
    """Each undrawn card with the back that is seen is equally likely."""
    table = BELIEFS.empty()
    if s.top != NO_CARD:
        fitting = [card for card in (*s.pile[: s.pile_size], s.top) if BACKS[card] == BACKS[s.top]]
        table[0, fitting] = 1 / len(fitting)
    return table


BELIEFS = Beliefs(GAME, CARDS, PLACES, hidden, count)
