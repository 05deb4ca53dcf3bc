"""Whether the server has more to do than it can: measured by how late its event loop is.

A timer that should ring every tenth of a second rings late when the loop has much to do in between, and so does every
move. Then new tables and what can wait are refused, so that the tables that run stay quick (decision 045). On a machine
that is busy with something else the timer is late, too, but refusing would not help: the process itself must be at work
most of the time.
"""

from __future__ import annotations

import asyncio
import math
import statistics
import time
from collections import deque

from tavolino.server.errors import Refused

TICK_SECONDS = 0.1
TICKS = 20  # that are looked at
MOST_LAG_SECONDS = 0.02
MOST_BUSY = 0.6  # share of its time that the process works
RECOVERED = 0.5  # of both, before new tables are opened again
FIRST_RATE = 2.0  # tables a second, right after that
ALL = 100.0  # from this rate on all are opened
GROWTH = 2 ** (TICK_SECONDS / 5.0)  # of that rate in a tick: twice as many every 5 s


class Load:
    def __init__(self) -> None:
        self._ticks: deque[tuple[float, float]] = deque(maxlen=TICKS)
        self._rate = math.inf  # at which new tables are opened
        self._places = 0.0
        self.is_too_much = False

    @property
    def lag(self) -> float:
        """The usual delay of the last seconds."""
        return statistics.median(lag for lag, _ in self._ticks) if self._ticks else 0.0

    async def watch(self) -> None:
        while True:
            began, worked = time.perf_counter(), time.process_time()
            await asyncio.sleep(TICK_SECONDS)
            took = time.perf_counter() - began
            self.note(took - TICK_SECONDS, (time.process_time() - worked) / took)

    def note(self, lag: float, busy: float) -> None:
        """One tick: how late it was, and which share of the time the process has worked."""
        self._ticks.append((lag, busy))
        if len(self._ticks) < TICKS:
            return
        factor = RECOVERED if self.is_too_much else 1.0
        usual_busy = statistics.median(busy for _, busy in self._ticks)
        self.is_too_much = self.lag > factor * MOST_LAG_SECONDS and usual_busy > factor * MOST_BUSY
        if self.is_too_much:
            self._rate, self._places = FIRST_RATE, 0.0
        elif self._rate < ALL:
            self._rate *= GROWTH
            self._places = min(self._rate, self._places + self._rate * TICK_SECONDS)
        else:
            self._rate = math.inf

    def check_for_new_table(self) -> None:
        """Refuse a new table. When there is less to do again, some are opened at first and more by and by: all who were
        refused would come at once and bring it back."""
        if self._rate < math.inf:
            if self._places < 1:
                raise Refused("overloaded")
            self._places -= 1

    def check_for_what_can_wait(self) -> None:
        """Refuse what nobody needs for a move: hints, reviews, replays, views of people who only watch."""
        if self.is_too_much:
            raise Refused("overloaded")
