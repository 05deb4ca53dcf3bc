"""The actor that owns a table: one task takes one item after another from the inbox, and only it changes the table.

What is asked is decided, written to the storage, and only then applied, acknowledged and shown: nobody ever sees a move
that the server could lose in a crash. The table in memory is a cache of its journal (decision 052): other nodes may
write to it, too.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from typing import Any

from tavolino.engine.game import Game
from tavolino.engine.match import Match
from tavolino.server import protocol as p
from tavolino.server.clock import Moment
from tavolino.server.errors import Refused
from tavolino.server.kernel import absence, deal, moves, records, task
from tavolino.server.kernel import entries as e
from tavolino.server.kernel.broadcast import Broadcast
from tavolino.server.kernel.change import Change
from tavolino.server.kernel.commands import Commands
from tavolino.server.kernel.feature import Features, Pause
from tavolino.server.kernel.inbox import (
    Abandon,
    Asked,
    BotChose,
    Close,
    Drive,
    Gone,
    Inbox,
    Item,
    RemoteEntries,
    Tick,
    ref_of,
    with_reply,
)
from tavolino.server.kernel.journal import Journal, Step, follow, refusal_code
from tavolino.server.kernel.services import Services
from tavolino.server.kernel.state import TableState
from tavolino.server.kernel.tables import Tables
from tavolino.server.kernel.turns import Turns
from tavolino.server.kernel.viewers import Viewers
from tavolino.server.storage.errors import JournalReplaced, LeaseLost, NumberTaken, OutcomeUnknown, StorageError

LOGGED_BY_STORAGE = frozenset({"storage-full", "storage-broken"})  # by the storage, once
READ_AGAIN = (NumberTaken, OutcomeUnknown, JournalReplaced)
NOT_ADMITTED = frozenset({"too-many-sockets", "too-many-watching"})
MOVE_CARDS = (e.Moved, e.Dealt, e.TakenBack)
MAX_RETRIES = 5  # of one command, while another node writes to its table
LATE_SECONDS = 2.0  # from a decision to the last viewer here: a change that takes longer is logged
OF_THE_STATE = (403, 409, 422)  # statuses of refusals that depend on the state of the table


class TableActor:
    def __init__(
        self,
        services: Services,
        features: Features,
        commands: Commands,
        tables: Tables,
        journal: Journal,
        state: TableState,
        game: Game,
        match: Match | None,
        epoch: int | None = None,
    ) -> None:
        self.epoch = (
            epoch  # of the lease under which this node drives the table; 0: another one does; None: it is alone
        )
        self.state, self.game, self.match, self.tables = state, game, match, tables
        self.viewers = Viewers(state.id, services.settings.limits, services.clock.up, services.others)
        self.attached: dict[str, Any] = {}  # what features keep in memory for this table, by their names
        self.used = self.asked = services.clock.up()  # when it was last needed; when a request last came for it
        self._services, self._features, self._commands, self._journal = services, features, commands, journal
        self._inbox = Inbox(services.settings.limits.inbox)
        self._broadcast = Broadcast(services, features, match)
        self._turns = Turns(services, features, self._inbox)
        self._inbox.put(Tick())  # something may be due already
        discard = partial(tables.discard, state.id)
        self._task = task.start(f"table {state.id}", self._inbox, self._take_safely, self._turn_away, discard)

    # -- for other tasks: ask, post, stop

    async def ask(self, person: str | None, command: Any, address: str | None = None) -> p.News:
        """Carry out a command over HTTP, and wait for the answer. Refusals are raised."""
        self.asked = self._services.clock.up()
        if person is not None:
            if self.viewers.has_polled(person):
                self._services.others.publish_poll(self.state.id, person)
            self.came(person)
        asked, reply = with_reply(person, command, address)
        self.post(asked)
        answer = await reply
        if isinstance(answer, p.Refused):
            problem = answer.problem
            raise Refused(problem.code, problem.params, problem.rule, problem.key)
        return answer

    def post(self, item: Item) -> None:
        """Put an item into the inbox. A full inbox refuses commands; other items always fit: the choice of a bot that
        was dropped would never come again."""
        self.used = self._services.clock.up()
        if self.is_stopped and isinstance(item, Asked) and item.viewer is not None:
            item.viewer.close("reload")
        if self.is_stopped or (isinstance(item, Asked) and not self._inbox.has_room_for(item.person)):
            self._turn_away(item)
        else:
            self._inbox.put(item)

    def _turn_away(self, item: Item) -> None:
        if isinstance(item, Asked):
            item.reply(p.Refused(ref_of(item.command), Refused("busy").problem))
        elif isinstance(item, Gone):
            self.viewers.remove(item.viewer)
        elif isinstance(item, RemoteEntries):
            item.done()

    @property
    def is_idle(self) -> bool:
        """Whether it can be dropped from memory: nobody is connected, and it waits for nothing."""
        return not self.viewers and not self._turns.is_waiting and not self._inbox

    def is_unvisited(self, since: float) -> bool:
        """Whether nobody is connected here, or has asked for it since then."""
        return self.viewers.is_empty and self.asked < since and not self._inbox

    @property
    def is_stopped(self) -> bool:
        """No longer in the registry: callers that still hold it must ask the registry again."""
        return self._task.cancelling() > 0 or self._task.done()

    def stop(self, code: str) -> None:
        for viewer in self.viewers:
            viewer.close(code)
        self._task.cancel()
        for item in self._inbox.take_all():  # those who asked over HTTP wait for an answer
            self._turn_away(item)
        self._turns.stop()
        for stopped in self._features.stopped:
            stopped(self)
        self.viewers.wake_polls()

    # -- what it shows

    async def wait_for_news(self, person: str | None, turn: int) -> None:
        """For polling: until more than `turn` decisions are made, this person must decide, or the game has ended."""
        while not self._has_news_for(person, turn):
            if self.tables.is_stopping:
                raise Refused("stopping")
            if self.is_stopped:
                raise Refused("busy")
            await self.viewers.news()

    def _has_news_for(self, person: str | None, turn: int) -> bool:
        if self.state.phase == "ended" or (self.match is not None and self.turn > turn):
            return True
        return self.to_act is not None and self.to_act == self.state.seat_of(person)

    @property
    def fixed_settings(self) -> frozenset[str]:
        """Settings that this server does not have, because their feature is switched off."""
        return self._features.fixed_settings

    def table_for(self, person: str | None) -> p.Table:
        return self._broadcast.table_for(self, person)

    def play_for(self, person: str | None, lines: int) -> p.Play:
        if self.match is None:
            raise Refused("still-compiling" if self.lacks_match else "not-started")
        if self.state.taken_back:  # lines that somebody has may be among those that were taken back
            lines = 0
        return self._broadcast.play_for(self, self.match, self.state.seat_of(person), lines, self._turns.clock(self))

    def name_of(self, person: str) -> str | None:
        return self._broadcast.name_of(self, person)

    async def prepare(self) -> None:
        """Read what features show, before `table_for`."""
        for prepare in self._features.prepare:
            await prepare(self.state)

    def unfreeze_name(self, person: str) -> None:
        """Somebody's name was taken away, and must not be shown any more, frozen or not."""
        if person in self.state.people or any(viewer.person == person for viewer in self.viewers):
            self._broadcast.unfreeze_name(person)
            self._broadcast.show_table(self)

    def show_progress(self) -> None:
        """The game's rules are being compiled, or are ready now."""
        self._broadcast.show_table(self)
        self.post(Tick())

    def show_to(self, asked: Asked) -> None:
        """A change for the sender alone is not sent to others."""
        if asked.viewer is not None:
            asked.viewer.tell(p.TableNews(self.table_for(asked.person)))

    # -- what deciders ask

    @property
    def now(self) -> Moment:
        return self._services.clock.now()

    @property
    def turn(self) -> int:
        """How many decisions have been made, those that were taken back included."""
        return self.state.turn

    @property
    def to_act(self) -> int | None:
        return deal.seat_to_act(self.state, self.match)

    def gone_for(self, seat: int) -> float:
        """For how many seconds the player of a seat has been absent; 0 while connected."""
        return self.viewers.gone_for(self.state.places[seat].person)

    def is_late(self, seat: int) -> bool:
        return self._turns.is_late(self, seat)

    def paused(self, seat: int) -> Pause | None:
        """Why the clock of a seat stands now."""
        return self._turns.paused(self, seat)

    def is_absence_noted(self, seat: int) -> bool:
        for is_noted in self._features.is_absence_noted:
            if is_noted(self.state, seat):
                return True
        return False

    # -- take from the inbox

    async def _take_safely(self, item: Item) -> None:
        """Whatever goes wrong concerns this item alone."""
        log, table = self._services.log, self.state.id
        try:
            await self._take(item)
        except Refused as refused:
            self._refuse(item, refused)
        except moves.MoveCrashed as crash:
            records.report_crash(self._services, self.state, self.match, crash)
            self._refuse(item, Refused("move-failed"))
        except StorageError as error:
            if (code := refusal_code(error)) not in LOGGED_BY_STORAGE:
                log.error("storage failed", table=table, error=str(error))
            self._refuse(item, Refused(code))
            if isinstance(error, READ_AGAIN):  # the table is read again from the storage, which has the outcome
                self.tables.discard(table)
        except Exception:
            self._services.metrics.crashes.inc()
            log.exception("table failed", table=table, item=type(item).__name__)
            self._refuse(item, Refused("internal"))

    def _refuse(self, item: Item, refused: Refused) -> None:
        code = refused.problem.code
        self._services.metrics.refusals.labels(code).inc()
        if isinstance(item, Asked):
            item.reply(p.Refused(ref_of(item.command), refused.problem))
            if item.viewer is not None and code in NOT_ADMITTED:
                item.viewer.close(code)
        else:
            self._turns.retry()

    async def _take(self, item: Item) -> None:
        await self._retried(lambda: self._do(item))
        await self._retried(self._go_on)

    async def _do(self, item: Item) -> None:
        match item:
            case Asked():
                await self._with_news(lambda: self._answer(item))
            case BotChose():
                await self._move_for(item)
            case Gone(viewer=viewer):
                for gone in self._features.gone:
                    gone(self, viewer)
                if self.viewers.remove(viewer):
                    self._broadcast.show_table(self)
                    self.publish_presence()
                if self.state.phase == "ended" and self.is_idle:
                    self.tables.discard(self.state.id)
            case Abandon(number=number):
                if self.state.phase != "ended" and self.state.number == number:
                    await self._commit(Change([e.Ended("abandoned", (), None, self._services.clock.wall())]))
            case Close():
                if self.state.phase != "ended":
                    await self._commit(Change([e.Ended("closed", (), None, self._services.clock.wall())]))
            case RemoteEntries():
                await self._apply_remote(item)
            case Drive(epoch=epoch):
                self._drive(epoch)
            case Tick():
                pass

    async def _go_on(self) -> None:
        """Make the change that is due without a command."""
        if self.lacks_match and self._services.library.is_ready(self.state.game):
            self.match = await asyncio.to_thread(deal.replay, self.state, self.game)
            self._show_play()
        if self.epoch == 0:  # another node does
            self._turns.stop()
            return
        while (change := self._turns.next_change(self)) is not None:
            await self._commit(change, epoch=self.epoch or 0)

    @property
    def lacks_match(self) -> bool:
        """Loaded before its game's rules were compiled."""
        return self.state.is_dealt and self.match is None and self.state.rules in self.game.versions

    # -- decide

    async def _answer(self, asked: Asked) -> None:
        command = asked.command
        if isinstance(command, p.Ping):
            asked.reply(p.Pong(command.ref))
            return
        if isinstance(command, p.Hello):
            await self._greet(asked, command)
            return
        handler, request = self._commands.checked(self, self._services, asked)
        outcome = handler.handle(request)
        if isinstance(outcome, Awaitable):
            outcome = await outcome
        if isinstance(outcome, Change):
            await self._commit(outcome, asked)
            if isinstance(command, p.Move):
                self._services.metrics.moves.labels(self.state.game, "person").inc()
        elif outcome is not None:
            asked.reply(outcome)

    async def _move_for(self, choice: BotChose) -> None:
        self.used = self._services.clock.up()
        by = self._turns.accept(self, choice)
        if by is None or self.match is None or self.epoch == 0:
            return
        change = moves.move(self.match, choice.seat, choice.action, by, self._services.clock.now())
        await self._commit(change, epoch=self.epoch or 0)
        self._services.metrics.moves.labels(self.state.game, by).inc()

    async def _greet(self, asked: Asked, hello: p.Hello) -> None:
        """Admit a connection and send it everything; a player's hello also ends an absence."""
        viewer = asked.viewer
        if viewer is None or viewer in self.viewers:
            raise Refused("bad-message")
        self.viewers.add(viewer, self.state)
        if viewer.person:
            self.came(viewer.person)
            await self._services.people.learn_names([viewer.person])
        await self.prepare()
        viewer.tell(p.TableNews(self.table_for(viewer.person)))
        for greet in self._features.greet:
            greet(self, viewer)
        if self.match is not None:
            viewer.tell(self.play_for(viewer.person, hello.lines))
        self._broadcast.show_table(self, but=viewer)
        self.publish_presence()
        await self._retried(lambda: self._come_back(viewer.person))

    async def _come_back(self, person: str | None) -> None:
        seat = self.state.seat_of(person)
        if seat is not None and self.state.phase == "playing":
            await self._commit(Change(absence.come_back(self, seat)))

    # -- commit, apply, show

    async def _commit(self, change: Change, asked: Asked | None = None, epoch: int = 0) -> None:
        """Write the entries; when they are durable, apply them, acknowledge, and show what changed.

        `epoch`: of the lease, for what nobody has asked for.
        """
        entries, before = change.entries, self.state.number
        has_ended = e.Ended in map(type, entries)
        if entries:
            match, opens = change.match or self.match, change.opens
            steps = [Step(self.state, entries, match, epoch)]
            if opens is not None:
                steps.append(Step(TableState(opens.table), opens.entries))
            begun = time.perf_counter()
            self.state, *started = await self._journal.append(*steps)
            stored = time.perf_counter()
            self.match = match
            if opens is not None:
                self.tables.start_table(opens, *started)
            if has_ended:
                with contextlib.suppress(StorageError):  # they wait for the next game's end, or the next start
                    await self.tables.apply_new_names(self.state.people)
        if asked is not None:
            asked.reply(change.answer or p.Accepted(ref_of(asked.command)))
        if entries:
            await self._show(entries)
            self._note_late(stored - begun, time.perf_counter() - stored)
            await self._journal.keep_snapshot(before, self.state)
            if has_ended:
                for ended in self._features.ended:
                    with contextlib.suppress(StorageError):  # the next sweep does it
                        await ended(self)

    def _note_late(self, storing: float, showing: float) -> None:
        """For whoever asks later where the time between a decision and its sight went."""
        if storing + showing > LATE_SECONDS:
            self._services.log.warning(
                "change was stored or shown late",
                table=self.state.id,
                number=self.state.number,
                turn=self.state.turn,
                seconds_to_store=round(storing, 2),
                seconds_to_show=round(showing, 2),
            )

    async def _show(self, entries: list[e.Entry], is_ours: bool = True) -> None:
        """Show viewers here what these entries have changed; `is_ours`: this node has written them."""
        await self._services.people.learn_names(self.state.people)
        kinds = {*map(type, entries)}
        if self.match is not None and not kinds.isdisjoint(MOVE_CARDS):
            self._show_play()
        if not self._journal.kinds.is_table_unchanged(kinds):
            await self.prepare()
            self._broadcast.show_table(self)
        elif concerned := self._broadcast.concerned(self.state, entries):
            await self.prepare()
            self._broadcast.show_table(self, only=concerned)
        self.viewers.wake_polls()
        if is_ours and e.Ended in kinds and self.state.ending is not None:
            self._services.metrics.games_ended.labels(self.state.game, self.state.ending.how).inc()
        for committed in self._features.committed.of(entries):
            await committed(self, entries, is_ours)

    def _show_play(self) -> None:
        assert self.match is not None
        self._broadcast.show_play(self, self.match, self._turns.clock(self))

    # -- entries of other nodes

    async def _retried(self, work: Callable[[], Awaitable[None]]) -> None:
        """Decide again on what another node has written in the meantime. Nothing was answered yet."""
        for _ in range(MAX_RETRIES):
            try:
                return await work()
            except NumberTaken:
                await self._catch_up()
            except LeaseLost:
                self._drive(0)
        return await work()

    async def _with_news(self, work: Callable[[], Awaitable[None]]) -> None:
        """Refuse a command only on the newest state: another node may have written what makes it right, and its message
        may not have arrived yet."""
        try:
            return await work()
        except Refused as refused:
            if self.epoch is None or refused.status not in OF_THE_STATE:
                raise
            number = self.state.number
            await self._catch_up()
            if self.state.number == number:
                raise
        return await work()

    async def _catch_up(self) -> None:
        await self._follow(await self._journal.news(self.state))

    async def _follow(self, entries: list[e.Entry]) -> None:
        """Apply and show what another node has written."""
        if entries:
            is_ready, kinds = self._services.library.is_ready(self.state.game), self._journal.kinds
            self.state, self.match = follow(kinds, self.state, self.match, self.game, entries, is_ready)
            await self._show(entries, is_ours=False)

    async def _apply_remote(self, wrote: RemoteEntries) -> None:
        """Another node has written entries: it has published them, or they were found in the storage."""
        try:
            if not wrote.entries:
                await self._catch_up()
            elif wrote.number > self.state.number:  # else it is known already
                entries = self._journal.checked_remote(self.state, wrote.number, list(wrote.entries), wrote.hashed)
                await (self._catch_up() if entries is None else self._follow(entries))
        finally:
            wrote.done()

    def _drive(self, epoch: int) -> None:
        if self.epoch is not None:
            self.epoch = epoch
        if not epoch:
            self._turns.stop()

    # -- who is there

    def came(self, person: str) -> None:
        for came in self._features.came:
            came(self, person)

    def publish_presence(self) -> None:
        """Tell other nodes who is connected to this one."""
        people, nameless = self.viewers.here()
        self._services.others.publish_presence(self.state.id, people, nameless)

    def presence_changed(self, come: Iterable[str], left: Iterable[str]) -> None:
        """Who is connected elsewhere has changed."""
        self.viewers.note_left(left)
        for person in come:
            self.came(person)
        self._broadcast.show_table(self)
