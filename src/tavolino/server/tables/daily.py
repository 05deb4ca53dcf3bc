"""The daily deals: who has played them, and how their decisions compare, without luck.

A person has one try for each game and day: the table that is kept for this person under the name of the deal. What
counts is what the review of that game says that the decisions gave away.
"""

from __future__ import annotations

import contextlib
from statistics import median

import msgspec
from msgspec import Struct

from tavolino.engine.game import Game
from tavolino.server import protocol as p
from tavolino.server.errors import Refused
from tavolino.server.games import daily, fairness
from tavolino.server.people.identities import Person
from tavolino.server.table import entries as e
from tavolino.server.table import records
from tavolino.server.table.actor import TableActor
from tavolino.server.tables.registry import Registry, new_id

LEVEL: p.Level = "medium"


class StoredTry(Struct):
    """What is kept for a person: which table, and once the game is over and reviewed in time, what came of it."""

    table: str
    won: bool | None = None
    given_away: float | None = None


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(StoredTry).decode


class DailyDeals:
    def __init__(self, registry: Registry) -> None:
        self._registry, self._context = registry, registry.context
        self._storage = registry.context.storage

    async def list(self, person: Person | None) -> list[p.DailyDeal]:
        """Today's deals, and those of yesterday, which are open to all."""
        today, tomorrow, yesterday = (daily.day_of(self._wall, later) for later in (0, 1, -1))
        own = {} if person is None else await self._storage.items(person.id, daily.PREFIX)
        tries = {name: _decode(content) for name, content in own.items()}
        streak = daily.streak({name.split("/")[1] for name, one in tries.items() if one.won is not None}, today)
        found = []
        for game in await self._context.library.all_games():
            deal = daily.deal_of(today, game.name)
            tried = tries.get(deal)
            found.append(
                p.DailyDeal(
                    game=game.name,
                    day=today,
                    ends=daily.ends_at(today),
                    seats=game.meta.usual_seats,
                    commitment=await self._commitment(deal),
                    tomorrow=await self._commitment(daily.deal_of(tomorrow, game.name)),
                    table=None if tried is None else tried.table,
                    result=None if tried is None or person is None else await self._result(person.id, deal, tried),
                    yesterday=await self._revealed(daily.deal_of(yesterday, game.name), tries),
                    streak=streak,
                )
            )
        return found

    async def open(self, person: Person, name: str) -> TableActor:
        """The person's table for today's deal of a game: a new one the first time, and then always that one."""
        game = await self._registry.load_game(name)
        deal = daily.deal_of(daily.day_of(self._wall), game.name)
        kept = await self._storage.keep_first_item(person.id, deal, _encode(StoredTry(new_id())))
        table = _decode(kept).table
        if await self._storage.row(table) is not None:
            return await self._registry.get_fresh(table)
        try:
            return await self._open(person, game, table, deal)
        except Refused:  # no room for another table: the try is not used up
            await self._storage.remove_items(person.id, deal)
            raise

    async def _open(self, person: Person, game: Game, table: str, deal: str) -> TableActor:
        """A table under this id, with the cards of this deal: alone against bots, and at once."""
        self._registry.take_place(person.id)
        await self._registry.check_room(person.id)
        settings = p.TableSettings(seats=game.meta.usual_seats)
        secret = await self._secret(deal)
        opened = self._registry.opening(game, person.id, settings, starts_itself=True, deal=deal, secret=secret)
        placed: list[e.Entry] = [e.BotPlaced(seat, LEVEL) for seat in range(1, settings.seats)]
        # Sealed at once, without salts: the cards are those of all the others.
        sealed: list[e.Entry] = [e.Sealing(opened.at, opened.up), e.Sealed()]
        return await self._registry.create(game, [opened, *placed, e.Joined(0, person.id), *sealed], table=table)

    async def _result(self, person: str, deal: str, tried: StoredTry) -> p.DailyResult | None:
        """None while the game runs. The review is begun by the first who asks after the end."""
        row = await self._storage.row(tried.table)
        if row is None or row.phase != "ended":
            return None
        done = total = 0
        if tried.given_away is None:
            table = await self._registry.get_fresh(tried.table)
            ending, seat = table.state.ending, table.state.seat_of(person)
            if ending is None or ending.how != "played" or seat is None or not daily.is_secret(deal, row.changed):
                return p.DailyResult(False, False, None, 0, 0, *await self._others(deal, person, None))
            if tried.won is None:
                tried.won = seat in ending.winners
                await self._storage.keep_item(person, deal, _encode(tried))
            done, total = await self._look_at_review(table, seat, person, deal, tried)
        others = await self._others(deal, person, tried.given_away)
        return p.DailyResult(True, bool(tried.won), tried.given_away, done, total, *others)

    async def _look_at_review(
        self, table: TableActor, seat: int, person: str, deal: str, tried: StoredTry
    ) -> tuple[int, int]:
        """How far the review is; what it says is kept once it is there."""
        reviews, key = self._context.reviews, (table.state.id, seat)
        content = await reviews.get(key)
        if content is not None:
            tried.given_away = float(msgspec.json.decode(content)["given_away"])
            await self._storage.keep_item(person, deal, _encode(tried))
            return 0, 0
        progress = reviews.progress(key)
        if progress is None and reviews.can_start and table.match is not None and not reviews.take_failure(key):
            with contextlib.suppress(Refused):  # a server that has too much to do begins it later
                self._context.load.check_for_what_can_wait()
                progress = reviews.start(key, records.record(table.state, table.match))
        return (0, 0) if progress is None else (progress.done, progress.total)

    async def _others(self, deal: str, person: str, given_away: float | None) -> tuple[int, int, float | None]:
        """How many others have a result, how many of them gave away more, and the median of all."""
        stored = await self._storage.items_called(deal)
        figures = {whose: tried.given_away for whose, tried in ((w, _decode(c)) for w, c in stored.items())}
        known = [figure for whose, figure in figures.items() if figure is not None and whose != person]
        worse = 0 if given_away is None else sum(figure > given_away for figure in known)
        everybody = known if given_away is None else [*known, given_away]
        return len(known), worse, median(everybody) if everybody else None

    async def _revealed(self, deal: str, tries: dict[str, StoredTry]) -> p.RevealedDeal | None:
        """A deal that is over everywhere; None if nobody asked for it on its day."""
        secret = await self._storage.shared_secret(deal)
        if secret is None or daily.is_secret(deal, self._context.clock.believed_wall()):
            return None
        tried = tries.get(deal)
        players, _, middle = await self._others(deal, "", None)
        return p.RevealedDeal(
            deal=deal,
            commitment=fairness.commitment(deal, secret),
            secret=secret,
            table=None if tried is None else tried.table,
            given_away=None if tried is None else tried.given_away,
            players=players,
            median=middle,
        )

    async def _secret(self, deal: str) -> str:
        known = await self._storage.shared_secret(deal)  # only the first who asks on a day writes
        return known or await self._storage.deal_secret(deal, fairness.new_secret())

    async def _commitment(self, deal: str) -> str:
        return fairness.commitment(deal, await self._secret(deal))

    @property
    def _wall(self) -> float:
        return self._context.clock.wall()
