"""Nodes in PostgreSQL: heartbeats, leases, and entries that other nodes have written (decision 052).

A node is alive until the time in its row, by the clock of the database. The driver of a table and the epoch of its
lease are in the table's row, so an append and a change of the driver exclude each other.
"""

from __future__ import annotations

import secrets

from tavolino.server.clock import Moment
from tavolino.server.storage import chain
from tavolino.server.storage.nodes import Beat, Difference, Known, Lease
from tavolino.server.storage.postgres.appending import Appending
from tavolino.server.storage.postgres.connections import Connections

LEASE_SECONDS = 3.0  # without a heartbeat for so long, other nodes may take over a node's tables
# The time since the last heartbeat of any node counts as uptime, unless no node can have run in between. The row is
# locked, so that two nodes do not count the same second.
PASSED = f"""
    (CASE WHEN now() - moment.kept BETWEEN interval '0' AND interval '{LEASE_SECONDS} seconds'
    THEN extract(epoch FROM now() - moment.kept) ELSE 0 END)"""
BEAT = f"""
    WITH beat AS (
        INSERT INTO nodes (id, until, rules) VALUES ($4, now() + interval '{LEASE_SECONDS} seconds', $5)
        ON CONFLICT (id) DO UPDATE SET until = excluded.until, rules = excluded.rules
    ), kept AS (
        INSERT INTO moment (id, wall, up, witnessed, kept) VALUES (1, $1, $2, $3, now())
        ON CONFLICT (id) DO UPDATE SET wall = excluded.wall, kept = greatest(moment.kept, excluded.kept),
            up = greatest(excluded.up, moment.up + {PASSED}),
            witnessed = greatest(excluded.witnessed, moment.witnessed + {PASSED})
        RETURNING wall, up, witnessed
    )
    SELECT wall, up, witnessed, ARRAY(SELECT id FROM nodes WHERE until > now() AND id <> $4) AS others
    FROM kept"""
TAKE_OVER = """
    UPDATE tables SET driver = $1, epoch = epoch + 1 WHERE id IN (
        SELECT tables.id FROM nodes JOIN tables ON driver = nodes.id
        WHERE until <= now() AND needs_waking AND phase <> 'ended'
            AND game = ANY($3::text[]) AND NOT tables.id = ANY($4::text[])
        LIMIT $2 FOR UPDATE OF tables SKIP LOCKED)
    RETURNING id, epoch"""
TAKE = """
    UPDATE tables SET driver = $1, epoch = epoch + 1 WHERE id = ANY($2::text[]) AND phase <> 'ended'
        AND NOT EXISTS (SELECT FROM nodes WHERE nodes.id = driver AND until > now() AND driver <> $1)
    RETURNING id, epoch"""
GIVE_BACK = "UPDATE tables SET driver = '', epoch = epoch + 1 WHERE driver = $1 AND id = ANY($2::text[])"
# The row is kept for a while: a statement of this node that is still under way may take over a table after this one.
LEAVE = """
    WITH gone AS (UPDATE nodes SET until = now() WHERE id = $1)
    UPDATE tables SET driver = '', epoch = epoch + 1 WHERE driver = $1 AND phase <> 'ended'"""
# Rows of nodes that stopped or were killed long ago. Until then tables refer to the row of their driver.
FORGET_DEAD = """
    WITH gone AS (DELETE FROM nodes WHERE id <> '' AND until < now() - interval '1 day' RETURNING id)
    UPDATE tables SET driver = '', epoch = epoch + 1 FROM gone WHERE driver = gone.id AND phase <> 'ended'"""
DIFFERENCES = """
    WITH stored AS (
        SELECT known.id, known.last AS known_last, known.epoch AS known_epoch, tables.last,
            CASE WHEN tables.driver = $4 THEN tables.epoch ELSE 0 END AS epoch, known.epoch = 0 AND tables.last > 0
            AND NOT EXISTS (SELECT FROM nodes WHERE nodes.id = tables.driver AND until > now()) AS is_free
        FROM unnest($1::text[], $2::integer[], $3::bigint[]) AS known (id, last, epoch) LEFT JOIN tables USING (id)
    )
    SELECT id, last, epoch, is_free FROM stored
    WHERE last IS DISTINCT FROM known_last OR epoch <> known_epoch OR is_free"""


class PostgresNodes:
    def __init__(self, connections: Connections) -> None:
        self.id = secrets.token_urlsafe(9)
        self.appending = Appending(connections, self.id)
        self._connections = connections

    async def beat(self, moment: Moment, rules: list[str]) -> Beat:
        found = await self._connections.do(lambda c: c.fetchrow(BEAT, *moment, self.id, rules))
        return Beat(Moment(found["wall"], found["up"], found["witnessed"]), frozenset(found["others"]))

    async def take_over(self, limit: int, games: list[str], but: list[str]) -> list[Lease]:
        found = await self._connections.do(lambda c: c.fetch(TAKE_OVER, self.id, limit, games, but))
        return [Lease(*each) for each in found]

    async def driven(self) -> list[Lease]:
        query = "SELECT id, epoch FROM tables WHERE driver = $1 AND needs_waking AND phase <> 'ended'"
        return [Lease(*each) for each in await self._connections.do(lambda c: c.fetch(query, self.id))]

    async def take(self, tables: list[str]) -> list[Lease]:
        return [Lease(*each) for each in await self._connections.do(lambda c: c.fetch(TAKE, self.id, tables))]

    async def give_back(self, tables: list[str]) -> None:
        await self._connections.do(lambda c: c.execute(GIVE_BACK, self.id, tables))

    async def leave(self) -> None:
        await self._connections.do(lambda c: c.execute(LEAVE, self.id))

    async def forget_dead(self) -> None:
        await self._connections.do(lambda c: c.execute(FORGET_DEAD))

    async def differences(self, known: list[Known]) -> list[Difference]:
        columns = [list(column) for column in zip(*known, strict=True)] or [[], [], []]
        found = await self._connections.do(lambda c: c.fetch(DIFFERENCES, *columns, self.id))
        return [Difference(*each) for each in found]

    async def knows_rules(self, rules: str) -> bool:
        query = "SELECT EXISTS (SELECT FROM nodes WHERE until > now() AND id <> $1 AND $2 = ANY(rules))"
        return bool(await self._connections.do(lambda c: c.fetchval(query, self.id, rules)))

    async def announced(self) -> list[list[str]]:
        query = "SELECT rules FROM nodes WHERE until > now() AND id <> $1"
        return [row["rules"] for row in await self._connections.do(lambda c: c.fetch(query, self.id))]

    def hash_of(self, table: str, last: int) -> bytes | None:
        head = self.appending.head(table)
        return head.chain if head is not None and head.last == last else None

    def follow(self, table: str, number: int, entries: list[bytes], hashed: bytes) -> bool:
        before = self.hash_of(table, number - 1)
        if before is None or chain.extend(before, entries) != hashed:
            return False
        self.appending.note_head(table, number - 1 + len(entries), hashed)
        return True
