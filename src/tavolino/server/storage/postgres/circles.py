"""Circles of friends and their series in PostgreSQL. All statements are idempotent."""

from __future__ import annotations

from typing import Any

import asyncpg

from tavolino.server.storage import StoredCircle, StoredMember, StoredResult, StoredSeries
from tavolino.server.storage.columns import RESULT
from tavolino.server.storage.postgres.connections import Connections

SERIES = "id, circle, game, seats, deals, opened, closes, closed"
IN_CIRCLES = "SELECT count(*) FROM circle_members WHERE person = $2 AND role <> 'out'"


class PostgresCircles:
    _connections: Connections

    async def add_circle(self, circle: StoredCircle, person: str, now: int, most: int) -> bool:
        query = f"""
            WITH made AS (
                INSERT INTO circles SELECT $1, $3, $4 WHERE ({IN_CIRCLES}) < $5 ON CONFLICT DO NOTHING RETURNING id
            )
            INSERT INTO circle_members SELECT id, $2, $4, 'owner' FROM made"""
        await self._change(query, circle.id, person, circle.name, now, most)
        return await self._is_in(circle.id, person)

    async def join_circle(self, circle: str, person: str, now: int, most: int, most_members: int) -> bool:
        query = f"""
            INSERT INTO circle_members SELECT $1, $2, $3, 'member' WHERE ({IN_CIRCLES}) < $4
            AND (SELECT count(*) FROM circle_members WHERE circle = $1 AND role <> 'out') < $5 ON CONFLICT DO NOTHING"""
        await self._change(query, circle, person, now, most, most_members)
        return await self._is_in(circle, person)

    async def _is_in(self, circle: str, person: str) -> bool:
        query = "SELECT EXISTS (SELECT FROM circle_members WHERE circle = $1 AND person = $2)"
        return bool(await self._connections.do(lambda c: c.fetchval(query, circle, person)))

    async def leave_circle(self, circle: str, person: str) -> None:
        left = """
            WITH results AS (DELETE FROM circle_results WHERE circle = $1 AND person = $2)
            DELETE FROM circle_members WHERE circle = $1 AND person = $2 AND role <> 'out'"""
        oldest = """
            UPDATE circle_members SET role = 'owner' WHERE circle = $1 AND person = (SELECT person FROM
            circle_members WHERE circle = $1 AND role = 'member' ORDER BY joined, person LIMIT 1)
            AND NOT EXISTS (SELECT FROM circle_members WHERE circle = $1 AND role = 'owner')"""
        empty = """
            DELETE FROM circles WHERE id = $1
            AND NOT EXISTS (SELECT FROM circle_members WHERE circle = $1 AND role <> 'out')"""
        await self._change(left, circle, person)
        await self._change(oldest, circle)
        await self._change(empty, circle)

    async def remove_from_circle(self, circle: str, person: str) -> None:
        query = """
            WITH results AS (DELETE FROM circle_results WHERE circle = $1 AND person = $2)
            UPDATE circle_members SET role = 'out' WHERE circle = $1 AND person = $2"""
        await self._change(query, circle, person)

    async def circle(self, circle: str) -> StoredCircle | None:
        found = await self._found("SELECT id, name FROM circles WHERE id = $1", circle)
        return StoredCircle(*found[0]) if found else None

    async def circle_members(self, circle: str) -> list[StoredMember]:
        query = "SELECT person, joined, role FROM circle_members WHERE circle = $1 ORDER BY joined, person"
        return [StoredMember(*each) for each in await self._found(query, circle)]

    async def circles_of(self, person: str) -> list[StoredCircle]:
        query = """
            SELECT id, name FROM circles JOIN circle_members ON circle = id
            WHERE person = $1 AND role <> 'out' ORDER BY name COLLATE "C", id"""
        return [StoredCircle(*each) for each in await self._found(query, person)]

    async def common_circles(self, people: list[str]) -> list[str]:
        query = """
            SELECT circle FROM circle_members WHERE person = ANY($1::text[]) AND role <> 'out'
            GROUP BY circle HAVING count(*) = $2 ORDER BY circle"""
        return [circle for (circle,) in await self._found(query, people, len(people))]

    async def circle_standings(self, circle: str) -> list[tuple[str, str, int, int]]:
        query = """
            SELECT game, person, count(*), count(*) FILTER (WHERE won) FROM circle_results
            WHERE circle = $1 GROUP BY game, person ORDER BY game COLLATE "C", person"""
        return [(game, person, games, wins) for game, person, games, wins in await self._found(query, circle)]

    async def circle_results(self, circle: str, limit: int) -> list[StoredResult]:
        query = f"SELECT {RESULT} FROM circle_results WHERE circle = $1 ORDER BY ended DESC, table_id, person LIMIT $2"
        return [StoredResult(*each) for each in await self._found(query, circle, limit)]

    async def add_series(self, series: StoredSeries) -> None:
        query = f"INSERT INTO series ({SERIES}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING"
        await self._change(query, *series)

    async def close_series(self, series: str, now: int) -> None:
        await self._change("UPDATE series SET closed = $2 WHERE id = $1 AND closed IS NULL", series, now)

    async def series(self, series: str) -> StoredSeries | None:
        found = await self._found(f"SELECT {SERIES} FROM series WHERE id = $1", series)
        return StoredSeries(*found[0]) if found else None

    async def series_of(self, circle: str) -> list[StoredSeries]:
        query = f"SELECT {SERIES} FROM series WHERE circle = $1 ORDER BY opened DESC, id"
        return [StoredSeries(*each) for each in await self._found(query, circle)]

    async def _found(self, query: str, *values: Any) -> list[asyncpg.Record]:
        return await self._connections.do(lambda c: c.fetch(query, *values))

    async def _change(self, query: str, *values: Any) -> None:
        await self._connections.do(lambda c: c.execute(query, *values))
