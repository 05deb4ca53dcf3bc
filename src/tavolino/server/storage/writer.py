"""One thread that owns the one connection, and group commit: what waits together is made durable together.

A job is a function of the connection. Its caller is answered after the commit that holds it, never before.
When a batch fails, its jobs are tried again one by one, so that one job's fault is not another's.

Every statement gives the interpreter's lock away and must win it back from the busy event loop, which takes up to
5 ms. So what comes often, the moves, is one statement for the whole batch, its commit included (`do_together`).
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


class Asked(NamedTuple):
    """A job of its own, or an item for work that is done once for all the items of a batch."""

    job: Job | None
    work: Work | None
    item: Any
    future: asyncio.Future[Any]


class Writer:
    def __init__(self, connect: Callable[[], apsw.Connection]) -> None:
        self._connect = connect
        self._jobs: queue.SimpleQueue[list[Asked] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="storage-writer", daemon=True)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._asked: list[Asked] = []  # in this round of the event loop; the thread is woken once for all of them
        self._opened: asyncio.Future[None] | None = None
        self.commits = 0

    async def start(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._opened = self._loop.create_future()
        self._thread.start()
        await self._opened

    async def stop(self) -> None:
        """Finish what was asked, then close the connection."""
        self._pass_on()
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
        if not self._asked:
            self._loop.call_soon(self._pass_on)
        self._asked.append(Asked(job, work, item, future))
        return future

    def _pass_on(self) -> None:
        if self._asked:
            self._jobs.put(self._asked)
            self._asked = []

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
                batch, stopping = self._with_those_waiting(first)
                answers = self._commit(connection, batch)
                self._loop.call_soon_threadsafe(_hand_out, batch, answers)
                if stopping:
                    return
        finally:
            connection.close()

    def _with_those_waiting(self, first: list[Asked]) -> tuple[list[Asked], bool]:
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

    def _commit(self, connection: apsw.Connection, batch: list[Asked]) -> list[tuple[Any, Exception | None]]:
        try:
            return [(answer, None) for answer in self._in_one_transaction(connection, batch)]
        except Exception as error:
            if len(batch) == 1:
                return [(None, _translated(error))]
        alone: list[tuple[Any, Exception | None]] = []
        for asked in batch:
            try:
                alone.append((self._in_one_transaction(connection, [asked])[0], None))
            except Exception as error:
                alone.append((None, _translated(error)))
        return alone

    def _in_one_transaction(self, connection: apsw.Connection, batch: list[Asked]) -> list[Any]:
        together: dict[Work, list[Any]] = {}
        for asked in batch:
            if asked.work is not None:
                together.setdefault(asked.work, []).append(asked.item)
        if len(together) == 1 and all(asked.job is None for asked in batch):
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
        batch: list[Asked],
    ) -> list[Any]:
        connection.execute("BEGIN IMMEDIATE")
        try:
            for work, items in together.items():
                work(connection, items)
            answers = [asked.job(connection) if asked.job is not None else None for asked in batch]
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
        return answers


def _translated(error: Exception) -> Exception:
    if isinstance(error, apsw.FullError):
        return StorageFull("no room left for the data")
    if isinstance(error, apsw.Error):
        return StorageError(f"{type(error).__name__}: {error}")
    return error


def _hand_out(batch: list[Asked], answers: list[tuple[Any, Exception | None]]) -> None:
    for asked, (answer, error) in zip(batch, answers, strict=True):
        if asked.future.done():  # its caller gave up waiting
            continue
        if error is None:
            asked.future.set_result(answer)
        else:
            asked.future.set_exception(error)
