"""Local tables as JavaScript calls them: texts go in and come out, and what takes time is awaited on both sides."""

from __future__ import annotations

import json
from typing import Any

from tavolino.local.worker import Socket, Worker
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


async def open_tables(page: Any, name: str, is_instant: bool = False) -> BrowserTables:
    """The tables of this device. `is_instant`: bots answer at once, for tests."""
    worker = Worker(BrowserKeeper(page), name, Pace(0.0, 0.0, 0.0) if is_instant else None)
    await worker.open()
    return BrowserTables(worker)
