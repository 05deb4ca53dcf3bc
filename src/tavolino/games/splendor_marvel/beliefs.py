"""Beliefs in Splendor: Marvel: the next card of each deck, and what the others reserved blindly (SM-40, SM-41)."""

from collections.abc import Iterator
from typing import Any

from tavolino.engine.beliefs import Beliefs, Hidden, Table
from tavolino.games.splendor_marvel.facts import CARDS, LEVEL, LEVELS, MOST_PLAYERS, MOST_RESERVED
from tavolino.games.splendor_marvel.game import GAME

PLACES = (
    *(f"deck level-{level + 1}" for level in range(LEVELS)),
    *(f"reserved +{distance} {n}" for distance in range(1, MOST_PLAYERS) for n in range(MOST_RESERVED)),
)
LEVEL_OF: list[int] = LEVEL.tolist()


def hidden(s: Any, viewer: int) -> Iterator[Hidden]:
    """A deck has no order, so any of its cards can be the next one."""
    for level in range(LEVELS):
        size = s.pool_size[level]
        yield from (Hidden(level, card, 1 / size) for card in s.pool[level][:size])
    yield from (Hidden(place, card) for place, card in _reserved(s, viewer))


def _reserved(s: Any, viewer: int) -> Iterator[tuple[int, int]]:
    """The reserved cards that the viewer has not seen, with their places."""
    for distance in range(1, s.players):
        seat = (viewer + distance) % s.players
        for n in range(s.n_reserved[seat]):
            if not s.is_open[seat][n]:
                yield LEVELS + (distance - 1) * MOST_RESERVED + n, s.reserved[seat][n]


def count(s: Any, viewer: int) -> Table | None:
    """Each unseen card of a level is equally likely in each place that can hold one of this level."""
    table = BELIEFS.empty()
    reserved = list(_reserved(s, viewer))
    for level in range(LEVELS):
        places = [place for place, card in reserved if LEVEL_OF[card] == level]
        unseen = [*s.pool[level][: s.pool_size[level]], *(card for _, card in reserved if LEVEL_OF[card] == level)]
        for place in (level, *places) if s.pool_size[level] else places:
            table[place, unseen] = 1 / len(unseen)
    return table


BELIEFS = Beliefs(GAME, CARDS, PLACES, hidden, count)
