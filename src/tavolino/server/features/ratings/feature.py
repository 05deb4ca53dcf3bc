"""Ratings of people, and results that count in circles: each result exactly once."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from tavolino.server import protocol as p
from tavolino.server.context import Context
from tavolino.server.errors import Refused
from tavolino.server.features.ratings import results
from tavolino.server.features.ratings.known_ratings import KnownRatings
from tavolino.server.features.ratings.protocol import RatingChange
from tavolino.server.features.ratings.rated_games import is_dealt_and_rated, is_mixed
from tavolino.server.features.ratings.stored import StoredResults
from tavolino.server.kernel.entries import Dealt, Entry, Joined, SettingsChanged
from tavolino.server.kernel.feature import Feature, NoSlice, Shown, Viewpoint, about
from tavolino.server.kernel.state import TableState
from tavolino.server.kernel.tables import Tables
from tavolino.server.storage import StorageError
from tavolino.server.tables.jobs import attempt

if TYPE_CHECKING:
    from tavolino.server.kernel.actor import TableActor

AT_ONCE = 100  # results that one sweep settles


class Ratings(Feature[NoSlice]):
    name = "ratings"
    settings = ("rated",)
    refusals = (("rated-apart", 409),)

    @classmethod
    async def is_awaited(cls, server: Context, table: str) -> bool:
        return await StoredResults(server.storage).is_expected(table)

    def __init__(self, server: Context) -> None:
        self._stored, self.known = StoredResults(server.storage), KnownRatings(server.storage, server.clock)
        self._server = server

    @about(Dealt, Joined, SettingsChanged)
    async def before(self, after: TableState, entries: Sequence[Entry]) -> None:
        if any(isinstance(entry, Joined | SettingsChanged) for entry in entries) and is_mixed(after):
            raise Refused("rated-apart")
        if any(isinstance(entry, Dealt) for entry in entries) and results.will_count(after):
            await self._stored.expect_result(after.id)

    async def ended(self, table: TableActor) -> None:
        await self._settle(table)

    async def sweep(self, tables: Tables) -> None:
        """Count results of tables whose server stopped between the end of the game and the counting."""
        for name in await self._stored.unsettled_results(AT_ONCE):
            # A damaged one is counted after it has been repaired.
            await attempt(self._server, partial(self._settle_stored, tables, name), table=name)

    async def _settle_stored(self, tables: Tables, name: str) -> None:
        await self._settle(await tables.get(name))

    async def _settle(self, table: TableActor) -> None:
        await results.settle(self._server, table.state, table.game)
        self.known.forget(table.state.people, table.state.game)

    async def change(self, table: TableActor, person: str) -> RatingChange | None:
        """What a table that has ended has changed of a person's rating. None if it does not count for this person."""
        if not is_dealt_and_rated(table.state):
            return None
        if (found := await self.known.change(person, table.state.id)) is None:
            await self._settle(table)  # the end is shown before it is counted
            found = await self.known.change(person, table.state.id)
        return found

    async def prepare(self, state: TableState) -> None:
        if _are_shown(state):
            with contextlib.suppress(StorageError):  # then they are not shown
                await self.known.learn(state.people, state.game)

    def show(self, shown: Shown, table: TableActor, viewpoint: Viewpoint) -> None:
        if _are_shown(table.state):
            for seat, place in enumerate(table.state.places):
                if place.person:
                    shown.seats[seat]["rating"] = self.known.of(place.person, table.state.game)

    async def show_profile(self, profile: p.Profile, person: str) -> None:
        profile.ratings = await self.known.history(person)


def _are_shown(state: TableState) -> bool:
    """Everybody sees the ratings before the start of a rated game."""
    return state.settings.rated and state.phase in ("waiting", "sealing")
