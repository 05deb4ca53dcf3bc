"""Ratings of people, and results that count in circles: each result exactly once."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tavolino.server.context import Context
from tavolino.server.errors import Refused
from tavolino.server.features.ratings import results
from tavolino.server.features.ratings.routes import ROUTES as ROUTES
from tavolino.server.kernel.entries import Dealt, Entry
from tavolino.server.kernel.feature import Feature, NoSlice, Shown, Viewpoint
from tavolino.server.kernel.state import TableState
from tavolino.server.kernel.tables import Tables
from tavolino.server.storage import StorageError

if TYPE_CHECKING:
    from tavolino.server.kernel.actor import TableActor

AT_ONCE = 100  # results that one sweep settles


class Ratings(Feature[NoSlice]):
    name = "ratings"

    def __init__(self, server: Context) -> None:
        self._server = server

    async def before(self, after: TableState, entries: Sequence[Entry]) -> None:
        if any(isinstance(entry, Dealt) for entry in entries) and results.will_count(after):
            await self._server.storage.expect_result(after.id)

    async def ended(self, table: TableActor) -> None:
        await results.settle(self._server, table.state, table.game)

    async def sweep(self, tables: Tables) -> None:
        """Count results of tables whose server stopped between the end of the game and the counting."""
        for name in await self._server.storage.unsettled_results(AT_ONCE):
            with contextlib.suppress(Refused):  # damaged: it is counted after it has been repaired
                table = await tables.get(name)
                await results.settle(self._server, table.state, table.game)

    async def prepare(self, state: TableState) -> None:
        if _are_shown(state):
            with contextlib.suppress(StorageError):  # then they are not shown
                await self._server.ratings.learn(state.people, state.game)

    def show(self, shown: Shown, table: TableActor, viewpoint: Viewpoint) -> None:
        if _are_shown(table.state):
            for seat, place in enumerate(table.state.places):
                if place.person:
                    shown.seats[seat]["rating"] = self._server.ratings.of(place.person, table.state.game)


FEATURE = Ratings


def _are_shown(state: TableState) -> bool:
    """Everybody sees the ratings before the start of a rated game."""
    return state.settings.rated and state.phase in ("waiting", "sealing")
