"""What players have decided in advance: planned moves, standing orders, single answers.

Functions from state and match to entries, without I/O. A plan is shown to its player alone. A move that comes at once
tells the others that it was planned, and nothing of what else is.
"""

from __future__ import annotations

import asyncio

from tavolino.engine.game import Game
from tavolino.engine.match import Match
from tavolino.server import protocol as p
from tavolino.server.clock import Moment
from tavolino.server.errors import Refused
from tavolino.server.games.ahead import Ahead, ahead_of, offers, step_of
from tavolino.server.kernel import entries as e
from tavolino.server.kernel import moves
from tavolino.server.kernel.deal import Change
from tavolino.server.kernel.preconditions import seated
from tavolino.server.kernel.state import Place, TableState


def decide(state: TableState, game: Game, person: str, command: p.SetPlan) -> list[e.Entry]:
    seat = seated(state, person)
    if state.phase != "playing" or state.places[seat].resigned:
        raise Refused("not-playing")
    orders = tuple(dict.fromkeys(command.orders))
    if unknown := set(orders) - set(ahead_of(game).orders):
        raise Refused("no-such-order", {"order": min(unknown)})
    if command.moves and not ahead_of(game).turn_steps:
        raise Refused("no-plans")
    plan = state.places[seat].plan
    if plan is not None and plan == p.Plan(command.moves, list(orders), command.forced):
        return []
    return [e.Planned(seat, tuple(command.moves), orders, command.forced)]


async def offered(state: TableState, match: Match, person: str, command: p.AskOffers) -> p.Offers:
    """What this player could plan, after the moves that are planned already."""
    seat, turn = seated(state, person), state.turn
    if state.phase != "playing":
        raise Refused("not-playing")
    # The clone is the thread's own: the table answers others meanwhile.
    actions = await asyncio.to_thread(offers, match.clone(), seat, command.moves, f"{state.id} {turn}")
    return p.Offers(command.ref, turn, actions)


def due(state: TableState, match: Match, seat: int, now: Moment) -> Change | None:
    """The move that this seat has decided in advance, if it fits the current decision.

    Planned moves begin with a turn. One that is not legal then, or in the middle of them, ends the plan.
    """
    place = state.places[seat]
    if (plan := place.plan) is None:
        return None
    ahead, step, legal = ahead_of(match.game), step_of(match), match.legal()
    if plan.moves and (place.is_plan_begun or step in ahead.turn_steps):
        if plan.moves[0] not in legal:
            return Change([e.PlanDropped(seat)])
        return moves.move(match, seat, plan.moves[0], "person", now)
    action = _answer(place, ahead, step, legal)
    return None if action is None else moves.move(match, seat, action, "person", now)


def _answer(place: Place, ahead: Ahead, step: str, legal: tuple[str, ...]) -> str | None:
    assert place.plan is not None
    for name in place.plan.orders:
        order = ahead.orders.get(name)
        if order is not None and order.step == step and order.action in legal:
            return order.action
    if place.plan.forced and len(legal) == 1 and step in ahead.open_steps:
        return legal[0]
    return None
