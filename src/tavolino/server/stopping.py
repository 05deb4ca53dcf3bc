"""Ends tasks when the server stops."""

from __future__ import annotations

import asyncio
from typing import Any

AGAIN_SECONDS = 1.0


async def stop(*tasks: asyncio.Task[Any], again_seconds: float = AGAIN_SECONDS) -> None:
    """Cancel tasks until all of them have ended; what they raise is of no interest any more.

    Once is not enough: before Python 3.12 `asyncio.wait_for`, which libraries use, can lose a cancellation that comes
    at the same moment as what it waits for. The task would go on, and the server would never stop.
    """
    left = set(tasks)
    while left:
        for task in left:
            task.cancel()
        _, left = await asyncio.wait(left, timeout=again_seconds)
    await asyncio.gather(*tasks, return_exceptions=True)
