"""Circles of friends and their series in the SQLite file."""

from __future__ import annotations

import apsw
import msgspec

from tavolino.server.storage import StoredCircle, StoredMember, StoredResult, StoredSeries
from tavolino.server.storage.columns import RESULT
from tavolino.server.storage.writer import Writer

SERIES = "id, circle, game, seats, deals, opened, closes, closed"
IN_CIRCLES = "SELECT count(*) FROM circle_members WHERE person = ? AND role <> 'out'"
IN_CIRCLE = "SELECT count(*) FROM circle_members WHERE circle = ? AND role <> 'out'"


class SqliteCircles:
    _writer: Writer

    async def add_circle(self, circle: StoredCircle, person: str, now: int, most: int) -> bool:
        def job(c: apsw.Connection) -> bool:
            if c.execute(IN_CIRCLES, (person,)).get >= most:
                return False
            c.execute("INSERT INTO circles VALUES (?, ?, ?)", (*circle, now))
            c.execute("INSERT INTO circle_members VALUES (?, ?, ?, 'owner')", (circle.id, person, now))
            return True

        return await self._writer.do(job)

    async def join_circle(self, circle: str, person: str, now: int, most: int, most_members: int) -> bool:
        def job(c: apsw.Connection) -> bool:
            known = "SELECT 1 FROM circle_members WHERE circle = ? AND person = ?"
            if list(c.execute(known, (circle, person))):
                return True
            if c.execute(IN_CIRCLES, (person,)).get >= most or c.execute(IN_CIRCLE, (circle,)).get >= most_members:
                return False
            c.execute("INSERT INTO circle_members VALUES (?, ?, ?, 'member')", (circle, person, now))
            return True

        return await self._writer.do(job)

    async def leave_circle(self, circle: str, person: str) -> None:
        def job(c: apsw.Connection) -> None:
            c.execute("DELETE FROM circle_members WHERE circle = ? AND person = ? AND role <> 'out'", (circle, person))
            c.execute("DELETE FROM circle_results WHERE circle = ? AND person = ?", (circle, person))
            oldest = """
                UPDATE circle_members SET role = 'owner' WHERE circle = ?1 AND person = (SELECT person FROM
                circle_members WHERE circle = ?1 AND role = 'member' ORDER BY joined, person LIMIT 1)
                AND NOT EXISTS (SELECT 1 FROM circle_members WHERE circle = ?1 AND role = 'owner')"""
            c.execute(oldest, (circle,))
            if c.execute(IN_CIRCLE, (circle,)).get == 0:
                c.execute("DELETE FROM circles WHERE id = ?", (circle,))

        await self._writer.do(job)

    async def remove_from_circle(self, circle: str, person: str) -> None:
        def job(c: apsw.Connection) -> None:
            c.execute("UPDATE circle_members SET role = 'out' WHERE circle = ? AND person = ?", (circle, person))
            c.execute("DELETE FROM circle_results WHERE circle = ? AND person = ?", (circle, person))

        await self._writer.do(job)

    async def circle(self, circle: str) -> StoredCircle | None:
        query = "SELECT id, name FROM circles WHERE id = ?"
        found = await self._writer.do(lambda c: c.execute(query, (circle,)).fetchone())
        return None if found is None else StoredCircle(*found)

    async def circle_members(self, circle: str) -> list[StoredMember]:
        query = "SELECT person, joined, role FROM circle_members WHERE circle = ? ORDER BY joined, person"
        return await self._writer.do(lambda c: [StoredMember(*each) for each in c.execute(query, (circle,))])

    async def circles_of(self, person: str) -> list[StoredCircle]:
        query = """
            SELECT id, name FROM circles JOIN circle_members ON circle = id
            WHERE person = ? AND role <> 'out' ORDER BY name, id"""
        return await self._writer.do(lambda c: [StoredCircle(*each) for each in c.execute(query, (person,))])

    async def common_circles(self, people: list[str]) -> list[str]:
        query = """
            SELECT circle FROM circle_members WHERE person IN (SELECT value FROM json_each(?)) AND role <> 'out'
            GROUP BY circle HAVING count(*) = ? ORDER BY circle"""
        values = (msgspec.json.encode(people).decode(), len(people))
        return await self._writer.do(lambda c: [circle for (circle,) in c.execute(query, values)])

    async def circle_standings(self, circle: str) -> list[tuple[str, str, int, int]]:
        query = "SELECT game, person, count(*), sum(won) FROM circle_results WHERE circle = ? GROUP BY game, person"
        return await self._writer.do(lambda c: list(c.execute(query, (circle,))))

    async def circle_results(self, circle: str, limit: int) -> list[StoredResult]:
        query = f"SELECT {RESULT} FROM circle_results WHERE circle = ? ORDER BY ended DESC, table_id, person LIMIT ?"
        found = await self._writer.do(lambda c: [StoredResult(*each) for each in c.execute(query, (circle, limit))])
        return [each._replace(won=bool(each.won)) for each in found]

    async def add_series(self, series: StoredSeries) -> None:
        query = f"INSERT INTO series ({SERIES}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
        await self._writer.do(lambda c: c.execute(query, series) and None)

    async def close_series(self, series: str, now: int) -> None:
        query = "UPDATE series SET closed = ? WHERE id = ? AND closed IS NULL"
        await self._writer.do(lambda c: c.execute(query, (now, series)) and None)

    async def series(self, series: str) -> StoredSeries | None:
        query = f"SELECT {SERIES} FROM series WHERE id = ?"
        found = await self._writer.do(lambda c: c.execute(query, (series,)).fetchone())
        return None if found is None else StoredSeries(*found)

    async def series_of(self, circle: str) -> list[StoredSeries]:
        query = f"SELECT {SERIES} FROM series WHERE circle = ? ORDER BY opened DESC, id"
        return await self._writer.do(lambda c: [StoredSeries(*each) for each in c.execute(query, (circle,))])
