"""Reviews of finished games, worked out beside play: one at a time, in a child process of low priority.

A review is the same whenever it is worked out, so it is kept in memory, within limits, and not stored: one that was
dropped is worked out again. Callers must have checked that the game has ended (`table/records.py`).
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

MOST_WAITING = 16  # more are refused as busy
MOST_BYTES = 32 << 20  # of all that is kept
LINE = 1 << 22  # the longest line that a child may write: a whole review
COMMAND = (sys.executable, "-m", "tavolino.coach.worker")
Key = tuple[str, int]  # table, seat


@dataclass
class Progress:
    """How far a review is."""

    done: int = 0
    total: int = 0


class ReviewFailed(RuntimeError):
    """The child ended without a review."""


class Reviews:
    """The reviews of a server: kept ones, and those that are being worked out. To be used from one event loop."""

    def __init__(self, log: Any, most_bytes: int = MOST_BYTES, command: tuple[str, ...] = COMMAND) -> None:
        self._log, self._most_bytes, self._command = log, most_bytes, command
        self._kept: OrderedDict[Key, bytes] = OrderedDict()
        self._bytes = 0
        self._tasks: dict[Key, asyncio.Task[None]] = {}
        self._progress: dict[Key, Progress] = {}
        self._failed: OrderedDict[Key, None] = OrderedDict()
        self._turn = asyncio.Lock()

    @property
    def can_start(self) -> bool:
        return len(self._tasks) < MOST_WAITING

    def get(self, key: Key) -> bytes | None:
        """A review as JSON, if it is there."""
        if key in self._kept:
            self._kept.move_to_end(key)
        return self._kept.get(key)

    def progress(self, key: Key) -> Progress | None:
        """How far it is; None if it is not being worked out."""
        return self._progress.get(key)

    def take_failure(self, key: Key) -> bool:
        """Whether it failed since it was last asked for; the next one who asks tries again."""
        return self._failed.pop(key, False) is None

    def start(self, key: Key, record: dict[str, Any]) -> Progress:
        """Begin, unless it has begun."""
        if key not in self._tasks:
            self._progress[key] = Progress(0, len(record["actions"]))
            self._tasks[key] = asyncio.create_task(self._run(key, record))
        return self._progress[key]

    async def _run(self, key: Key, record: dict[str, Any]) -> None:
        try:
            async with self._turn:
                self._keep(key, await self._work_out(key, record))
        except (ReviewFailed, OSError, ValueError) as failure:
            self._log.warning("review failed", table=key[0], error=str(failure))
            self._failed[key] = None
            while len(self._failed) > MOST_WAITING:
                self._failed.popitem(last=False)
        finally:
            del self._tasks[key], self._progress[key]

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
            await process.wait()

    def _keep(self, key: Key, content: bytes) -> None:
        if len(content) > self._most_bytes:
            return
        self._kept[key] = content
        self._bytes += len(content)
        while self._bytes > self._most_bytes:
            _, dropped = self._kept.popitem(last=False)
            self._bytes -= len(dropped)

    def stop(self) -> None:
        for task in self._tasks.values():
            task.cancel()
