"""Figures about a person's finished games: wins with an interval, what a decision costs, streaks."""

from __future__ import annotations

from collections.abc import Sequence

from tavolino.coach.intervals import wilson
from tavolino.server import protocol as p

COSTS_SHOWN = 20
DECIDED = ("played", "resigned")  # a game that ended otherwise is neither won nor lost


def figures(game: str, played: Sequence[p.PlayedGame]) -> p.GameFigures:
    """The figures of one game; `played` has the newest first."""
    decided = [each for each in played if each.how in DECIDED]
    wins = sum(each.won for each in decided)
    low, high = wilson(wins, len(decided))
    costs = [each.given_away / each.decisions for each in played if each.given_away is not None and each.decisions]
    results = [each.won for each in decided]
    return p.GameFigures(
        game=game,
        games=len(played),
        decided=len(decided),
        wins=wins,
        low=low,
        high=high,
        cost=sum(costs) / len(costs) if costs else None,
        costs=costs[:COSTS_SHOWN][::-1],
        streak=_run(results),
        longest=max((_run(results[first:]) for first in range(len(results))), default=0),
    )


def _run(results: Sequence[bool]) -> int:
    """The number of wins in a row at the beginning."""
    return next((nth for nth, won in enumerate(results) if not won), len(results))
