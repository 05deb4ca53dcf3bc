"""What a seat believes: how likely each card is in each place that is hidden from it.

Counted exactly where the game can do that quickly, otherwise from worlds that are drawn. The seed of these worlds is
what the seat has seen, so two games that it cannot tell apart give the same belief, to the last bit.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tavolino.bots import SeatMatch
from tavolino.engine import loops
from tavolino.engine.beliefs import Beliefs
from tavolino.engine.chance import key_from_seed
from tavolino.engine.match import Match
from tavolino.engine.reading import read
from tavolino.games import package_of, part_of

WORLDS = 128


class MissingBeliefs(LookupError):
    """The game has no module `beliefs`."""


@dataclass(frozen=True)
class Belief:
    """By place and card: how many of the card are there on average, and the standard error (0 where it is counted)."""

    table: NDArray[np.float64]
    errors: NDArray[np.float64]
    is_exact: bool


def beliefs_of(name: str) -> Beliefs:
    """The hidden places of a game; UnknownGame, a LookupError, lists the names."""
    module = part_of(name, "beliefs")
    if module is None:
        raise MissingBeliefs(
            f"{name} says nothing of its hidden places: the module {package_of(name)}.beliefs is missing."
        )
    beliefs: Beliefs = module.BELIEFS
    return beliefs


def believe(match: Match, seat: int, worlds: int = WORLDS) -> Belief:
    """The belief of a seat, from what it has seen and from nothing else."""
    beliefs = beliefs_of(match.game.name)
    table = beliefs.count(read(match.resample(seat, 0)._states), seat)
    if table is not None:
        return Belief(table, np.zeros_like(table), True)
    return estimate(match, seat, worlds)


def estimate(match: Match, seat: int, worlds: int = WORLDS) -> Belief:
    """The same from worlds that are drawn. The error has Laplace's correction: it is not 0 where all worlds agree."""
    beliefs = beliefs_of(match.game.name)
    digest = SeatMatch(match, seat).fingerprint("belief")
    root, out = match.resample(seat, digest)._states, np.zeros(match.game.action_count, np.int32)
    total, squares = beliefs.empty(), beliefs.empty()
    for number in range(worlds):
        world = root.copy()
        loops.draw_world(world, 0, seat, key_from_seed(digest + number.to_bytes(4, "big")), out)
        held = beliefs.in_world(read(world), seat)
        total += held
        squares += held * held
    mean = total / worlds
    spread = np.maximum(squares / worlds - mean * mean, (worlds + 1) / (worlds + 2) ** 2)
    return Belief(mean, np.sqrt(spread / worlds), False)
