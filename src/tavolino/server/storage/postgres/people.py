"""People in PostgreSQL: names, tokens, return codes, items; secrets of shared deals. All statements are idempotent."""

from __future__ import annotations

from typing import Any

import asyncpg

from tavolino.server.storage import StoredToken
from tavolino.server.storage.postgres.connections import Connections

ADD_TOKEN = """
    INSERT INTO tokens (hash, person, made, used, used_witnessed) VALUES ($1, $2, $3, $3, $4) ON CONFLICT DO NOTHING"""


class PostgresPeople:
    _connections: Connections

    async def _fetch(self, query: str, *values: Any) -> list[asyncpg.Record]:
        return await self._connections.do(lambda c: c.fetch(query, *values))

    async def _value(self, query: str, *values: Any) -> Any:
        return await self._connections.do(lambda c: c.fetchval(query, *values))

    async def _execute(self, query: str, *values: Any) -> None:
        """Execute one idempotent statement."""
        await self._connections.do(lambda c: c.execute(query, *values))

    async def add_person(self, person: str, name: str, token_hash: bytes, now: int, witnessed: int = 0) -> None:
        both = f"WITH p AS (INSERT INTO people (id, name, made) VALUES ($2, $5, $3) ON CONFLICT DO NOTHING) {ADD_TOKEN}"
        await self._execute(both, token_hash, person, now, witnessed, name)

    async def add_token(self, person: str, token_hash: bytes, now: int, witnessed: int = 0) -> None:
        await self._execute(ADD_TOKEN, token_hash, person, now, witnessed)

    async def use_token(self, token_hash: bytes, now: int, witnessed: int) -> None:
        query = "UPDATE tokens SET used = $1, used_witnessed = greatest(used_witnessed, $2) WHERE hash = $3"
        await self._execute(query, now, witnessed, token_hash)

    async def tokens_of(self, person: str) -> list[StoredToken]:
        query = "SELECT hash, made, used FROM tokens WHERE person = $1 ORDER BY made DESC, hash"
        return [StoredToken(*found) for found in await self._fetch(query, person)]

    async def remove_tokens(self, hashes: list[bytes]) -> None:
        await self._execute("DELETE FROM tokens WHERE hash = ANY($1::bytea[])", hashes)

    async def remove_unused_tokens(self, witnessed: int, limit: int) -> int:
        query = """
            DELETE FROM tokens WHERE hash IN
            (SELECT hash FROM tokens WHERE used_witnessed <= $1 ORDER BY used_witnessed LIMIT $2) RETURNING 1"""
        return len(await self._fetch(query, witnessed, limit))

    async def person_of(self, token_hash: bytes, unused_since: int = -1) -> tuple[str, str] | None:
        query = """
            SELECT people.id, name FROM tokens JOIN people ON person = people.id
            WHERE hash = $1 AND used_witnessed > $2"""
        found = await self._fetch(query, token_hash, unused_since)
        return (found[0]["id"], found[0]["name"]) if found else None

    async def rename(self, person: str, name: str) -> None:
        await self._execute("UPDATE people SET name = $1, new_name = NULL WHERE id = $2", name, person)

    async def keep_new_name(self, person: str, name: str) -> None:
        await self._execute("UPDATE people SET new_name = $1 WHERE id = $2", name, person)

    async def new_names(self, people: list[str] | None = None) -> dict[str, str]:
        query = """
            SELECT id, new_name FROM people WHERE new_name IS NOT NULL
            AND ($1::text[] IS NULL OR id = ANY($1::text[]))"""
        return {found["id"]: found["new_name"] for found in await self._fetch(query, people)}

    async def names(self, people: list[str]) -> dict[str, str]:
        query = "SELECT id, name FROM people WHERE id = ANY($1::text[])"
        return {found["id"]: found["name"] for found in await self._fetch(query, people)}

    async def forget(self, person: str) -> None:
        query = "WITH m AS (DELETE FROM members WHERE person = $1) DELETE FROM people WHERE id = $1"
        await self._execute(query, person)

    async def add_return_code(self, code_hash: bytes, person: str, expires: int, most: int = 5) -> None:
        query = """
            WITH older AS (DELETE FROM return_codes WHERE hash IN (SELECT hash FROM return_codes
                WHERE person = $2 AND hash <> $1 ORDER BY expires DESC OFFSET $4))
            INSERT INTO return_codes VALUES ($1, $2, $3) ON CONFLICT DO NOTHING"""
        await self._execute(query, code_hash, person, expires, most - 1)

    async def remove_return_codes(self, person: str) -> None:
        await self._execute("DELETE FROM return_codes WHERE person = $1", person)

    async def use_return_code(self, code_hash: bytes, now: int) -> str | None:
        query = """
            WITH used AS (DELETE FROM return_codes WHERE hash = $1 OR expires <= $2 RETURNING hash, person, expires)
            SELECT person FROM used WHERE hash = $1 AND expires > $2"""
        found: str | None = await self._value(query, code_hash, now)
        return found

    async def keep_item(self, person: str, name: str, content: bytes) -> None:
        query = """
            INSERT INTO items SELECT id, $2, $3 FROM people WHERE id = $1
            ON CONFLICT (person, name) DO UPDATE SET content = excluded.content"""
        await self._execute(query, person, name, content)

    async def items(self, person: str, prefix: str) -> dict[str, bytes]:
        query = "SELECT name, content FROM items WHERE person = $1 AND starts_with(name, $2) ORDER BY name"
        return {found["name"]: found["content"] for found in await self._fetch(query, person, prefix)}

    async def items_called(self, name: str) -> dict[str, bytes]:
        query = "SELECT person, content FROM items WHERE name = $1 ORDER BY person"
        return {found["person"]: found["content"] for found in await self._fetch(query, name)}

    async def remove_items_called(self, name: str) -> None:
        await self._execute("DELETE FROM items WHERE name = $1", name)

    async def remove_items(self, person: str, prefix: str) -> None:
        await self._execute("DELETE FROM items WHERE person = $1 AND starts_with(name, $2)", person, prefix)

    async def deal_secret(self, name: str, fresh: str) -> str:
        await self._execute("INSERT INTO shared_deals VALUES ($1, $2) ON CONFLICT DO NOTHING", name, fresh)
        return str(await self._value("SELECT secret FROM shared_deals WHERE name = $1", name))

    async def shared_secret(self, name: str) -> str | None:
        found: str | None = await self._value("SELECT secret FROM shared_deals WHERE name = $1", name)
        return found

    async def claim_notifications(self, person: str, kind: str, turns: dict[str, int]) -> set[str]:
        query = """
            INSERT INTO calls SELECT tables.id, people.id, $2, turn
            FROM unnest($3::text[], $4::integer[]) AS t (id, turn) JOIN tables USING (id) JOIN people ON people.id = $1
            ORDER BY tables.id
            ON CONFLICT (table_id, person, kind) DO UPDATE SET turn = excluded.turn WHERE calls.turn < excluded.turn
            RETURNING table_id"""
        found = await self._fetch(query, person, kind, list(turns), list(turns.values()))
        return {table for (table,) in found}

    async def server_key(self, name: str, fresh: bytes) -> bytes:
        await self._execute("INSERT INTO server_keys VALUES ($1, $2) ON CONFLICT DO NOTHING", name, fresh)
        kept: bytes = await self._value("SELECT content FROM server_keys WHERE name = $1", name)
        return kept
