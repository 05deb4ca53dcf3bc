"""Overload detection, by how late the event loop is.

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
TICKS = 10  # over which the median is taken
MOST_LAG_SECONDS = 0.01
MOST_BUSY = 0.5  # the share of time that the loop is busy; because of the storage's thread it never reaches 1
RECOVERED = 0.5  # both must fall below this share of their limits before new tables are opened again
SHARE = 0.5  # after an overload, new tables are opened at this share of the rate before it
FEWEST = 2.0  # tables a second, at least
OPENED_TICKS = 50  # over which opened tables are counted
ALL = 100.0  # above this rate there is no limit
GROWTH = 2 ** (TICK_SECONDS / 10.0)  # the growth of the rate in a tick: it doubles in 10 s
IDLE_GROWTH = 2 ** (TICK_SECONDS / 2.0)  # and in 2 s while the loop is idle most of the time
SHRINKAGE = 0.98  # its change in a tick that is late, but not too late


class Load:
    def __init__(self) -> None:
        self._ticks: deque[tuple[float, float]] = deque(maxlen=TICKS)
        self._opened: deque[int] = deque([0] * OPENED_TICKS, maxlen=OPENED_TICKS)  # tables, in each tick
        self._rate = math.inf  # at which new tables are opened
        self._places = 0.0
        self.is_too_much = False

    @property
    def lag(self) -> float:
        """The median delay of the last ticks."""
        return statistics.median(lag for lag, _ in self._ticks) if self._ticks else 0.0

    async def watch(self) -> None:
        while True:
            began, worked = time.perf_counter(), time.thread_time()
            await asyncio.sleep(TICK_SECONDS)
            took = time.perf_counter() - began
            self.note(took - TICK_SECONDS, (time.thread_time() - worked) / took)

    def note(self, lag: float, busy: float) -> None:
        """Note one tick: how late it was, and the share of time that the loop's thread was busy."""
        self._ticks.append((lag, busy))
        if len(self._ticks) < TICKS:
            return
        was_too_much = self.is_too_much
        factor = RECOVERED if was_too_much else 1.0
        usual_busy = statistics.median(busy for _, busy in self._ticks)
        self.is_too_much = self.lag > factor * MOST_LAG_SECONDS and usual_busy > factor * MOST_BUSY
        if self.is_too_much and not was_too_much:
            # While tables were refused few were opened: counted again, the rate would fall to the lowest at once.
            opened = sum(self._opened) / (OPENED_TICKS * TICK_SECONDS)
            self._rate = max(FEWEST, SHARE * (self._rate if self._rate < math.inf else opened))
        self._opened.append(0)
        self._make_places(is_idle=usual_busy < RECOVERED * MOST_BUSY)

    def _make_places(self, is_idle: bool) -> None:
        """Places for new tables, if their rate is limited now."""
        if self.is_too_much:
            self._places = 0.0
        elif self._rate < ALL:
            is_late = self.lag > RECOVERED * MOST_LAG_SECONDS
            change = SHRINKAGE if is_late else IDLE_GROWTH if is_idle else GROWTH
            self._rate = max(FEWEST, self._rate * change)
            self._places = min(self._rate, self._places + self._rate * TICK_SECONDS)
        else:
            self._rate = math.inf

    def check_for_new_table(self) -> None:
        """Refuse a new table. After an overload half as many are opened as before, and then gradually more: if all who
        were refused came back at once, the overload would return."""
        if self._rate < math.inf:
            if self._places < 1:
                raise Refused("overloaded")
            self._places -= 1
        self._opened[-1] += 1

    def check_for_what_can_wait(self) -> None:
        """Refuse what nobody needs for a move: hints, reviews, replays, views of people who only watch."""
        if self.is_too_much:
            raise Refused("overloaded")
