"""The tables of a tournament: the server opens those of programs, people ask for theirs; and what came of each."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from tavolino.server import protocol as p
from tavolino.server.errors import Refused
from tavolino.server.features.daily_deals.shared_deals import SharedDeals, StoredTry, encode_try
from tavolino.server.features.tournaments.stored import StoredTournament, StoredTournaments, deal_of
from tavolino.server.kernel.actor import TableActor
from tavolino.server.kernel.deal import sides
from tavolino.server.people.identities import Person
from tavolino.server.tables.registry import Registry


class Games:
    def __init__(self, registry: Registry) -> None:
        self._registry, self._context = registry, registry.context
        self._storage, self._stored = registry.context.storage, StoredTournaments(registry.context.storage)
        self._deals = SharedDeals(registry)

    def is_running(self, tournament: StoredTournament) -> bool:
        return tournament.opens <= self._context.clock.wall() < tournament.closes

    async def fill(self, tournament: StoredTournament, person: str) -> None:
        """Open tables for a program, in the order of the deals, until as many run as may run at the same time."""
        if not self.is_running(tournament):
            return
        tries = await self._stored.tries_of(tournament.id, person)
        running = sum(tried.score is None for tried in tries.values())
        for number in _not_begun(tournament, tries):
            if running >= tournament.at_once:
                return
            await self._open(tournament, Person(person, ""), number)
            running += 1

    async def next_table(self, tournament: StoredTournament, person: Person) -> TableActor:
        """The table that a person still plays at, or one for the next deal."""
        if not self.is_running(tournament):
            raise Refused("tournament-not-open")
        tries = await self._stored.tries_of(tournament.id, person.id)
        running = [
            number
            for number, tried in tries.items()
            if tried.score is None and not await self.settle(tournament, person.id, number, tried)
        ]
        number = next(iter(running), None) or next(_not_begun(tournament, tries), None)
        if number is None:
            raise Refused("all-deals-played")
        return await self._open(tournament, person, number)

    async def _open(self, tournament: StoredTournament, person: Person, number: int) -> TableActor:
        game = await self._registry.load_game(tournament.game)
        settings = p.TableSettings(seats=tournament.seats, seconds_per_move=tournament.seconds)
        return await self._deals.open(person, game, deal_of(tournament.id, number), settings, withheld=True)

    async def settle(self, tournament: StoredTournament, person: str, number: int, tried: StoredTry) -> bool:
        """Store what came of a table, if its game is over; returns whether it is."""
        row = await self._storage.row(tried.table)
        if row is not None and row.phase != "ended":
            return False
        score, late = 0.0, False
        if row is not None and row.changed < tournament.closes:
            score, late = await self._result(await self._registry.get_fresh(tried.table), person)
        await self._storage.keep_item(
            person, deal_of(tournament.id, number), encode_try(replace(tried, score=score, late=late))
        )
        return True

    async def _result(self, table: TableActor, person: str) -> tuple[float, bool]:
        """The part of the win, and whether a stand-in has decided: then the game is lost (decision 161). Who has won
        together follows from the cards, so this is refused while the rules are compiled."""
        if table.lacks_match:
            raise Refused("still-compiling")
        state, seat = table.state, table.state.seat_of(person)
        if seat is None or state.ending is None or table.match is None:
            return 0.0, False
        is_late = state.places[seat].decisions < state.movers.count(seat)
        if is_late or state.ending.how != "played" or seat not in state.ending.winners:
            return 0.0, is_late
        side_of = sides(table.match)
        return 1 / len({side_of[winner] for winner in state.ending.winners}), False


def _not_begun(tournament: StoredTournament, tries: dict[int, StoredTry]) -> Iterator[int]:
    return (number for number in range(1, tournament.deals + 1) if number not in tries)
