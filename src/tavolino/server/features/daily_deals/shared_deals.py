"""Deals that several people play, each alone against bots: one try for each person, compared without luck.

The try is the table that is kept for the person under the name of the deal. What counts is what the review of that game
says that the decisions gave away.
"""

from __future__ import annotations

import asyncio
import contextlib

import msgspec
from msgspec import Struct

from tavolino.coach.labels import FIRST_VERSION, JUDGE_VERSION
from tavolino.engine.game import Game
from tavolino.server import protocol as p
from tavolino.server.errors import Refused
from tavolino.server.features.reviews.feature import ReviewsFeature
from tavolino.server.games import fairness
from tavolino.server.kernel import entries as e
from tavolino.server.kernel import records
from tavolino.server.kernel.actor import TableActor
from tavolino.server.kernel.journal import Step
from tavolino.server.kernel.state import TableState
from tavolino.server.kernel.tables import new_id
from tavolino.server.people.identities import Person
from tavolino.server.storage import Item, ItemTaken
from tavolino.server.tables.registry import Registry

LEVEL: p.Level = "medium"


class StoredTry(Struct):
    """What is stored for a person: the table, and the result once the game is over and reviewed in time."""

    table: str
    won: bool | None = None
    given_away: float | None = None
    judge: int = FIRST_VERSION  # the version of the judge that said what was given away
    score: float | None = None  # in a tournament, once the game is over: the part of the win
    late: bool = False  # there: a stand-in has decided


class TryState(Struct):
    """The progress of a try. It counts if the game was played to its end in time."""

    has_ended: bool
    counts: bool = False
    done: int = 0  # of the review
    total: int = 0


encode_try = msgspec.json.Encoder().encode
decode_try = msgspec.json.Decoder(StoredTry).decode


class SharedDeals:
    def __init__(self, registry: Registry) -> None:
        self._registry, self._context = registry, registry.context
        self._storage = registry.context.storage

    async def open(
        self, person: Person, game: Game, deal: str, settings: p.TableSettings, withheld: bool = False
    ) -> TableActor:
        """The person's table for a deal: a new one the first time, and then always that one, even if it has been
        removed since. Parallel requests (a double click) wait for the same table. `withheld`: the server decides when
        it is opened, and its cards stay secret until nobody can play the deal any more."""
        opening, key = self._registry.opening_deals, (person.id, deal)
        if key not in opening:
            opening[key] = asyncio.create_task(self._open(person, game, deal, settings, withheld))
            opening[key].add_done_callback(lambda _: opening.pop(key))
        return await asyncio.shield(opening[key])

    async def has_begun(self, person: str, deal: str) -> bool:
        return await self._stored_try(person, deal) is not None

    async def _open(
        self, person: Person, game: Game, deal: str, settings: p.TableSettings, withheld: bool
    ) -> TableActor:
        stored = await self._stored_try(person.id, deal)
        if stored is None:
            try:
                return await self._create(person, game, deal, settings, withheld)
            except ItemTaken:  # by a request at another node
                stored = await self._stored_try(person.id, deal)
                assert stored is not None
        return await self._registry.get_fresh(stored.table)

    async def _stored_try(self, person: str, deal: str) -> StoredTry | None:
        content = (await self._storage.items(person, deal)).get(deal)  # `items` takes a prefix
        return None if content is None else decode_try(content)

    async def _create(
        self, person: Person, game: Game, deal: str, settings: p.TableSettings, withheld: bool
    ) -> TableActor:
        """A table with the cards of this deal: alone against bots, and at once. The try is stored with the table, so
        that a refused or failed request leaves nothing behind."""
        if withheld:
            self._context.load.check_for_new_table()
        else:
            self._registry.take_place(person.id)
            await self._registry.check_room(person.id)
        table = new_id()
        stored_try = Item(person.id, deal, encode_try(StoredTry(table)))
        secret = await self.secret(deal)
        opened = self._registry.opening(
            game, person.id, settings, starts_itself=True, deal=deal, secret=secret, withheld=withheld
        )
        placed: list[e.Entry] = [e.BotPlaced(seat, LEVEL) for seat in range(1, settings.seats)]
        # Sealed at once, without salts: the cards are those of all the others.
        sealed: list[e.Entry] = [e.Sealing(opened.at, opened.up), e.Sealed()]
        entries = [opened, *placed, e.Joined(0, person.id), *sealed]
        return await self._registry.create(game, Step(TableState(table), entries, item=stored_try))

    async def look_at(self, person: str, deal: str, tried: StoredTry, ends: float) -> TryState:
        """How far a try is, and what came of it, into `tried`. The first who looks after the end begins the review."""
        row = await self._storage.row(tried.table)
        if row is None or row.phase != "ended":
            return TryState(False)
        if self.is_judged(tried, ends):
            return TryState(True, True)
        table = await self._registry.get_fresh(tried.table)
        ending, seat = table.state.ending, table.state.seat_of(person)
        if ending is None or ending.how != "played" or seat is None or row.changed >= ends:
            return TryState(True)
        if tried.won is None:
            tried.won = seat in ending.winners
            await self._storage.keep_item(person, deal, encode_try(tried))
        return TryState(True, True, *await self._look_at_review(table, seat, person, deal, tried))

    def is_judged(self, tried: StoredTry, ends: float) -> bool:
        """Whether the result is there, by the judge of today or, for a deal that is over, by that of its time."""
        is_over = self._context.clock.wall() >= ends
        return tried.given_away is not None and (is_over or tried.judge == JUDGE_VERSION)

    async def _look_at_review(
        self, table: TableActor, seat: int, person: str, deal: str, tried: StoredTry
    ) -> tuple[int, int]:
        """How far the review is; what it says is kept once it is there."""
        reviews, key = ReviewsFeature.at(self._registry.features).reviews, (table.state.id, seat)
        content = await reviews.get(key, JUDGE_VERSION)
        if content is not None:
            tried.given_away, tried.judge = float(msgspec.json.decode(content)["given_away"]), JUDGE_VERSION
            await self._storage.keep_item(person, deal, encode_try(tried))
            return 0, 0
        progress = reviews.progress(key)
        if progress is None and reviews.can_start(person) and table.match is not None and not reviews.take_failure(key):
            with contextlib.suppress(Refused):  # a server that has too much to do begins it later
                self._context.load.check_for_what_can_wait()
                progress = reviews.start(key, records.record(table.state, table.match), person)
        return (0, 0) if progress is None else (progress.done, progress.total)

    async def secret(self, deal: str) -> str:
        known = await self._storage.shared_secret(deal)  # only the first who asks writes
        return known or await self._storage.deal_secret(deal, fairness.new_secret())

    async def commitment(self, deal: str) -> str:
        return fairness.commitment(deal, await self.secret(deal))
