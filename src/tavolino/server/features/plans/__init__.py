"""What players have decided in advance: planned moves, standing orders, single answers.

A plan is shown to its player alone. A move that comes at once tells the others that it was planned, and nothing of what
else is.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated, Any

from msgspec import Meta, Struct, field
from msgspec.structs import replace

from tavolino.engine.game import Game
from tavolino.engine.match import Match
from tavolino.server import protocol as p
from tavolino.server.clock import Moment
from tavolino.server.errors import Refused
from tavolino.server.games.ahead import Ahead, ahead_of, offers, step_of
from tavolino.server.kernel import moves
from tavolino.server.kernel.change import Change
from tavolino.server.kernel.checks import dealt
from tavolino.server.kernel.entries import Entry, Moved, TakenBack
from tavolino.server.kernel.feature import Feature, Needs, Request, Shown, Viewpoint, about, handles
from tavolino.server.kernel.state import TableState

if TYPE_CHECKING:
    from tavolino.server.kernel.actor import TableActor


MAX_PLANNED = 8  # moves, and orders
PlannedMoves = Annotated[list[Annotated[str, Meta(max_length=200)]], Meta(max_length=MAX_PLANNED)]


class SetPlan(p.CommandMessage, tag="plan"):
    """While playing: what you decide in advance; all of it, each time. See `Plan`."""

    moves: PlannedMoves
    orders: Annotated[list[Annotated[str, Meta(max_length=40)]], Meta(max_length=MAX_PLANNED)]
    forced: bool


class AskOffers(p.CommandMessage, tag="offers"):
    """What you could plan for your next turn, after `moves` that you plan already."""

    moves: PlannedMoves = field(default_factory=list)


class Offers(p.News, tag="offers"):
    """What the seat could plan: found from its own knowledge, not from the cards as they are."""

    ref: str | None
    turn: int
    actions: list[str]
    described: dict[str, p.Description]  # by text: these actions, and the moves that are planned


class Planned(Entry, tag="planned"):
    """Everything a player has decided in advance. Nobody else can see it."""

    seat: int
    moves: tuple[str, ...] = ()
    orders: tuple[str, ...] = ()
    forced: bool = False


class PlanDropped(Entry, tag="plan-dropped"):
    """The planned moves are no longer legal."""

    seat: int


class PlanSlice(Struct, frozen=True):
    by_seat: dict[int, p.Plan] = {}
    begun: frozenset[int] = frozenset()  # seats whose first planned move is played, and others are left


class Plans(Feature[PlanSlice]):
    name = "plans"
    refusals = (("no-such-order", 422), ("no-plans", 409))
    entries = (Planned, PlanDropped)
    private = passing = (Planned, PlanDropped)
    follows = (Moved, TakenBack)
    Slice = PlanSlice

    @staticmethod
    def apply(part: PlanSlice, state: TableState, entry: Any) -> PlanSlice:
        match entry:
            case Moved(seat=seat, action=action):
                plan = part.by_seat.get(seat)
                if plan is None or not plan.moves or plan.moves[0] != action:
                    return part
                left = plan.moves[1:]  # a planned move that is played is no longer planned
                return _with(part, seat, replace(plan, moves=left), is_begun=bool(left))
            case TakenBack():  # what was planned was planned for another position
                return PlanSlice()
            case Planned(seat=seat, moves=planned, orders=orders, forced=forced):
                return _with(part, seat, p.Plan(list(planned), list(orders), forced), is_begun=False)
            case PlanDropped(seat=seat):
                plan = part.by_seat.get(seat) or p.Plan([], [], False)
                return _with(part, seat, replace(plan, moves=[], dropped=True), is_begun=False)
        return part

    @handles(SetPlan, needs=Needs.SEAT)
    def set(self, request: Request) -> Change:
        return Change(decide(request.state, request.table.game, request.seat, request.command))

    @handles(AskOffers, needs=Needs.SEAT | Needs.RULES | Needs.WORLDS, answer=Offers)
    async def offer(self, request: Request) -> Offers:
        """What this player could plan, after the moves that are planned already."""
        state, command, match = request.state, request.command, dealt(request.match)
        if state.phase != "playing":
            raise Refused("not-playing")
        # The clone is the thread's own: the table answers others meanwhile.
        seed = f"{state.id} {state.turn}"
        actions = await asyncio.to_thread(offers, match.clone(), request.seat, command.moves, seed)
        return Offers(command.ref, state.turn, actions, _described(match.game, [*actions, *command.moves]))

    def show(self, shown: Shown, table: TableActor, viewpoint: Viewpoint) -> None:
        if viewpoint.seat is not None:
            shown.you["plan"] = self.of(table.state).by_seat.get(viewpoint.seat)

    @about(Planned, PlanDropped, Moved)
    def concerned(self, state: TableState, entry: Planned | PlanDropped | Moved) -> str | None:
        return state.places[entry.seat].person if entry.seat in self.of(state).by_seat else None

    def due(self, table: TableActor, seat: int) -> Change | None:
        if seat not in self.of(table.state).by_seat:
            return None
        return due(table.state, dealt(table.match), seat, table.now)


FEATURE = Plans


def _with(part: PlanSlice, seat: int, plan: p.Plan, is_begun: bool) -> PlanSlice:
    begun = part.begun | {seat} if is_begun else part.begun - {seat}
    return PlanSlice({**part.by_seat, seat: plan}, begun)


def _described(game: Game, actions: Sequence[str]) -> dict[str, p.Description]:
    """A planned move can be any text: one that is no action of the game has no description."""
    described: dict[str, p.Description] = {}
    for action in actions:
        with suppress(ValueError, LookupError, TypeError):
            described[action] = {**game.described(action)}
    return described


def decide(state: TableState, game: Game, seat: int, command: SetPlan) -> list[Entry]:
    if state.phase != "playing" or state.places[seat].resigned:
        raise Refused("not-playing")
    orders = tuple(dict.fromkeys(command.orders))
    if unknown := set(orders) - set(ahead_of(game).orders):
        raise Refused("no-such-order", {"order": min(unknown)})
    if command.moves and not ahead_of(game).turn_steps:
        raise Refused("no-plans")
    if Plans.of(state).by_seat.get(seat) == p.Plan(command.moves, list(orders), command.forced):
        return []
    return [Planned(seat, tuple(command.moves), orders, command.forced)]


def due(state: TableState, match: Match, seat: int, now: Moment) -> Change | None:
    """The move that this seat has decided in advance, if it fits the current decision.

    Planned moves begin with a turn. One that is not legal then, or in the middle of them, ends the plan.
    """
    part = Plans.of(state)
    if (plan := part.by_seat.get(seat)) is None:
        return None
    ahead, step, legal = ahead_of(match.game), step_of(match), match.legal()
    if plan.moves and (seat in part.begun or step in ahead.turn_steps):
        if plan.moves[0] not in legal:
            return Change([PlanDropped(seat)])
        return moves.move(match, seat, plan.moves[0], "person", now)
    action = _answer(plan, ahead, step, legal)
    return None if action is None else moves.move(match, seat, action, "person", now)


def _answer(plan: p.Plan, ahead: Ahead, step: str, legal: tuple[str, ...]) -> str | None:
    for name in plan.orders:
        order = ahead.orders.get(name)
        if order is not None and order.step == step and order.action in legal:
            return order.action
    if plan.forced and len(legal) == 1 and step in ahead.open_steps:
        return legal[0]
    return None
