"""The label of a decision, by the chance to win that it cost. These are the only thresholds of the coach.

`close` is for a decision that costs something by one method of the judge and nothing by the other.

How they were found is in docs/decisions/080-what-a-review-measures.md.
"""

from typing import Literal

Label = Literal["only", "good", "close", "inaccuracy", "mistake", "blunder"]
LOSSES: tuple[Label, ...] = ("inaccuracy", "mistake", "blunder")  # the mildest first

JUDGE_VERSION = 7  # raise it when judgements change: stored ones keep the version that they were made by
FIRST_VERSION = 2  # of stored judgements that do not name theirs

SURE = 2.0  # standard errors by which two actions must be apart to be told apart
INACCURACY, MISTAKE, BLUNDER = 0.02, 0.05, 0.10  # of the chance to win


def label_of(cost: float, error: float) -> Label:
    """A loss within the error is none."""
    if not is_told_apart(cost, error) or cost < INACCURACY:
        return "good"
    return "inaccuracy" if cost < MISTAKE else "mistake" if cost < BLUNDER else "blunder"


def milder(one: Label, other: Label) -> Label:
    """The milder of two labels by `label_of`: a loss that only one method finds is none."""
    ranks = ("good", *LOSSES)
    return min(one, other, key=ranks.index)


def is_told_apart(cost: float, error: float) -> bool:
    return cost > SURE * error
