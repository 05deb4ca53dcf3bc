"""Timing on noisy machines: the best of several short runs, and tables of ratios."""

import time
from collections.abc import Callable, Sequence

REPEATS = 7


def rate(work: Callable[[], int], repeats: int = REPEATS) -> float:
    """Units of work a second, in the best of several runs; `work` returns the number of units."""
    work()
    best = 0.0
    for _ in range(repeats):
        begin = time.perf_counter()
        units = work()
        best = max(best, units / (time.perf_counter() - begin))
    return best


def human(number: float) -> str:
    for size, unit in ((1e6, "M"), (1e3, "k")):
        if number >= size:
            return f"{number / size:.3g} {unit}"
    return f"{number:.3g}"


def table(title: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A plain table on standard output."""
    widths = [max(len(row[column]) for row in [head, *rows]) for column in range(len(head))]
    print(f"\n{title}")
    for row in [head, ["-" * width for width in widths], *rows]:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
