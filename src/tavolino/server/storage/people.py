"""People: names, tokens, return codes."""

from __future__ import annotations

from typing import NamedTuple

from tavolino.server.storage.sql import Database, Statement, Steps, statement


class StoredToken(NamedTuple):
    """A device of a person."""

    hash: bytes
    made: int  # seconds since 1970
    used: int  # the last time, about


class People:
    database: Database

    async def add_person(self, person: str, name: str, token_hash: bytes, now: int, witnessed: int = 0) -> None:
        """Store a person with a first token. `now` is the time that people see; tokens expire by `witnessed`."""

        def steps() -> Steps[None]:
            query = "INSERT INTO people (id, name, made) VALUES (:person, :name, :now) ON CONFLICT DO NOTHING"
            yield statement(query, person=person, name=name, now=now)
            yield _add_token(person, token_hash, now, witnessed)

        await self.database.run(steps)

    async def add_token(self, person: str, token_hash: bytes, now: int, witnessed: int = 0) -> None:
        text, values = _add_token(person, token_hash, now, witnessed)
        await self.database.rows(text, **values)

    async def person_of(self, token_hash: bytes, unused_since: int = -1) -> tuple[str, str] | None:
        """Id and name; None if the token was last used at or before that witnessed time."""
        query = """
            SELECT people.id, name FROM tokens JOIN people ON person = people.id
            WHERE hash = :hash AND used_witnessed > :since"""
        found = await self.database.first(query, hash=token_hash, since=unused_since)
        return None if found is None else (found[0], found[1])

    async def use_token(self, token_hash: bytes, now: int, witnessed: int) -> None:
        """Store when the token was last used."""
        query = """
            UPDATE tokens SET used = :now, used_witnessed =
            CASE WHEN used_witnessed < :witnessed THEN :witnessed ELSE used_witnessed END WHERE hash = :hash"""
        await self.database.rows(query, hash=token_hash, now=now, witnessed=witnessed)

    async def tokens_of(self, person: str) -> list[StoredToken]:
        """A person's tokens, the newest first."""
        query = "SELECT hash, made, used FROM tokens WHERE person = :person ORDER BY made DESC, hash"
        return [StoredToken(*found) for found in await self.database.rows(query, person=person)]

    async def remove_tokens(self, hashes: list[bytes]) -> None:
        def steps() -> Steps[None]:
            for each in hashes:
                yield statement("DELETE FROM tokens WHERE hash = :hash", hash=each)

        await self.database.run(steps)

    async def remove_unused_tokens(self, witnessed: int, limit: int) -> int:
        """Remove tokens last used at or before that time, at most `limit`; returns how many."""
        query = """
            DELETE FROM tokens WHERE hash IN (SELECT hash FROM tokens WHERE used_witnessed <= :witnessed
            ORDER BY used_witnessed LIMIT :limit) RETURNING 1"""
        return len(await self.database.rows(query, witnessed=witnessed, limit=limit))

    async def rename(self, person: str, name: str) -> None:
        """Change the name at once. A name that waits to be applied is dropped."""
        query = "UPDATE people SET name = :name, new_name = NULL WHERE id = :person"
        await self.database.rows(query, person=person, name=name)

    async def keep_new_name(self, person: str, name: str) -> None:
        """Store a name that is applied later."""
        query = "UPDATE people SET new_name = :name WHERE id = :person"
        await self.database.rows(query, person=person, name=name)

    async def new_names(self, people: list[str] | None = None) -> dict[str, str]:
        """Names that wait to be applied, by id; of all people if `people` is None."""
        query = "SELECT id, new_name FROM people WHERE new_name IS NOT NULL"
        if people is None:
            return dict(await self.database.rows(query))
        return dict(await self.database.rows(query + " AND id IN :people", people=people))

    async def names(self, people: list[str]) -> dict[str, str]:
        """Names by id, without deleted identities."""
        return dict(await self.database.rows("SELECT id, name FROM people WHERE id IN :people", people=people))

    async def forget(self, person: str) -> None:
        """Delete name, tokens, return codes, items and claims of notifications; the person's tables keep a nameless
        seat. No byte of the name stays."""

        def steps() -> Steps[None]:
            yield statement("DELETE FROM people WHERE id = :person", person=person)
            yield statement("DELETE FROM members WHERE person = :person", person=person)

        await self.database.run(steps)
        await self.database.erase()

    async def add_return_code(self, code_hash: bytes, person: str, expires: int, most: int = 5) -> None:
        """Store a code. Only the person's `most` newest codes are kept."""

        def steps() -> Steps[None]:
            query = "INSERT INTO return_codes VALUES (:hash, :person, :expires) ON CONFLICT DO NOTHING"
            yield statement(query, hash=code_hash, person=person, expires=expires)
            older = """
                DELETE FROM return_codes WHERE person = :person AND hash <> :hash AND hash NOT IN (SELECT hash
                FROM return_codes WHERE person = :person AND hash <> :hash ORDER BY expires DESC LIMIT :others)"""
            yield statement(older, hash=code_hash, person=person, others=most - 1)

        await self.database.run(steps)

    async def remove_return_codes(self, person: str) -> None:
        await self.database.rows("DELETE FROM return_codes WHERE person = :person", person=person)

    async def use_return_code(self, code_hash: bytes, now: int) -> str | None:
        """The person of this code, once; None for an unknown, used or expired code."""

        def steps() -> Steps[str | None]:
            yield statement("DELETE FROM return_codes WHERE expires <= :now", now=now)
            found = yield statement("DELETE FROM return_codes WHERE hash = :hash RETURNING person", hash=code_hash)
            return found[0][0] if found else None

        return await self.database.run(steps)


def _add_token(person: str, token_hash: bytes, now: int, witnessed: int) -> Statement:
    query = """
        INSERT INTO tokens (hash, person, made, used, used_witnessed) VALUES (:hash, :person, :now, :now, :witnessed)
        ON CONFLICT DO NOTHING"""
    return statement(query, hash=token_hash, person=person, now=now, witnessed=witnessed)
