"""Circles of friends and their series."""

from __future__ import annotations

from typing import NamedTuple

from tavolino.server.features.ratings.stored import StoredResult
from tavolino.server.storage import Storage
from tavolino.server.storage.sql import Steps, statement

SERIES = "id, circle, game, seats, deals, opened, closes, closed"  # StoredSeries
IN_CIRCLES = "SELECT count(*) FROM circle_members WHERE person = :person AND role <> 'out'"
IN_CIRCLE = "SELECT count(*) FROM circle_members WHERE circle = :circle AND role <> 'out'"
MEMBER = "SELECT 1 FROM circle_members WHERE circle = :circle AND person = :person"
ADD_MEMBER = "INSERT INTO circle_members VALUES (:circle, :person, :now, :role) ON CONFLICT DO NOTHING"
REMOVE_RESULTS = "DELETE FROM circle_results WHERE circle = :circle AND person = :person"
# Changes nothing: with several servers it makes the transactions of one circle follow one another.
LOCK = "UPDATE circles SET name = name WHERE id = :circle"


class StoredCircle(NamedTuple):
    id: str
    name: str


class StoredMember(NamedTuple):
    """A member of a circle. `role`: owner, member, or out (removed, and not allowed to rejoin)."""

    person: str
    joined: int  # milliseconds since 1970
    role: str


class StoredSeries(NamedTuple):
    """A series of deals that the members of a circle play. All times are seconds since 1970."""

    id: str
    circle: str
    game: str
    seats: int
    deals: int
    opened: int
    closes: int
    closed: int | None  # before that, because everybody had played


class StoredCircles:
    def __init__(self, storage: Storage) -> None:
        self._database = storage.database

    async def add_circle(self, circle: StoredCircle, person: str, now: int, most: int) -> bool:
        """Create a circle with this person as owner. False if the person is in too many circles already."""

        def steps() -> Steps[bool]:
            if (yield statement(MEMBER, circle=circle.id, person=person)):
                return True  # repeated after a lost connection
            if (yield statement(IN_CIRCLES, person=person))[0][0] >= most:
                return False
            query = "INSERT INTO circles VALUES (:circle, :name, :now) ON CONFLICT DO NOTHING"
            yield statement(query, circle=circle.id, name=circle.name, now=now)
            yield statement(ADD_MEMBER, circle=circle.id, person=person, now=now, role="owner")
            return True

        return await self._database.run(steps)

    async def join_circle(self, circle: str, person: str, now: int, most: int, most_members: int) -> bool:
        """False if this person is in too many circles, or the circle is full. Members keep their role."""

        def steps() -> Steps[bool]:
            yield statement(LOCK, circle=circle)
            if (yield statement(MEMBER, circle=circle, person=person)):
                return True
            if (yield statement(IN_CIRCLES, person=person))[0][0] >= most:
                return False
            if (yield statement(IN_CIRCLE, circle=circle))[0][0] >= most_members:
                return False
            yield statement(ADD_MEMBER, circle=circle, person=person, now=now, role="member")
            return True

        return await self._database.run(steps)

    async def leave_circle(self, circle: str, person: str) -> None:
        """Remove a member and their results. If the owner leaves, the oldest member becomes owner; a circle without
        members is deleted."""

        def steps() -> Steps[None]:
            yield statement(LOCK, circle=circle)
            left = "DELETE FROM circle_members WHERE circle = :circle AND person = :person AND role <> 'out'"
            yield statement(left, circle=circle, person=person)
            yield statement(REMOVE_RESULTS, circle=circle, person=person)
            oldest = """
                UPDATE circle_members SET role = 'owner' WHERE circle = :circle AND person = (SELECT person FROM
                circle_members WHERE circle = :circle AND role = 'member' ORDER BY joined, person LIMIT 1)
                AND NOT EXISTS (SELECT 1 FROM circle_members WHERE circle = :circle AND role = 'owner')"""
            yield statement(oldest, circle=circle)
            if (yield statement(IN_CIRCLE, circle=circle))[0][0] == 0:
                yield statement("DELETE FROM circles WHERE id = :circle", circle=circle)

        await self._database.run(steps)

    async def remove_from_circle(self, circle: str, person: str) -> None:
        """Remove a member and their results, and prevent them from joining again."""

        def steps() -> Steps[None]:
            query = "UPDATE circle_members SET role = 'out' WHERE circle = :circle AND person = :person"
            yield statement(query, circle=circle, person=person)
            yield statement(REMOVE_RESULTS, circle=circle, person=person)

        await self._database.run(steps)

    async def circle(self, circle: str) -> StoredCircle | None:
        found = await self._database.first("SELECT id, name FROM circles WHERE id = :circle", circle=circle)
        return None if found is None else StoredCircle(*found)

    async def circle_members(self, circle: str) -> list[StoredMember]:
        """The members and the removed ones, the oldest first."""
        query = "SELECT person, joined, role FROM circle_members WHERE circle = :circle ORDER BY joined, person"
        return [StoredMember(*each) for each in await self._database.rows(query, circle=circle)]

    async def circles_of(self, person: str) -> list[StoredCircle]:
        """The circles of a person, by name."""
        query = (
            "SELECT id, name FROM circles JOIN circle_members ON circle = id WHERE person = :person AND role <> 'out'"
        )
        found = [StoredCircle(*each) for each in await self._database.rows(query, person=person)]
        return sorted(found, key=lambda circle: (circle.name, circle.id))

    async def circle_standings(self, circle: str) -> list[tuple[str, str, int, int]]:
        """Rows of game, person, number of games, number of wins."""
        query = """
            SELECT game, person, count(*), count(*) FILTER (WHERE won) FROM circle_results
            WHERE circle = :circle GROUP BY game, person"""
        return sorted(map(tuple, await self._database.rows(query, circle=circle)))

    async def circle_results(self, circle: str, limit: int) -> list[StoredResult]:
        """One row for each person and game, the newest first."""
        query = """
            SELECT circle, table_id, person, game, ended, won FROM circle_results WHERE circle = :circle
            ORDER BY ended DESC, table_id, person LIMIT :limit"""
        found = [StoredResult(*each) for each in await self._database.rows(query, circle=circle, limit=limit)]
        return [each._replace(won=bool(each.won)) for each in found]

    async def add_series(self, series: StoredSeries) -> None:
        query = f"""
            INSERT INTO series ({SERIES}) VALUES (:id, :circle, :game, :seats, :deals, :opened, :closes, :closed)
            ON CONFLICT DO NOTHING"""
        await self._database.rows(query, **series._asdict())

    async def close_series(self, series: str, now: int) -> None:
        """Close a series, unless it is closed."""
        query = "UPDATE series SET closed = :now WHERE id = :series AND closed IS NULL"
        await self._database.rows(query, series=series, now=now)

    async def series(self, series: str) -> StoredSeries | None:
        found = await self._database.first(f"SELECT {SERIES} FROM series WHERE id = :series", series=series)
        return None if found is None else StoredSeries(*found)

    async def series_of(self, circle: str) -> list[StoredSeries]:
        """The series of a circle, the newest first. They are deleted with the circle."""
        query = f"SELECT {SERIES} FROM series WHERE circle = :circle ORDER BY opened DESC, id"
        return [StoredSeries(*each) for each in await self._database.rows(query, circle=circle)]
