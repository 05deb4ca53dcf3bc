"""People in the SQLite file: names, tokens, return codes, items; secrets of shared deals."""

from __future__ import annotations

from collections.abc import Iterator

import apsw
import msgspec

from tavolino.server.storage import StoredToken
from tavolino.server.storage.writer import Writer

ADD_TOKEN = "INSERT INTO tokens (hash, person, made, used, used_witnessed) VALUES (?, ?, ?, ?, ?)"


class SqlitePeople:
    _writer: Writer

    async def add_person(self, person: str, name: str, token_hash: bytes, now: int, witnessed: int = 0) -> None:
        def job(c: apsw.Connection) -> None:
            c.execute("INSERT INTO people (id, name, made) VALUES (?, ?, ?)", (person, name, now))
            c.execute(ADD_TOKEN, (token_hash, person, now, now, witnessed))

        await self._writer.do(job)

    async def add_token(self, person: str, token_hash: bytes, now: int, witnessed: int = 0) -> None:
        await self._writer.do(lambda c: c.execute(ADD_TOKEN, (token_hash, person, now, now, witnessed)) and None)

    async def use_token(self, token_hash: bytes, now: int, witnessed: int) -> None:
        query = "UPDATE tokens SET used = ?, used_witnessed = max(used_witnessed, ?) WHERE hash = ?"
        await self._writer.do(lambda c: c.execute(query, (now, witnessed, token_hash)) and None)

    async def tokens_of(self, person: str) -> list[StoredToken]:
        query = "SELECT hash, made, used FROM tokens WHERE person = ? ORDER BY made DESC, hash"
        return await self._writer.do(lambda c: [StoredToken(*each) for each in c.execute(query, (person,))])

    async def remove_tokens(self, hashes: list[bytes]) -> None:
        query = "DELETE FROM tokens WHERE hash = ?"
        await self._writer.do(lambda c: c.executemany(query, [(each,) for each in hashes]) and None)

    async def remove_unused_tokens(self, witnessed: int, limit: int) -> int:
        query = """DELETE FROM tokens WHERE hash IN
            (SELECT hash FROM tokens WHERE used_witnessed <= ? ORDER BY used_witnessed LIMIT ?) RETURNING 1"""
        return await self._writer.do(lambda c: len(list(c.execute(query, (witnessed, limit)))))

    async def person_of(self, token_hash: bytes, unused_since: int = -1) -> tuple[str, str] | None:
        query = """SELECT people.id, name FROM tokens JOIN people ON person = people.id
            WHERE hash = ? AND used_witnessed > ?"""
        return await self._writer.do(lambda c: c.execute(query, (token_hash, unused_since)).fetchone())

    async def rename(self, person: str, name: str) -> None:
        query = "UPDATE people SET name = ?, new_name = NULL WHERE id = ?"
        await self._writer.do(lambda c: c.execute(query, (name, person)) and None)

    async def keep_new_name(self, person: str, name: str) -> None:
        query = "UPDATE people SET new_name = ? WHERE id = ?"
        await self._writer.do(lambda c: c.execute(query, (name, person)) and None)

    async def new_names(self, people: list[str] | None = None) -> dict[str, str]:
        query, values = "SELECT id, new_name FROM people WHERE new_name IS NOT NULL", ""
        if people is not None:
            query, values = f"{query} AND id IN (SELECT value FROM json_each(?))", msgspec.json.encode(people).decode()
        return await self._writer.do(lambda c: dict(c.execute(query, (values,) if values else ())))

    async def names(self, people: list[str]) -> dict[str, str]:
        def job(c: apsw.Connection) -> dict[str, str]:
            marks = ", ".join("?" * len(people))
            return dict(c.execute(f"SELECT id, name FROM people WHERE id IN ({marks})", tuple(people)))

        return await self._writer.do(job)

    async def add_return_code(self, code_hash: bytes, person: str, expires: int, most: int = 5) -> None:
        def job(c: apsw.Connection) -> None:
            c.execute("INSERT INTO return_codes VALUES (?, ?, ?)", (code_hash, person, expires))
            older = """DELETE FROM return_codes WHERE hash IN (SELECT hash FROM return_codes
                WHERE person = ? AND hash <> ? ORDER BY expires DESC LIMIT -1 OFFSET ?)"""
            c.execute(older, (person, code_hash, most - 1))

        await self._writer.do(job)

    async def remove_return_codes(self, person: str) -> None:
        query = "DELETE FROM return_codes WHERE person = ?"
        await self._writer.do(lambda c: c.execute(query, (person,)) and None)

    async def use_return_code(self, code_hash: bytes, now: int) -> str | None:
        def job(c: apsw.Connection) -> str | None:
            c.execute("DELETE FROM return_codes WHERE expires <= ?", (now,))
            query = "DELETE FROM return_codes WHERE hash = ? RETURNING person"
            found: Iterator[tuple[str]] = c.execute(query, (code_hash,))
            return next((person for (person,) in list(found)), None)

        return await self._writer.do(job)

    async def keep_item(self, person: str, name: str, content: bytes) -> None:
        query = """INSERT INTO items SELECT id, ?, ? FROM people WHERE id = ?
            ON CONFLICT (person, name) DO UPDATE SET content = excluded.content"""
        await self._writer.do(lambda c: c.execute(query, (name, content, person)) and None)

    async def items(self, person: str, prefix: str) -> dict[str, bytes]:
        query = "SELECT name, content FROM items WHERE person = ? AND substr(name, 1, length(?)) = ? ORDER BY name"
        return await self._writer.do(lambda c: dict(c.execute(query, (person, prefix, prefix))))

    async def items_called(self, name: str) -> dict[str, bytes]:
        query = "SELECT person, content FROM items WHERE name = ? ORDER BY person"
        return await self._writer.do(lambda c: dict(c.execute(query, (name,))))

    async def remove_items_called(self, name: str) -> None:
        await self._writer.do(lambda c: c.execute("DELETE FROM items WHERE name = ?", (name,)) and None)

    async def remove_items(self, person: str, prefix: str) -> None:
        query = "DELETE FROM items WHERE person = ? AND substr(name, 1, length(?)) = ?"
        await self._writer.do(lambda c: c.execute(query, (person, prefix, prefix)) and None)

    async def deal_secret(self, name: str, fresh: str) -> str:
        def job(c: apsw.Connection) -> str:
            c.execute("INSERT OR IGNORE INTO shared_deals VALUES (?, ?)", (name, fresh))
            found: Iterator[tuple[str]] = c.execute("SELECT secret FROM shared_deals WHERE name = ?", (name,))
            return next(secret for (secret,) in found)

        return await self._writer.do(job)

    async def shared_secret(self, name: str) -> str | None:
        query = "SELECT secret FROM shared_deals WHERE name = ?"
        found = await self._writer.do(lambda c: c.execute(query, (name,)).fetchone())
        return None if found is None else str(found[0])

    async def claim_notifications(self, person: str, kind: str, turns: dict[str, int]) -> set[str]:
        query = """
            INSERT INTO calls SELECT tables.id, people.id, ?, ? FROM tables, people
            WHERE tables.id = ? AND people.id = ?
            ON CONFLICT (table_id, person, kind) DO UPDATE SET turn = excluded.turn WHERE turn < excluded.turn
            RETURNING table_id"""

        def job(c: apsw.Connection) -> set[str]:
            return {
                found for table, turn in turns.items() for (found,) in c.execute(query, (kind, turn, table, person))
            }

        return await self._writer.do(job)

    async def server_key(self, name: str, fresh: bytes) -> bytes:
        def job(c: apsw.Connection) -> bytes:
            c.execute("INSERT OR IGNORE INTO server_keys VALUES (?, ?)", (name, fresh))
            found: Iterator[tuple[bytes]] = c.execute("SELECT content FROM server_keys WHERE name = ?", (name,))
            return next(content for (content,) in found)

        return await self._writer.do(job)
