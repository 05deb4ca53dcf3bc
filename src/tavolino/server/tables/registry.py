"""The hall: all tables of a server. Those in use are in memory, the others are loaded when somebody comes."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import re
import secrets

from tavolino.engine.errors import UnknownGame
from tavolino.engine.game import Game
from tavolino.server import protocol as p
from tavolino.server.context import House
from tavolino.server.errors import Refused
from tavolino.server.games import fairness
from tavolino.server.people.identities import Person
from tavolino.server.storage import StorageError, TableRow
from tavolino.server.storage.uptime import HEARTBEAT_SECONDS
from tavolino.server.table import actor as live
from tavolino.server.table import deal as dealing
from tavolino.server.table import entries as e
from tavolino.server.table import inbox, snapshots
from tavolino.server.table import lobby as waiting
from tavolino.server.table.state import TableState
from tavolino.server.tables import listings as cards

TABLE_ID = re.compile(r"[A-Za-z0-9_-]{22}")
LISTED = 100
SWEEP_SECONDS = 60.0
IDLE_SECONDS = 300.0
USUAL_SEATS = {"infinity-gauntlet": 4, "mantis": 4, "splendor-marvel": 3}
DAY = 86_400


class Hall:
    def __init__(self, house: House) -> None:
        self.house = house
        self.tables: dict[str, live.LiveTable] = {}
        self._loading: dict[str, asyncio.Task[live.LiveTable]] = {}
        house.open_rematch = self.open_rematch
        house.discard = self.discard
        house.check_room = self.check_room
        house.shelf.on_progress = self._tell_progress

    # -- one table

    async def get(self, table: str) -> live.LiveTable:
        if (found := self.tables.get(table)) is not None:
            found.used = self.house.now()
            return found
        if not TABLE_ID.fullmatch(table):
            raise Refused("no-such-table")
        if table not in self._loading:
            self._loading[table] = asyncio.create_task(self._load(table))
            self._loading[table].add_done_callback(lambda _: self._loading.pop(table, None))
        return await asyncio.shield(self._loading[table])

    async def _load(self, table: str) -> live.LiveTable:
        state = await snapshots.load_state(self.house.storage, table)
        if state is None:
            raise Refused("no-such-table")
        game = await self.house.shelf.game(state.game)
        match = None
        if state.rules != game.rules:
            if state.phase != "ended":
                await self._close_old(state)
        elif state.is_dealt and self.house.shelf.is_ready(state.game):
            match = await asyncio.to_thread(dealing.replay, state, game)
        await self.house.people.learn_names(state.people)
        return self._keep(live.LiveTable(self.house, state, game, match))

    async def _close_old(self, state: TableState) -> None:
        """A table of rules that this version no longer knows ends with a clear word; its record is kept."""
        closed = e.Ended("closed", (), None, self.house.now())
        state.apply(closed)
        row = cards.row_of(state, None, self.house.now())
        await self.house.storage.append(row, state.number, [e.encode(closed)])
        self.house.log.warning("table closed: unknown rules version", table=state.id, rules=state.rules)

    def _keep(self, table: live.LiveTable) -> live.LiveTable:
        self.tables[table.state.id] = table
        self.house.metrics.live_tables.set(len(self.tables))
        return table

    def discard(self, table: str) -> None:
        """Forget a table's memory; whoever is there connects again and gets it as it is stored."""
        if (gone := self.tables.pop(table, None)) is not None:
            gone.stop("reload")

    # -- new tables

    async def load_game(self, name: str) -> Game:
        try:
            return await self.house.shelf.game(name)
        except UnknownGame:
            raise Refused("no-such-game") from None

    async def open(self, host: Person, wish: p.OpenTable, starts_itself: bool = False) -> live.LiveTable:
        game = await self.load_game(wish.game)
        options = waiting.check_settings(game, wish.seats, wish.options, wish.first_seat)
        bots = _bot_seats(wish)
        if len(bots) == wish.seats:
            raise Refused("table-full")
        self.house.table_limits.take(host.id)
        await self.check_room(host.id)
        opened = e.Opened(
            game=game.name,
            rules=game.rules,
            seats=wish.seats,
            host=host.id,
            secret=fairness.new_secret(),
            at=self.house.now(),
            options=options,
            first_seat=wish.first_seat,
            public=wish.public,
            seconds_per_move=wish.seconds_per_move,
            hints=wish.hints,
            starts_itself=starts_itself,
        )
        own = next(seat for seat in range(wish.seats) if seat not in bots)
        placed: list[e.Entry] = [e.BotPlaced(seat, level) for seat, level in bots.items()]
        return await self._found(game, [opened, *placed, e.Joined(own, host.id)])

    async def play_now(self, host: Person, wish: p.PlayNow) -> live.LiveTable:
        game = await self.load_game(wish.game)
        seats = USUAL_SEATS.get(wish.game, game.players[0]) if wish.seats is None else wish.seats
        bots = {str(seat): wish.level for seat in range(1, seats)}
        wanted = p.OpenTable(game=wish.game, seats=seats, bots=bots, hints=True)
        return await self.open(host, wanted, starts_itself=True)

    async def open_rematch(self, old_table: str, person: str) -> str:
        """The same people and bots, everybody one seat further on; whoever asks is the host."""
        self.house.table_limits.take(person)
        await self.check_room(person)
        old = (await self.get(old_table)).state
        game = await self.load_game(old.game)
        seats = len(old.places)
        opened = e.Opened(
            game=game.name,
            rules=game.rules,
            seats=seats,
            host=person,
            secret=fairness.new_secret(),
            at=self.house.now(),
            options=old.options,
            first_seat=old.first_seat,
            seconds_per_move=old.seconds_per_move,
            hints=old.hints,
        )
        entries: list[e.Entry] = [opened]
        for seat, place in enumerate(old.places):
            if place.person:
                entries.append(e.Joined((seat + 1) % seats, place.person))
            elif place.level:
                entries.append(e.BotPlaced((seat + 1) % seats, place.level))
        return (await self._found(game, entries)).state.id

    async def _found(self, game: Game, entries: list[e.Entry]) -> live.LiveTable:
        state = TableState(secrets.token_urlsafe(16))
        for entry in entries:
            state.apply(entry)
        row = cards.row_of(state, None, self.house.now())
        await self.house.storage.append(row, 1, [e.encode(entry) for entry in entries])
        await self.house.people.learn_names(state.people)
        self.house.metrics.tables_opened.labels(game.name).inc()
        return self._keep(live.LiveTable(self.house, state, game, None))

    async def check_room(self, person: str) -> None:
        """Nobody opens or joins more tables than one person can play at."""
        if len(await self._unfinished(person)) >= self.house.settings.limits.tables_per_person:
            raise Refused("too-many-tables")

    async def _unfinished(self, person: str) -> list[TableRow]:
        rows = await self.house.storage.rows_of(person, 10 * self.house.settings.limits.tables_per_person)
        return [row for row in rows if row.phase != "ended"]

    async def forget(self, person: Person) -> None:
        """Get up everywhere first: a host whom nobody can reach would block the others."""
        for row in await self._unfinished(person.id):
            with contextlib.suppress(Refused):  # in the seconds of a deal nobody gets up
                await (await self.get(row.table)).ask(person.id, p.Leave())
        await self.house.people.forget(person)

    # -- lists

    async def public(self, person: Person | None) -> list[p.TableCard]:
        return await self._cards(await self.house.storage.public_rows(LISTED), person)

    async def mine(self, person: Person) -> p.MyTables:
        found = await self._cards(await self.house.storage.rows_of(person.id, LISTED), person)
        playing = [card for card in found if card.phase != "ended"]
        finished = [card for card in found if card.phase == "ended"]
        return p.MyTables(playing, finished)

    async def _cards(self, rows: list[TableRow], person: Person | None) -> list[p.TableCard]:
        await self.house.people.learn_names(sorted({member for row in rows for member in row.members}))
        return [self._card(row, person.id if person else None) for row in rows]

    def _card(self, row: TableRow, person: str | None) -> p.TableCard:
        table = self.tables.get(row.table)
        if table is None:
            return cards.card_of(row, person, self.house.people.name_of, ())
        return cards.card_of(row, person, table.name_of, table.audience.online(table.state))

    # -- upkeep

    async def wake(self) -> None:
        """After a start: the tables where something happens by itself. People's tables wait for people."""
        for row in await self.house.storage.open_rows():
            if cards.needs_waking(row):
                with contextlib.suppress(Refused, StorageError):
                    await self.get(row.table)

    async def beat(self) -> None:
        while True:
            await asyncio.sleep(HEARTBEAT_SECONDS)
            with contextlib.suppress(StorageError):  # a full disk must not stop the heart
                await self.house.storage.still_alive(self.house.now())

    async def keep_house(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            with contextlib.suppress(StorageError):
                await self.sweep()
            gc.collect()

    async def sweep(self) -> None:
        """Idle tables leave memory, long abandoned ones end, old finished ones are removed."""
        now, settings = self.house.now(), self.house.settings
        for table in [each for each in self.tables.values() if each.is_idle and each.used < now - IDLE_SECONDS]:
            table.stop("reload")
            del self.tables[table.state.id]
        self.house.metrics.live_tables.set(len(self.tables))
        idle_since = now - settings.abandon_days * DAY
        for row in await self.house.storage.open_rows():
            if row.changed <= idle_since:
                (await self.get(row.table)).post(inbox.Abandon(idle_since))
        if settings.keep_days is not None:
            for gone in await self.house.storage.ended_before(int(now - settings.keep_days * DAY)):
                self.discard(gone)
                await self.house.storage.remove_table(gone)

    def _tell_progress(self, game: str) -> None:
        for table in self.tables.values():
            if table.state.game == game and table.state.phase != "ended":
                table.show_progress()

    def stop(self) -> None:
        for table in self.tables.values():
            table.stop("stopping")


def _bot_seats(wish: p.OpenTable) -> dict[int, p.Level]:
    bots: dict[int, p.Level] = {}
    for seat, level in wish.bots.items():
        if not seat.isdecimal() or len(seat) > 1 or int(seat) >= wish.seats:
            raise Refused("no-such-seat")
        bots[int(seat)] = level
    return bots
