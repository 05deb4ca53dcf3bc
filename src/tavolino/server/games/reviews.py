"""Reviews of finished games: computed one at a time, in a child process with a low priority.

Each is worked out once, and stored with its table. Callers must have checked that the game has ended
(`table/records.py`).
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
import zlib
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

from tavolino.coach.written import VERSION
from tavolino.server.stopping import stop
from tavolino.server.storage import Storage, StorageError

MOST_WAITING = 16  # more are refused as busy
MOST_OF_ONE = MOST_WAITING // 2  # so that one address cannot fill the queue
LINE = 1 << 22  # the longest line that a child may write: a whole review
COMMAND = (sys.executable, "-m", "tavolino.coach.worker")
STOP_SECONDS = 5.0
Key = tuple[str, int]  # table, seat


@dataclass
class Progress:
    """The progress of a review."""

    done: int = 0
    total: int = 0


class ReviewFailed(RuntimeError):
    """The child ended without a review."""


class Reviews:
    """The reviews of a server: stored ones, and those that are being computed. For use from one event loop."""

    def __init__(self, log: Any, storage: Storage, command: tuple[str, ...] = COMMAND) -> None:
        self._log, self._storage, self._command = log, storage, command
        self._tasks: dict[Key, asyncio.Task[None]] = {}
        self._asked: dict[Key, str] = {}  # by whom, an address or a person
        self._progress: dict[Key, Progress] = {}
        self._failed: OrderedDict[Key, None] = OrderedDict()
        self._turn = asyncio.Lock()
        self._ending: set[asyncio.Task[int]] = set()  # for children that were killed and have not ended yet
        self.started = 0

    def can_start(self, whose: str) -> bool:
        """Whether there is room for another one that this address or person asks for."""
        return len(self._tasks) < MOST_WAITING and list(self._asked.values()).count(whose) < MOST_OF_ONE

    async def get(self, key: Key) -> bytes | None:
        """A review as JSON, if it is there."""
        stored = await self._storage.review(*key, VERSION)
        return None if stored is None else zlib.decompress(stored)

    async def keep(self, key: Key, review: bytes) -> None:
        await self._storage.keep_review(*key, VERSION, zlib.compress(review))

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
                await self.keep(key, await self._work_out(key, record))
        except (ReviewFailed, StorageError, OSError, ValueError) as failure:
            self._log.warning("review failed", table=key[0], error=str(failure))
            self._failed[key] = None
            while len(self._failed) > MOST_WAITING:
                self._failed.popitem(last=False)
        finally:
            del self._tasks[key], self._progress[key], self._asked[key]

    async def _work_out(self, key: Key, record: dict[str, Any]) -> bytes:
        process = await asyncio.create_subprocess_exec(
            *self._command,
            stdin=asyncio.subprocess.PIPE,  # held open: the child ends when this process has gone
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            limit=LINE,
        )
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(json.dumps({"record": record, "seat": key[1]}).encode() + b"\n")
            await process.stdin.drain()
            while line := await process.stdout.readline():
                told = json.loads(line)
                if "review" in told:
                    return json.dumps(told["review"], separators=(",", ":")).encode()
                if "done" not in told:
                    raise ReviewFailed(told.get("error", "the process wrote something else"))
                self._progress[key] = Progress(told["done"], told["total"])
            raise ReviewFailed("the process ended without a word")
        finally:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            # Even to end, its idle thread needs the processor. On a busy machine that takes many seconds, and neither
            # this review nor the next one has to wait for it.
            ending = asyncio.create_task(process.wait())
            self._ending.add(ending)
            ending.add_done_callback(self._ending.discard)

    async def stop(self) -> None:
        """End all children, and wait a moment until they have ended."""
        await stop(*self._tasks.values())
        if self._ending:
            await asyncio.wait(self._ending, timeout=STOP_SECONDS)
