"""The label of a decision, by the chance to win that it cost. These are the only thresholds of the coach.

How they were found is in docs/decisions/080-what-a-review-measures.md.
"""

from typing import Literal

Label = Literal["only", "good", "inaccuracy", "mistake", "blunder"]

SURE = 2.0  # standard errors by which two actions must be apart to be told apart
INACCURACY, MISTAKE, BLUNDER = 0.02, 0.05, 0.10  # of the chance to win


def label_of(cost: float, error: float) -> Label:
    """A loss within the error is none."""
    if not is_told_apart(cost, error) or cost < INACCURACY:
        return "good"
    return "inaccuracy" if cost < MISTAKE else "mistake" if cost < BLUNDER else "blunder"


def is_told_apart(cost: float, error: float) -> bool:
    return cost > SURE * error
