"""An event loop and workers with virtual time: the same in every run, on a busy machine too.

The loop's clock jumps to the next timer whenever nothing is left to do.
"""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any


class _JumpingSelector(selectors.DefaultSelector):
    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0

    def select(self, timeout: float | None = None) -> list[Any]:
        assert timeout is not None, "everybody waits for something that never comes"
        self.now += max(0.0, timeout)
        return super().select(0)


class VirtualLoop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self._jumping = _JumpingSelector()
        super().__init__(self._jumping)

    def time(self) -> float:
        return self._jumping.now


class VirtualWorkers(Executor):
    """Workers with one queue. `cost` gives the duration of a job from its arguments."""

    def __init__(self, loop: asyncio.AbstractEventLoop, workers: int, cost: Callable[..., float]) -> None:
        self._loop, self._cost = loop, cost
        self._free_at = [0.0] * workers

    def submit(self, work: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        future: Future[Any] = Future()
        worker = min(range(len(self._free_at)), key=self._free_at.__getitem__)
        begins = max(self._loop.time(), self._free_at[worker])
        ends = self._free_at[worker] = begins + self._cost(*arguments)
        outcome: list[tuple[Any, BaseException | None]] = []

        def begin() -> None:
            try:
                outcome.append((work(*arguments, **named), None))
            except Exception as error:
                outcome.append((None, error))

        def end() -> None:
            if not future.set_running_or_notify_cancel():
                return
            answer, error = outcome[0]
            if error is None:
                future.set_result(answer)
            else:
                future.set_exception(error)

        self._loop.call_at(begins, begin)
        self._loop.call_at(ends, end)
        return future
