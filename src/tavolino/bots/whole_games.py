"""What the compiled loops over whole games share: contests and games for training."""

from typing import Any

import numpy as np

from tavolino.bots.heuristic import choose
from tavolino.engine.chance import use_cheap
from tavolino.engine.compiled import compiled, int64
from tavolino.engine.dispatch import conceal, setup
from tavolino.engine.policy import Reals
from tavolino.engine.record import Numbers, States

# The fields of a cursor that every loop has.
PLACE = [
    ("game", np.int64),
    ("decisions", np.int64),  # that this game has taken
    ("searched", np.int64),  # the action that a search has found, or NOT_YET
]
NOT_YET = -1


@compiled
def begin(s: Any, seed: int, deal: int, options: Numbers, arranged: Numbers, n_arranged: Numbers) -> None:
    """Deal a game; the deal has a random stream of its own."""
    use_cheap(s, seed, deal)
    s.quiet, s.n_events = 0, 0
    setup(s, options, arranged, n_arranged)


@compiled
def copy_world(states: States, worlds: States, seed: int, decision: int) -> None:
    """The world in which one decision is made, with random numbers of its own."""
    worlds[0] = states[0]
    use_cheap(worlds[0], seed + 1, decision)


@compiled
def choose_unseen(world: Any, seat: int, weights: Reals, actions: Numbers, n: int, scores: Reals) -> int:
    """The heuristic's choice in a world without what the seat cannot know."""
    conceal(world, seat)
    return int64(choose(world, weights, actions, n, scores))
