"""What every legal action is worth: the judge's playouts for all of them, in the same worlds."""

import numpy as np

from tavolino.coach.worlds import Worlds, mean_and_error
from tavolino.engine.match import Match

AT_ONCE = 64  # worlds, so that the results of long lists of actions take little memory
Worth = tuple[float, float]


def values_of(match: Match, seat: int, worlds: int) -> dict[str, Worth]:
    """The chance to win after each legal action when all go on like `medium`, and its standard error.

    For the seat to act, only from what it knows. All actions are played to the end in the same worlds, so their
    differences are known better than the values. A judgement plays only the leaders to the end; here none is left out.
    """
    tree = Worlds(match, seat, "values")
    numbers, sizes = list(tree.texts.values()), [AT_ONCE] * (worlds // AT_ONCE) + [worlds % AT_ONCE]
    results = np.concatenate([tree.play(numbers, size)[:, :, seat] for size in sizes])
    return {text: mean_and_error(results[:, nth]) for nth, text in enumerate(tree.texts)}
