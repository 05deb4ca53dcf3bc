"""The reviews of a server: computed in a child process with a low priority, and stored in its database."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

from tavolino.server.features.reviews.review_process import ReviewProcess
from tavolino.server.features.reviews.stored import StoredReviews
from tavolino.server.games.review_queue import Key, Progress, ReviewQueue
from tavolino.server.stopping import stop
from tavolino.server.storage import Storage

COMMAND = (sys.executable, "-m", "tavolino.coach.worker")
STOP_SECONDS = 5.0


class Reviews(ReviewQueue):
    def __init__(self, log: Any, storage: Storage, command: tuple[str, ...] = COMMAND) -> None:
        super().__init__(log, StoredReviews(storage))
        self._command = command
        self._children: set[ReviewProcess] = set()  # those that were killed and have not ended yet included

    async def _work_out(self, key: Key, record: dict[str, Any], progress: Progress) -> bytes:
        child = ReviewProcess(self._command, {"record": record, "seat": key[1]}, progress)
        self._children.add(child)
        child.on_end = self._children.discard
        try:
            return await child.answer()
        finally:
            child.kill()

    async def stop(self) -> None:
        """End all children, and wait a moment until they have ended."""
        await stop(*self._tasks.values())
        await asyncio.gather(*(asyncio.to_thread(child.join, STOP_SECONDS) for child in self._children))
