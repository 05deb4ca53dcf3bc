"""Notebooks that were asked for, in memory. Calculating one takes up to tens of milliseconds, so a thread does it,
one at a time, and kept until the table's journal grows.

A notebook says what one seat knows: callers check the right to the seat before they ask for it.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable

import msgspec

from tavolino.engine.game import Json
from tavolino.engine.match import Match
from tavolino.server.protocol import MOST_SEATS
from tavolino.server.rate_limit import RateLimit

MAX_BYTES = 16 * 1024 * 1024
HIT_MILLISECONDS = 1.0  # of the processor, about (`bench/notebooks.py`): a request costs that much in any case
encode = msgspec.json.Encoder().encode
Build = Callable[[Match, int], Json]


class Notebooks:
    def __init__(self, work: RateLimit, max_bytes: int = MAX_BYTES) -> None:
        self._work, self._max_bytes = work, max_bytes
        # The newest of each seat, with the number of its table's last entry: after a take-back turns are used twice.
        self._kept: OrderedDict[tuple[str, int], tuple[int, bytes]] = OrderedDict()
        self._calculating = asyncio.Lock()
        self.bytes = 0

    async def get(self, table: str, number: int, seat: int, match: Match, build: Build, payers: Iterable[str]) -> bytes:
        """The notebook of a seat after entry `number`, as JSON. Refuses if one of the payers has used up the limit."""
        payers = dict.fromkeys(payers)
        for whose in payers:
            self._work.check(whose)
        kept = self._kept.get((table, seat))
        if kept is not None and kept[0] == number:
            self._kept.move_to_end((table, seat))
            content, milliseconds = kept[1], HIT_MILLISECONDS
        else:
            copy = match.clone()  # the table goes on using its own
            async with self._calculating:
                content, milliseconds = await asyncio.to_thread(_calculate, copy, seat, build)
            self._keep((table, seat), number, content)
        for whose in payers:
            self._work.charge(whose, milliseconds)
        return content

    def drop(self, table: str) -> None:
        for seat in range(MOST_SEATS):
            self._remove((table, seat))

    def _keep(self, key: tuple[str, int], number: int, content: bytes) -> None:
        self._remove(key)
        self._kept[key] = number, content
        self.bytes += len(content)
        while self.bytes > self._max_bytes:
            self._remove(next(iter(self._kept)))

    def _remove(self, key: tuple[str, int]) -> None:
        if (removed := self._kept.pop(key, None)) is not None:
            self.bytes -= len(removed[1])


def _calculate(match: Match, seat: int, build: Build) -> tuple[bytes, float]:
    """The notebook as JSON, and the milliseconds that it took."""
    begun = time.thread_time()
    content = encode(build(match, seat))
    return content, 1000 * (time.thread_time() - begun)
