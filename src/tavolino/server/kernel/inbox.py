"""The inbox of a table's actor: commands of people, choices of bots, timers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgspec

from tavolino.server import protocol as p
from tavolino.server.kernel.viewers import Viewer
from tavolino.server.subscribers import subscriber

Reply = Callable[[p.News], None]
SHARES = 8  # one person may fill this part of an inbox


@dataclass(slots=True)
class Asked:
    """A command, who asks, and where the answer goes; `viewer` if it came over a connection."""

    person: str | None
    command: Any
    reply: Reply
    viewer: Viewer | None = None
    address: str | None = None  # of a request

    @property
    def payer(self) -> str:
        """The address or person that the CPU time is charged to."""
        address = self.address if self.viewer is None else self.viewer.address
        return subscriber(address) if address is not None else self.person or ""


@dataclass(slots=True)
class BotChose:
    turn: int
    seat: int
    action: str


@dataclass(slots=True)
class Gone:
    viewer: Viewer


@dataclass(slots=True)
class Abandon:
    """The table was abandoned: nothing has happened for long since the entry with this number."""

    number: int


@dataclass(slots=True)
class RemoteEntries:
    """Another node says which entries it has written; without entries, that there are new ones."""

    number: int = 0
    entries: tuple[bytes, ...] = ()
    hashed: bytes = b""
    done: Callable[[], None] = lambda: None


@dataclass(slots=True)
class Drive:
    """This node drives the table under a lease with this epoch; 0: another one does."""

    epoch: int


class Close:
    """An operator closes the table."""


class Tick:
    """Check for automatic changes: a timer fired, or the game is ready now."""


Item = Asked | BotChose | Gone | Abandon | RemoteEntries | Drive | Close | Tick


class Inbox:
    """A queue with one reader. Smaller and quicker than `asyncio.Queue`: every table has one."""

    __slots__ = ("_items", "_most", "_waiter")

    def __init__(self, most: int) -> None:
        self._items: list[Item] = []
        self._most = most
        self._waiter: asyncio.Future[None] | None = None

    def __len__(self) -> int:
        return len(self._items)

    def has_room_for(self, person: str | None) -> bool:
        """A full inbox takes no more commands, and one that fills up takes at most a share from each person."""
        if len(self._items) < self._most // SHARES:
            return True
        theirs = sum(1 for item in self._items if isinstance(item, Asked) and item.person == person)
        return len(self._items) < self._most and theirs < self._most // SHARES

    def put(self, item: Item) -> None:
        self._items.append(item)
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    async def next(self) -> Item:
        """The oldest item, as soon as there is one; only the actor calls this."""
        while not self._items:
            self._waiter = asyncio.get_running_loop().create_future()
            await self._waiter
        return self._items.pop(0)

    def take_all(self) -> list[Item]:
        items, self._items = self._items, []
        return items


def with_reply(person: str | None, command: Any, address: str | None = None) -> tuple[Asked, asyncio.Future[p.News]]:
    """A command whose answer somebody waits for."""
    future: asyncio.Future[p.News] = asyncio.get_running_loop().create_future()

    def reply(message: p.News) -> None:
        if not future.done():
            future.set_result(message)

    return Asked(person, command, reply, address=address), future


def ref_of(command: Any) -> str | None:
    ref: str | None = getattr(command, "ref", None)
    return ref


class _Referring(msgspec.Struct):
    """The part of a message that is read even if the rest cannot be decoded."""

    ref: p.Ref | None = None


_decode_ref = msgspec.json.Decoder(_Referring).decode


def ref_in(content: bytes) -> str | None:
    """The reference in a message that may be no command."""
    try:
        return _decode_ref(content).ref
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        return None
