"""The registry of all tables. Those in use are in memory; the others are loaded when somebody comes."""

from __future__ import annotations

import asyncio
import contextlib
import re

from tavolino.engine.errors import UnknownGame
from tavolino.engine.game import Game
from tavolino.engine.match import Match
from tavolino.server import protocol as p
from tavolino.server.context import Context
from tavolino.server.errors import Refused
from tavolino.server.kernel import deal, opening, rows
from tavolino.server.kernel import entries as e
from tavolino.server.kernel.actor import TableActor
from tavolino.server.kernel.change import NewTable
from tavolino.server.kernel.commands import Commands
from tavolino.server.kernel.entry_kinds import EntryKinds
from tavolino.server.kernel.feature import Features
from tavolino.server.kernel.inbox import RemoteEntries
from tavolino.server.kernel.journal import Journal, Step
from tavolino.server.kernel.state import TableState, seat_of
from tavolino.server.kernel.tables import new_id
from tavolino.server.people.identities import Person
from tavolino.server.storage import StorageError, TableDamaged, TableRow
from tavolino.server.tables.open_connections import OpenConnections

SLICE = 100  # idle tables that are checked at a time, about 2 ms if all are dropped
TABLE_ID = re.compile(r"[A-Za-z0-9_-]{22}")


class Registry:
    def __init__(self, context: Context, features: Features, kinds: EntryKinds) -> None:
        self.context, self.features, self.commands = context, features, Commands(features, context.limits)
        self.tables: dict[str, TableActor] = {}
        self.connections = OpenConnections()
        self.kinds, self._journal = kinds, Journal(context, kinds, features)
        self._loading: dict[str, asyncio.Task[TableActor]] = {}
        self.opening_deals: dict[tuple[str, str], asyncio.Task[TableActor]] = {}  # by person and shared deal
        self.leaving: set[str] = set()  # identities that are being deleted
        self.dropped: set[str] = set()  # tables that this node drove and has dropped from memory
        self.damaged: set[str] = set()  # tables whose stored entries are not as they were written
        self.unreadable: str | None = None  # why the data cannot be read, if so
        self.discarded = 0
        self.is_stopping = False

    # -- tables in memory

    async def get(self, table: str) -> TableActor:
        """A table by id, from memory, or from the storage if it is not there or its task has ended by an error."""
        if (found := self.tables.get(table)) is not None and (self.is_stopping or not found.is_stopped):
            found.used = self.context.clock.up()
            return found
        if not TABLE_ID.fullmatch(table):
            raise Refused("no-such-table")
        if table not in self._loading:
            self._loading[table] = asyncio.create_task(self._load(table))
            self._loading[table].add_done_callback(lambda _: self._loading.pop(table, None))
        return await asyncio.shield(self._loading[table])

    def has(self, table: str) -> bool:
        """Whether it is in memory, or will be in a moment."""
        return table in self.tables or table in self._loading

    async def get_fresh(self, table: str) -> TableActor:
        """A table with all its stored entries, because the person may have seen newer ones at another node."""
        is_read_now = table not in self.tables and table not in self._loading
        found = await self.get(table)
        if not is_read_now and await self.context.others.has_news(table, found.state.number):
            done = asyncio.Event()
            found.post(RemoteEntries(done=done.set))
            await done.wait()
        return found

    async def _load(self, table: str) -> TableActor:
        try:
            return await self._load_whole(table)
        except TableDamaged as damaged:
            self.note_damage(damaged)
            raise Refused("table-damaged") from None

    def note_damage(self, damaged: TableDamaged) -> None:
        if damaged.table not in self.damaged:
            self.context.log.error("stored entries are damaged or missing", error=str(damaged))
        self.damaged.add(damaged.table)

    def note_unreadable(self, error: StorageError) -> None:
        if str(error) != self.unreadable:
            self.context.log.error("stored data cannot be read", error=str(error))
        self.unreadable = str(error)

    async def _load_whole(self, table: str) -> TableActor:
        state = await self._journal.load(table)
        if state is None:
            raise Refused("no-such-table")
        game = await self.context.library.game(state.game)
        match = None
        if state.rules not in game.versions:
            state = await self._close_old(state)
        elif state.is_dealt and self.context.library.is_ready(state.game):
            match = await asyncio.to_thread(_replay, state, game)
        if state.phase != "ended":
            self.context.library.want(game.name)
        await self.context.people.learn_names(state.people)
        epoch = await self._lease(state)
        return self._start(state, game, match, epoch)

    async def _lease(self, state: TableState) -> int | None:
        """Drive a loaded table, unless another node does or can do so sooner."""
        if self.context.others.is_alone:
            return None
        if state.phase == "ended" or self.is_stopping or not self.context.library.is_ready(state.game):
            return 0
        return await self.context.others.lease(state.id)

    async def _close_old(self, state: TableState) -> TableState:
        """End a table whose rules version is not known here, nor at another node; its record is kept."""
        if state.phase == "ended":
            return state
        if await self.context.others.knows_rules(rules_name(state.game, state.rules)):
            raise Refused("other-version")
        (closed,) = await self._journal.append(Step(state, [e.Ended("closed", (), None, self.context.clock.wall())]))
        self.context.log.warning("table closed: unknown rules version", table=state.id, rules=state.rules)
        return closed

    async def remove(self, table: str) -> None:
        """Remove a table from memory and from the storage."""
        self.discard(table)
        await self.context.storage.remove_table(table)
        for feature in self.kinds.features.values():
            await feature.table_removed(self.context, table)

    def _keep(self, table: TableActor) -> TableActor:
        self.tables[table.state.id] = table
        self.context.others.table_loaded(table.state.id, wants_chat=table.state.number > 1)
        self.context.metrics.live_tables.set(len(self.tables))
        return table

    def discard(self, table: str) -> None:
        """Drop a table from memory. Its viewers reconnect and get it as it is stored."""
        if (gone := self.tables.pop(table, None)) is not None:
            gone.stop("reload")
            self.context.others.table_dropped(table)
            if gone.epoch:
                self.dropped.add(table)
            self.discarded += 1

    async def discard_idle(self, unused_since: float) -> None:
        """In slices: with thousands of tables, looking at all of them at once would delay everybody's moves."""
        names = list(self.tables)
        for first in range(0, len(names), SLICE):
            for name in names[first : first + SLICE]:
                table = self.tables.get(name)
                if table is not None and table.used < unused_since and table.is_idle:
                    self.discard(name)
            await asyncio.sleep(0)
        self.context.metrics.live_tables.set(len(self.tables))

    def end_polls(self) -> None:
        """The server stops soon: answer all requests that are waiting over HTTP."""
        self.is_stopping = True
        for table in self.tables.values():
            table.viewers.wake_polls()

    def stop(self) -> None:
        for table in self.tables.values():
            table.stop("stopping")

    async def check_may_see(self, state: TableState, person: str | None) -> None:
        """Refuse strangers the table of a deal that others may still play (threat 9)."""
        if state.seat_of(person) is None and await self._is_secret(state):
            raise Refused("still-secret")

    async def check_may_reveal(self, state: TableState) -> None:
        """Refuse the cards of a finished game also to its player, if others may still play the deal and must not learn
        of it."""
        if state.withheld and await self._is_secret(state):
            raise Refused("still-secret")

    async def _is_secret(self, state: TableState) -> bool:
        features, deal = self.kinds.features.values(), state.deal
        return deal is not None and any([await feature.is_secret(self.context, deal) for feature in features])

    async def is_awaited(self, table: str) -> bool:
        """Whether somebody may still play the deal of a finished table, or a feature has something to do there."""
        state, features = await self._journal.load(table), self.kinds.features.values()
        if state is None or await self._is_secret(state):
            return True
        return any([await feature.is_awaited(self.context, table) for feature in features])

    # -- new tables

    def new_id(self, host: str) -> str:
        return new_id()

    async def load_game(self, name: str) -> Game:
        try:
            return await self.context.library.game(name)
        except UnknownGame:
            raise Refused("no-such-game") from None

    async def open(self, host: Person, wanted: p.OpenTable, starts_itself: bool = False) -> TableActor:
        """Open a table. The host sits on the first seat without a bot."""
        game = await self.load_game(wanted.game)
        settings, seated = opening.placed(game, host.id, wanted, self.features.fixed_settings)
        self.take_place(host.id)
        await self.check_room(host.id)
        opened = self.opening(game, host.id, settings, starts_itself)
        return await self.create(game, Step(TableState(self.new_id(host.id)), [opened, *seated]))

    async def play_now(self, host: Person, wanted: p.PlayNow) -> TableActor:
        """Open a table with bots that starts by itself."""
        game = await self.load_game(wanted.game)
        return await self.open(host, opening.against_bots(game, wanted), starts_itself=True)

    def take_place(self, person: str) -> None:
        """The limit of one person is checked before the limit of all, and a refused table does not count."""
        if self.is_stopping:
            raise Refused("stopping")
        tables = self.context.limits.tables
        tables.check(person)
        self.context.load.check_for_new_table()
        tables.take(person)

    async def known(self, people: list[str]) -> set[str]:
        await self.context.people.learn_names(people)
        return {person for person in people if self._is_known(person)}

    def start_table(self, new: NewTable, state: TableState) -> None:
        self.context.library.want(new.game.name)
        self.context.metrics.tables_opened.labels(new.game.name).inc()
        self._start(state, new.game, None, self.context.others.first_epoch)

    def _start(self, state: TableState, game: Game, match: Match | None, epoch: int | None) -> TableActor:
        return self._keep(
            TableActor(self.context, self.features, self.commands, self, self._journal, state, game, match, epoch)
        )

    def _is_known(self, person: str) -> bool:
        return person not in self.leaving and self.context.people.name_of(person) is not None

    def opening(
        self,
        game: Game,
        host: str,
        settings: p.TableSettings,
        starts_itself: bool = False,
        deal: str | None = None,
        secret: str | None = None,
        withheld: bool = False,
    ) -> e.Opened:
        now, fixed = self.context.clock.now(), self.features.fixed_settings
        return opening.opened(
            game,
            host,
            settings,
            now,
            fixed,
            starts_itself=starts_itself,
            deal=deal,
            secret=secret,
            withheld=withheld,
        )

    async def create(self, game: Game, step: Step) -> TableActor:
        self.context.library.want(game.name)
        (state,) = await self._journal.append(step)
        await self.context.people.learn_names(state.people)
        self.context.metrics.tables_opened.labels(game.name).inc()
        return self._start(state, game, step.match, self.context.others.first_epoch)

    # -- people

    async def check_room(self, person: str) -> None:
        """Nobody opens or joins more tables than one person can play at."""
        if len(await self.unfinished(person)) >= self.context.limits.max_unfinished(person):
            raise Refused("too-many-tables")

    async def unfinished(self, person: str) -> list[TableRow]:
        """The tables where a person sits and the game has not ended."""
        found = await self.context.storage.rows_of(person, 10 * self.context.limits.max_unfinished(person))
        return [row for row in found if row.phase != "ended" and _sits_at(row, person)]

    async def rename(self, person: Person, name: str) -> p.Me:
        """Change a name; later, if the person plays a game without free chat, so that the name cannot signal."""
        people = self.context.people
        if await self._must_keep_name(person.id):
            return p.Me(person.name, new_name=await people.rename_later(person, name), program=person.is_program)
        return p.Me((await people.rename(person, name)).name, program=person.is_program)

    async def apply_new_names(self, people: list[str] | None = None) -> None:
        """Show the new names of people whose games without free chat are over; without `people`, of everybody."""
        for person, name in (await self.context.storage.new_names(people)).items():
            if not await self._must_keep_name(person):
                await self.context.people.rename(Person(person, ""), name)

    async def _must_keep_name(self, person: str) -> bool:
        running = {row.game for row in await self.unfinished(person) if row.phase in ("sealing", "playing")}
        for name in running:
            with contextlib.suppress(Refused):  # a game that is no longer installed
                if (await self.load_game(name)).meta.talk == "remarks":
                    return True
        return False

    # -- compiling

    async def follow_progress(self) -> None:
        """Notify the tables of a game of the progress of its compilation."""
        async for game in self.context.library.progress():
            for table in list(self.tables.values()):
                if table.state.game == game and table.state.phase != "ended":
                    try:
                        table.show_progress()
                    except Exception:  # of one table; the others are still notified
                        self.context.log.exception("table failed", table=table.state.id)


def rules_name(game: str, rules: str) -> str:
    """A version of a game's rules, as nodes tell each other which they know."""
    return f"{game} {rules}"


def _replay(state: TableState, game: Game) -> Match:
    try:
        return deal.replay(state, game)
    except Exception as error:  # a move that was accepted is not possible any more
        raise TableDamaged(state.id, f"its moves cannot be replayed ({type(error).__name__}: {error})") from None


def _sits_at(row: TableRow, person: str) -> bool:
    """Whether the person has a seat; an invitation does not count."""
    return seat_of(rows.card_of(row).seats(), person) is not None
