"""How many worker processes are started."""

import os

PER_CORE = 2  # more processes than cores gain nothing, but some machines count their cores low


def fitting_workers(wished: int, chunks: int) -> int:
    """As many as are wished for, but none without work and no more than the machine can bear."""
    most = PER_CORE * (os.cpu_count() or 1)
    return max(1, min(wished, chunks, most))
