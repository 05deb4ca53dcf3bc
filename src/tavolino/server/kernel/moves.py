"""Moves: who may move, and the move itself, tried on a copy of the match."""

from __future__ import annotations

import sys

from tavolino.engine.errors import IllegalAction
from tavolino.engine.match import Match
from tavolino.engine.texts import read_texts
from tavolino.server import protocol as p
from tavolino.server.clock import Moment
from tavolino.server.errors import Refused
from tavolino.server.kernel import entries as e
from tavolino.server.kernel.absence import come_back
from tavolino.server.kernel.change import Change
from tavolino.server.kernel.deal import seat_to_act
from tavolino.server.kernel.feature import Needs, Request, handles


class MoveCrashed(Exception):
    """The rules raised an exception for this action; nothing has changed."""

    def __init__(self, action: str) -> None:
        super().__init__("a move crashed")
        self.action = action


@handles(p.Move, needs=Needs.SEAT | Needs.RULES, limit=None)
def decide(request: Request) -> Change:
    """A person's move. The seat is that of the person; no message can name another."""
    state, match, seat, command, turn = request.state, request.match, request.seat, request.command, request.state.turn
    if state.phase != "playing" or match is None:
        raise Refused("not-playing")
    if command.turn != turn:
        raise Refused("stale-move", {"turn": turn})
    if seat_to_act(state, match) != seat or state.places[seat].resigned:
        raise Refused("not-your-turn")
    moved = move(match, seat, command.action, "person", request.now)
    back = come_back(request.table, seat, even_late=True)
    return Change([*back, *moved.entries], moved.match, answer=p.Accepted(command.ref, turn=turn + 1))


def move(match: Match, seat: int, action: str, by: e.By, now: Moment) -> Change:
    """What a move leads to. It is tried on a copy: what the rules refuse, or crash on, is never stored."""
    after = match.clone()
    action = sys.intern(action)  # a few distinct texts, repeated at every table
    try:
        after.advance(action)
    except IllegalAction as illegal:
        raise Refused("illegal-move", illegal.params, illegal.rule, _text_key(match, illegal)) from None
    except Exception as error:
        raise MoveCrashed(action) from error
    entries: list[e.Entry] = [e.Moved(seat, action, now.wall, by, now.up)]
    if (outcome := after.outcome) is not None:
        entries.append(e.Ended("played", outcome.winners, outcome.reason, now.wall))
    return Change(entries, after)


def _text_key(match: Match, illegal: IllegalAction) -> str:
    """The sentence of a refusal is the game's own, or one that all games share."""
    key = f"refusal.{illegal.key}"
    catalogue = match.game.name if key in read_texts(match.game.folder, "en") else "common"
    return f"{catalogue}.{key}"
