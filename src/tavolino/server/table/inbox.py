"""What comes into a table's inbox: commands of people, choices of bots, and moments that have come."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tavolino.server import protocol as p

if TYPE_CHECKING:
    from tavolino.server.transport.connection import Connection

Reply = Callable[[p.News], None]
SHARES = 8


@dataclass(slots=True)
class Asked:
    """A command, who asks, and where the answer goes."""

    person: str | None
    command: p.Command
    reply: Reply
    connection: Connection | None = None


@dataclass(slots=True)
class BotChose:
    turn: int
    seat: int
    action: str


@dataclass(slots=True)
class Gone:
    connection: Connection


@dataclass(slots=True)
class Abandon:
    idle_since: float


class Tick:
    """A moment has come: a clock ran out, a salt was waited for long enough, a game was compiled."""


Item = Asked | BotChose | Gone | Abandon | Tick


class Inbox:
    """What waits for a table's owner. Smaller and quicker than asyncio's queue: every table has one."""

    __slots__ = ("_items", "_most", "_waiter")

    def __init__(self, most: int) -> None:
        self._items: list[Item] = []
        self._most = most
        self._waiter: asyncio.Future[None] | None = None

    def __len__(self) -> int:
        return len(self._items)

    def has_room_for(self, person: str | None) -> bool:
        """A full inbox takes nothing more from people, and one that fills up no more than a share from each."""
        if len(self._items) < self._most // SHARES:
            return True
        theirs = sum(1 for item in self._items if isinstance(item, Asked) and item.person == person)
        return len(self._items) < self._most and theirs < self._most // SHARES

    def put(self, item: Item) -> None:
        self._items.append(item)
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    async def next(self) -> Item:
        """The oldest thing, when there is one; only the owner asks."""
        while not self._items:
            self._waiter = asyncio.get_running_loop().create_future()
            await self._waiter
        return self._items.pop(0)

    def take_all(self) -> list[Item]:
        items, self._items = self._items, []
        return items


def ref_of(command: p.Command) -> str | None:
    ref: str | None = getattr(command, "ref", None)
    return ref
