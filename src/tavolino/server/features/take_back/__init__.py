"""Taking a decision back: freely where a person plays against bots alone, else by consent and if nothing was learned.

Whether somebody has learned something is decided by the engine (`engine/take_back.py`, decision 081). That a decision
was taken back is an entry of the kernel (`TakenBack`), because it changes the position.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from tavolino.engine.match import Match
from tavolino.engine.take_back import can_take_back
from tavolino.server import protocol as p
from tavolino.server.clock import Moment
from tavolino.server.errors import Refused
from tavolino.server.kernel.change import Change
from tavolino.server.kernel.entries import Ended, Entry, Moved, TakenBack
from tavolino.server.kernel.feature import Feature, Needs, Plays, Request, Shown, Viewpoint, handles
from tavolino.server.kernel.state import TableState

if TYPE_CHECKING:
    from tavolino.server.context import Context
    from tavolino.server.kernel.actor import TableActor

# Runs a function in a thread and charges its time to the person who sent the command.
Work = Callable[[Callable[..., bool], Match, int], Awaitable[bool]]


class AskTakeBack(p.CommandMessage, tag="take-back"):
    """Take your last decision back, and all that came after it: against bots at once, else if the others agree.

    `turn` is the present one, as in a move.
    """

    turn: p.Count


class AnswerTakeBack(p.CommandMessage, tag="answer-take-back"):
    """Agree or not to somebody's take-back. The person who asked withdraws the request with false."""

    agree: bool


class TakeBackAsked(Entry, tag="take-back-asked"):
    """A seat asks to take a decision back: `to` is how many decisions would be left."""

    seat: int
    to: int


class TakeBackAnswered(Entry, tag="take-back-answered"):
    """Somebody agrees, or declines, which ends the request. The person who asked can withdraw it this way."""

    seat: int
    agree: bool


class TakeBackRequest(Struct, frozen=True):
    """A seat asks to take its last decision back, and who of the others has agreed."""

    seat: int
    to: int
    agreed: frozenset[int] = frozenset()


class TakeBackSlice(Struct, frozen=True):
    request: TakeBackRequest | None = None
    declined_at: int = -1  # the turn at which a request was declined


class TakeBack(Feature[TakeBackSlice]):
    name = "take_back"
    refusals = (
        ("nothing-to-take-back", 409),
        ("take-back-seen", 409),
        ("take-back-declined", 409),
        ("rated-game", 409),
    )
    entries = (TakeBackAsked, TakeBackAnswered)
    follows = (Moved, TakenBack, Ended)
    Slice = TakeBackSlice

    def __init__(self, server: Context) -> None:
        self._work = server.limits.work

    @staticmethod
    def apply(part: TakeBackSlice, state: TableState, entry: Any) -> TakeBackSlice:
        match entry:
            case TakeBackAsked(seat=seat, to=to):
                return TakeBackSlice(TakeBackRequest(seat, to), part.declined_at)
            case TakeBackAnswered(seat=seat, agree=True) if (request := part.request) is not None:
                agreed = request.agreed | {seat}
                return TakeBackSlice(TakeBackRequest(request.seat, request.to, agreed), part.declined_at)
            case TakeBackAnswered():
                return TakeBackSlice(None, state.turn)
        return part if part.request is None else TakeBackSlice(None, part.declined_at)

    @handles(AskTakeBack, AnswerTakeBack, needs=Needs.SEAT | Needs.RULES | Needs.WORLDS)
    async def answer(self, request: Request) -> Change:
        work = partial(self._work.in_thread, request.asked.payer)
        return await decide(request.state, request.match, request.seat, request.command, request.now, work)

    def show(self, shown: Shown, table: TableActor, viewpoint: Viewpoint) -> None:
        if (request := self.of(table.state).request) is not None:
            shown.table["take_back"] = p.TakeBack(request.seat, sorted(request.agreed))

    def show_play(self, plays: Plays, table: TableActor, match: Match) -> None:
        for seat, fields in plays.items():
            fields["take_back"] = is_offered(table.state, seat)


FEATURE = TakeBack


async def decide(
    state: TableState,
    match: Match | None,
    seat: int,
    command: AskTakeBack | AnswerTakeBack,
    now: Moment,
    work: Work,
) -> Change:
    """The entries of a request to take back, or of an answer to one; or a refusal."""
    place = state.places[seat]
    # Who is away, or has a stand-in, may be asked, and can answer.
    may = place.is_person_playing if isinstance(command, AskTakeBack) else not place.resigned
    if state.phase != "playing" or match is None or not may:
        raise Refused("not-playing")
    if state.deal is not None:  # others play the same cards: everybody decides once
        raise Refused("still-secret")
    if state.settings.rated:
        raise Refused("rated-game")
    if isinstance(command, AskTakeBack):
        return await _ask(state, match, seat, command.turn, now, work)
    return await _answer(state, match, seat, command.agree, now)


def last_own(state: TableState, seat: int | None) -> int | None:
    """How many decisions came before the last one of this seat; what came before the table is not taken back."""
    first = 0 if state.origin is None else state.origin.turn
    for number in range(len(state.movers) - 1, first - 1, -1):
        if state.movers[number] == seat:
            return number
    return None


def is_offered(state: TableState, seat: int | None) -> bool:
    """Whether this seat may ask. Whether something was learned is worked out when it does."""
    part = TakeBack.of(state)
    is_open = state.phase == "playing" and state.deal is None and part.request is None and not state.settings.rated
    if seat is None or not is_open or not state.places[seat].is_person_playing:
        return False
    if part.declined_at == state.turn and _others(state, seat):
        return False
    return last_own(state, seat) is not None


async def _ask(state: TableState, match: Match, seat: int, turn: int, now: Moment, work: Work) -> Change:
    if turn != state.turn:
        raise Refused("stale-move", {"turn": state.turn})
    to = last_own(state, seat)
    if to is None:
        raise Refused("nothing-to-take-back")
    if not _others(state, seat):
        return await _taken_back(match, seat, to, now)
    part = TakeBack.of(state)
    if part.request is not None or part.declined_at == state.turn:
        raise Refused("take-back-declined")
    await _check_unseen(state, match, to, work)
    if not _asked(state, seat, to):
        return await _taken_back(match, seat, to, now)
    return Change([TakeBackAsked(seat, to)])


async def _answer(state: TableState, match: Match, seat: int, agree: bool, now: Moment) -> Change:
    request = TakeBack.of(state).request
    if request is None:
        return Change([])
    if seat == request.seat:  # who asked can only withdraw
        return Change([]) if agree else Change([TakeBackAnswered(seat, False)])
    if not agree:
        return Change([TakeBackAnswered(seat, False)])
    answered = TakeBackAnswered(seat, True)
    if _asked(state, request.seat, request.to) - request.agreed - {seat}:
        return Change([answered])
    taken = await _taken_back(match, request.seat, request.to, now)
    return Change([answered, *taken.entries], taken.match)


async def _taken_back(match: Match, seat: int, to: int, now: Moment) -> Change:
    before = await asyncio.to_thread(match.position, to)
    return Change([TakenBack(seat, to, now.wall, now.up)], before)


async def _check_unseen(state: TableState, match: Match, to: int, work: Work) -> None:
    """Takes a part of a second, because worlds are drawn for every viewer."""
    if not await work(can_take_back, match.clone(), len(state.actions) - to):
        raise Refused("take-back-seen")


def _others(state: TableState, seat: int) -> list[int]:
    """The other people of the game, here or not: with them it is no game against bots alone."""
    return [n for n, place in enumerate(state.places) if n != seat and place.person and not place.resigned]


def _asked(state: TableState, seat: int, to: int) -> set[int]:
    """Who must agree: all other people who decide for their seats now, or whose stand-in has made a decision that would
    be taken back."""
    movers = set(state.movers[to:])
    return {n for n in _others(state, seat) if state.places[n].is_person_playing or n in movers}
