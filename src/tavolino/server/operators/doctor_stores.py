"""Examines PostgreSQL and Redis as this machine reaches them."""

from __future__ import annotations

import asyncio
import ssl
import statistics
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import asyncpg

from tavolino.server.operators.findings import Finding, failure, ok, warning
from tavolino.server.storage import CannotOpen, Storage, StorageError
from tavolino.server.storage.choosing import make_storage
from tavolino.server.storage.postgres.checking import check_schema
from tavolino.server.storage.postgres.connections import LOST, OPEN_SECONDS, place_of, reason

MEGABYTE = 1_000_000
ROUND_TRIPS = 20
SLOW_MILLISECONDS = 20.0  # for one round trip; a move needs one, and its commit
CLOCK_SECONDS = 5.0
LOCAL = ("localhost", "127.0.0.1", "::1", "")
ENCRYPTED = ("require", "verify-ca", "verify-full")


def examine_stores(database: str, bus: str | None) -> tuple[bool, list[Finding]]:
    """Whether a server uses the database, and the findings."""
    return asyncio.run(_examine(database, bus))


async def _examine(database: str, bus: str | None) -> tuple[bool, list[Finding]]:
    is_served, found = await _examine_database(database)
    if bus is not None:
        found += [each async for each in _bus(bus)]
    return is_served, found


async def _examine_database(database: str) -> tuple[bool, list[Finding]]:
    is_served = False
    found = _about_encryption("The database", database, _has_tls(database))
    if await _is_empty(database):
        return False, [*found, ok(f"The database {place_of(database)} is empty; the first start creates the tables.")]
    storage = make_storage(Path(), database, is_beside=True)
    try:
        found += [warning(f"{sentence}.") for sentence in await storage.open()]
    except CannotOpen as error:
        return False, [*found, failure(f"{_sentence(error)}.")]
    try:
        is_served = await storage.is_served()
        found += [each async for each in _database(database, storage, is_served)]
    except (StorageError, *LOST, asyncpg.PostgresError) as error:
        found.append(failure(f"The database {place_of(database)} does not answer as it should: {reason(error)}."))
    finally:
        await storage.close()
    return is_served, found


async def _is_empty(url: str) -> bool:
    """Whether no server has ever used this database; False also if it cannot be reached, which is reported later."""
    try:
        connection = await asyncpg.connect(url, timeout=OPEN_SECONDS)
    except (*LOST, asyncpg.PostgresError, ValueError):
        return False
    try:
        return await connection.fetchval("SELECT to_regclass('tavolino.schema_version') IS NULL") is True
    except (*LOST, asyncpg.PostgresError):
        return False
    finally:
        await connection.close(timeout=OPEN_SECONDS)


def _sentence(error: Exception) -> str:
    text = str(error)
    return text[:1].upper() + text[1:]


async def _database(url: str, storage: Storage, is_served: bool) -> AsyncIterator[Finding]:
    state = "a server is using it" if is_served else "no server is using it"
    connection = await asyncpg.connect(url, timeout=OPEN_SECONDS, server_settings={"search_path": "tavolino"})
    try:
        ask = connection.fetchval
        version, size = await ask("SHOW server_version"), await ask("SELECT pg_database_size(current_database())")
        yield ok(f"PostgreSQL {version} at {place_of(url)} has {size / MEGABYTE:.1f} MB; {state}.")
        if await ask("SELECT pg_is_in_recovery()") or await ask("SHOW transaction_read_only") == "on":
            yield failure("This PostgreSQL is a standby or read-only: no move can be kept. Name the primary.")
        else:
            try:
                await check_schema(connection)
            except CannotOpen as error:
                yield failure(f"The data in {place_of(url)} cannot be used: {error}.")
        yield _standbys(
            await ask("SELECT count(*) FROM pg_stat_replication"), await ask("SHOW synchronous_standby_names")
        )
        used, most = await ask("SELECT count(*) FROM pg_stat_activity"), int(await ask("SHOW max_connections"))
        text = f"{used} of {most} connections of PostgreSQL are in use; a node takes up to 10."
        yield (warning if most - used < 20 else ok)(text)
        yield await _round_trips("PostgreSQL", lambda: ask("SELECT 1"))
        yield _clocks(await ask("SELECT extract(epoch FROM clock_timestamp())::float8"))
        for sentence in storage.problems():
            yield failure(f"{_sentence(Exception(sentence))}.")
    finally:
        await connection.close(timeout=OPEN_SECONDS)


def _standbys(count: int, names: str) -> Finding:
    if names and not count:
        return failure(
            "synchronous_standby_names is set but no standby is connected: every move waits for one. Start a standby, "
            "or empty that setting."
        )
    if names:
        return ok(f"Moves are kept on {count} standbys before they are acknowledged (synchronous_standby_names).")
    if count:
        return warning("There are standbys, none of them synchronous: if one takes over, the last moves can be lost.")
    return ok("There is no standby: if this PostgreSQL is lost, what remains is the last backup.")


async def _round_trips(who: str, ask: Callable[[], Awaitable[Any]]) -> Finding:
    seconds = []
    for _ in range(ROUND_TRIPS):
        began = time.perf_counter()
        await ask()
        seconds.append(time.perf_counter() - began)
    usual = 1000 * statistics.median(seconds)
    text = f"A round trip to {who} takes {usual:.1f} ms (the slowest of {ROUND_TRIPS}: {1000 * max(seconds):.1f} ms)"
    if usual > SLOW_MILLISECONDS:
        return warning(f"{text}. Every move waits for one: bring the two closer together.")
    return ok(f"{text}.")


def _clocks(there: float) -> Finding:
    apart = time.time() - there
    if abs(apart) > CLOCK_SECONDS:
        return warning(
            f"The clocks of this machine and of PostgreSQL are {abs(apart):,.0f} s apart. No deadline depends on it; "
            "dates that people see do."
        )
    return ok("The clocks of this machine and of PostgreSQL agree.")


def _has_tls(url: str) -> bool:
    return parse_qs(urlsplit(url).query).get("sslmode", ["prefer"])[-1] in ENCRYPTED


def _about_encryption(who: str, url: str, is_encrypted: bool) -> list[Finding]:
    if is_encrypted or (urlsplit(url).hostname or "") in LOCAL:
        return []
    return [warning(f"{who} is on another machine, and its address does not demand TLS: see docs/guides/scale-it.md.")]


async def _bus(url: str) -> AsyncIterator[Finding]:
    from redis.asyncio import Redis
    from redis.exceptions import RedisError

    parts = urlsplit(url)
    place = f"{parts.scheme}://{parts.hostname}{f':{parts.port}' if parts.port else ''}"
    for finding in _about_encryption("Redis", url, parts.scheme == "rediss"):
        yield finding
    client = Redis.from_url(url, socket_connect_timeout=OPEN_SECONDS, socket_timeout=OPEN_SECONDS)
    try:
        await client.ping()  # a node's own user may do little else
        yield ok(f"Redis answers at {place}.")
        yield await _round_trips("Redis", client.ping)
    except (RedisError, OSError, TimeoutError, ssl.SSLError, ValueError) as error:
        yield failure(
            f"Redis at {place} does not answer ({type(error).__name__}): nodes hear of each other's moves up to two "
            "seconds late."
        )
    finally:
        await client.aclose()
