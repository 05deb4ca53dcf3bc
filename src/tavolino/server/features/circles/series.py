"""Same-deal series in circles: everybody plays the same deals against bots, and luck cancels (decision 091).

Secrets and tries are those of shared deals (`daily_deals/shared_deals.py`). What others have achieved in a deal is
shown to who has finished that deal; their games open when the series is closed.
"""

from __future__ import annotations

from tavolino.server import protocol as p
from tavolino.server.errors import Refused
from tavolino.server.features.circles import deals as series
from tavolino.server.features.circles import protocol as m
from tavolino.server.features.circles.circles import Circles, member_id
from tavolino.server.features.circles.deals import has_closed
from tavolino.server.features.circles.stored import StoredCircles, StoredMember, StoredSeries
from tavolino.server.features.daily_deals.shared_deals import SharedDeals, StoredTry, TryState, decode_try
from tavolino.server.kernel.actor import TableActor
from tavolino.server.kernel.tables import new_id
from tavolino.server.people.identities import Person
from tavolino.server.tables.registry import Registry

MOST_SERIES = 20  # of a circle
MOST_OPEN = 3
LOOKED_AT = 10  # other people's games without a result yet, at one request
DAY = 86_400
Tries = dict[int, dict[str, tuple[StoredTry, TryState]]]  # by the number of the deal, and by person


class Series:
    def __init__(self, registry: Registry) -> None:
        self._registry, self._context = registry, registry.context
        self._storage, self._stored = registry.context.storage, StoredCircles(registry.context.storage)
        self._deals, self._circles = SharedDeals(registry), Circles(registry.context)

    async def of(self, circle: str, person: Person) -> list[m.Series]:
        """The newest first."""
        members = await self._circles.check_member(circle, person.id)
        return [await self._show(each, members, person.id) for each in await self._stored.series_of(circle)]

    async def make(self, circle: str, person: Person, wanted: m.NewSeries) -> m.Series:
        """Open a series. Its deals are sealed now, before anybody plays."""
        self._context.limits.changes.take(person.id)
        members = await self._circles.check_member(circle, person.id)
        game = await self._registry.load_game(wanted.game)
        seats = game.meta.usual_seats if wanted.seats is None else wanted.seats
        if seats not in game.players:
            raise Refused("bad-players", {"few": game.players[0], "many": game.players[-1]})
        known = await self._stored.series_of(circle)
        if len(known) >= MOST_SERIES or sum(not self._has_closed(each) for each in known) >= MOST_OPEN:
            raise Refused("too-many-series")
        now = int(self._context.clock.wall())
        stored = StoredSeries(new_id(), circle, game.name, seats, wanted.deals, now, now + wanted.days * DAY, None)
        for number in range(1, stored.deals + 1):
            await self._deals.secret(series.deal_of(stored.id, number))
        await self._stored.add_series(stored)
        return await self._show(stored, members, person.id)

    async def open(self, circle: str, person: Person, name: str, number: int) -> TableActor:
        """The person's table for a deal of a series: one try."""
        await self._circles.check_member(circle, person.id)
        stored = await self._stored.series(name)
        if stored is None or stored.circle != circle or not 1 <= number <= stored.deals:
            raise Refused("no-such-series")
        deal = series.deal_of(name, number)
        if self._has_closed(stored) and not await self._deals.has_begun(person.id, deal):
            raise Refused("series-closed")
        game = await self._registry.load_game(stored.game)
        return await self._deals.open(person, game, deal, p.TableSettings(seats=stored.seats))

    async def _show(self, stored: StoredSeries, members: list[StoredMember], person: str) -> m.Series:
        tries = await self._tries(stored, members, person)
        if not self._has_closed(stored) and self._is_done(stored, members, tries):
            now = int(self._context.clock.wall())
            await self._stored.close_series(stored.id, now)
            stored = stored._replace(closed=now)
        is_closed = self._has_closed(stored)
        return m.Series(
            id=stored.id,
            game=stored.game,
            seats=stored.seats,
            opened=stored.opened,
            closes=stored.closes,
            closed=is_closed,
            deals=[
                await self._deal(stored, number, tries[number], person, is_closed)
                for number in range(1, stored.deals + 1)
            ],
            standings=self._standings(stored, members, tries, person, is_closed),
        )

    async def _tries(self, stored: StoredSeries, members: list[StoredMember], person: str) -> Tries:
        """What members have played, the own games first: only some of the others' are looked at in one go."""
        ends, left = stored.closed or stored.closes, LOOKED_AT
        found: Tries = {}
        for number in range(1, stored.deals + 1):
            deal = series.deal_of(stored.id, number)
            items = await self._storage.items_called(deal)
            found[number] = {}
            for each in sorted((each.person for each in members), key=lambda one: one != person):
                if each not in items:
                    continue
                tried = decode_try(items[each])
                if self._deals.is_judged(tried, ends + 1):
                    state = TryState(True, True)
                elif each == person or left > 0:
                    left -= each != person
                    state = await self._deals.look_at(each, deal, tried, ends + 1)
                else:
                    state = TryState(tried.won is not None, tried.won is not None)
                found[number][each] = (tried, state)
        return found

    async def _deal(
        self,
        stored: StoredSeries,
        number: int,
        tries: dict[str, tuple[StoredTry, TryState]],
        person: str,
        is_closed: bool,
    ) -> m.SeriesDeal:
        deal = series.deal_of(stored.id, number)
        own = tries.get(person)
        is_seen = is_closed or (own is not None and own[1].has_ended)
        return m.SeriesDeal(
            deal=deal,
            commitment=await self._deals.commitment(deal),
            secret=await self._deals.secret(deal) if is_closed else None,
            table=None if own is None else own[0].table,
            ended=own is not None and own[1].has_ended,
            results=[
                m.SeriesResult(
                    member=member_id(stored.circle, each),
                    counts=state.counts,
                    won=bool(tried.won),
                    given_away=tried.given_away,
                    table=tried.table if is_closed or each == person else None,
                )
                for each, (tried, state) in tries.items()
                if is_seen and state.has_ended
            ],
        )

    def _standings(
        self, stored: StoredSeries, members: list[StoredMember], tries: Tries, person: str, is_closed: bool
    ) -> list[m.SeriesStanding]:
        """Over the deals that the reader has finished. The lowest cost per deal comes first."""
        seen = [
            number
            for number, by_person in tries.items()
            if is_closed or (person in by_person and by_person[person][1].has_ended)
        ]
        found = []
        for each in members:
            mine = [tries[number][each.person] for number in tries if each.person in tries[number]]
            counted = [
                tried for number in seen for tried, state in [tries[number].get(each.person, NO_TRY)] if state.counts
            ]
            known = [tried.given_away for tried in counted if tried.given_away is not None]
            found.append(
                m.SeriesStanding(
                    member=member_id(stored.circle, each.person),
                    finished=sum(state.has_ended for _, state in mine),
                    counted=len(counted),
                    wins=sum(bool(tried.won) for tried in counted),
                    given_away=sum(known) / len(known) if known else None,
                )
            )
        return sorted(found, key=lambda one: (one.given_away is None, one.given_away or 0, -one.wins))

    def _is_done(self, stored: StoredSeries, members: list[StoredMember], tries: Tries) -> bool:
        return len(members) > 1 and all(
            each.person in tries[number] and tries[number][each.person][1].has_ended
            for number in range(1, stored.deals + 1)
            for each in members
        )

    def _has_closed(self, stored: StoredSeries) -> bool:
        return has_closed(stored, self._context.clock.believed_wall())


NO_TRY = (StoredTry(""), TryState(False))
