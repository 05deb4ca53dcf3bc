"""The child process that computes one review, and the thread that talks with it.

It does not use asyncio's subprocesses, because uvloop forks: that copies the page tables of the whole server and stops
the event loop for 30 to 70 ms. `subprocess` uses vfork, which takes about 3 ms however large the server is.
What is long is not decoded, and is compressed in the thread.
"""

from __future__ import annotations

import asyncio
import contextlib
import subprocess
import threading
import zlib
from collections.abc import Callable
from typing import Any

import msgspec

from tavolino.server.games.review_queue import Progress, ReviewFailed

LINE = 1 << 22  # the longest line that a child may write: a whole review


class _Told(msgspec.Struct):
    """A line of the child."""

    done: int = -1
    total: int = 0
    review: msgspec.Raw = msgspec.Raw()
    error: str = ""


class ReviewProcess:
    """Computes a review as soon as it is created. For use from one event loop."""

    def __init__(self, command: tuple[str, ...], order: dict[str, Any], progress: Progress) -> None:
        self._command, self._order, self._progress = command, order, progress
        self.on_end: Callable[[ReviewProcess], None] = lambda child: None
        self._loop = asyncio.get_running_loop()
        self._answer: asyncio.Future[bytes] = self._loop.create_future()
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()  # held while it is started or killed
        self._is_killed = False
        self._thread = threading.Thread(target=self._run, name="review", daemon=True)
        self._thread.start()

    async def answer(self) -> bytes:
        """The review in JSON, compressed; raises ReviewFailed or OSError."""
        return await self._answer

    def kill(self) -> None:
        with self._lock:
            self._is_killed = True
            if self._process is not None:
                self._process.kill()  # nothing happens if it has ended

    def join(self, seconds: float) -> None:
        """Wait until the process has ended, for so long at most."""
        self._thread.join(seconds)

    # -- in the thread

    def _run(self) -> None:
        try:
            answer: bytes | Exception = self._talk()
        except Exception as failure:
            answer = failure
        self._tell_loop(self._set_answer, answer)
        if self._process is not None:
            self._process.wait()  # nobody waits for this: on a busy machine its idle thread needs many seconds to end
        self._tell_loop(self._end)

    def _talk(self) -> bytes:
        process = self._start()
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(msgspec.json.encode(self._order) + b"\n")
        process.stdin.flush()  # it stays open: the child ends when this process has gone
        while line := process.stdout.readline(LINE):
            try:
                told = msgspec.json.decode(line, type=_Told)
            except msgspec.DecodeError:
                raise ReviewFailed("the process wrote something else") from None
            if bytes(told.review):
                return zlib.compress(told.review)
            if told.done < 0:
                raise ReviewFailed(told.error or "the process wrote something else")
            self._progress.done, self._progress.total = told.done, told.total
        raise ReviewFailed("the process ended without an answer")

    def _start(self) -> subprocess.Popen[bytes]:
        with self._lock:
            if self._is_killed:
                raise ReviewFailed("it was not started")
            self._process = subprocess.Popen(
                self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
            )
            return self._process

    def _tell_loop(self, tell: Callable[..., None], *what: Any) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has been closed
            self._loop.call_soon_threadsafe(tell, *what)

    # -- in the event loop

    def _set_answer(self, answer: bytes | Exception) -> None:
        if self._answer.done():  # cancelled
            return
        if isinstance(answer, Exception):
            self._answer.set_exception(answer)
        else:
            self._answer.set_result(answer)

    def _end(self) -> None:
        if self._process is not None:
            for pipe in (self._process.stdin, self._process.stdout):
                with contextlib.suppress(OSError):
                    assert pipe is not None
                    pipe.close()
        self.on_end(self)
