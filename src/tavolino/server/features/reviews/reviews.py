"""Reviews of finished games: computed one at a time, in a child process with a low priority.

Each is worked out once, and stored with its table. Callers must have checked that the game has ended
(`kernel/records.py`).
"""

from __future__ import annotations

import asyncio
import sys
import zlib
from collections import OrderedDict
from typing import Any

from tavolino.coach.labels import FIRST_VERSION, JUDGE_VERSION
from tavolino.server.features.reviews.review_process import Progress, ReviewFailed, ReviewProcess
from tavolino.server.features.reviews.stored import StoredReviews
from tavolino.server.stopping import stop
from tavolino.server.storage import Storage, StorageError

MOST_WAITING = 16  # more are refused as busy
MOST_OF_ONE = MOST_WAITING // 2  # so that one address cannot fill the queue
COMMAND = (sys.executable, "-m", "tavolino.coach.worker")
STOP_SECONDS = 5.0
Key = tuple[str, int]  # table, seat


class Reviews:
    """The reviews of a server: stored ones, and those that are being computed. For use from one event loop."""

    def __init__(self, log: Any, storage: Storage, command: tuple[str, ...] = COMMAND) -> None:
        self._log, self._stored, self._command = log, StoredReviews(storage), command
        self._tasks: dict[Key, asyncio.Task[None]] = {}
        self._asked: dict[Key, str] = {}  # by whom, an address or a person
        self._progress: dict[Key, Progress] = {}
        self._failed: OrderedDict[Key, None] = OrderedDict()
        self._turn = asyncio.Lock()
        self._children: set[ReviewProcess] = set()  # those that were killed and have not ended yet included
        self.started = 0

    def can_start(self, whose: str) -> bool:
        """Whether there is room for another one that this address or person asks for."""
        return len(self._tasks) < MOST_WAITING and list(self._asked.values()).count(whose) < MOST_OF_ONE

    async def get(self, key: Key, oldest: int = FIRST_VERSION) -> bytes | None:
        """A review as JSON, if it is there, made by this version of the judge or by an older one."""
        for version in range(JUDGE_VERSION, oldest - 1, -1):
            if (stored := await self._stored.find(*key, version)) is not None:
                return zlib.decompress(stored)
        return None

    async def keep(self, key: Key, review: bytes) -> None:
        await self._stored.keep(*key, JUDGE_VERSION, zlib.compress(review))

    def progress(self, key: Key) -> Progress | None:
        """Its progress; None if it is not being computed."""
        return self._progress.get(key)

    def take_failure(self, key: Key) -> bool:
        """Whether it failed since the last request; the next request tries again."""
        return self._failed.pop(key, False) is None

    def start(self, key: Key, record: dict[str, Any], whose: str) -> Progress:
        """Start it, unless it has started."""
        if key not in self._tasks:
            self.started += 1
            self._asked[key] = whose
            self._progress[key] = Progress(0, len(record["actions"]))
            self._tasks[key] = asyncio.create_task(self._run(key, record))
        return self._progress[key]

    async def _run(self, key: Key, record: dict[str, Any]) -> None:
        try:
            async with self._turn:
                await self._stored.keep(*key, JUDGE_VERSION, await self._work_out(key, record))
        except (ReviewFailed, StorageError, OSError, ValueError) as failure:
            self._log.warning("review failed", table=key[0], error=str(failure))
            self._failed[key] = None
            while len(self._failed) > MOST_WAITING:
                self._failed.popitem(last=False)
        finally:
            del self._tasks[key], self._progress[key], self._asked[key]

    async def _work_out(self, key: Key, record: dict[str, Any]) -> bytes:
        """The review as it is stored."""
        child = ReviewProcess(self._command, {"record": record, "seat": key[1]}, self._progress[key])
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
