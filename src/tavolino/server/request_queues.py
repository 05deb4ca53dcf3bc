"""The requests of one address take turns, and together they get a part of the event loop's time.

A limit of requests alone does not keep others' moves quick: a burst that is within it keeps the loop busy for a second,
and the storage's thread waits for the interpreter's lock each time. So the loop's work for every request is measured,
one request of an address begins in each pass of the loop, and an address that has used up its part waits. It is not
refused: thirty people behind one address who open the page at once get all of its files, a little later (decision 047).
"""

from __future__ import annotations

import asyncio
import math
from collections import OrderedDict, deque
from collections.abc import Callable, Coroutine, Generator
from time import thread_time
from typing import Any

from tavolino.server.errors import Refused
from tavolino.server.settings import Limits

MOST_QUEUES = 20_000
MOST_WAITING = 500  # requests of one address
SHORTEST_SECONDS = 0.001  # the resolution of the loop's timers


class RequestQueue:
    """The requests of one address."""

    __slots__ = ("_burst", "_is_scheduled", "_last", "_left", "_loop", "_now", "_share", "_waiting")

    def __init__(self, share: float, burst: float, now: Callable[[], float]) -> None:
        self._share, self._burst, self._now = share, burst, now
        self._left, self._last = burst, now()  # seconds of the loop
        self._loop = asyncio.get_running_loop()
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._is_scheduled = False  # whether `_begin_next` is scheduled

    @property
    def waiting(self) -> int:
        return len(self._waiting)

    async def turn(self) -> None:
        """Wait for the next turn; return at once if the queue is empty and there is time left."""
        if self._is_scheduled or self.left() <= 0:
            if len(self._waiting) >= MOST_WAITING:
                seconds = math.floor(max(0.0, -self.left()) / self._share) + 1  # then the next one has its turn
                raise Refused("too-fast", {"retry_after": seconds})
            waiting = self._loop.create_future()
            self._waiting.append(waiting)
            if not self._is_scheduled:
                self._go_on()
            await waiting
        else:
            self._is_scheduled = True
            self._loop.call_soon(self._begin_next)

    def left(self) -> float:
        now = self._now()
        self._left = min(self._burst, self._left + (now - self._last) * self._share)
        self._last = now
        return self._left

    def charge(self, seconds: float) -> None:
        """Charge the time. The debt is at most a burst, because one slow request is not the address's fault."""
        self._left = max(-self._burst, self._left - seconds)

    def _begin_next(self) -> None:
        """Runs once in each iteration of the loop, after the request that it started in the previous one."""
        self._is_scheduled = False
        while self._waiting and self._waiting[0].done():  # cancelled
            self._waiting.popleft()
        if self._waiting:
            if self.left() > 0:
                self._waiting.popleft().set_result(None)
            self._go_on()

    def _go_on(self) -> None:
        self._is_scheduled = True
        if (left := self.left()) > 0:
            self._loop.call_soon(self._begin_next)
        else:
            self._loop.call_later(max(SHORTEST_SECONDS, -left / self._share), self._begin_next)


class RequestQueues:
    """The queues of all addresses. Beyond `MOST_QUEUES` the least recently used are dropped."""

    def __init__(self, limits: Limits, now: Callable[[], float]) -> None:
        self._share, self._burst, self._now = limits.loop_per_second / 1000, limits.loop_burst / 1000, now
        self._queues: OrderedDict[str, RequestQueue] = OrderedDict()

    def queue(self, whose: str) -> RequestQueue:
        queue = self._queues.get(whose)
        if queue is None:
            queue = self._queues[whose] = RequestQueue(self._share, self._burst, self._now)
            if len(self._queues) > MOST_QUEUES:
                self._queues.popitem(last=False)  # requests that are waiting in it still get their turn
        self._queues.move_to_end(whose)
        return queue


class Measured:
    """Awaits something, and charges the loop's time for each of its steps, without what runs in between."""

    __slots__ = ("_queue", "_work")

    def __init__(self, work: Coroutine[Any, Any, None], queue: RequestQueue) -> None:
        self._work, self._queue = work, queue

    def __await__(self) -> Generator[Any, Any, None]:
        work, failure = self._work, None
        while True:
            begun = thread_time()
            try:
                awaited = work.send(None) if failure is None else work.throw(failure)
            except StopIteration:
                return
            finally:
                self._queue.charge(thread_time() - begun)
            failure = None
            try:
                yield awaited
            except BaseException as error:  # a cancellation, for what is awaited
                failure = error
