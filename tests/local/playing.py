"""A page at a local table, for tests: it keeps journals in memory, and plays over the messages of the protocol."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

from tavolino.local import helper
from tavolino.local.helpers import Start
from tavolino.local.log import FULL, TAKEN
from tavolino.local.sockets import Socket
from tavolino.local.worker import Worker
from tavolino.server.settings import Pace

INSTANT = Pace(seconds=0.0, spread=0.0, search=0.0)
SALT = "5a" * 32
Message = dict[str, Any]


class Memory:
    """Keeps journals as a page does, on a device that can be full or broken."""

    def __init__(self) -> None:
        self.tables: dict[str, list[str]] = {}
        self.rows_kept: dict[str, str] = {}
        self.reviews: dict[str, dict[int, tuple[int, str]]] = {}
        self.is_full = False
        self.is_broken = False

    async def keep(self, kept: str) -> str | None:
        await asyncio.sleep(0)
        if self.is_broken:
            raise OSError("the database is gone")
        if self.is_full:
            return FULL
        written = json.loads(kept)
        if any(each["number"] != len(self.tables.get(each["table"], [])) + 1 for each in written):
            return TAKEN
        for each in written:
            self.tables.setdefault(each["table"], []).extend(each["entries"])
            self.rows_kept[each["table"]] = json.dumps(each["row"])
        return None

    async def entries(self, table: str) -> list[str]:
        return list(self.tables.get(table, []))

    async def rows(self) -> list[str]:
        return list(self.rows_kept.values())

    async def remove(self, table: str) -> None:
        self.tables.pop(table, None)
        self.rows_kept.pop(table, None)
        self.reviews.pop(table, None)

    async def keep_review(self, table: str, seat: int, version: int, review: str) -> None:
        self.reviews.setdefault(table, {})[seat] = version, review

    async def review(self, table: str, seat: int, version: int) -> str | None:
        kept = self.reviews.get(table, {}).get(seat)
        return kept[1] if kept is not None and kept[0] == version else None


class ThreadHelper:
    """A helper as a worker of a page is one, in a thread. `orders` has what it was asked."""

    def __init__(self) -> None:
        self.orders: list[Message] = []
        self.is_ended = False

    async def work(self, order: str, hear: Callable[[str], None]) -> str:
        self.orders.append(json.loads(order))
        return await asyncio.to_thread(helper.work, order, hear)

    def end(self) -> None:
        self.is_ended = True


async def opened(memory: Memory, start_helper: Start | None = None) -> Worker:
    worker = Worker(memory, "Ada", INSTANT, start_helper)
    await worker.open()
    return worker


async def ask(worker: Worker, method: str, path: str, body: object = None) -> tuple[int, Any]:
    status, text = await worker.request(method, path, None if body is None else json.dumps(body))
    return status, json.loads(text) if text else None


class Page:
    """One socket. `heard` has every message."""

    _socket: Socket

    def __init__(self) -> None:
        self.heard: list[Message] = []
        self.is_closed = False
        self._news: asyncio.Queue[Message] = asyncio.Queue()

    @classmethod
    async def at(cls, worker: Worker, table: str) -> Page:
        page = cls()
        page._socket = await worker.connect(table, page._hear)
        page.say(type="hello", lines=0)
        return page

    def _hear(self, text: str | None) -> None:
        if text is None:
            self.is_closed = True
            return
        message = json.loads(text)
        self.heard.append(message)
        self._news.put_nowait(message)

    def say(self, **command: Any) -> None:
        self._socket.receive(json.dumps(command))

    def say_text(self, text: str) -> None:
        self._socket.receive(text)

    def leave(self) -> None:
        self._socket.leave()

    async def until(self, **wanted: Any) -> Message:
        """The next message with these values."""
        while True:
            message = await asyncio.wait_for(self._news.get(), 120)
            if all(message.get(name) == value for name, value in wanted.items()):
                return message

    async def question(self) -> Message:
        """The next message with the cards in which this player must decide, or the game is over."""
        while True:
            message = await self.until(type="play")
            if message["view"]["legal"] or message["view"]["over"]:
                return message

    async def play(self, first: Message | None = None, most: int | None = None) -> Message:
        """Play until the game is over, or so many decisions; the last message with the cards. `first`: a question
        that was heard already."""
        decided, last = 0, -1
        while True:
            message = await self.question() if first is None else first
            first = None
            if message["view"]["over"] or decided == most:
                return message
            if message["turn"] > last:
                legal, last = message["view"]["legal"], message["turn"]
                action = legal[decided % len(legal)]
                self.say(type="move", action=action, turn=last, ref=f"m{decided}")
                decided += 1


async def begin(worker: Worker, game: str, level: str = "medium") -> tuple[str, Page]:
    """A new game against bots, and a page at it that has sent its salt."""
    status, table = await ask(worker, "POST", "/api/play-now", {"game": game, "level": level})
    assert status == 201, table
    page = await Page.at(worker, table["id"])
    page.say(type="salt", salt=SALT, ref="salt")
    return table["id"], page
