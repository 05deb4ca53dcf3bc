"""Sends orders from the command line to the servers on a storage, and lists tables and bans."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path

from tavolino.server.clock import Moment
from tavolino.server.kernel import rows
from tavolino.server.storage import Storage, StoredRow
from tavolino.server.storage.choosing import make_storage
from tavolino.server.tables import order_kinds as orders

PATIENCE_SECONDS = 15.0
LOOK_SECONDS = 0.1


class Seat:
    """A seat as `tavolino admin list` shows it."""

    def __init__(self, person: str | None, name: str | None, level: str | None) -> None:
        self.person, self.name, self.level = person, name, level


class OperatorClient:
    """Access to the storage beside running servers."""

    def __init__(self, folder: Path, database: str | None) -> None:
        self._storage: Storage = make_storage(folder, database, is_beside=True)

    async def __aenter__(self) -> OperatorClient:
        await self._storage.open()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._storage.close()

    async def send(self, make: Callable[[float], orders.Order]) -> str | None:
        """Send an order; `make` gets the current time. Returns the outcome, or None if no server runs."""
        moment = await self._storage.last_moment() or Moment(0, 0, 0)
        number = await self._storage.add_order(orders.encode(make(moment.witnessed)))
        end = time.monotonic() + PATIENCE_SECONDS
        while await self._storage.is_served() and time.monotonic() < end:
            outcome = next((each.outcome for each in await self._storage.orders(number - 1)), None)
            if outcome is not None:
                return outcome
            await asyncio.sleep(LOOK_SECONDS)
        return None

    async def running(self) -> list[tuple[StoredRow, list[Seat]]]:
        """The tables that have not ended, the longest unchanged first."""
        storage, found = self._storage, []
        for table, _ in await storage.idle_tables(2**62, await storage.count_open()):
            if (row := await storage.row(table)) is not None:
                names = await storage.names(list(row.members))
                seats = rows.card_of(row).seats()
                found.append((row, [Seat(seat.person, names.get(seat.person or ""), seat.level) for seat in seats]))
        return found

    async def bans(self) -> list[tuple[str, float]]:
        """The current bans, and their remaining seconds."""
        moment = await self._storage.last_moment() or Moment(0, 0, 0)
        found: dict[str, float] = {}
        for stored in await self._storage.orders(0):
            match orders.decode(stored.content):
                case orders.Ban(target=target, until=until):
                    found[target] = until - moment.witnessed
                case orders.Unban(target=target):
                    found.pop(target, None)
        return [(target, left) for target, left in found.items() if left > 0]
