"""One vacation for all slow games of a person: each table keeps its own days, this asks all of them."""

from __future__ import annotations

from tavolino.server import protocol as p
from tavolino.server.errors import Refused
from tavolino.server.features.vacations.protocol import TakeVacation, Vacations
from tavolino.server.features.vacations.table import SLOW_SECONDS, current, days_left
from tavolino.server.kernel.actor import TableActor
from tavolino.server.people.identities import Person
from tavolino.server.tables.listings import Listings
from tavolino.server.tables.registry import Registry


async def take(registry: Registry, person: Person, days: int) -> Vacations:
    """At each table as many of these days as are left there; 0 days: back at all of them."""
    for table in await _slow_tables(registry, person):
        try:
            await table.ask(person.id, TakeVacation(days))
        except Refused as refused:
            await _take_what_is_left(table, person, refused)
    return await summary(registry, person)


async def _take_what_is_left(table: TableActor, person: Person, refused: Refused) -> None:
    """A game that has just ended, or whose days are used up, must not keep the others from standing."""
    problem = refused.problem
    if problem.code == "no-vacation" and (left := problem.params["n"]):
        await table.ask(person.id, TakeVacation(left))
    elif problem.code not in ("no-vacation", "not-playing"):
        raise refused


async def summary(registry: Registry, person: Person) -> Vacations:
    up = registry.context.clock.up()
    tables = await _slow_tables(registry, person)
    seats = [(table.state, table.state.seat_of(person.id)) for table in tables]
    vacations = [current(state, seat, up) for state, seat in seats if seat is not None]
    ends = [int(vacation.ends) for vacation in vacations if vacation is not None]
    return Vacations(
        games=len(tables),
        away=len(ends),
        until=max(ends, default=None),
        days=max((days_left(state, seat) for state, seat in seats), default=0),
    )


async def _slow_tables(registry: Registry, person: Person) -> list[TableActor]:
    cards = (await Listings(registry).of(person)).playing
    return [await registry.get_fresh(card.id) for card in cards if _is_slow(card)]


def _is_slow(card: p.TableCard) -> bool:
    return card.phase == "playing" and (card.seconds_per_move or 0) >= SLOW_SECONDS
