"""Connections to PostgreSQL: opening them, checking the server's settings, and retrying after a lost connection."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar
from urllib.parse import urlsplit

import asyncpg

from tavolino.server.storage import CannotOpen, Conflict, OutcomeUnknown, StorageError, StorageFull
from tavolino.server.storage.postgres.schema import check_version, migrate

Answer = TypeVar("Answer")
Work = Callable[[asyncpg.Connection], Awaitable[Answer]]
MOST_CONNECTIONS = 8
OPEN_SECONDS = 5.0
# How long a request waits for a restart or a failover of PostgreSQL before it is refused.
PATIENCE_SECONDS = 10.0
FIRST_PAUSE, LONGEST_PAUSE = 0.05, 0.5
# The connection is or will be lost, and it is unknown whether the statement was executed.
LOST = (
    asyncpg.PostgresConnectionError,  # class 08
    asyncpg.OperatorInterventionError,  # class 57: shutdown, startup, or cancelled
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,  # asyncpg raises it when a connection ends during a change of its state
    asyncpg.DeadlockDetectedError,  # nothing was executed; the retry runs alone
    asyncpg.ReadOnlySQLTransactionError,  # a former primary, until the new one is found
    asyncpg.TooManyConnectionsError,
    OSError,
    TimeoutError,
)
# With a synchronous standby, a transaction whose wait for the standby was interrupted (by a crash, a restart or a
# cancelled statement) can be read although the standby lacks it; a failover would lose it. A commit of our own returns
# only when the standby has everything that was committed before. So this statement follows whatever may have been
# committed without an answer, before anybody is told of it (decision 051).
UNTIL_REPLICATED = """CASE WHEN current_setting('synchronous_standby_names') <> '' AND NOT pg_is_in_recovery()
    THEN pg_logical_emit_message(true, 'tavolino', '') IS NOT NULL END"""


def place_of(url: str) -> str:
    """The database as it may appear in logs: without user and password."""
    parts = urlsplit(url)  # several hosts (for failover to a standby) have no single port
    return f"postgresql://{parts.netloc.rpartition('@')[2]}{parts.path}"


class Connections:
    def __init__(self, url: str) -> None:
        self._url = url
        self._pool: asyncpg.Pool | None = None
        self.trouble: str | None = None  # why the database cannot be used now, in one sentence

    async def open(self, is_beside: bool) -> list[str]:
        """Raises `CannotOpen`. Returns what the operator should know."""
        try:
            first = await self.connect()
            try:
                said = await _assert_durability(first)
                if is_beside:
                    await check_version(first)
                else:
                    await migrate(first)
            finally:
                with contextlib.suppress(*LOST):
                    await first.close(timeout=OPEN_SECONDS)
            self._pool = await asyncpg.create_pool(
                self._url, min_size=0, max_size=MOST_CONNECTIONS, reset=_leave_as_it_is, **_options()
            )
        except CannotOpen as error:
            raise CannotOpen(f"the data in {place_of(self._url)} cannot be used: {error}") from None
        except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError, TimeoutError, ValueError) as error:
            raise CannotOpen(f"the data in {place_of(self._url)} cannot be used: {reason(error)}") from None
        return said

    async def connect(self) -> asyncpg.Connection:
        """A connection that is not in the pool."""
        return await asyncpg.connect(self._url, **_options())

    async def close(self) -> None:
        if self._pool is not None:
            try:
                async with asyncio.timeout(OPEN_SECONDS):
                    await self._pool.close()
            except (TimeoutError, *LOST):
                self._pool.terminate()

    async def do(self, work: Work[Answer]) -> Answer:
        """Run an idempotent operation. After a lost connection it is retried as long as a request may wait."""
        end = time.monotonic() + PATIENCE_SECONDS
        pause, was_sent = FIRST_PAUSE, False
        while True:
            try:
                async with self._acquired(end) as connection:
                    is_repeated, was_sent = was_sent, True
                    answer = await _try(work, connection, max(0.1, end - time.monotonic()))
                    if is_repeated:  # the first one may have been committed
                        await _try(_until_replicated, connection, max(0.1, end - time.monotonic()))
                self.trouble = None
                return answer
            except LOST as error:
                self.trouble = f"PostgreSQL does not answer: {reason(error)}"
                if time.monotonic() + pause >= end:
                    raise (OutcomeUnknown if was_sent else StorageError)(self.trouble) from None
            except asyncpg.DiskFullError:
                self.trouble = "the disk of PostgreSQL is full: nothing new can be kept"
                raise StorageFull("no room left for the data") from None
            except asyncpg.IntegrityConstraintViolationError as error:
                raise Conflict(reason(error)) from None
            except asyncpg.PostgresError as error:
                raise StorageError(reason(error)) from None
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    def _acquired(self, end: float) -> Any:
        if self._pool is None:
            raise StorageError("the storage is closed")
        return self._pool.acquire(timeout=max(0.1, end - time.monotonic()))


async def _try(work: Work[Answer], connection: asyncpg.Connection, seconds: float) -> Answer:
    try:
        # Not wait_for: before Python 3.12 it can lose a cancellation that coincides with the answer, and it starts a
        # task for every statement.
        async with asyncio.timeout(seconds):
            return await work(connection)
    except (asyncpg.PostgresError, StorageError):
        raise
    except BaseException:  # lost, too slow or cancelled: the connection is in an unknown state
        connection.terminate()
        raise


async def _until_replicated(connection: asyncpg.Connection) -> None:
    await connection.fetchval(f"SELECT {UNTIL_REPLICATED}")


async def _leave_as_it_is(connection: asyncpg.Connection) -> None:
    """Replaces asyncpg's reset of a connection that returns to the pool: it would add a round trip to every move, and
    our statements leave no session state behind."""


def _options() -> dict[str, Any]:
    return {
        "timeout": OPEN_SECONDS,
        # `on`: a commit returns when it is on disk, and on the standbys of synchronous_standby_names.
        "server_settings": {
            "search_path": "tavolino",
            "synchronous_commit": "on",
            "application_name": "tavolino",
            "idle_in_transaction_session_timeout": "30000",
        },
    }


async def _assert_durability(connection: asyncpg.Connection) -> list[str]:
    """Check that acknowledged writes survive a power cut. Returns what a failover may lose."""
    for name in ("fsync", "full_page_writes"):
        if await connection.fetchval(f"SHOW {name}") != "on":
            raise CannotOpen(f"PostgreSQL runs with {name}=off and would lose moves in a power cut: switch it on")
    if await connection.fetchval("SHOW synchronous_commit") not in ("on", "remote_apply"):
        raise CannotOpen("PostgreSQL does not let this role set synchronous_commit=on: moves could be lost")
    standbys = await connection.fetchval("SELECT count(*) FROM pg_stat_replication")
    if standbys and not await connection.fetchval("SHOW synchronous_standby_names"):
        return [
            f"PostgreSQL has {standbys} standbys, none of them synchronous: if one takes over, the moves of the last "
            "moment can be lost. Set synchronous_standby_names"
        ]
    return []


def reason(error: BaseException) -> str:
    """The error in one sentence, without the password."""
    match error:
        case asyncpg.InvalidPasswordError() | asyncpg.InvalidAuthorizationSpecificationError():
            return "PostgreSQL refuses this user and password"
        case asyncpg.InvalidCatalogNameError():
            return "there is no such database"
        case asyncpg.InsufficientPrivilegeError():
            return f"this role may not do what is needed ({error}); see docs/guides/host-it.md"
        case TimeoutError():
            return "it takes too long to answer"
        case ConnectionRefusedError():
            return "nothing listens there"
        case asyncpg.PostgresError():
            return str(error).splitlines()[0]
        case OSError():
            return error.strerror or str(error) or type(error).__name__
    return type(error).__name__
