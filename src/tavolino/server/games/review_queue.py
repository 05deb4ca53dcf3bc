"""Reviews that are being computed, one at a time, and those that are stored with their tables.

Each is worked out once. Callers must have checked that the game has ended (`kernel/records.py`).
"""

from __future__ import annotations

import asyncio
import zlib
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any, Protocol

from tavolino.coach.labels import FIRST_VERSION, JUDGE_VERSION
from tavolino.server import protocol as p
from tavolino.server.storage.errors import StorageError

MOST_WAITING = 16  # more are refused as busy
MOST_OF_ONE = MOST_WAITING // 2  # so that one address cannot fill the queue
Key = tuple[str, int]  # table, seat


class Review(p.Body):
    """How far a review is, and all of it once it is there (docs/guides/command-line.md has its keys)."""

    seat: int
    done: int
    total: int
    review: Any
    shared: bool = False  # its player has opened it to everybody with the link, although the table is private


@dataclass
class Progress:
    """The progress of a review."""

    done: int = 0
    total: int = 0


class ReviewFailed(RuntimeError):
    """The work ended without a review."""


class Stored(Protocol):
    """Stored reviews, compressed, by table and seat, each with the version of the judge that made it."""

    async def keep(self, table: str, seat: int, version: int, review: bytes) -> None: ...

    async def find(self, table: str, seat: int, version: int) -> bytes | None: ...


class ReviewQueue:
    """For use from one event loop. What computes a review is in a class below this one."""

    def __init__(self, log: Any, stored: Stored) -> None:
        self._log, self._stored = log, stored
        self._tasks: dict[Key, asyncio.Task[None]] = {}
        self._asked: dict[Key, str] = {}  # by whom, an address or a person
        self._progress: dict[Key, Progress] = {}
        self._failed: OrderedDict[Key, None] = OrderedDict()
        self._turn = asyncio.Lock()
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
            task = self._tasks[key] = asyncio.create_task(self._run(key, record))
            task.add_done_callback(lambda _: self._forget(key))
        return self._progress[key]

    def cancel(self, key: Key) -> None:
        """Nobody waits for it any more."""
        if (task := self._tasks.get(key)) is not None:
            task.cancel()

    def _forget(self, key: Key) -> None:
        del self._tasks[key], self._progress[key], self._asked[key]

    async def _run(self, key: Key, record: dict[str, Any]) -> None:
        try:
            async with self._turn:
                await self._stored.keep(*key, JUDGE_VERSION, await self._work_out(key, record, self._progress[key]))
        except (ReviewFailed, StorageError, OSError, ValueError) as failure:
            self._log.warning("review failed", table=key[0], error=str(failure))
            self._failed[key] = None
            while len(self._failed) > MOST_WAITING:
                self._failed.popitem(last=False)

    async def _work_out(self, key: Key, record: dict[str, Any], progress: Progress) -> bytes:
        """The review in JSON, compressed; raises ReviewFailed or OSError. It says how far it is."""
        raise NotImplementedError
