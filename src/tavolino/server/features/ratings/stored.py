"""Results that count, exactly once for each game, even if a server crashes in between: ratings, and results in
circles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tavolino.server.storage import Conflict, Storage, StorageError
from tavolino.server.storage.sql import Steps, statement

RATING = "person, game, number, table_id, ended, mu, sigma, limited"  # StoredRating
ADD_RATING = f"""
    INSERT INTO ratings ({RATING}) VALUES (:person, :game, :number, :table, :ended, :mu, :sigma, :limited)"""
ADD_RESULT = """
    INSERT INTO circle_results (circle, table_id, person, game, ended, won)
    SELECT circle, :table, person, :game, :ended, :won FROM circle_members
    WHERE circle = :circle AND person = :person AND role <> 'out' ON CONFLICT DO NOTHING"""


class RatingsChanged(StorageError):
    """Another game of one of these people was rated in the meantime. Read their ratings again."""


class StoredRating(NamedTuple):
    """A person's rating in a game after `number` rated games, the last of them at this table."""

    person: str
    game: str
    number: int
    table: str
    ended: int  # seconds since 1970
    mu: float
    sigma: float
    limited: float = 0.0  # the part of a gain that counts towards the limit of a day


class RatedStep(NamedTuple):
    """What one rated game has changed of a person's rating."""

    person: str
    table: str
    before: float | None  # None: it was the person's first rated game
    after: float
    limited: float


class StoredResult(NamedTuple):
    """A player's result at a table that counts in a circle."""

    circle: str
    table: str
    person: str
    game: str
    ended: int  # seconds since 1970
    won: bool


class StoredResults:
    def __init__(self, storage: Storage) -> None:
        self._database = storage.database

    async def expect_result(self, table: str) -> None:
        """The result of this table will count. Written before the deal, so that no result is missed."""
        query = "INSERT INTO results VALUES (:table, false) ON CONFLICT DO NOTHING"
        await self._database.rows(query, table=table)

    async def is_expected(self, table: str) -> bool:
        """Whether the result of this table will count, and is not settled yet."""
        query = "SELECT 1 FROM results WHERE table_id = :table AND NOT settled"
        return await self._database.value(query, table=table) is not None

    async def unsettled_results(self, limit: int) -> list[str]:
        """Ended tables whose expected result is not settled yet."""
        query = """
            SELECT table_id FROM results JOIN tables ON id = table_id
            WHERE NOT settled AND phase = 'ended' ORDER BY table_id LIMIT :limit"""
        return [table for (table,) in await self._database.rows(query, limit=limit)]

    async def settle_result(
        self, table: str, ratings: list[StoredRating], circles: Sequence[StoredResult] = ()
    ) -> None:
        """Store everything that an expected result changes, once; no effect if it is settled already. `RatingsChanged`
        unless each rating is the next one of its person in that game. Nothing is stored for deleted people."""

        def steps() -> Steps[None]:
            query = "UPDATE results SET settled = true WHERE table_id = :table AND NOT settled RETURNING 1"
            if not (yield statement(query, table=table)):
                return
            for each in ratings:
                last = """
                    SELECT coalesce(max(number), 0) FROM people LEFT JOIN ratings ON person = id AND game = :game
                    WHERE id = :person GROUP BY id"""
                found = yield statement(last, person=each.person, game=each.game)
                if found and found[0][0] != each.number - 1:
                    raise RatingsChanged(f"person {each.person} has other ratings by now")
                if found:
                    yield statement(ADD_RATING, **each._asdict())
            for result in circles:
                yield statement(ADD_RESULT, **result._asdict())

        try:
            await self._database.run(steps)
        except Conflict:  # another server has just written that number, or somebody was just deleted
            raise RatingsChanged(f"table {table}: its players have other ratings by now") from None

    async def ratings(self, people: list[str], game: str) -> dict[str, StoredRating]:
        """The newest rating of each of these people; people without a rating are left out."""
        query = f"""
            SELECT {RATING} FROM ratings AS r WHERE game = :game AND person IN :people AND number =
            (SELECT max(number) FROM ratings WHERE person = r.person AND game = r.game)"""
        found = [StoredRating(*each) for each in await self._database.rows(query, people=people, game=game)]
        return {each.person: each for each in found}

    async def recent_ratings(self, people: list[str], game: str, since: int) -> list[RatedStep]:
        """The rated games of these people that ended at this time or later, in no order."""
        query = """
            SELECT r.person, r.table_id, before.mu, r.mu, r.limited FROM ratings AS r LEFT JOIN ratings AS before
            ON before.person = r.person AND before.game = r.game AND before.number = r.number - 1
            WHERE r.person IN :people AND r.game = :game AND r.ended >= :since"""
        found = await self._database.rows(query, people=people, game=game, since=since)
        return [RatedStep(*each) for each in found]

    async def rating_at(self, person: str, table: str) -> list[StoredRating]:
        """The person's rating before this table, if any, and after it; empty if the table did not rate them."""
        columns = ", ".join(f"r.{name}" for name in RATING.split(", "))
        query = f"""
            SELECT {columns} FROM ratings AS here JOIN ratings AS r ON r.person = here.person AND r.game = here.game
            AND r.number BETWEEN here.number - 1 AND here.number
            WHERE here.person = :person AND here.table_id = :table ORDER BY r.number"""
        return [StoredRating(*each) for each in await self._database.rows(query, person=person, table=table)]

    async def ratings_of(self, person: str) -> list[StoredRating]:
        """All ratings of a person, by game, in order."""
        query = f"SELECT {RATING} FROM ratings WHERE person = :person ORDER BY game, number"
        return [StoredRating(*each) for each in await self._database.rows(query, person=person)]

    async def common_circles(self, people: list[str]) -> list[str]:
        """The circles that all of these people are in."""
        query = """
            SELECT circle FROM circle_members WHERE person IN :people AND role <> 'out'
            GROUP BY circle HAVING count(*) = :size ORDER BY circle"""
        return [circle for (circle,) in await self._database.rows(query, people=people, size=len(people))]
