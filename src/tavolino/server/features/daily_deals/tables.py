"""The daily deals: who has played them, and how their decisions compare, without luck."""

from __future__ import annotations

import msgspec

from tavolino.server import protocol as p
from tavolino.server.features.daily_deals import deals as daily
from tavolino.server.features.daily_deals.figures import DailyFigures
from tavolino.server.features.daily_deals.protocol import DailyDeal, DailyResult, RevealedDeal
from tavolino.server.features.daily_deals.shared_deals import SharedDeals, StoredTry, decode_try
from tavolino.server.games import fairness
from tavolino.server.kernel.actor import TableActor
from tavolino.server.people.identities import Person
from tavolino.server.tables.registry import Registry


class DailyTables:
    def __init__(self, registry: Registry, figures: DailyFigures) -> None:
        self._registry, self._context, self._known = registry, registry.context, figures
        self._storage = registry.context.storage
        self._deals = SharedDeals(registry)

    async def list(self, person: Person | None) -> list[DailyDeal]:
        """Today's deals, and those of yesterday, which are open to all."""
        today, tomorrow, yesterday = (daily.day_of(self._wall, later) for later in (0, 1, -1))
        own = {} if person is None else await self._storage.items(person.id, daily.PREFIX)
        tries = {name: decode_try(content) for name, content in own.items()}
        found = []
        for game in await self._context.library.all_games():
            deal = daily.deal_of(today, game.name)
            tried = tries.get(deal)
            found.append(
                DailyDeal(
                    game=game.name,
                    day=today,
                    ends=daily.ends_at(today),
                    seats=game.meta.usual_seats,
                    commitment=await self._deals.commitment(deal),
                    tomorrow=await self._deals.commitment(daily.deal_of(tomorrow, game.name)),
                    table=None if tried is None else tried.table,
                    result=None
                    if tried is None or person is None
                    else await self._result(person.id, today, deal, tried),
                    yesterday=await self._revealed(daily.deal_of(yesterday, game.name), tries),
                    streak=0,
                )
            )
        # Only now: reading a result notes that the game has ended.
        streak = daily.streak({name.split("/")[1] for name, one in tries.items() if one.won is not None}, today)
        return [msgspec.structs.replace(each, streak=streak) for each in found]

    async def open(self, person: Person, name: str) -> TableActor:
        """The person's table for today's deal of a game."""
        game = await self._registry.load_game(name)
        deal = daily.deal_of(daily.day_of(self._wall), game.name)
        return await self._deals.open(person, game, deal, p.TableSettings(seats=game.meta.usual_seats))

    async def _result(self, person: str, day: str, deal: str, tried: StoredTry) -> DailyResult | None:
        """None while the game runs."""
        state = await self._deals.look_at(person, deal, tried, daily.ends_at(day))
        if not state.has_ended:
            return None
        others = await self._others(deal, person, tried.given_away)
        if not state.counts:
            return DailyResult(False, False, None, 0, 0, *others)
        return DailyResult(True, bool(tried.won), tried.given_away, state.done, state.total, *others)

    async def _others(self, deal: str, person: str, given_away: float | None) -> tuple[int, int, float | None]:
        """How many others have a result, how many of them gave away more, and the median of all."""
        figures = await self._known.of(deal, self._figures)
        if given_away is not None:
            figures.note(person, given_away)
        return figures.compare(person, given_away)

    async def _figures(self, deal: str) -> dict[str, float]:
        stored = await self._storage.items_called(deal)
        tries = {person: decode_try(content) for person, content in stored.items()}
        newest = max((tried.judge for tried in tries.values()), default=0)  # two judges are not compared
        return {
            person: tried.given_away
            for person, tried in tries.items()
            if tried.given_away is not None and tried.judge == newest
        }

    async def _revealed(self, deal: str, tries: dict[str, StoredTry]) -> RevealedDeal | None:
        """A deal that is over everywhere; None if nobody asked for it on its day."""
        secret = await self._storage.shared_secret(deal)
        if secret is None or daily.is_secret(deal, self._context.clock.believed_wall()):
            return None
        tried = tries.get(deal)
        players, _, middle = await self._others(deal, "", None)
        return RevealedDeal(
            deal=deal,
            commitment=fairness.commitment(deal, secret),
            secret=secret,
            table=None if tried is None else tried.table,
            given_away=None if tried is None else tried.given_away,
            players=players,
            median=middle,
        )

    @property
    def _wall(self) -> float:
        return self._context.clock.wall()
