"""One thread that owns the one connection, and group commit: what waits together is made durable together.

A job is a function of the connection. Its caller is answered after the commit that holds it, never before.
When a batch fails, its jobs are tried again one by one, so that one job's fault is not another's.
"""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable
from typing import Any, TypeVar

import apsw

from tavolino.server.storage import StorageError, StorageFull

Job = Callable[[apsw.Connection], Any]
Answer = TypeVar("Answer")
LARGEST_BATCH = 512


class Writer:
    def __init__(self, connect: Callable[[], apsw.Connection]) -> None:
        self._connect = connect
        self._jobs: queue.SimpleQueue[tuple[Job, asyncio.Future[Any]] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="storage-writer", daemon=True)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._opened: asyncio.Future[None] | None = None
        self.commits = 0

    async def start(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._opened = self._loop.create_future()
        self._thread.start()
        await self._opened

    async def stop(self) -> None:
        """Finish what was asked, then close the connection."""
        self._jobs.put(None)
        await asyncio.to_thread(self._thread.join)

    async def do(self, job: Callable[[apsw.Connection], Answer]) -> Answer:
        if self._loop is None or not self._thread.is_alive():
            raise StorageError("the storage is closed")
        future: asyncio.Future[Answer] = self._loop.create_future()
        self._jobs.put((job, future))
        return await future

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

    def _with_those_waiting(
        self, first: tuple[Job, asyncio.Future[Any]]
    ) -> tuple[list[tuple[Job, asyncio.Future[Any]]], bool]:
        batch = [first]
        while len(batch) < LARGEST_BATCH:
            try:
                more = self._jobs.get_nowait()
            except queue.Empty:
                break
            if more is None:
                return batch, True
            batch.append(more)
        return batch, False

    def _commit(
        self, connection: apsw.Connection, batch: list[tuple[Job, asyncio.Future[Any]]]
    ) -> list[tuple[Any, Exception | None]]:
        try:
            answers = self._in_one_transaction(connection, [job for job, _ in batch])
            return [(answer, None) for answer in answers]
        except Exception as error:
            if len(batch) == 1:
                return [(None, _translated(error))]
        alone: list[tuple[Any, Exception | None]] = []
        for job, _ in batch:
            try:
                alone.append((self._in_one_transaction(connection, [job])[0], None))
            except Exception as error:
                alone.append((None, _translated(error)))
        return alone

    def _in_one_transaction(self, connection: apsw.Connection, jobs: list[Job]) -> list[Any]:
        connection.execute("BEGIN IMMEDIATE")
        try:
            answers = [job(connection) for job in jobs]
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
        self.commits += 1
        return answers


def _translated(error: Exception) -> Exception:
    if isinstance(error, apsw.FullError):
        return StorageFull("no room left for the data")
    if isinstance(error, apsw.Error):
        return StorageError(f"{type(error).__name__}: {error}")
    return error


def _hand_out(batch: list[tuple[Job, asyncio.Future[Any]]], answers: list[tuple[Any, Exception | None]]) -> None:
    for (_, future), (answer, error) in zip(batch, answers, strict=True):
        if future.done():  # its caller gave up waiting
            continue
        if error is None:
            future.set_result(answer)
        else:
            future.set_exception(error)
