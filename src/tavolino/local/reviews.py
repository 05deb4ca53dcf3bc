"""Reviews of local tables: worked out by a helper, and kept with the table.

The page asks again and again until the review is there. When it no longer asks, the work is stopped.
"""

from __future__ import annotations

import asyncio
import base64
import json
import zlib
from collections.abc import Callable
from typing import Any, Protocol

import msgspec

from tavolino.local.helpers import Helper, Start
from tavolino.server.errors import Refused
from tavolino.server.games.review_queue import Key, Progress, Review, ReviewFailed, ReviewQueue
from tavolino.server.kernel import records
from tavolino.server.kernel.actor import TableActor
from tavolino.server.kernel.feature import Feature, NoSlice

PATIENCE = 10.0  # seconds without a question, after which nobody waits for a review


class LocalReviewsFeature(Feature[NoSlice]):
    """At a server it has routes and a database; here only its name and its refusals."""

    name = "reviews"
    refusals = (("no-review", 409),)


class ReviewKeeper(Protocol):
    async def keep_review(self, table: str, seat: int, version: int, review: str) -> None: ...

    async def review(self, table: str, seat: int, version: int) -> str | None: ...


class KeptReviews:
    """Texts for the page, which keeps them beside the journals."""

    def __init__(self, keeper: ReviewKeeper) -> None:
        self._keeper = keeper

    async def keep(self, table: str, seat: int, version: int, review: bytes) -> None:
        await self._keeper.keep_review(table, seat, version, base64.b64encode(review).decode())

    async def find(self, table: str, seat: int, version: int) -> bytes | None:
        kept = await self._keeper.review(table, seat, version)
        return None if kept is None else base64.b64decode(kept)


class LocalReviews(ReviewQueue):
    """`make_room` is called before a helper is started: who reads a review does not play."""

    def __init__(self, log: Any, keeper: ReviewKeeper, start: Start | None, make_room: Callable[[], None]) -> None:
        super().__init__(log, KeptReviews(keeper))
        self._make_room = make_room
        self._start = start
        self._patience: dict[Key, asyncio.TimerHandle] = {}

    async def look(self, table: TableActor, seat: int) -> Review:
        """How far the review of a seat is, and all of it once it is there."""
        key, record = (table.state.id, seat), self._record(table, seat)
        progress = self.progress(key)
        if progress is None:
            if (content := await self.get(key)) is not None:
                return Review(seat, 0, 0, msgspec.Raw(content))
            if self.take_failure(key):
                raise Refused("no-review")
            progress = self.start(key, record, "here")
        self._wait_for_the_next_question(key)
        return Review(seat, progress.done, progress.total, None)

    def _record(self, table: TableActor, seat: int) -> dict[str, Any]:
        """Only of games that were played to their end, with rules that are known here."""
        state, match = table.state, table.match
        records.check_finished(state)
        if not 0 <= seat < len(state.places):
            raise Refused("no-such-seat")
        if state.rules not in table.game.versions:
            raise Refused("no-rules")
        if match is None or not match.over:
            raise Refused("no-review")
        return records.record(state, match)

    def _wait_for_the_next_question(self, key: Key) -> None:
        if (earlier := self._patience.pop(key, None)) is not None:
            earlier.cancel()
        self._patience[key] = asyncio.get_running_loop().call_later(PATIENCE, self._give_up, key)

    def _give_up(self, key: Key) -> None:
        self._patience.pop(key, None)
        self.cancel(key)

    async def _work_out(self, key: Key, record: dict[str, Any], progress: Progress) -> bytes:
        def hear(line: str) -> None:
            told = json.loads(line)
            progress.done, progress.total = told["done"], told["total"]

        if self._start is None:
            raise ReviewFailed("there are no helpers here")
        self._make_room()
        helper: Helper | None = None
        try:
            helper = await self._start()
            order = {"work": "review", "record": record, "seat": key[1]}
            told = msgspec.json.decode(await helper.work(json.dumps(order), hear), type=_Told)
        except Exception as problem:
            raise ReviewFailed(str(problem)) from None
        finally:
            if helper is not None:
                helper.end()
        if not bytes(told.review):
            raise ReviewFailed(told.error)
        return zlib.compress(told.review)


class _Told(msgspec.Struct):
    review: msgspec.Raw = msgspec.Raw()
    error: str = ""
