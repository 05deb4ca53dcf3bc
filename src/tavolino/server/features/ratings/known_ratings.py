"""The ratings of people, as a table shows them before the start and as their owner sees them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from itertools import groupby

from msgspec import Struct

from tavolino.server import protocol as p
from tavolino.server.clock import Clock
from tavolino.server.features.ratings.protocol import RatingChange
from tavolino.server.features.ratings.ratings import NEW, Rating, shown
from tavolino.server.features.ratings.stored import StoredRating, StoredResults
from tavolino.server.storage import Storage

REMEMBERED = 20_000
FRESH_SECONDS = 60  # another node may have rated a game


class _Remembered(Struct):
    rating: p.Rating
    looked: float  # in uptime


class KnownRatings:
    def __init__(self, storage: Storage, clock: Clock) -> None:
        self._stored, self._clock = StoredResults(storage), clock
        self._remembered: OrderedDict[tuple[str, str], _Remembered] = OrderedDict()

    async def learn(self, people: list[str], game: str) -> None:
        """Load the ratings of these people for `of`."""
        now = self._clock.up()
        unknown = [
            person
            for person in people
            if (known := self._remembered.get((person, game))) is None or now - known.looked > FRESH_SECONDS
        ]
        if unknown:
            found = await self._stored.ratings(unknown, game)
            for person in unknown:
                self._remember(person, game, found.get(person))

    def of(self, person: str, game: str) -> p.Rating | None:
        """None if it is not cached."""
        known = self._remembered.get((person, game))
        return None if known is None else known.rating

    def forget(self, people: Iterable[str], game: str) -> None:
        """Drop them from the cache, because they have changed."""
        for person in people:
            self._remembered.pop((person, game), None)

    async def change(self, person: str, table: str) -> RatingChange | None:
        """What the game at this table has changed. None: it has not been counted."""
        found = await self._stored.rating_at(person, table)
        if not found:
            return None
        return RatingChange(_shown(found[0] if len(found) > 1 else None), _shown(found[-1]))

    async def history(self, person: str) -> list[p.RatingHistory]:
        """By game, from the first rated game to the last."""
        found = await self._stored.ratings_of(person)
        histories = []
        for game, stored in groupby(found, lambda each: each.game):
            points = [p.RatedGame(each.table, each.ended, _shown(each)) for each in stored]
            histories.append(p.RatingHistory(game, points[-1].rating, points))
        return histories

    def _remember(self, person: str, game: str, stored: StoredRating | None) -> None:
        self._remembered[person, game] = _Remembered(_shown(stored), self._clock.up())
        while len(self._remembered) > REMEMBERED:
            self._remembered.popitem(last=False)


def _shown(stored: StoredRating | None) -> p.Rating:
    return shown(NEW, 0) if stored is None else shown(Rating(stored.mu, stored.sigma), stored.number)
