"""Connections to PostgreSQL: how they are opened, what is asserted of the server, and trying again after a loss."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar
from urllib.parse import urlsplit

import asyncpg

from tavolino.server.storage import CannotOpen, OutcomeUnknown, StorageError, StorageFull
from tavolino.server.storage.postgres.schema import check_version, migrate

Answer = TypeVar("Answer")
Work = Callable[[asyncpg.Connection], Awaitable[Answer]]
MOST_CONNECTIONS = 8
OPEN_SECONDS = 5.0
# For so long a request waits while PostgreSQL restarts or another takes over; then it is refused.
PATIENCE_SECONDS = 10.0
FIRST_PAUSE, LONGEST_PAUSE = 0.05, 0.5
# The connection is lost, or about to be: what was sent may have been done or not.
LOST = (
    asyncpg.PostgresConnectionError,  # class 08
    asyncpg.OperatorInterventionError,  # class 57: it stops, starts, or was told to cancel
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,  # what asyncpg says when a connection ends between two of its states
    asyncpg.DeadlockDetectedError,  # nothing was done; the next try is alone
    asyncpg.ReadOnlySQLTransactionError,  # an old primary, until the new one is found
    asyncpg.TooManyConnectionsError,
    OSError,
    TimeoutError,
)


def place_of(url: str) -> str:
    """A database as it may be named in logs: without user and password."""
    parts = urlsplit(url)  # with several hosts, for a standby that takes over, there is no single port
    return f"postgresql://{parts.netloc.rpartition('@')[2]}{parts.path}"


class Connections:
    def __init__(self, url: str) -> None:
        self._url = url
        self._pool: asyncpg.Pool | None = None
        self.trouble: str | None = None  # why nothing can be done now, in one sentence

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
        """A connection beside the pool."""
        return await asyncpg.connect(self._url, **_options())

    async def close(self) -> None:
        if self._pool is not None:
            try:
                async with asyncio.timeout(OPEN_SECONDS):
                    await self._pool.close()
            except (TimeoutError, *LOST):
                self._pool.terminate()

    async def do(self, work: Work[Answer]) -> Answer:
        """Do something that may be done twice. After a loss it is tried again, for as long as a request may wait."""
        end = time.monotonic() + PATIENCE_SECONDS
        pause, was_sent = FIRST_PAUSE, False
        while True:
            try:
                async with self._acquired(end) as connection:
                    was_sent = True
                    answer = await _try(work, connection, max(0.1, end - time.monotonic()))
                self.trouble = None
                return answer
            except LOST as error:
                self.trouble = f"PostgreSQL does not answer: {reason(error)}"
                if time.monotonic() + pause >= end:
                    raise (OutcomeUnknown if was_sent else StorageError)(self.trouble) from None
            except asyncpg.DiskFullError:
                self.trouble = "the disk of PostgreSQL is full: nothing new can be kept"
                raise StorageFull("no room left for the data") from None
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
        # Not wait_for: before Python 3.12 it can lose a cancellation that comes when the answer does, and it starts a
        # task for every statement.
        async with asyncio.timeout(seconds):
            return await work(connection)
    except (asyncpg.PostgresError, StorageError):
        raise
    except BaseException:  # lost, too slow or cancelled: what comes on this connection is of no use to anybody
        connection.terminate()
        raise


async def _leave_as_it_is(connection: asyncpg.Connection) -> None:
    """What asyncpg does when a connection goes back to the pool would be a second round trip for every move; we leave
    nothing in a session that would have to be reset."""


def _options() -> dict[str, Any]:
    return {
        "timeout": OPEN_SECONDS,
        # With `on` a commit is on disk when it returns, and on the standbys of synchronous_standby_names.
        "server_settings": {
            "search_path": "tavolino",
            "synchronous_commit": "on",
            "application_name": "tavolino",
            "idle_in_transaction_session_timeout": "30000",
        },
    }


async def _assert_durability(connection: asyncpg.Connection) -> list[str]:
    """What is acknowledged must survive a power cut; says what a failover may lose."""
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
    """In one sentence, and never with the password."""
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
