"""Results that count, in PostgreSQL: ratings, and results in circles. All statements are idempotent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import asyncpg

from tavolino.server.storage import RatedStep, RatingsChanged, StoredRating, StoredResult
from tavolino.server.storage.columns import RATED_STEPS, RATING, RATING_OF_R, RESULT
from tavolino.server.storage.postgres.connections import Connections

SETTLE = f"""
    WITH mine AS (
        UPDATE results SET settled = true WHERE table_id = $1 AND NOT settled RETURNING 1
    ), counted AS (
        INSERT INTO circle_results ({RESULT}) SELECT counted.* FROM
            unnest($10::text[], $11::text[], $12::text[], $13::text[], $14::bigint[], $15::boolean[])
            AS counted (circle, table_id, person) JOIN circle_members AS m
            ON m.circle = counted.circle AND m.person = counted.person AND role <> 'out'
            WHERE EXISTS (SELECT FROM mine) ON CONFLICT DO NOTHING
    )
    INSERT INTO ratings ({RATING}) SELECT rated.* FROM
        unnest($2::text[], $3::text[], $4::integer[], $5::text[], $6::bigint[], $7::float8[], $8::float8[],
            $9::float8[])
        AS rated (person) JOIN people ON people.id = rated.person WHERE EXISTS (SELECT FROM mine)"""


class PostgresResults:
    _connections: Connections

    async def expect_result(self, table: str) -> None:
        query = "INSERT INTO results VALUES ($1, false) ON CONFLICT DO NOTHING"
        await self._connections.do(lambda c: c.execute(query, table))

    async def unsettled_results(self, limit: int) -> list[str]:
        query = """
            SELECT table_id FROM results JOIN tables ON id = table_id
            WHERE NOT settled AND phase = 'ended' ORDER BY table_id LIMIT $1"""
        return [table for (table,) in await self._connections.do(lambda c: c.fetch(query, limit))]

    async def settle_result(
        self, table: str, ratings: list[StoredRating], circles: Sequence[StoredResult] = ()
    ) -> None:
        columns: list[list[Any]] = [[each[nth] for each in ratings] for nth in range(len(StoredRating._fields))]
        columns += [[each[nth] for each in circles] for nth in range(len(StoredResult._fields))]

        async def work(connection: asyncpg.Connection) -> None:
            try:
                await connection.execute(SETTLE, table, *columns)
            except asyncpg.IntegrityConstraintViolationError:  # that number is taken, or somebody was just deleted
                raise RatingsChanged(f"table {table}: its players have other ratings by now") from None

        await self._connections.do(work)

    async def ratings(self, people: list[str], game: str) -> dict[str, StoredRating]:
        query = f"""
            SELECT DISTINCT ON (person) {RATING} FROM ratings WHERE game = $1 AND person = ANY($2::text[])
            ORDER BY person, number DESC"""
        found = await self._connections.do(lambda c: c.fetch(query, game, people))
        return {each["person"]: StoredRating(*each) for each in found}

    async def recent_ratings(self, people: list[str], game: str, since: int) -> list[RatedStep]:
        query = RATED_STEPS + " WHERE r.person = ANY($1::text[]) AND r.game = $2 AND r.ended >= $3"
        return [RatedStep(*each) for each in await self._connections.do(lambda c: c.fetch(query, people, game, since))]

    async def rating_at(self, person: str, table: str) -> list[StoredRating]:
        query = f"""
            SELECT {RATING_OF_R} FROM ratings AS here JOIN ratings AS r ON r.person = here.person AND r.game = here.game
            AND r.number BETWEEN here.number - 1 AND here.number
            WHERE here.person = $1 AND here.table_id = $2 ORDER BY r.number"""
        return [StoredRating(*each) for each in await self._connections.do(lambda c: c.fetch(query, person, table))]

    async def ratings_of(self, person: str) -> list[StoredRating]:
        query = f"SELECT {RATING} FROM ratings WHERE person = $1 ORDER BY game, number"
        return [StoredRating(*each) for each in await self._connections.do(lambda c: c.fetch(query, person))]
