"""The number of worker processes, and the distribution of work to them."""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from typing import TypeVar

Part = TypeVar("Part")

PER_CORE = 2  # more processes than cores gain nothing, but some machines count their cores low


def fitting_workers(wanted: int, chunks: int) -> int:
    """The number of workers: as many as requested, but at most one for each chunk, and PER_CORE for each core."""
    most = PER_CORE * (os.cpu_count() or 1)
    return max(1, min(wanted, chunks, most))


def hand_out(
    total: int,
    at_once: int,
    size: int,
    submit: Callable[[int, int], "Future[tuple[Part, float]]"],
    next_size: Callable[[int, float], int],
) -> Iterator[Part]:
    """Split the numbers from 0 to `total` into chunks, and keep several under way. The first chunks have `size`
    numbers; the size of later ones is computed from the size of a finished chunk and the seconds it took."""
    first = 0
    under_way: dict[Future[tuple[Part, float]], int] = {}
    while first < total or under_way:
        while first < total and len(under_way) < at_once:
            size = min(size, total - first)
            under_way[submit(first, size)] = size
            first += size
        done, _ = wait(under_way, return_when=FIRST_COMPLETED)
        for future in done:
            part, seconds = future.result()
            size = next_size(under_way.pop(future), seconds)
            yield part
