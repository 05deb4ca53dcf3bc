"""Tournaments at the tables: what is secret, and which table comes next."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, cast

from tavolino.server.context import Context
from tavolino.server.errors import Refused
from tavolino.server.features.tournaments.games import Games
from tavolino.server.features.tournaments.overview import Overview
from tavolino.server.features.tournaments.stored import StoredTournaments, number_of
from tavolino.server.kernel.feature import Feature, NoSlice, Shown, Viewpoint
from tavolino.server.kernel.tables import Tables
from tavolino.server.programs import is_program
from tavolino.server.storage import StorageError
from tavolino.server.tables.registry import Registry

if TYPE_CHECKING:
    from tavolino.server.kernel.actor import TableActor

AGAIN_SECONDS = 0.5  # after a server that has too much to do has refused a table


class TournamentsFeature(Feature[NoSlice]):
    name = "tournaments"
    not_for = ("class",)  # strangers meet
    depends = ("daily_deals",)
    refusals = (
        ("no-such-tournament", 404),
        ("entries-closed", 409),
        ("tournament-full", 409),
        ("not-entered", 403),
        ("tournament-not-open", 409),
        ("all-deals-played", 409),
    )

    def __init__(self, server: Context) -> None:
        self._server, self._stored, self.overview = server, StoredTournaments(server.storage), Overview(server)
        self._wanted: dict[tuple[str, str], Registry] = {}  # tournaments and programs whose next tables are opened
        self._filling: asyncio.Task[None] | None = None

    @classmethod
    async def is_secret(cls, server: Context, deal: str) -> bool:
        if (found := number_of(deal)) is None:
            return False
        stored = StoredTournaments(server.storage)
        tournament = await stored.get(found[0])
        if tournament is None or server.clock.believed_wall() >= tournament.closes:
            return False
        return await stored.is_open_deal(tournament, found[1])

    def show(self, shown: Shown, table: TableActor, viewpoint: Viewpoint) -> None:
        if (found := number_of(table.state.deal)) is not None:
            shown.features[self.name] = {"tournament": found[0], "number": found[1]}

    async def ended(self, table: TableActor) -> None:
        if (found := number_of(table.state.deal)) is None or table.state.host is None:
            return
        name, number = found
        person, registry = table.state.host, cast("Registry", table.tables)
        tournament = await self._stored.get(name)
        tried = (await self._stored.tries_of(name, person)).get(number)
        if tournament is not None and tried is not None:
            await Games(registry).settle(tournament, person, number, tried)
            self.want(registry, name, person)

    async def sweep(self, tables: Tables) -> None:
        """Settle what a server that stopped has left, and open the tables of a tournament that has just begun."""
        registry = cast("Registry", tables)
        games = Games(registry)
        for tournament in await self._stored.all():
            if not games.is_running(tournament):
                continue
            for person, tries in (await self._stored.tries(tournament.id)).items():
                for number, tried in tries.items():
                    if tried.score is None:
                        with contextlib.suppress(Refused):  # a damaged table: its deal waits for the end
                            await games.settle(tournament, person, number, tried)
                self.want(registry, tournament.id, person)

    def want(self, registry: Registry, tournament: str, person: str) -> None:
        """Open the next tables of a program, as soon as the server has time for it."""
        if not is_program(person):
            return
        self._wanted[tournament, person] = registry
        if self._filling is None or self._filling.done():
            self._filling = asyncio.create_task(self._fill())

    async def _fill(self) -> None:
        while self._wanted:
            name, person = next(iter(self._wanted))
            registry = self._wanted.pop((name, person))
            try:
                if (tournament := await self._stored.get(name)) is not None:
                    await Games(registry).fill(tournament, person)
            except Refused as refused:  # others: the next sweep tries again
                if refused.problem.code == "overloaded" and not registry.is_stopping:
                    self._wanted.setdefault((name, person), registry)
                    await asyncio.sleep(AGAIN_SECONDS)
            except StorageError as error:
                self._server.log.warning("the tables of a tournament wait", error=str(error))

    async def close(self) -> None:
        if self._filling is not None:
            self._filling.cancel()
