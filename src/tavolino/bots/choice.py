"""How a player by habit chooses: weigh every option, take the best one that is noticed.

Habits are numbers, one row for each level, so that `easy` and `medium` are the same player with other weights. The
first columns are the same in every game: they are what makes a player human.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tavolino.bots.dispatch import weigh
from tavolino.engine.chance import draw
from tavolino.engine.compiled import compiled, entry
from tavolino.engine.record import State

Numbers = NDArray[np.int32]
Reals = NDArray[np.float64]

OVERLOOKS = 0  # the chance not to notice an option at all
WOBBLES = 1  # how far off the judgement of an option may be, in the units of its score
FIRST_OWN_HABIT = 2  # where the columns of each game begin

THOUSAND = 1000


@compiled
def wide(number: int) -> int:
    """The number in 64 bits: fields have 32, and functions are compiled once for each kind."""
    return np.int64(number)  # type: ignore[return-value]


@compiled
def choose(s: State, habits: Reals, actions: Numbers, n: int, scores: Reals) -> int:
    """The action that a player of these habits takes; chance comes from the world's own generator."""
    if n == 1:
        return actions[0]
    weigh(s, habits, actions, n, scores)
    return _best_noticed(s, habits, actions, n, scores)


@compiled
def _best_noticed(s: State, habits: Reals, actions: Numbers, n: int, scores: Reals) -> int:
    best, best_score, equals = -1, 0.0, 1
    for i in range(n):
        if habits[OVERLOOKS] > 0.0 and draw(s, THOUSAND) < habits[OVERLOOKS] * THOUSAND:
            continue
        score = scores[i]
        if habits[WOBBLES] > 0.0:
            score += habits[WOBBLES] * (2.0 * draw(s, THOUSAND) / THOUSAND - 1.0)
        if best < 0 or score > best_score:
            best, best_score, equals = i, score, 1
        elif score == best_score:  # among equals each with the same chance
            equals += 1
            if draw(s, equals) == 0:
                best = i
    if best < 0:
        best = draw(s, n)
    return actions[best]


@entry
def decide(states: np.ndarray[Any, Any], index: int, habits: Reals, actions: Numbers, n: int, scores: Reals) -> int:
    """`choose`, to be called from Python."""
    return choose(states[index], habits, actions, n, scores)
