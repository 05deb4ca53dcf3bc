"""Local tables as JavaScript calls them: texts go in and come out, and what takes time is awaited on both sides."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from tavolino.local.sockets import Socket
from tavolino.local.worker import Worker
from tavolino.server.settings import Pace


class BrowserKeeper:
    """The page's keeper: its methods return promises of texts (`offline/worker.mjs`)."""

    def __init__(self, page: Any) -> None:
        self._page = page

    async def keep(self, kept: str) -> str | None:
        problem = await self._page.keep(kept)
        return None if problem is None else str(problem)

    async def entries(self, table: str) -> list[str]:
        read: list[str] = json.loads(await self._page.entries(table))
        return read

    async def rows(self) -> list[str]:
        read: list[str] = json.loads(await self._page.rows())
        return read

    async def remove(self, table: str) -> None:
        await self._page.remove(table)

    async def keep_review(self, table: str, seat: int, version: int, review: str) -> None:
        await self._page.keepReview(table, seat, version, review)

    async def review(self, table: str, seat: int, version: int) -> str | None:
        return str(await self._page.review(table, seat, version)) or None  # JavaScript's null would not be None


class BrowserHelper:
    """Another worker (`offline/helpers.mjs`)."""

    def __init__(self, worker: Any) -> None:
        self._worker = worker

    async def work(self, order: str, hear: Callable[[str], None]) -> str:
        return str(await self._worker.work(order, hear))

    def end(self) -> None:
        self._worker.end()


class BrowserTables:
    def __init__(self, worker: Worker) -> None:
        self._worker = worker
        self._sockets: dict[int, Socket] = {}

    async def lacks_rules(self) -> bool:
        return await self._worker.tables.lacks_rules()

    async def request(self, method: str, address: str, body: str | None) -> str:
        """The status and the body of the answer, as JSON."""
        return json.dumps(await self._worker.request(method, address, body or None))

    async def connect(self, number: int, table: str, hear: Any) -> None:
        """Open a socket under a number of the page's choice."""
        self._sockets[number] = await self._worker.connect(table, lambda text: hear(number, text))

    def receive(self, number: int, text: str) -> None:
        if (socket := self._sockets.get(number)) is not None:
            socket.receive(text)

    def close(self, number: int) -> None:
        if (socket := self._sockets.pop(number, None)) is not None:
            socket.leave()


async def open_tables(page: Any, start_helper: Any, name: str, is_instant: bool = False) -> BrowserTables:
    """The tables of this device. `is_instant`: bots answer at once."""

    async def start() -> BrowserHelper:
        return BrowserHelper(await start_helper())

    worker = Worker(BrowserKeeper(page), name, Pace(0.0, 0.0, 0.0) if is_instant else None, start)
    await worker.open()
    return BrowserTables(worker)
