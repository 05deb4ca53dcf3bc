"""The actor that owns a table: one task takes one item after another from the inbox, and only it changes the table.

What is asked is decided, written to the storage, and only then applied, acknowledged and shown: nobody ever sees a move
that the server could lose in a crash.
"""

from __future__ import annotations

import asyncio
import contextlib
from functools import partial
from weakref import WeakMethod

from msgspec import Raw

from tavolino.engine.game import Game
from tavolino.engine.match import Match
from tavolino.server import protocol as p
from tavolino.server.context import Context
from tavolino.server.errors import Refused
from tavolino.server.kernel import (
    chat,
    deal,
    decisions,
    in_game,
    messages,
    moves,
    notifying,
    others,
    plans,
    records,
    results,
    take_back,
    task,
)
from tavolino.server.kernel import entries as e
from tavolino.server.kernel.broadcast import Broadcast
from tavolino.server.kernel.deal import Change
from tavolino.server.kernel.handle import TableHandle
from tavolino.server.kernel.hints import Hints
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
)
from tavolino.server.kernel.journal import Journal, Step, refusal_code
from tavolino.server.kernel.mutes import Mutes
from tavolino.server.kernel.others import Tables
from tavolino.server.kernel.preconditions import dealt, seated
from tavolino.server.kernel.shared import SharedTable
from tavolino.server.kernel.state import TableState
from tavolino.server.kernel.turns import Turns
from tavolino.server.kernel.viewers import Viewers
from tavolino.server.kernel.watching import Watching
from tavolino.server.notifications.notifier import Turn
from tavolino.server.storage import JournalReplaced, NumberTaken, OutcomeUnknown, StorageError

LOGGED_BY_STORAGE = frozenset({"storage-full", "storage-broken"})  # by the storage, once
READ_AGAIN = (NumberTaken, OutcomeUnknown, JournalReplaced)
NOT_ADMITTED = frozenset({"too-many-sockets", "too-many-watching"})
NEEDS_MATCH = (
    p.Move, p.Resign, p.AskNotebook, p.AskHint, p.AskOffers, p.MakeRemark, p.AskTakeBack, p.AnswerTakeBack,
)  # fmt: skip
NEEDS_WORLDS = (p.AskNotebook, p.AskHint, p.AskOffers, p.AskTakeBack, p.AnswerTakeBack)


class TableActor(TableHandle, SharedTable):
    def __init__(
        self,
        context: Context,
        tables: Tables,
        journal: Journal,
        state: TableState,
        game: Game,
        match: Match | None,
        epoch: int | None = None,
    ) -> None:
        self.epoch = epoch
        self.state, self.game, self.match = state, game, match
        self.viewers = Viewers(context.settings.limits, context.clock.up, context.others)
        self.chat = chat.Chat()
        self.used = self.asked = context.clock.up()
        self._context, self._tables, self._journal = context, tables, journal
        self._inbox = Inbox(context.settings.limits.inbox)
        self._mutes = Mutes()
        self._broadcast = Broadcast(context, game, self.viewers, self._mutes, match)
        self._turns = Turns(context, game, self._inbox)
        self._hints = Hints(context)
        self.watching = Watching(context, self._mutes)
        self._inbox.put(Tick())  # something may be due already
        discard = partial(tables.discard, state.id)
        self._task = task.start(f"table {state.id}", self._inbox, self._take_safely, self._turn_away, discard)

    # -- what it shows

    async def wait_for_news(self, person: str | None, turn: int) -> None:
        """For polling: until more than `turn` decisions are made, this person must decide, or the game has ended."""
        while not self._has_news_for(person, turn):
            if self._tables.is_stopping:
                raise Refused("stopping")
            if self.is_stopped:
                raise Refused("busy")
            await self.viewers.news()

    def _has_news_for(self, person: str | None, turn: int) -> bool:
        if self.state.phase == "ended" or (self.match is not None and self.turn > turn):
            return True
        return self.to_act is not None and self.to_act == self.state.seat_of(person)

    def table_for(self, person: str | None) -> p.Table:
        return self._broadcast.table_for(self.state, person)

    def play_for(self, person: str | None, lines: int) -> p.Play:
        if self.match is None:
            raise Refused("still-compiling" if self._lacks_match else "not-started")
        seat, clock = self.state.seat_of(person), self._turns.clock(self.state, self.match)
        if self.state.taken_back:  # lines that somebody has may be among those that were taken back
            lines = 0
        return self._broadcast.play_for(self.state, self.match, seat, lines, clock)

    def name_of(self, person: str) -> str | None:
        return self._broadcast.name_of(self.state, person)

    @property
    def turn(self) -> int:
        """How many decisions have been made, those that were taken back included."""
        return self.state.turn

    @property
    def to_act(self) -> int | None:
        return deal.seat_to_act(self.state, self.match)

    # -- take from the inbox

    async def _take_safely(self, item: Item) -> None:
        """Whatever goes wrong concerns this item alone."""
        log, table = self._context.log, self.state.id
        try:
            await self._take(item)
        except Refused as refused:
            self._refuse(item, refused)
        except moves.MoveCrashed as crash:
            records.report_crash(self._context, self.state, self.match, crash)
            self._refuse(item, Refused("move-failed"))
        except StorageError as error:
            if (code := refusal_code(error)) not in LOGGED_BY_STORAGE:
                log.error("storage failed", table=table, error=str(error))
            self._refuse(item, Refused(code))
            if isinstance(error, READ_AGAIN):  # the table is read again from the storage, which has the outcome
                self._tables.discard(table)
        except Exception:
            self._context.metrics.crashes.inc()
            log.exception("table failed", table=table, item=type(item).__name__)
            self._refuse(item, Refused("internal"))

    def _refuse(self, item: Item, refused: Refused) -> None:
        code = refused.problem.code
        self._context.metrics.refusals.labels(code).inc()
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
                self.watching.leave(self.state, viewer)
                if self.viewers.remove(viewer):
                    self._broadcast.show_table(self.state)
                    self.publish_presence()
                if self.state.phase == "ended" and self.is_idle:
                    self._tables.discard(self.state.id)
            case Abandon(number=number):
                if self.state.phase != "ended" and self.state.number == number:
                    await self._commit(Change([e.Ended("abandoned", (), None, self._context.clock.wall())]))
            case Close():
                if self.state.phase != "ended":
                    await self._commit(Change([e.Ended("closed", (), None, self._context.clock.wall())]))
            case RemoteEntries():
                await self._apply_remote(item)
            case Drive(epoch=epoch):
                self._drive(epoch)
            case Tick():
                pass

    async def _go_on(self) -> None:
        """Make the change that is due without a command."""
        if self._lacks_match and self._context.library.is_ready(self.state.game):
            self.match = await asyncio.to_thread(deal.replay, self.state, self.game)
            self._show_play()
        if self.epoch == 0:  # another node does
            self._turns.stop()
            return
        while (change := self._turns.next_change(self.state, self.match, self.viewers.gone_for)) is not None:
            await self._commit(change, epoch=self.epoch or 0)

    @property
    def _lacks_match(self) -> bool:
        """Loaded before its game's rules were compiled."""
        return self.state.is_dealt and self.match is None and self.state.rules in self.game.versions

    # -- decide

    async def _answer(self, asked: Asked) -> None:
        command, person = asked.command, asked.person
        match command:
            case p.Ping(ref=ref):
                asked.reply(p.Pong(ref))
            case p.Hello():
                await self._greet(asked, command)
            case _ if isinstance(command, p.RoomCommand):
                await self.watching.answer(self.state, self.game, asked)
            case _ if person is None:
                raise Refused("no-identity")
            case _ if self._lacks_match and isinstance(command, NEEDS_MATCH):
                raise Refused("still-compiling")
            case _ if isinstance(command, NEEDS_WORLDS) and not self._context.library.has_worlds(self.state.game):
                raise Refused("still-compiling")
            case p.Move(ref=ref):
                change = moves.decide(self.state, self.match, person, command, self._context.clock.now())
                await self._commit(change, asked, p.Accepted(ref, turn=self.turn + 1))
                self._context.metrics.moves.labels(self.state.game, "person").inc()
            case p.AskNotebook(ref=ref):
                seat = seated(self.state, person)
                known, payers = (self.state.id, self.state.number, seat, dealt(self.match)), (asked.payer, person)
                content = await self._context.notebooks.get(*known, messages.notebook, payers)
                asked.reply(p.Notebook(ref, self.turn, Raw(content)))  # type: ignore[arg-type]
            case p.AskOffers():
                self._context.limits.changes.take(person)
                asked.reply(await plans.offered(self.state, dealt(self.match), person, command))
            case p.AskHint(ref=ref):
                self._hints.ask(self.state, self.match, person, ref, asked.reply)
            case p.Say() | p.React() | p.MakeRemark():
                self._speak(person, command)
                asked.reply(p.Accepted(command.ref))
            case p.Mute(ref=ref) if self.state.seat_of(person) is None:
                self._mutes.note(self.state, person, command)
                asked.reply(p.Accepted(ref))
                self._show_to(asked)
            case p.AskTakeBack() | p.AnswerTakeBack():
                self._context.limits.changes.take(person)
                now = self._context.clock.now()
                work = partial(self._context.limits.work.in_thread, asked.payer)
                change = await take_back.decide(self.state, self.match, person, command, now, work)
                await self._commit(change, asked, p.Accepted(command.ref))
            case p.AskRematch(ref=ref):
                change, table = await others.rematch(self._tables, self.state, person)
                await self._commit(change, asked, p.Accepted(ref, table=table))
            case p.SetWebhook(ref=ref, url=url):
                self._context.limits.changes.take(person)
                entries = await notifying.set_webhook(self.state, self._context.notifier, person, url)
                await self._commit(Change(entries), asked, p.Accepted(ref))
            case p.Invite(ref=ref):
                self._context.limits.changes.take(person)
                entries = await others.invite(self._tables, self._context.people, self.state, person, command)
                await self._commit(Change(entries), asked, p.Accepted(ref))
            case _:
                self._context.limits.changes.take(person)  # each of these is stored as long as the table is
                if isinstance(command, p.Join):
                    await self._tables.check_room(person)
                await self._commit(Change(self._decide(person, command)), asked, p.Accepted(ref_of(command)))

    def _decide(self, person: str, command: p.Command) -> list[e.Entry]:
        now = self._context.clock.now()
        return decisions.decide(self.state, self.match, self.game, person, command, now, self._gone_for, self._is_late)

    def _gone_for(self, seat: int) -> float:
        return self.viewers.gone_for(self.state.places[seat].person)

    def _is_late(self, seat: int) -> bool:
        return self._turns.is_late(self.state, self.match, seat)

    async def _move_for(self, choice: BotChose) -> None:
        self.used = self._context.clock.up()
        by = self._turns.accept(choice, self.state, self.match)
        if by is None or self.match is None or self.epoch == 0:
            return
        change = moves.move(self.match, choice.seat, choice.action, by, self._context.clock.now())
        await self._commit(change, epoch=self.epoch or 0)
        self._context.metrics.moves.labels(self.state.game, by).inc()

    def _speak(self, person: str, command: chat.ChatCommand) -> None:
        self._context.limits.chat.take(person)
        utterance = chat.utterance(self.state, self.match, self.game, person, self.name_of(person) or "", command)
        self.chat.add(utterance)
        self._broadcast.pass_on(self.state, utterance)
        self._context.others.publish_chat(self.state.id, [utterance])

    async def _greet(self, asked: Asked, hello: p.Hello) -> None:
        """Admit a connection and send it everything; a player's hello also ends an absence."""
        viewer, state = asked.viewer, self.state
        if viewer is None or viewer in self.viewers:
            raise Refused("bad-message")
        self.viewers.add(viewer, state)
        if viewer.person:
            self._context.notifier.person_came(state.id, viewer.person)
            await self._context.people.learn_names([viewer.person])
        await self.learn_ratings()
        seat = state.seat_of(viewer.person)
        viewer.tell(p.TableNews(self.table_for(viewer.person)))
        viewer.tell(p.Talk(self.chat.heard_by(seat, self._mutes.of(state, viewer.person))))
        if self.match is not None:
            viewer.tell(self.play_for(viewer.person, hello.lines))
        self._broadcast.show_table(state, but=viewer)
        self.publish_presence()
        await self._retried(lambda: self._come_back(viewer.person))

    async def _come_back(self, person: str | None) -> None:
        seat = self.state.seat_of(person)
        if seat is not None and self.state.phase == "playing":
            back = in_game.come_back(self.state, seat, self._context.clock.wall(), self._is_late(seat))
            await self._commit(Change(back))

    # -- commit, apply, show

    async def _commit(
        self, change: Change, asked: Asked | None = None, answer: p.News | None = None, epoch: int = 0
    ) -> None:
        """Write the entries; when they are durable, apply them, acknowledge, and show what changed.

        `epoch`: of the lease, for what nobody has asked for.
        """
        entries, before = change.entries, self.state.number
        if entries:
            match, rematch = change.match or self.match, change.rematch
            steps = [Step(self.state, entries, match, epoch)]
            if rematch is not None:
                steps.append(Step(TableState(rematch.table), rematch.entries))
            self.state, *started = await self._journal.append(*steps)
            self.match = match
            if rematch is not None:
                self._tables.start_table(rematch, *started)
            if any(isinstance(entry, e.Ended) for entry in entries):
                with contextlib.suppress(StorageError):  # they wait for the next game's end, or the next start
                    await self._tables.apply_new_names(self.state.people)
        if asked is not None and answer is not None:
            asked.reply(answer)
        if entries:
            await self._show(entries)
            await self._journal.keep_snapshot(before, self.state)
            if any(isinstance(entry, e.Ended) for entry in entries):
                with contextlib.suppress(StorageError):  # the next sweep does it
                    await results.settle(self._context, self.state, self.game)

    async def _show(self, entries: list[e.Entry], is_ours: bool = True) -> None:
        """`is_ours`: this node has written them, so it also counts what has ended."""
        await self._context.people.learn_names(self.state.people)
        await self.learn_ratings()
        if self.match is not None and any(isinstance(entry, e.Moved | e.Dealt | e.TakenBack) for entry in entries):
            self._show_play()
        others = [entry for entry in entries if not isinstance(entry, e.Moved)]
        if all(isinstance(entry, e.PRIVATE) for entry in others):
            self._broadcast.show_private(self.state, entries)
        else:
            self._broadcast.show_table(self.state)
        self.viewers.wake_polls()
        if any(isinstance(entry, e.Moved | e.Ended) for entry in entries):
            self._context.notifier.stop_waiting_at(self.state.id)
        for entry in entries:
            if is_ours and isinstance(entry, e.Ended):
                self._context.metrics.games_ended.labels(self.state.game, entry.how).inc()
                self._context.notifier.table_ended(self.state.id, self.state.webhook)
        if (turn := notifying.turn_begun(self.state, self.match, entries, self.name_of)) is not None:
            self._notify(turn)

    def _notify(self, turn: Turn) -> None:
        """Have the person notified if they do not come. A waiting notification does not keep the table in memory."""
        method = WeakMethod(self._is_missed)
        self._context.notifier.turn_began(turn, lambda: (is_missed := method()) is not None and is_missed(turn.person))

    def _is_missed(self, person: str) -> bool:
        return notifying.is_missed(self.state, self.match, self.viewers, person, self._context.clock.up())

    def _show_to(self, asked: Asked) -> None:
        """A change for the sender alone is not sent to others."""
        if asked.viewer is not None:
            asked.viewer.tell(p.TableNews(self.table_for(asked.person)))

    def _show_play(self) -> None:
        assert self.match is not None
        self._broadcast.show_play(self.state, self.match, self._turns.clock(self.state, self.match))
