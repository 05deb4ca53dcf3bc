"""One thread owns the connection and commits waiting jobs together (group commit).

A job is a function of the connection. Its caller is answered only after its commit. When a batch fails, its jobs are
retried one by one, so that a failing job does not affect the others.

A failed commit may still have reached the disk: after a failed fsync its frames are in the write-ahead log, and the
next start would read them. So a failure is reported only after `_settle` has made sure that nothing was stored. If that
is impossible the storage is broken, and only a restart can tell (decision 041).

Every statement releases the GIL and must get it back from the busy event loop, which takes up to 5 ms. So moves, the
frequent writes, are one statement for the whole batch, including its commit (`do_together`).
"""

from __future__ import annotations

import asyncio
import contextlib
import queue
import threading
import time
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import apsw

from tavolino.server.storage.errors import Conflict, StorageBroken, StorageError, StorageFull

Job = Callable[[apsw.Connection], Any]
Work = Callable[[apsw.Connection, list[Any]], None]
Answer = TypeVar("Answer")
Item = TypeVar("Item")
Outcome = tuple[Any, Exception | None]
LARGEST_BATCH = 512
FULL_SECONDS = 60.0  # after a refusal the disk counts as full for this long, although small writes may succeed
# With these errors nothing was committed: SQLite gives them before the last frame of a transaction is written.
NOTHING_WRITTEN = (StorageError, apsw.ConstraintError, apsw.FullError, apsw.BusyError, apsw.SQLError)


class Request(NamedTuple):
    """A job, or an item of work that is done once for all items of a batch."""

    job: Job | None
    work: Work | None
    item: Any
    future: asyncio.Future[Any]
    is_alone: bool = False  # not within a transaction


class CommitFailed(Exception):
    """The outcome of the commit is unknown."""


class Writer:
    def __init__(self, connect: Callable[[], apsw.Connection]) -> None:
        self._connect = connect
        self._jobs: queue.SimpleQueue[list[Request] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="storage-writer", daemon=True)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._requests: list[Request] = []  # of this iteration of the event loop; the thread is woken once for all
        self._opened: asyncio.Future[None] | None = None
        self._has_broken: asyncio.Event = asyncio.Event()
        self._full_at: float | None = None
        self.broken: str | None = None  # why, in one sentence
        self.is_damaged = False  # some part of the file cannot be read
        self.commits = 0

    async def start(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._opened = self._loop.create_future()
        self._thread.start()
        await self._opened

    async def stop(self) -> None:
        """Finish all queued jobs, then close the connection."""
        self._wake_thread()
        self._jobs.put(None)
        await asyncio.to_thread(self._thread.join)

    async def do(self, job: Callable[[apsw.Connection], Answer]) -> Answer:
        answer: Answer = await self._ask(job, None, None)
        return answer

    async def do_alone(self, job: Callable[[apsw.Connection], Answer]) -> Answer:
        """For a job that cannot run within a transaction."""
        answer: Answer = await self._ask(job, None, None, is_alone=True)
        return answer

    async def do_together(self, work: Callable[[apsw.Connection, list[Item]], None], item: Item) -> None:
        """Run `work` with this item and all others that wait for the same work. It must be one statement."""
        await self._ask(None, work, item)

    @property
    def is_full(self) -> bool:
        return self._full_at is not None and time.monotonic() - self._full_at < FULL_SECONDS

    async def until_broken(self) -> str:
        await self._has_broken.wait()
        assert self.broken is not None
        return self.broken

    def _ask(self, job: Job | None, work: Work | None, item: Any, is_alone: bool = False) -> asyncio.Future[Any]:
        if self._loop is None or not self._thread.is_alive():
            raise StorageError("the storage is closed")
        future: asyncio.Future[Any] = self._loop.create_future()
        if not self._requests:
            self._loop.call_soon(self._wake_thread)
        self._requests.append(Request(job, work, item, future, is_alone))
        return future

    def _wake_thread(self) -> None:
        if self._requests:
            self._jobs.put(self._requests)
            self._requests = []

    # -- in the thread

    def _work(self) -> None:
        assert self._loop is not None
        assert self._opened is not None
        try:
            connection = self._connect()
        except Exception as error:
            self._loop.call_soon_threadsafe(self._opened.set_exception, error)
            return
        self._loop.call_soon_threadsafe(self._opened.set_result, None)
        try:
            while (first := self._jobs.get()) is not None:
                batch, stopping = self._with_waiting_requests(first)
                try:
                    outcomes = self._answer(connection, batch)
                except (
                    Exception
                ) as error:  # a bug, or no memory: fail all requests, or their callers would wait for ever
                    outcomes = [(None, self._break(error))] * len(batch)
                self._loop.call_soon_threadsafe(_answer_all, batch, outcomes)
                if stopping:
                    return
        finally:
            with contextlib.suppress(apsw.Error, MemoryError):  # everything acknowledged is synced
                connection.close()

    def _with_waiting_requests(self, first: list[Request]) -> tuple[list[Request], bool]:
        batch = list(first)
        while len(batch) < LARGEST_BATCH:
            try:
                more = self._jobs.get_nowait()
            except queue.Empty:
                break
            if more is None:
                return batch, True
            batch += more
        return batch, False

    def _answer(self, connection: apsw.Connection, batch: list[Request]) -> list[Outcome]:
        alone = [request for request in batch if request.is_alone]
        if not alone:
            return self._commit(connection, batch)
        together = [request for request in batch if not request.is_alone]
        outcomes = dict(zip(map(id, together), self._commit(connection, together), strict=True)) if together else {}
        for request in alone:
            outcomes[id(request)] = self._try(connection, request)
        return [outcomes[id(request)] for request in batch]

    def _commit(self, connection: apsw.Connection, batch: list[Request]) -> list[Outcome]:
        if len(batch) > 1 and self.broken is None:
            try:
                return [(answer, None) for answer in self._in_one_transaction(connection, batch)]
            except Exception as error:
                self._settle(connection, error)
        return [self._try(connection, request) for request in batch]

    def _try(self, connection: apsw.Connection, request: Request) -> Outcome:
        """Run one request alone. Returns its failure, once it is certain that nothing of it was stored."""
        if self.broken is not None:
            return None, StorageBroken(self.broken)
        try:
            if request.is_alone:
                assert request.job is not None
                return request.job(connection), None
            return self._in_one_transaction(connection, [request])[0], None
        except Exception as error:
            self._settle(connection, error)
            return None, StorageBroken(self.broken) if self.broken is not None else _as_storage_error(error)

    def _settle(self, connection: apsw.Connection, error: Exception) -> None:
        """After a failed commit, make sure that nothing of it is stored, now and after a restart; otherwise the storage
        is broken.

        Truncating the log removes frames that were written. The write after it starts a new log, whose salt invalidates
        old frames, and proves that the disk syncs again.
        """
        if isinstance(error, apsw.FullError):
            self._full_at = time.monotonic()
        if isinstance(error.__cause__ or error, apsw.CorruptError):
            self.is_damaged = True
        if not isinstance(error, CommitFailed):
            return
        try:
            empty_log(connection)
            rewrite_version(connection)
        except Exception as second:
            self._break(error.__cause__ or error, second)

    def _break(self, *errors: BaseException) -> StorageBroken:
        causes = ", then ".join(f"{type(error).__name__}: {error}" for error in errors)
        self.broken = f"the data can no longer be written reliably, so the server must start again ({causes})"
        assert self._loop is not None
        self._loop.call_soon_threadsafe(self._has_broken.set)
        return StorageBroken(self.broken)

    def _in_one_transaction(self, connection: apsw.Connection, batch: list[Request]) -> list[Any]:
        together: dict[Work, list[Any]] = {}
        for request in batch:
            if request.work is not None:
                together.setdefault(request.work, []).append(request.item)
        if len(together) == 1 and all(request.job is None for request in batch):
            ((work, items),) = together.items()
            try:
                work(connection, items)  # a single statement is a transaction
            except NOTHING_WRITTEN:
                raise
            except Exception as error:
                raise CommitFailed from error
            answers = [None] * len(batch)
        else:
            answers = self._in_several_statements(connection, together, batch)
        self.commits += 1
        return answers

    def _in_several_statements(
        self,
        connection: apsw.Connection,
        together: dict[Work, list[Any]],
        batch: list[Request],
    ) -> list[Any]:
        connection.execute("BEGIN IMMEDIATE")
        try:
            for work, items in together.items():
                work(connection, items)
            answers = [request.job(connection) if request.job is not None else None for request in batch]
        except BaseException:
            _roll_back(connection)
            raise
        try:
            connection.execute("COMMIT")
        except Exception as error:
            _roll_back(connection)
            if isinstance(error, NOTHING_WRITTEN):
                raise
            raise CommitFailed from error
        return answers


def empty_log(connection: apsw.Connection) -> None:
    """Copy the write-ahead log into the database, sync, and truncate the log."""
    connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)


def rewrite_version(connection: apsw.Connection) -> None:
    """The smallest possible write: raises if the file cannot be written."""
    connection.execute(f"PRAGMA user_version = {int(connection.pragma('user_version'))}")


def _roll_back(connection: apsw.Connection) -> None:
    if connection.in_transaction:
        try:
            connection.execute("ROLLBACK")
        except Exception as error:
            raise CommitFailed from error


def _as_storage_error(error: Exception) -> Exception:
    if isinstance(error, CommitFailed) and isinstance(error.__cause__, Exception):
        error = error.__cause__
    if isinstance(error, apsw.FullError):
        return StorageFull("no room left for the data")
    if isinstance(error, apsw.ConstraintError):
        return Conflict(str(error))
    if isinstance(error, apsw.Error | MemoryError | OSError):
        return StorageError(f"{type(error).__name__}: {error}")
    return error


def _answer_all(batch: list[Request], answers: list[Outcome]) -> None:
    for request, (answer, error) in zip(batch, answers, strict=True):
        if request.future.done():  # its caller gave up waiting
            continue
        if error is None:
            request.future.set_result(answer)
        else:
            request.future.set_exception(error)
