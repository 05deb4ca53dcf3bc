"""What operators ask of a running server, through its data: `tavolino admin` and `tavolino announce` write orders, and
every server on that storage looks for new ones each second.

Orders are idempotent: each server carries out every order, because each has names, bans and connections in memory.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets

import msgspec

from tavolino.server.errors import Refused
from tavolino.server.kernel.inbox import Close
from tavolino.server.people.identities import Person
from tavolino.server.storage import StorageError, StoredOrder
from tavolino.server.tables import deletion
from tavolino.server.tables.order_kinds import (
    Announce,
    Ban,
    CloseTable,
    Order,
    PersonOut,
    RemoveName,
    Unban,
    decode,
)
from tavolino.server.tables.registry import Registry

LOOK_SECONDS = 1.0
SETTLE_SECONDS = 30.0
KEPT_SECONDS = 86_400.0  # how long finished orders are stored, for servers that could not read them
DONE = "done"


class Orders:
    def __init__(self, registry: Registry) -> None:
        self._registry, self._context = registry, registry.context
        self._seen: dict[int, float] = {}  # the orders above `_settled`, and when they were read
        self._settled = 0
        self._kept: dict[int, Order] = {}  # those that are still stored

    async def follow(self) -> None:
        while True:
            with contextlib.suppress(StorageError):
                await self.look()
            await asyncio.sleep(LOOK_SECONDS)

    async def look(self) -> None:
        """Carry out new orders; after a start, all stored ones.

        Of two orders that are given at once, the one with the lower number may come to be seen later: so what was read
        a short while ago is read again.
        """
        now = self._context.clock.up()
        for stored in await self._context.storage.orders(self._settled):
            if stored.number not in self._seen:
                await self._take(stored)
                self._seen[stored.number] = now
        old = [number for number, when in self._seen.items() if now - when > SETTLE_SECONDS]
        self._settled = max([self._settled, *old])
        self._seen = {number: when for number, when in self._seen.items() if number > self._settled}

    async def _take(self, stored: StoredOrder) -> None:
        try:
            order = decode(stored.content)
        except msgspec.DecodeError:  # of a newer version
            outcome = "this version does not know that order"
        else:
            self._kept[stored.number] = order
            outcome = await self._carry_out(stored, order)
            self._context.log.info("order", order=order.__struct_config__.tag, outcome=outcome)
        if stored.outcome is None:
            await self._context.storage.settle_order(stored.number, outcome)

    async def _carry_out(self, stored: StoredOrder, order: Order) -> str:
        try:
            for ordered in self._registry.features.ordered:
                ordered(self._registry, stored.number, order)
            match order:
                case Ban(target=target, until=until):
                    self._context.bans.add(target, until)
                    self._registry.connections.close_banned(self._context.bans)
                case Unban(target=target):
                    self._context.bans.lift(target)
                case CloseTable(table=table):
                    if stored.outcome is None:
                        (await self._registry.get(table)).post(Close())
                case PersonOut(person=person):
                    await deletion.person_changed(self._registry, person, is_out=True)
                case RemoveName(person=person):
                    return await self._remove_name(person, is_new=stored.outcome is None)
        except Refused as refused:
            return refused.problem.code
        return DONE

    async def _remove_name(self, person: str, is_new: bool) -> str:
        people = self._context.people
        if is_new:
            if not await self._context.storage.names([person]):
                return "there is nobody with that id"
            await people.rename(Person(person, ""), f"Guest {secrets.randbelow(9_000) + 1_000}")
        else:  # another server, or an earlier run, has stored the new name
            await people.learn_name_again(person)
        for table in list(self._registry.tables.values()):
            table.unfreeze_name(person)
        self._registry.connections.close_all_of(person, "reload")
        return DONE

    async def sweep(self) -> None:
        """Remove orders that have no effect any more."""
        now = self._context.clock.witnessed()
        newest = max((number for number, order in self._kept.items() if isinstance(order, Announce)), default=0)
        over = [number for number, order in self._kept.items() if number != newest and _ends(order) < now]
        if over:
            await self._context.storage.remove_orders(over)
            for number in over:
                del self._kept[number]


def _ends(order: Order) -> float:
    return max(order.made + KEPT_SECONDS, order.until if isinstance(order, Ban) else 0.0)
