"""Whether the server has more to do than it can: measured by how late its event loop is.

A timer that should ring every tenth of a second rings late when the loop has much to do in between, and so does every
move. Then new tables are refused, so that those that run stay quick. On a machine that is busy with something else the
timer is late, too, but refusing tables would not help: the loop itself must be at work most of the time.
"""

from __future__ import annotations

import asyncio
import statistics
import time
from collections import deque

from tavolino.server.errors import Refused

TICK_SECONDS = 0.1
TICKS = 30  # that are looked at
MOST_LAG_SECONDS = 0.03
MOST_BUSY = 0.6  # share of its time that the loop works
RECOVERED = 0.5  # of both, before new tables are opened again


class Load:
    def __init__(self) -> None:
        self._ticks: deque[tuple[float, float]] = deque(maxlen=TICKS)
        self._is_overloaded = False
        self.refused = 0

    @property
    def lag(self) -> float:
        """The usual delay of the last few seconds."""
        return statistics.median(lag for lag, _ in self._ticks) if self._ticks else 0.0

    async def watch(self) -> None:
        while True:
            began, worked = time.perf_counter(), time.thread_time()
            await asyncio.sleep(TICK_SECONDS)
            took = time.perf_counter() - began
            self.note(took - TICK_SECONDS, (time.thread_time() - worked) / took)

    def note(self, lag: float, busy: float) -> None:
        """One tick: how late it was, and which share of the time the loop has worked."""
        self._ticks.append((lag, busy))
        if len(self._ticks) < TICKS:
            return
        factor = RECOVERED if self._is_overloaded else 1.0
        usual_busy = statistics.median(busy for _, busy in self._ticks)
        self._is_overloaded = self.lag > factor * MOST_LAG_SECONDS and usual_busy > factor * MOST_BUSY

    def check_for_new_table(self) -> None:
        if self._is_overloaded:
            self.refused += 1
            raise Refused("overloaded")
