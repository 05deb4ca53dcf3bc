"""The task of a table: takes one item after another from the inbox.

Errors concern one item alone (`TableActor`). One that is raised while another is handled, as by a process without
memory that cannot even log it, ends the task. Such a table would refuse everything, so it is discarded, and read again
from the storage.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable

from tavolino.server.kernel.inbox import Inbox, Item


def start(
    name: str,
    inbox: Inbox,
    take: Callable[[Item], Awaitable[None]],
    turn_away: Callable[[Item], None],
    discard: Callable[[], None],
) -> asyncio.Task[None]:
    def ended(task: asyncio.Task[None]) -> None:
        if not task.cancelled() and task.exception() is not None:
            discard()

    task = asyncio.create_task(_run(inbox, take, turn_away), name=name)
    task.add_done_callback(ended)
    return task


async def _run(inbox: Inbox, take: Callable[[Item], Awaitable[None]], turn_away: Callable[[Item], None]) -> None:
    # A task that ends by CancelledError keeps the exception, which keeps its frames, which keep the whole table.
    with contextlib.suppress(asyncio.CancelledError):
        while True:
            item = await inbox.next()
            try:
                await take(item)
            except Exception:
                turn_away(item)  # somebody may wait for the answer
                raise
