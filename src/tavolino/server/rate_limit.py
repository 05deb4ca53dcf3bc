"""Rate limits by token bucket: a burst at once, then a steady rate."""

from __future__ import annotations

import asyncio
import math
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

from tavolino.server.errors import Refused
from tavolino.server.programs import is_program
from tavolino.server.settings import Limits

MOST_BUCKETS = 20_000
AS_MANY_SOCKETS = 20  # all sockets of one address together may send as much as this many; there may be far more
Answer = TypeVar("Answer")
NOTICEABLE = 0.02  # of a burst: other nodes get only larger amounts
MOST_TOLD = 500  # the most people or addresses of one limit in a message to other nodes


class Bucket:
    __slots__ = ("_burst", "_last", "_left", "_now", "_rate")

    def __init__(self, rate: float, burst: float, now: Callable[[], float]) -> None:
        self._rate, self._burst, self._now = rate, burst, now
        self._left = float(burst)
        self._last = now()

    def take(self) -> bool:
        """Take one token; False if none is left."""
        if self.left() < 1:
            return False
        self._left -= 1
        return True

    def left(self) -> float:
        now = self._now()
        self._left = min(self._burst, self._left + (now - self._last) * self._rate)
        self._last = now
        return self._left

    def charge(self, amount: float) -> None:
        """Take an amount that is known only afterwards; the bucket may fall below zero."""
        self._left -= amount

    def retry_after(self, wanted: float = 1) -> int:
        """Whole seconds after which this much will be there and a little more; 0 if it never will."""
        seconds = (wanted - self.left()) / self._rate if self._rate else math.inf
        return math.floor(seconds) + 1 if math.isfinite(seconds) else 0


def refusal(code: str, bucket: Bucket, wanted: float = 1) -> Refused:
    """What a bucket refuses, with the seconds after which it no longer does."""
    seconds = bucket.retry_after(wanted)
    return Refused(code, {"retry_after": seconds} if seconds else None)


class RateLimit:
    """One bucket for each person or address. Beyond `MOST_BUCKETS` the least recently used are dropped."""

    def __init__(
        self,
        rate: float,
        burst: float,
        code: str,
        now: Callable[[], float],
        for_programs: tuple[float, float] | None = None,
    ) -> None:
        """`for_programs`: the rate and the burst of people who were declared to be programs."""
        self._rate, self._burst, self._code, self._now = rate, burst, code, now
        self._for_programs = for_programs or (rate, burst)
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()
        self._spent: dict[str, float] | None = None

    def share(self) -> None:
        """Collect what is counted, for other nodes."""
        self._spent = {}

    def take_spent(self) -> dict[str, float]:
        """The noticeable amounts that were counted here and not yet returned, for the other nodes to charge."""
        if self._spent is None:
            return {}
        noticeable = sorted(
            (each for each in self._spent.items() if each[1] >= NOTICEABLE * self._burst), key=lambda each: -each[1]
        )
        for whose, _ in noticeable[:MOST_TOLD]:
            del self._spent[whose]
        while len(self._spent) > MOST_BUCKETS:
            self._spent.pop(next(iter(self._spent)))
        return dict(noticeable[:MOST_TOLD])

    def charge_for_others(self, spent: dict[str, float]) -> None:
        """What was counted at another node."""
        for whose, amount in spent.items():
            self._bucket(whose).charge(amount)

    def _note(self, whose: str, amount: float) -> None:
        if self._spent is not None:
            self._spent[whose] = self._spent.get(whose, 0.0) + amount

    def take(self, whose: str) -> None:
        """Count one for a person or address, or refuse with this limit's code."""
        bucket = self._bucket(whose)
        if not bucket.take():
            raise refusal(self._code, bucket)
        self._note(whose, 1.0)

    def renew(self, whose: str) -> None:
        """Reset the limit of a person or address."""
        self._buckets.pop(whose, None)

    def refusal_of(self, whose: str) -> Refused | None:
        """How the next one would be refused; counts nothing."""
        bucket = self._bucket(whose)
        return refusal(self._code, bucket) if bucket.left() < 1 else None

    def check(self, whose: str) -> None:
        """Refuse a person or address that has used up its limit; counts nothing."""
        bucket = self._bucket(whose)
        if bucket.left() <= 0:
            raise refusal(self._code, bucket, 0)

    def charge(self, whose: str, amount: float) -> None:
        """Count an amount for something that is done, or begun."""
        self._bucket(whose).charge(amount)
        self._note(whose, amount)

    @contextmanager
    def charged(self, whose: str) -> Iterator[None]:
        """Count the milliseconds of this thread in the context; refuses if the limit is used up."""
        self.check(whose)
        begun = time.thread_time()
        try:
            yield
        finally:
            self.charge(whose, 1000 * (time.thread_time() - begun))

    async def in_thread(self, whose: str, work: Callable[..., Answer], *arguments: object) -> Answer:
        """Run a function in a thread and count its milliseconds; refuses if the limit is used up."""
        self.check(whose)
        seconds = 0.0

        def measured() -> Answer:
            nonlocal seconds
            begun = time.thread_time()
            try:
                return work(*arguments)
            finally:
                seconds = time.thread_time() - begun

        try:
            return await asyncio.to_thread(measured)
        finally:
            self.charge(whose, 1000 * seconds)

    def _bucket(self, whose: str) -> Bucket:
        bucket = self._buckets.get(whose)
        if bucket is None:
            rate, burst = self._for_programs if is_program(whose) else (self._rate, self._burst)
            bucket = self._buckets[whose] = Bucket(rate, burst, self._now)
            if len(self._buckets) > MOST_BUCKETS:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(whose)
        return bucket


SHARED = ("tables", "people", "links", "requests", "work", "changes", "chat")


@dataclass(frozen=True, slots=True)
class RateLimits:
    """The limits of one server. `people`, `requests`, `files`, `messages` and `work` count by address, the others by
    person."""

    chat: RateLimit
    changes: RateLimit
    hints: RateLimit
    tables: RateLimit
    people: RateLimit
    links: RateLimit
    requests: RateLimit
    files: RateLimit  # of the page
    messages: RateLimit  # over all sockets
    work: RateLimit  # milliseconds of the processor that a request cost
    max_unfinished: Callable[[str], int]  # tables of a person

    def share(self) -> None:
        """Count across nodes: each publishes about once a second what was used there. Without a bus each node counts
        for itself."""
        for name in SHARED:
            self._limit(name).share()

    def take_spent(self) -> dict[str, dict[str, float]]:
        return {name: spent for name in SHARED if (spent := self._limit(name).take_spent())}

    def charge(self, spent: dict[str, dict[str, float]]) -> None:
        for name in SHARED:
            self._limit(name).charge_for_others(spent.get(name, {}))

    def _limit(self, name: str) -> RateLimit:
        limit: RateLimit = getattr(self, name)
        return limit


def rate_limits(limits: Limits, ticks: Callable[[], float]) -> RateLimits:
    return RateLimits(
        chat=RateLimit(limits.talk_per_minute / 60, limits.talk_burst, "too-fast", ticks),
        changes=RateLimit(
            limits.changes_per_minute / 60,
            limits.changes_burst,
            "too-fast",
            ticks,
            for_programs=(limits.program_changes_per_minute / 60, limits.program_changes_burst),
        ),
        hints=RateLimit(limits.hints_per_minute / 60, limits.hints_burst, "too-fast", ticks),
        tables=RateLimit(
            limits.tables_per_hour / 3600,
            limits.tables_per_hour,
            "too-many-tables",
            ticks,
            for_programs=(limits.program_tables_per_hour / 3600, limits.program_tables_per_hour),
        ),
        people=RateLimit(limits.people_per_hour / 3600, limits.people_per_hour, "too-many-people", ticks),
        links=RateLimit(limits.links_per_hour / 3600, limits.links_per_hour, "too-fast", ticks),
        requests=RateLimit(limits.requests_per_second, limits.requests_burst, "too-fast", ticks),
        files=RateLimit(limits.files_per_second, limits.files_burst, "too-fast", ticks),
        messages=RateLimit(
            AS_MANY_SOCKETS * limits.messages_per_second, AS_MANY_SOCKETS * limits.messages_burst, "too-fast", ticks
        ),
        work=RateLimit(limits.work_per_second, limits.work_burst, "too-fast", ticks),
        max_unfinished=lambda person: limits.tables_per_program if is_program(person) else limits.tables_per_person,
    )
