"""A table in memory. One task owns it and takes one thing after the other from its inbox.

What is asked is decided, written to the storage, and only then applied, acknowledged and shown: nobody ever
sees a move that a dead server could forget.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Iterable, Iterator

from tavolino.engine.game import Game
from tavolino.engine.match import Match
from tavolino.server import protocol as p
from tavolino.server.context import House
from tavolino.server.errors import Refused
from tavolino.server.storage import NumberTaken, StorageError, StorageFull
from tavolino.server.table import chat as talk
from tavolino.server.table import deal as dealing
from tavolino.server.table import entries as e
from tavolino.server.table import hints as asides
from tavolino.server.table import in_game as playing
from tavolino.server.table import lobby as waiting
from tavolino.server.table import messages as outgoing
from tavolino.server.table import moves, snapshots
from tavolino.server.table.inbox import Abandon, Asked, BotChose, Gone, Inbox, Item, Tick, ref_of
from tavolino.server.table.state import TableState
from tavolino.server.table.viewers import Audience
from tavolino.server.tables import listings as cards
from tavolino.server.transport.connection import Connection

NOT_LET_IN = frozenset({"too-many-sockets", "too-many-watching"})


class LiveTable:
    def __init__(self, house: House, state: TableState, game: Game, match: Match | None) -> None:
        self.house = house
        self.state = state
        self.game = game
        self.match = match
        self.audience = Audience(house.settings.limits, house.now)
        self.talk = talk.Talk()
        self._names: dict[str, str] = {}
        self.used = house.now()
        self._inbox = Inbox(house.settings.limits.inbox)
        self._timer: asyncio.TimerHandle | None = None
        self._lines = 0 if match is None else match.lines  # what all viewers have seen
        self._thinking: tuple[int, asyncio.Task[None]] | None = None
        self._hinting: set[asyncio.Task[None]] = set()
        self._task = asyncio.create_task(self._own(), name=f"table {state.id}")

    # -- from outside

    async def ask(self, person: str | None, command: p.Command) -> p.News:
        """Ask over HTTP: waits for the answer. Refusals are raised."""
        future: asyncio.Future[p.News] = asyncio.get_running_loop().create_future()

        def reply(news: p.News) -> None:
            if not future.done():
                future.set_result(news)

        if person is not None:
            self.audience.has_polled(person)
        self.post(Asked(person, command, reply))
        news = await future
        if isinstance(news, p.Refused):
            raise Refused(news.problem.code, news.problem.params, news.problem.rule, news.problem.key)
        return news

    def post(self, item: Item) -> None:
        """Put something into the inbox; a full one refuses what people ask. Whatever the table itself waits for comes
        in all the same: a bot's choice that is lost would never be made again."""
        self.used = self.house.now()
        if self.is_stopped and isinstance(item, Asked) and item.connection is not None:
            item.connection.close("reload")
        if self.is_stopped or (isinstance(item, Asked) and not self._inbox.has_room_for(item.person)):
            self._turn_away(item)
        else:
            self._inbox.put(item)

    def _turn_away(self, item: Item) -> None:
        if isinstance(item, Asked):
            item.reply(p.Refused(ref_of(item.command), Refused("busy").problem))
        elif isinstance(item, Gone):
            self.audience.remove(item.connection)

    def show_progress(self) -> None:
        """The game's rules are being compiled, or are ready now."""
        self._show_table()
        self.post(Tick())

    @property
    def turn(self) -> int:
        return len(self.state.actions)

    @property
    def to_act(self) -> int | None:
        return self.match.to_act if self.match is not None and self.state.phase == "playing" else None

    @property
    def is_idle(self) -> bool:
        """Nobody is here and nothing is waited for: it can be loaded again when somebody comes."""
        return not self.audience and self._thinking is None and self._timer is None and not self._inbox

    def has_news_for(self, person: str | None, turn: int) -> bool:
        """Whether somebody who knows `turn` decisions need not wait any longer."""
        if self.state.phase == "ended" or (self.match is not None and self.turn > turn):
            return True
        return self.to_act is not None and self.to_act == self.state.seat_of(person)

    @property
    def is_stopped(self) -> bool:
        """Out of the hall: whoever still holds it must ask the hall again."""
        return self._task.cancelling() > 0 or self._task.done()

    def stop(self, code: str) -> None:
        for connection in self.audience:
            connection.close(code)
        self._task.cancel()
        if self._timer is not None:
            self._timer.cancel()
        for item in self._inbox.take_all():  # whoever asked over HTTP still waits for a word
            self._turn_away(item)
        for task in (*self._hinting, *((self._thinking[1],) if self._thinking else ())):
            task.cancel()

    def shown_to(self, person: str | None) -> p.Table:
        state = self.state
        online, watching = self.audience.online(state), self.audience.watching(state)
        if self._is_silent and state.seat_of(person) is not None:
            watching = [""] * len(watching)
        readiness = self.house.shelf.readiness(state.game)
        return outgoing.table(state, person, self.name_of, online, watching, readiness)

    @property
    def _is_silent(self) -> bool:
        """No free word may reach a seat now (IG-93): not by way of a name either."""
        return self.state.phase == "playing" and talk.has_remarks(self.state.game)

    def name_of(self, person: str) -> str | None:
        """What somebody is called here: where no word is free, as when the cards were dealt."""
        name = self.house.people.name_of(person)
        return self._names.setdefault(person, name) if name is not None and self._is_silent else name

    def play_for(self, viewer: int | None, lines: int) -> p.Play:
        return next(self._plays_for((viewer,), lines))[1]

    def _plays_for(self, viewers: Iterable[int | None], lines: int) -> Iterator[tuple[int | None, p.Play]]:
        """The cards for some viewers: the only place where a table's view is taken."""
        match = self.match
        if match is None:
            raise Refused("still-compiling" if self._lacks_match else "not-started")
        remarks = list(talk.remarks(outgoing.open_view(match))) if talk.has_remarks(self.state.game) else []
        turn, has_ended, clock = self.turn, self.state.phase == "ended", self._clock()
        for viewer in viewers:
            said = [] if viewer is None else remarks
            yield viewer, outgoing.play(match, viewer, lines, turn, has_ended, clock, said)

    # -- the owner

    async def _own(self) -> None:
        # A task that ends by being cancelled keeps the exception, that its frame, and that the table with all it has.
        with contextlib.suppress(asyncio.CancelledError):
            await self._take_all()

    async def _take_all(self) -> None:
        self._go_on_later()
        while True:
            item = await self._inbox.next()
            try:
                await self._take(item)
            except Refused as refused:
                self._refuse(item, refused)
            except NumberTaken:
                self.house.log.error("another server writes to this table", table=self.state.id)
                self._refuse(item, Refused("storage-failed"))
                self.house.discard(self.state.id)
            except StorageFull:
                self._refuse(item, Refused("storage-full"))
            except StorageError as error:
                self.house.log.error("storage failed", table=self.state.id, error=str(error))
                self._refuse(item, Refused("storage-failed"))
            except Exception:
                self.house.metrics.crashes.inc()
                self.house.log.exception("table failed", table=self.state.id, item=type(item).__name__)
                self._refuse(item, Refused("internal"))

    def _refuse(self, item: Item, refused: Refused) -> None:
        self.house.metrics.refusals.labels(refused.problem.code).inc()
        if isinstance(item, Asked):
            item.reply(p.Refused(ref_of(item.command), refused.problem))
            if item.connection is not None and refused.problem.code in NOT_LET_IN:
                item.connection.close(refused.problem.code)
        else:  # nobody is there to try again: look at it once more in a while
            self._set_timer(1.0)

    async def _take(self, item: Item) -> None:
        match item:
            case Asked():
                await self._answer(item)
            case BotChose(turn=turn, seat=seat, action=action):
                await self._bot_moves(turn, seat, action)
            case Gone(connection=connection):
                if self.audience.remove(connection):
                    self._show_table()
                if self.state.phase == "ended" and self.is_idle:
                    self.house.discard(self.state.id)  # whoever looks at it again has it loaded again
            case Abandon(idle_since=moment):
                if self.state.phase != "ended" and self.state.changed <= moment:
                    await self._commit([e.Ended("abandoned", (), None, self.house.now())])
            case Tick():
                pass
        await self._go_on()

    async def _answer(self, asked: Asked) -> None:
        command, person = asked.command, asked.person
        match command:
            case p.Ping(ref=ref):
                return asked.reply(p.Pong(ref))
            case p.Hello():
                return await self._greet(asked)
        if person is None:
            raise Refused("no-identity")
        match command:
            case p.Move():
                entries, after = moves.decide(self, person, command)
                await self._commit(entries, after, asked, p.Accepted(command.ref, turn=self.turn + 1))
                self.house.metrics.moves.labels(self.state.game, "person").inc()
                return None
            case p.AskNotebook(ref=ref):
                return asked.reply(asides.notebook(self, person, ref))
            case p.AskHint(ref=ref):
                task = asides.hint(self, person, ref, asked.reply)
                self._hinting.add(task)
                return task.add_done_callback(self._hinting.discard)
            case p.Say() | p.React() | p.MakeRemark():
                asides.speak(self, person, command)
                return asked.reply(p.Accepted(command.ref))
            case p.AskRematch(ref=ref):
                new_table, entries = await asides.rematch(self, person)
                return await self._commit(entries, None, asked, p.Accepted(ref, table=new_table))
        self.house.change_limits.take(person)  # each of these is written down for as long as the table is kept
        if isinstance(command, p.Join):
            await self.house.check_room(person)
        return await self._commit(moves.agree(self, person, command), None, asked, p.Accepted(ref_of(command)))

    async def _greet(self, asked: Asked) -> None:
        connection, state = asked.connection, self.state
        assert isinstance(asked.command, p.Hello)
        if connection is None or connection.greeted:
            raise Refused("bad-message")
        self.audience.add(connection, state)
        connection.greeted = True
        if connection.person:
            await self.house.people.learn_names([connection.person])
        seat = state.seat_of(connection.person)
        connection.tell(p.TableNews(self.shown_to(connection.person)))
        connection.tell(p.Talk(self.talk.heard_by(seat, state.muted.get(connection.person or "", frozenset()))))
        if self.match is not None:
            connection.tell(self.play_for(seat, asked.command.lines))
        self._show_table(but=connection)
        if seat is not None and state.phase == "playing":
            await self._commit(playing.come_back(state, seat, self.house.now(), self.is_late(seat)))

    # -- durable, then shown

    async def _commit(
        self,
        entries: list[e.Entry],
        match: Match | None = None,
        asked: Asked | None = None,
        answer: p.News | None = None,
    ) -> None:
        """Write entries; when they are durable, apply them, acknowledge, and show what changed.

        `match` is the match after them, if they change the cards.
        """
        if entries:
            after = self.state.copy()
            for entry in entries:
                after.apply(entry)
            match = match or self.match
            row = cards.row_of(after, match, self.house.now())
            started = time.perf_counter()
            await self.house.storage.append(row, self.state.number + 1, [e.encode(entry) for entry in entries])
            self.house.metrics.commit_seconds.observe(time.perf_counter() - started)
            is_due = snapshots.is_due(self.state.number, after.number)
            self.state, self.match = after, match
        if asked is not None and answer is not None:
            asked.reply(answer)
        if entries:
            await self._show(entries, asked)
            if is_due:
                await self._keep_snapshot()

    async def _keep_snapshot(self) -> None:
        with contextlib.suppress(StorageError):  # only a short cut
            content = snapshots.encode(self.state)
            await self.house.storage.keep_snapshot(self.state.id, self.state.number, content)

    async def _show(self, entries: list[e.Entry], asked: Asked | None) -> None:
        await self.house.people.learn_names(self.state.people)
        if any(isinstance(entry, e.Moved | e.Dealt) for entry in entries):
            self._show_play()
        others = [entry for entry in entries if not isinstance(entry, e.Moved)]
        if others and all(isinstance(entry, e.Muted) for entry in others):
            if asked is not None and asked.connection is not None:
                asked.connection.tell(p.TableNews(self.shown_to(asked.person)))
        elif others:
            self._show_table()
        for entry in entries:
            if isinstance(entry, e.Ended):
                self.house.metrics.games_ended.labels(self.state.game, entry.how).inc()
        self.audience.wake()

    def _show_table(self, but: Connection | None = None) -> None:
        for connection in self.audience:
            if connection is not but:
                connection.tell(p.TableNews(self.shown_to(connection.person)))

    def _show_play(self) -> None:
        """To every viewer the view and the new lines, built and encoded once for all who see the same."""
        assert self.match is not None
        connections = self.audience.by_viewer(self.state)
        for viewer, shown in self._plays_for(connections, self._lines):
            frame = outgoing.frame(shown)
            for connection in connections[viewer]:
                connection.send(frame)
        self._lines = self.match.lines
        self.match.put_away()

    # -- what happens by itself

    def _go_on_later(self) -> None:
        self._inbox.put(Tick())

    async def _go_on(self) -> None:
        """Take the steps towards the deal, let bots think, watch the clock."""
        if self._lacks_match:
            await self._catch_up()
        now, patience = self.house.now(), self.house.settings.salt_seconds
        while entries := waiting.next_step(self.state, now, patience):
            if isinstance(entries[0], e.Dealt) and not self.house.shelf.is_ready(self.state.game):
                return  # the shelf pokes us when the rules are compiled
            dealt = dealing.deal(self.state, self.game) if isinstance(entries[0], e.Dealt) else None
            await self._commit(entries, dealt)
        if self.state.phase == "playing" and self.match is not None:
            await self._wait_for_seat()
        elif self.state.phase == "sealing" or (self.state.phase == "waiting" and self.state.starts_itself):
            self._set_timer(patience)

    @property
    def _lacks_match(self) -> bool:
        """Loaded before its game's rules were compiled."""
        return self.state.is_dealt and self.match is None and self.state.rules == self.game.rules

    async def _catch_up(self) -> None:
        if self.house.shelf.is_ready(self.state.game):
            self.match = await asyncio.to_thread(dealing.replay, self.state, self.game)
            self._show_play()

    async def _wait_for_seat(self) -> None:
        seat = self.to_act
        assert seat is not None
        place = self.state.places[seat]
        if (level := place.bot_level) is not None:
            if self._thinking is None or self._thinking[0] != self.turn:
                self._let_think(seat, level)
        elif place.person and (clock := self._clock()) is not None:
            if self.is_late(seat):
                await self._commit([e.StandInCame(seat, self.house.now())])
                self._let_think(seat, "medium")
            else:
                self._set_timer(clock.ms_left / 1000)

    def _let_think(self, seat: int, level: p.Level) -> None:
        match, turn = self.match, self.turn
        assert match is not None

        async def think() -> None:
            try:
                action = await self.house.thinkers.choose(match, seat, level)
            except Exception:
                self.house.metrics.crashes.inc()
                self.house.log.exception("bot failed", table=self.state.id, game=self.state.game, level=level)
                action = match.legal()[0]
            self.post(BotChose(turn, seat, action))

        if self._thinking is not None:
            self._thinking[1].cancel()
        self._thinking = (turn, asyncio.create_task(think()))

    async def _bot_moves(self, turn: int, seat: int, action: str) -> None:
        self._thinking = None
        if turn != self.turn or seat != self.to_act or self.state.places[seat].bot_level is None:
            return  # the player came back first
        by: e.By = "stand-in" if self.state.places[seat].person else "bot"
        entries, after = moves.move(self, seat, action, by)
        await self._commit(entries, after)
        self.house.metrics.moves.labels(self.state.game, by).inc()

    def _clock(self) -> p.Clock | None:
        seat, seconds = self.to_act, self.state.seconds_per_move
        if seat is None or seconds is None or self.state.places[seat].bot_level is not None:
            return None
        left = seconds - self.house.uptime.since(self.state.asked_at)
        return p.Clock(seat, max(0, int(left * 1000)))

    def is_late(self, seat: int) -> bool:
        """The seat is asked, and has had all the time there is for this decision."""
        seconds = self.state.seconds_per_move
        return seat == self.to_act and seconds is not None and self.house.uptime.since(self.state.asked_at) >= seconds

    def gone_for(self, seat: int) -> float:
        return self.audience.gone_for(self.state.places[seat].person)

    def _set_timer(self, seconds: float) -> None:
        if self._timer is not None:
            self._timer.cancel()

        def ring() -> None:
            self._timer = None
            self.post(Tick())

        self._timer = asyncio.get_running_loop().call_later(seconds + 0.001, ring)
