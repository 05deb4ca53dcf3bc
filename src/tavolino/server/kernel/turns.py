"""What happens at a table without a command: the steps of the deal, the moves of bots, timeouts."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from tavolino.engine.game import Game
from tavolino.engine.match import Match
from tavolino.server import protocol as p
from tavolino.server.clock import Moment
from tavolino.server.context import Context
from tavolino.server.kernel import entries as e
from tavolino.server.kernel import plans, vacations
from tavolino.server.kernel.deal import Change, deal, seat_to_act
from tavolino.server.kernel.inbox import BotChose, Inbox, Tick
from tavolino.server.kernel.lobby import hand_over
from tavolino.server.kernel.state import TableState

RETRY_SECONDS = 1.0
TIMER_SECONDS = 0.001  # added to each timer, so that it never fires too early


class Turns:
    """Decides what happens next without a command, or waits for it: with a timer, or with a bot that thinks.

    Both report to the table's inbox (`Tick`, `BotChose`), so the actor stays the only one to change anything.
    """

    __slots__ = ("_context", "_game", "_inbox", "_thinking", "_timer")

    def __init__(self, context: Context, game: Game, inbox: Inbox) -> None:
        self._context, self._game, self._inbox = context, game, inbox
        self._timer: asyncio.TimerHandle | None = None
        self._thinking: tuple[int, asyncio.Task[None]] | None = None  # for which turn

    @property
    def is_waiting(self) -> bool:
        return self._timer is not None or self._thinking is not None

    def next_change(self, state: TableState, match: Match | None, gone_for: Callable[[str], float]) -> Change | None:
        """The change that is due now, if there is one; else something is waited for."""
        now, timeout = self._context.clock.now(), self._context.settings.salt_seconds
        if (entry := next_step(state, now, timeout)) is not None:
            if not isinstance(entry, e.Dealt):
                return Change([entry])
            if not self._context.library.is_ready(self._game.name):
                return None  # there is a Tick when it is
            return Change([entry], deal(state, self._game))
        if (seat := seat_to_act(state, match)) is not None:
            assert match is not None
            return self._wait_for(seat, state, match)
        passed, seconds = hand_over(state, gone_for)
        if passed:
            return Change(passed)
        if seconds is not None:
            self._set_timer(seconds)
        if state.phase == "sealing" or (state.phase == "waiting" and state.starts_itself):
            self._set_timer(timeout)
        return None

    def _wait_for(self, seat: int, state: TableState, match: Match) -> Change | None:
        """Let a bot think, or watch a person's clock; a stand-in comes when it has run out."""
        place, turn = state.places[seat], state.turn
        if (level := place.bot_level) is not None:
            if self._thinking is None or self._thinking[0] != turn:
                self._start_bot(state.id, match, seat, level, turn)
        elif place.person and (planned := plans.due(state, match, seat, self._context.clock.now())) is not None:
            return planned
        elif place.person and (clock := self.clock(state, match)) is not None:
            if self.is_late(state, match, seat):
                self._stop_bot()  # about this turn, for a player who came back meanwhile
                return Change([e.StandInCame(seat, self._context.clock.wall())])
            self._set_timer(clock.ms_left / 1000)
        return None

    def accept(self, choice: BotChose, state: TableState, match: Match | None) -> e.By | None:
        """For whom a bot's choice counts; None if it came too late: its player was back first."""
        if self._thinking is not None and self._thinking[0] == choice.turn:
            self._thinking = None
        place = state.places[choice.seat]
        is_due = choice.turn == state.turn and choice.seat == seat_to_act(state, match)
        if not is_due or place.bot_level is None:
            return None
        return "stand-in" if place.person else "bot"

    # -- clocks

    def clock(self, state: TableState, match: Match | None) -> p.Clock | None:
        """The time left to the person who must decide, where the table has a limit; the rest of a vacation is in it."""
        seat, seconds = seat_to_act(state, match), state.settings.seconds_per_move
        if seat is None or seconds is None or state.places[seat].bot_level is not None:
            return None
        standing = vacations.still_standing(state.places[seat], self._context.clock.up())
        return p.Clock(seat, max(0, int((seconds - self._used(state, seat) + standing) * 1000)))

    def is_late(self, state: TableState, match: Match | None, seat: int) -> bool:
        """Whether this seat must decide and its time is up."""
        seconds = state.settings.seconds_per_move
        is_asked = seat == seat_to_act(state, match)
        return is_asked and seconds is not None and self._used(state, seat) >= seconds

    def _used(self, state: TableState, seat: int) -> float:
        """Seconds since the seat to act was asked, without its vacations.

        After a kill the uptime goes on from the last heartbeat, which may be a moment before the question: a player may
        gain those seconds and never loses any.
        """
        up = self._context.clock.up()
        return max(0.0, up - state.asked_at - vacations.stood(state.places[seat], state.asked_at, up))

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
            action = await self._context.bots.choose(match, seat, level)
        except Exception:
            self._context.metrics.crashes.inc()
            self._context.log.exception("bot cannot play", table=table, game=self._game.name, level=level)
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


def next_step(state: TableState, now: Moment, timeout: float) -> e.Entry | None:
    """The next entry on the way to the deal, if it is due.

    The salts are frozen and shown to all one step before the deal: nobody can choose one after seeing a card.
    """
    if state.phase == "waiting" and state.starts_itself:
        return e.Sealing(now.wall, now.up) if _is_due(state, now, timeout) else None
    if state.phase != "sealing":
        return None
    if state.is_sealed:
        return e.Dealt(now.wall, now.up)
    return e.Sealed() if _is_due(state, now, timeout) else None


def _is_due(state: TableState, now: Moment, timeout: float) -> bool:
    has_all_salts = all(place.salt for place in state.places if place.person)
    return has_all_salts or now.up >= state.asked_at + timeout
