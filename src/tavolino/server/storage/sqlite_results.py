"""Results that count, in the SQLite file: ratings, and results in circles."""

from __future__ import annotations

from collections.abc import Sequence

import apsw
import msgspec

from tavolino.server.storage import RatedStep, RatingsChanged, StoredRating, StoredResult
from tavolino.server.storage.columns import RATED_STEPS, RATING, RATING_OF_R, RESULT
from tavolino.server.storage.writer import Writer


class SqliteResults:
    _writer: Writer

    async def expect_result(self, table: str) -> None:
        await self._writer.do(lambda c: c.execute("INSERT OR IGNORE INTO results VALUES (?, 0)", (table,)) and None)

    async def unsettled_results(self, limit: int) -> list[str]:
        query = """
            SELECT table_id FROM results JOIN tables ON id = table_id
            WHERE NOT settled AND phase = 'ended' ORDER BY table_id LIMIT ?"""
        return await self._writer.do(lambda c: [table for (table,) in c.execute(query, (limit,))])

    async def settle_result(
        self, table: str, ratings: list[StoredRating], circles: Sequence[StoredResult] = ()
    ) -> None:
        def job(c: apsw.Connection) -> None:
            expected = "UPDATE results SET settled = 1 WHERE table_id = ? AND NOT settled RETURNING 1"
            if not list(c.execute(expected, (table,))):
                return
            last = "SELECT coalesce(max(number), 0) FROM ratings WHERE person = ? AND game = ?"
            for each in ratings:
                if not list(c.execute("SELECT 1 FROM people WHERE id = ?", (each.person,))):
                    continue
                if c.execute(last, (each.person, each.game)).get != each.number - 1:
                    raise RatingsChanged(f"person {each.person} has other ratings by now")
                c.execute(f"INSERT INTO ratings ({RATING}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", each)
            counted = f"""
                INSERT OR IGNORE INTO circle_results ({RESULT}) SELECT ?1, ?2, ?3, ?4, ?5, ?6 FROM circle_members
                WHERE circle = ?1 AND person = ?3 AND role <> 'out'"""
            for result in circles:
                c.execute(counted, result)

        await self._writer.do(job)

    async def ratings(self, people: list[str], game: str) -> dict[str, StoredRating]:
        query = f"""
            SELECT {RATING} FROM ratings AS r WHERE game = ? AND person IN (SELECT value FROM json_each(?)) AND number =
            (SELECT max(number) FROM ratings WHERE person = r.person AND game = r.game)"""
        values = (game, msgspec.json.encode(people).decode())
        found = await self._writer.do(lambda c: [StoredRating(*each) for each in c.execute(query, values)])
        return {each.person: each for each in found}

    async def recent_ratings(self, people: list[str], game: str, since: int) -> list[RatedStep]:
        query = RATED_STEPS + " WHERE r.person IN (SELECT value FROM json_each(?)) AND r.game = ? AND r.ended >= ?"
        values = (msgspec.json.encode(people).decode(), game, since)
        return await self._writer.do(lambda c: [RatedStep(*each) for each in c.execute(query, values)])

    async def rating_at(self, person: str, table: str) -> list[StoredRating]:
        query = f"""
            SELECT {RATING_OF_R} FROM ratings AS here JOIN ratings AS r ON r.person = here.person AND r.game = here.game
            AND r.number BETWEEN here.number - 1 AND here.number
            WHERE here.person = ? AND here.table_id = ? ORDER BY r.number"""
        return await self._writer.do(lambda c: [StoredRating(*each) for each in c.execute(query, (person, table))])

    async def ratings_of(self, person: str) -> list[StoredRating]:
        query = f"SELECT {RATING} FROM ratings WHERE person = ? ORDER BY game, number"
        return await self._writer.do(lambda c: [StoredRating(*each) for each in c.execute(query, (person,))])
