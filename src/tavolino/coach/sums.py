"""Sums of real numbers with the same bits in every version of Python."""

from collections.abc import Iterable


def plain_sum(numbers: Iterable[float]) -> float:
    """The numbers added from left to right. Since Python 3.12 the built-in `sum` corrects its rounding errors instead,
    so that reviews would differ in a last bit between versions."""
    total = 0.0
    for number in numbers:
        total += number
    return total
