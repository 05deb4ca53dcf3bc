"""Whether the server has more to do than it can: measured by how late its event loop is.

A timer that should ring every tenth of a second rings late when the loop has much to do in between, and so does every
move. Then new tables and what can wait are refused, so that the tables that run stay quick (decision 045). On a machine
that is busy with something else, or while games are loaded beside it, the timer is late, too, but refusing would not
help: the loop itself must be at work most of the time.
"""

from __future__ import annotations

import asyncio
import math
import statistics
import time
from collections import deque

from tavolino.server.errors import Refused

TICK_SECONDS = 0.1
TICKS = 10  # that are looked at
MOST_LAG_SECONDS = 0.01
MOST_BUSY = 0.5  # share of its time that the loop works; beside the storage's thread it never has all
RECOVERED = 0.5  # of both, before new tables are opened again
SHARE = 0.5  # of the tables that were opened before in a second, so many are opened right after that
FEWEST = 2.0  # a second, at least
OPENED_TICKS = 50  # over which tables that are opened are counted
ALL = 100.0  # from this rate on all are opened
GROWTH = 2 ** (TICK_SECONDS / 10.0)  # of that rate in a tick: twice as many in 10 s
SHRINKAGE = 0.98  # of it in a tick that is late, but not too late


class Load:
    def __init__(self) -> None:
        self._ticks: deque[tuple[float, float]] = deque(maxlen=TICKS)
        self._opened: deque[int] = deque([0] * OPENED_TICKS, maxlen=OPENED_TICKS)  # tables, in each tick
        self._rate = math.inf  # at which new tables are opened
        self._places = 0.0
        self.is_too_much = False

    @property
    def lag(self) -> float:
        """The usual delay of the last seconds."""
        return statistics.median(lag for lag, _ in self._ticks) if self._ticks else 0.0

    async def watch(self) -> None:
        while True:
            began, worked = time.perf_counter(), time.thread_time()
            await asyncio.sleep(TICK_SECONDS)
            took = time.perf_counter() - began
            self.note(took - TICK_SECONDS, (time.thread_time() - worked) / took)

    def note(self, lag: float, busy: float) -> None:
        """One tick: how late it was, and which share of the time the loop's thread has worked."""
        self._ticks.append((lag, busy))
        if len(self._ticks) < TICKS:
            return
        was_too_much = self.is_too_much
        factor = RECOVERED if was_too_much else 1.0
        usual_busy = statistics.median(busy for _, busy in self._ticks)
        self.is_too_much = self.lag > factor * MOST_LAG_SECONDS and usual_busy > factor * MOST_BUSY
        if self.is_too_much and not was_too_much:
            self._rate = max(FEWEST, SHARE * sum(self._opened) / (OPENED_TICKS * TICK_SECONDS))
        self._opened.append(0)
        self._make_places()

    def _make_places(self) -> None:
        """Places for new tables, if their rate is limited now."""
        if self.is_too_much:
            self._places = 0.0
        elif self._rate < ALL:
            is_late = self.lag > RECOVERED * MOST_LAG_SECONDS
            self._rate = max(FEWEST, self._rate * (SHRINKAGE if is_late else GROWTH))
            self._places = min(self._rate, self._places + self._rate * TICK_SECONDS)
        else:
            self._rate = math.inf

    def check_for_new_table(self) -> None:
        """Refuse a new table. When there is less to do again, half as many are opened as before, and more by and by:
        all who were refused would come at once and bring it back."""
        if self._rate < math.inf:
            if self._places < 1:
                raise Refused("overloaded")
            self._places -= 1
        self._opened[-1] += 1

    def check_for_what_can_wait(self) -> None:
        """Refuse what nobody needs for a move: hints, reviews, replays, views of people who only watch."""
        if self.is_too_much:
            raise Refused("overloaded")
