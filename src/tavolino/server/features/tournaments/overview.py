"""What is shown of tournaments. Nothing of a deal that an entrant may still play is among it."""

from __future__ import annotations

import asyncio
from typing import Any, NamedTuple

from tavolino.bots.performance import Place
from tavolino.engine.meta import Meta
from tavolino.server.context import Context
from tavolino.server.errors import Refused
from tavolino.server.features.daily_deals.shared_deals import LEVEL, SharedDeals, StoredTry
from tavolino.server.features.tournaments import protocol as m
from tavolino.server.features.tournaments.standings import Compared, Standing, differences, standings
from tavolino.server.features.tournaments.stored import StoredTournament, StoredTournaments, Tries, deal_of
from tavolino.server.games import fairness
from tavolino.server.people.identities import Person
from tavolino.server.programs import is_program
from tavolino.server.tables.registry import Registry

FRESH_SECONDS = 2.0  # everybody who follows a tournament asks every few seconds
MOST_KNOWN = 50
MAX_ENTRANTS = 64


class Figures(NamedTuple):
    """Of one tournament, the same for all readers."""

    read_at: float
    tries: Tries
    closed: frozenset[int]
    standings: list[Standing]
    differences: list[Compared]


class Overview:
    """Kept by the feature, because the figures of a tournament are computed at most every two seconds."""

    def __init__(self, context: Context) -> None:
        self._context, self._stored = context, StoredTournaments(context.storage)
        self._known: dict[str, Figures] = {}

    def forget(self, tournament: str) -> None:
        self._known.pop(tournament, None)

    async def list(self) -> list[m.TournamentCard]:
        found = []
        for tournament in await self._stored.all():
            entrants = len(await self._stored.entrants(tournament.id))
            found.append(m.TournamentCard(**self._card(tournament, entrants, is_done=False)))
        return found

    async def show(self, registry: Registry, tournament: StoredTournament, person: Person | None) -> m.Tournament:
        """The figures may be two seconds old, but never what the person has just done, here or at another node."""
        figures, own, entered = await self._figures(registry, tournament), {}, False
        if person is not None:
            own = await self._stored.tries_of(tournament.id, person.id)
            entered = await self._stored.has_entered(tournament.id, person.id)
            if entered != (person.id in figures.tries):
                self.forget(tournament.id)
                figures = await self._figures(registry, tournament)
            if person.id in figures.tries:
                figures = figures._replace(tries={**figures.tries, person.id: own})
        await self._context.people.learn_names(list(figures.tries))
        waiting = next((tried.table for tried in own.values() if tried.score is None), None)
        numbers = {one.person: number for number, one in enumerate(figures.standings)}
        entrants = {entrant: number for number, entrant in enumerate(figures.tries, 1)}
        is_done = bool(figures.tries) and len(figures.closed) == tournament.deals
        return m.Tournament(
            **self._card(tournament, len(figures.tries), is_done),
            at_once=tournament.at_once,
            seconds_per_move=tournament.seconds,
            closed_deals=len(figures.closed),
            entered=entered,
            table=waiting,
            standings=[self._entrant(entrants[one.person], one, figures, person) for one in figures.standings],
            differences=[
                m.Difference(numbers[one.person], numbers[one.other], one.deals, one.mean, one.low, one.high)
                for one in figures.differences
            ],
        )

    async def deal(self, registry: Registry, tournament: StoredTournament, number: int) -> m.TournamentDeal:
        if not 1 <= number <= tournament.deals:
            raise Refused("no-such-tournament")
        deals, name = SharedDeals(registry), deal_of(tournament.id, number)
        if not self._is_over(tournament) and await self._stored.is_open_deal(tournament, number):
            return m.TournamentDeal(number, name, await deals.commitment(name), None, [])
        tries = await self._stored.tries(tournament.id)
        await self._context.people.learn_names(list(tries))
        results = [
            m.DealResult(entrant, self._context.people.name_of(person), own[number].score or 0.0, own[number].table)
            for entrant, (person, own) in enumerate(tries.items(), 1)
            if number in own
        ]
        return m.TournamentDeal(number, name, await deals.commitment(name), await deals.secret(name), results)

    async def _figures(self, registry: Registry, tournament: StoredTournament) -> Figures:
        now, known = self._context.clock.up(), self._known.get(tournament.id)
        if known is not None and now - known.read_at < FRESH_SECONDS:
            return known
        tries = await self._stored.tries(tournament.id)
        closed = frozenset(
            number
            for number in range(1, tournament.deals + 1)
            if self._is_over(tournament) or (tries and all(_has_ended(own, number) for own in tries.values()))
        )
        meta = (await registry.load_game(tournament.game)).meta
        secrets = SharedDeals(registry)
        places = {
            number: _place(tournament, meta, number, await secrets.secret(deal_of(tournament.id, number)))
            for number in closed
        }
        # Finding ratings takes some milliseconds for each entrant.
        found = await asyncio.to_thread(standings, tries, closed, places)
        compared = await asyncio.to_thread(differences, tries, closed)
        figures = self._known[tournament.id] = Figures(now, tries, closed, found, compared)
        while len(self._known) > MOST_KNOWN:
            del self._known[next(iter(self._known))]
        return figures

    def _is_over(self, tournament: StoredTournament) -> bool:
        return self._context.clock.believed_wall() >= tournament.closes

    def _card(self, tournament: StoredTournament, entrants: int, is_done: bool) -> dict[str, Any]:
        begun = self._context.clock.wall() >= tournament.opens
        phase = "closed" if is_done or self._is_over(tournament) else "running" if begun else "entering"
        return {
            "id": tournament.id,
            "title": tournament.title,
            "game": tournament.game,
            "seats": tournament.seats,
            "deals": tournament.deals,
            "opens": tournament.opens,
            "closes": tournament.closes,
            "phase": phase,
            "entrants": entrants,
        }

    def _entrant(self, number: int, one: Standing, figures: Figures, person: Person | None) -> m.Entrant:
        own = figures.tries[one.person]
        return m.Entrant(
            number=number,
            name=self._context.people.name_of(one.person),
            program=is_program(one.person),
            you=person is not None and person.id == one.person,
            finished=sum(tried.score is not None for tried in own.values()),
            counted=one.counted,
            share=one.share,
            low=one.low,
            high=one.high,
            rating=one.rating,
            rating_low=one.rating_low,
            rating_high=one.rating_high,
            late=sum(tried.late for number, tried in own.items() if number in figures.closed),
        )


def _has_ended(own: dict[int, StoredTry], number: int) -> bool:
    return number in own and own[number].score is not None


def _place(tournament: StoredTournament, meta: Meta, number: int, secret: str) -> Place:
    """Entrants have the first seat; who plays alone follows from the deal, as at every table without salts."""
    alone = None
    if meta.teams is not None:
        seed = fairness.deal_seed(deal_of(tournament.id, number), secret, [None] * tournament.seats)
        alone = fairness.chance_seat(seed, tournament.seats)
    return Place(tournament.game, 0, (LEVEL,) * tournament.seats, alone)
