"""The number of worker processes."""

import os

PER_CORE = 2  # more processes than cores gain nothing, but some machines count their cores low


def fitting_workers(wanted: int, chunks: int) -> int:
    """The number of workers: as many as are wanted, but no more than there are chunks or than the machine can run."""
    most = PER_CORE * (os.cpu_count() or 1)
    return max(1, min(wanted, chunks, most))
