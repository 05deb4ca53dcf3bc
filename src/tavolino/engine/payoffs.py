"""Payoffs at the end of a game: by default from -1 (lost) to 1 (won); a game may use units of its own."""

from typing import Any

from tavolino.engine.compiled import compiled
from tavolino.engine.dispatch import ByRecord
from tavolino.engine.record import State


@ByRecord
def payoff(s: Any, seat: int) -> float:  # type: ignore[empty-body]
    """The payoff of a seat. The game is over."""


@compiled
def shared_payoff(s: State, seat: int) -> float:
    """The default: several winners share one win; no winner is 0 for all."""
    if s.winners == 0:
        return 0.0
    if s.winners >> seat & 1 == 0:
        return -1.0
    sharing = 0
    for other in range(s.players):
        sharing += s.winners >> other & 1
    return 2.0 / sharing - 1.0


@compiled
def team_payoff(s: State, seat: int) -> float:
    """The default in a game with teams: all players of a team get the same."""
    if s.winners == 0:
        return 0.0
    return 1.0 if s.winners >> seat & 1 else -1.0
