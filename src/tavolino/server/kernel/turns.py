"""What happens at a table without a command: the steps of the deal, the moves of bots, timeouts."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import TYPE_CHECKING

from tavolino.engine.match import Match
from tavolino.server import protocol as p
from tavolino.server.clock import Moment
from tavolino.server.kernel import entries as e
from tavolino.server.kernel.change import Change
from tavolino.server.kernel.deal import deal, net_used, seat_to_act
from tavolino.server.kernel.feature import Features, Pause
from tavolino.server.kernel.inbox import BotChose, Inbox, Tick
from tavolino.server.kernel.lobby import hand_over
from tavolino.server.kernel.services import Services
from tavolino.server.kernel.state import TableState

if TYPE_CHECKING:
    from tavolino.server.kernel.actor import TableActor

RETRY_SECONDS = 1.0
TIMER_SECONDS = 0.001  # added to each timer, so that it never fires too early


class Turns:
    """Decides what happens next without a command, or waits for it: with a timer, or with a bot that thinks.

    Both report to the table's inbox (`Tick`, `BotChose`), so the actor stays the only one to change anything.
    """

    __slots__ = ("_features", "_inbox", "_services", "_thinking", "_timer")

    def __init__(self, services: Services, features: Features, inbox: Inbox) -> None:
        self._services, self._features, self._inbox = services, features, inbox
        self._timer: asyncio.TimerHandle | None = None
        self._thinking: tuple[int, asyncio.Task[None]] | None = None  # for which turn

    @property
    def is_waiting(self) -> bool:
        return self._timer is not None or self._thinking is not None

    def next_change(self, table: TableActor) -> Change | None:
        """The change that is due now, if there is one; else something is waited for."""
        state, match = table.state, table.match
        if (seat := seat_to_act(state, match)) is not None:
            assert match is not None
            return self._wait_for(table, seat, match)
        now, timeout = self._services.clock.now(), self._services.settings.salt_seconds
        if (entry := next_step(state, now, timeout, net_used(state, table.game))) is not None:
            if not isinstance(entry, e.Dealt):
                return Change([entry])
            if not self._services.library.is_ready(state.game):
                return None  # there is a Tick when it is
            return Change([entry], deal(state, table.game))
        passed, seconds = hand_over(state, table.viewers.gone_for)
        if passed:
            return Change(passed)
        if seconds is not None:
            self._set_timer(seconds)
        if state.phase == "sealing" or (state.phase == "waiting" and state.starts_itself):
            self._set_timer(timeout)
        return None

    def _wait_for(self, table: TableActor, seat: int, match: Match) -> Change | None:
        """Let a bot think, or watch a person's clock; a stand-in comes when it has run out."""
        place, turn = table.state.places[seat], table.state.turn
        if (level := place.bot_level) is not None:
            if self._thinking is None or self._thinking[0] != turn:
                self._start_bot(table.state.id, match, seat, level, turn)
            return None
        if not place.person:
            return None
        for due in self._features.due:
            if (change := due(table, seat)) is not None:
                return change
        if (clock := self.clock(table)) is not None:
            if self.is_late(table, seat):
                self._stop_bot()  # about this turn, for a player who came back meanwhile
                return Change([e.StandInCame(seat, self._services.clock.wall())])
            self._set_timer(clock.ms_left / 1000)
        return None

    def accept(self, table: TableActor, choice: BotChose) -> e.By | None:
        """For whom a bot's choice counts; None if it came too late: its player was back first."""
        state = table.state
        if self._thinking is not None and self._thinking[0] == choice.turn:
            self._thinking = None
        place = state.places[choice.seat]
        is_due = choice.turn == state.turn and choice.seat == seat_to_act(state, table.match)
        if not is_due or place.bot_level is None:
            return None
        return "stand-in" if place.person else "bot"

    # -- clocks

    def clock(self, table: TableActor) -> p.Clock | None:
        """The time left to the person who must decide, where the table has a limit; the rest of a pause is in it."""
        state = table.state
        seat, seconds = seat_to_act(state, table.match), state.settings.seconds_per_move
        if seat is None or seconds is None or state.places[seat].bot_level is not None:
            return None
        pause = self.paused(table, seat)
        standing = 0.0 if pause is None else pause.until - self._services.clock.up()
        return p.Clock(seat, max(0, int((seconds - self._used(table, seat) + standing) * 1000)))

    def is_late(self, table: TableActor, seat: int) -> bool:
        """Whether this seat must decide and its time is up."""
        state = table.state
        seconds = state.settings.seconds_per_move
        is_asked = seat == seat_to_act(state, table.match)
        return is_asked and seconds is not None and self._used(table, seat) >= seconds

    def paused(self, table: TableActor, seat: int) -> Pause | None:
        """Why the clock of a seat stands now."""
        up = self._services.clock.up()
        return next((pause for pause in self._pauses(table, seat) if pause.since <= up < pause.until), None)

    def _pauses(self, table: TableActor, seat: int) -> Iterator[Pause]:
        return (pause for pauses in self._features.pauses for pause in pauses(table.state, seat))

    def _used(self, table: TableActor, seat: int) -> float:
        """Seconds since the seat to act was asked, without the pauses of its clock.

        After a kill the uptime goes on from the last heartbeat, which may be a moment before the question: a player may
        gain those seconds and never loses any.
        """
        up, since = self._services.clock.up(), table.state.asked_at
        stood = sum(max(0.0, min(up, pause.until) - max(since, pause.since)) for pause in self._pauses(table, seat))
        return max(0.0, up - since - stood)

    def retry(self) -> None:
        """Try again later: a change that was due could not be made."""
        self._set_timer(RETRY_SECONDS)

    def _set_timer(self, seconds: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(seconds + TIMER_SECONDS, self._on_timer)

    def _on_timer(self) -> None:
        self._timer = None
        self._inbox.put(Tick())

    # -- bots

    def _start_bot(self, table: str, match: Match, seat: int, level: p.Level, turn: int) -> None:
        self._stop_bot()
        self._thinking = (turn, asyncio.create_task(self._run_bot(table, match, seat, level, turn)))

    async def _run_bot(self, table: str, match: Match, seat: int, level: p.Level, turn: int) -> None:
        try:
            action = await self._services.bots.choose(match, seat, level)
        except Exception:
            self._services.metrics.crashes.inc()
            self._services.log.exception("bot cannot play", table=table, game=match.game.name, level=level)
            action = match.legal()[0]
        self._inbox.put(BotChose(turn, seat, action))

    def _stop_bot(self) -> None:
        if self._thinking is not None:
            self._thinking[1].cancel()
            self._thinking = None

    def stop(self) -> None:
        """Stop waiting: another node drives the table, or it is dropped from memory."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._stop_bot()


def next_step(state: TableState, now: Moment, timeout: float, net: str | None) -> e.Entry | None:
    """The next entry on the way to the deal, if it is due.

    The salts are frozen and shown to all one step before the deal: nobody can choose one after seeing a card.
    """
    if state.phase == "waiting" and state.starts_itself:
        return e.Sealing(now.wall, now.up) if _is_due(state, now, timeout) else None
    if state.phase != "sealing":
        return None
    if state.is_sealed:
        return e.Dealt(now.wall, now.up, net)
    return e.Sealed() if _is_due(state, now, timeout) else None


def _is_due(state: TableState, now: Moment, timeout: float) -> bool:
    has_all_salts = all(place.salt for place in state.places if place.person)
    return has_all_salts or now.up >= state.asked_at + timeout
