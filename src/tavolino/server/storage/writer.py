"""One thread that owns the one connection, with group commit: what waits together is committed together.

A job is a function of the connection. Its caller is answered after the commit that holds it, never before.
When a batch fails, its jobs are tried again one by one, so that one job's fault is not another's.

Every statement releases the GIL and must get it back from the busy event loop, which takes up to 5 ms. So the frequent
writes, the moves, are one statement for the whole batch, its commit included (`do_together`).
"""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import apsw

from tavolino.server.storage import StorageError, StorageFull

Job = Callable[[apsw.Connection], Any]
Work = Callable[[apsw.Connection, list[Any]], None]
Answer = TypeVar("Answer")
Item = TypeVar("Item")
LARGEST_BATCH = 512


class Request(NamedTuple):
    """A job, or an item for work that is done once for all items of a batch."""

    job: Job | None
    work: Work | None
    item: Any
    future: asyncio.Future[Any]


class Writer:
    def __init__(self, connect: Callable[[], apsw.Connection]) -> None:
        self._connect = connect
        self._jobs: queue.SimpleQueue[list[Request] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="storage-writer", daemon=True)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._requests: list[Request] = []  # of this round of the event loop; the thread is woken once for all of them
        self._opened: asyncio.Future[None] | None = None
        self.commits = 0

    async def start(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._opened = self._loop.create_future()
        self._thread.start()
        await self._opened

    async def stop(self) -> None:
        """Finish what was asked, then close the connection."""
        self._wake_thread()
        self._jobs.put(None)
        await asyncio.to_thread(self._thread.join)

    async def do(self, job: Callable[[apsw.Connection], Answer]) -> Answer:
        answer: Answer = await self._ask(job, None, None)
        return answer

    async def do_together(self, work: Callable[[apsw.Connection, list[Item]], None], item: Item) -> None:
        """Have `work` done with this item and all others that wait for the same work. It must be one statement."""
        await self._ask(None, work, item)

    def _ask(self, job: Job | None, work: Work | None, item: Any) -> asyncio.Future[Any]:
        if self._loop is None or not self._thread.is_alive():
            raise StorageError("the storage is closed")
        future: asyncio.Future[Any] = self._loop.create_future()
        if not self._requests:
            self._loop.call_soon(self._wake_thread)
        self._requests.append(Request(job, work, item, future))
        return future

    def _wake_thread(self) -> None:
        if self._requests:
            self._jobs.put(self._requests)
            self._requests = []

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
                answers = self._commit(connection, batch)
                self._loop.call_soon_threadsafe(_answer_all, batch, answers)
                if stopping:
                    return
        finally:
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

    def _commit(self, connection: apsw.Connection, batch: list[Request]) -> list[tuple[Any, Exception | None]]:
        try:
            return [(answer, None) for answer in self._in_one_transaction(connection, batch)]
        except Exception as error:
            if len(batch) == 1:
                return [(None, _as_storage_error(error))]
        alone: list[tuple[Any, Exception | None]] = []
        for request in batch:
            try:
                alone.append((self._in_one_transaction(connection, [request])[0], None))
            except Exception as error:
                alone.append((None, _as_storage_error(error)))
        return alone

    def _in_one_transaction(self, connection: apsw.Connection, batch: list[Request]) -> list[Any]:
        together: dict[Work, list[Any]] = {}
        for request in batch:
            if request.work is not None:
                together.setdefault(request.work, []).append(request.item)
        if len(together) == 1 and all(request.job is None for request in batch):
            ((work, items),) = together.items()
            work(connection, items)  # one statement alone is a transaction
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
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
        return answers


def _as_storage_error(error: Exception) -> Exception:
    if isinstance(error, apsw.FullError):
        return StorageFull("no room left for the data")
    if isinstance(error, apsw.Error):
        return StorageError(f"{type(error).__name__}: {error}")
    return error


def _answer_all(batch: list[Request], answers: list[tuple[Any, Exception | None]]) -> None:
    for request, (answer, error) in zip(batch, answers, strict=True):
        if request.future.done():  # its caller gave up waiting
            continue
        if error is None:
            request.future.set_result(answer)
        else:
            request.future.set_exception(error)
