"""Token buckets: so many at once, so many a second."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

from tavolino.server.errors import Refused

MOST_BUCKETS = 20_000


class Bucket:
    __slots__ = ("_burst", "_last", "_left", "_now", "_rate")

    def __init__(self, rate: float, burst: float, now: Callable[[], float]) -> None:
        self._rate, self._burst, self._now = rate, burst, now
        self._left = float(burst)
        self._last = now()

    def take(self) -> bool:
        """Whether there was one to take."""
        now = self._now()
        self._left = min(self._burst, self._left + (now - self._last) * self._rate)
        self._last = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Buckets:
    """One bucket for each person or address; the longest unused go first when there are too many."""

    def __init__(self, rate: float, burst: float, code: str, now: Callable[[], float]) -> None:
        self._rate, self._burst, self._code, self._now = rate, burst, code, now
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, whose: str) -> None:
        bucket = self._buckets.get(whose)
        if bucket is None:
            bucket = self._buckets[whose] = Bucket(self._rate, self._burst, self._now)
            if len(self._buckets) > MOST_BUCKETS:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(whose)
        if not bucket.take():
            raise Refused(self._code)
