"""The arena: how often each bot wins, with 95% intervals, and the ratings of the bots."""

from dataclasses import replace
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray

import tavolino
from tavolino.coach.intervals import over_deals
from tavolino.games import meta_of
from tavolino.lab.executors import Progress, play_all
from tavolino.lab.matches import Plan, Played, check, merge
from tavolino.lab.ratings import rate


def deals_for(plan: Plan, games: int) -> Plan:
    """The same plan with enough whole deals for this number of games."""
    check(plan)
    return replace(plan, deals=max(1, ceil(games / len(plan.seatings))))


def arena(
    plan: Plan, workers: int = 1, ray: str | None = None, progress: Progress = lambda deals: None
) -> dict[str, Any]:
    """Play the plan. Returns the figures as a dict for JSON; after Ctrl-C those so far, and `stopped` is true."""
    check(plan)
    parts, seconds, is_stopped = play_all(plan, workers, ray, progress)
    figures: dict[str, Any] = {
        "game": plan.game,
        "rules": tavolino.load(plan.game).rules,
        "players": plan.players,
        "bots": list(plan.bots),
        "iterations": plan.iterations if {"hard", "expert"} & set(plan.bots) else None,
        "options": plan.options,
        "seed": plan.seed,
        "deals": 0,
        "games": 0,
        "seconds": seconds,
        "stopped": is_stopped,
        "standings": [],
        "pairings": [],
        "reasons": {},
    }
    return figures if not parts else figures | _count(plan, merge(parts))


def _count(plan: Plan, played: Played) -> dict[str, Any]:
    seatings, outcomes = plan.seatings, played.outcomes
    names = list(dict.fromkeys(name for seating in seatings for name, _ in seating.sides))
    ratings = rate(seatings, outcomes)
    standings = [{"bot": name, **standing(plan, outcomes, name), **ratings[name]} for name in names]
    reasons = tavolino.load(plan.game).reasons
    numbers, counts = np.unique(outcomes[:, :, 1], return_counts=True)
    return {
        "deals": len(outcomes),
        "games": int(outcomes.shape[0] * outcomes.shape[1]),
        "decisions": int(outcomes[:, :, 2].sum()),
        "standings": sorted(standings, key=lambda row: -float(row["ordinal"])),
        "pairings": _pairings(plan, outcomes),
        "reasons": {reasons[n] or "": int(count) for n, count in zip(numbers, counts, strict=True)},
    }


def standing(plan: Plan, outcomes: NDArray[np.int32], name: str) -> dict[str, Any]:
    """The share of games that a side wins, of those in which it sits at the table; shared wins are split."""
    shares, even, games = [], 0.0, 0
    for at, seating in enumerate(plan.seatings):
        seats = [seat for side, its in seating.sides if side == name for seat in its]
        if seats:
            shares.append(_win_share(seating.sides, outcomes[:, at, 0], name))
            even += sum(side == name for side, _ in seating.sides) / len(seating.sides)
            games += len(outcomes)
    by_deal = np.mean(shares, axis=0)
    low, high = over_deals(by_deal, games)
    return {
        "games": games,
        "share": float(by_deal.mean()),
        "low": low,
        "high": high,
        "even": even / len(shares),
    }


def _win_share(sides: Any, winners: NDArray[np.int32], name: str) -> NDArray[np.float64]:
    """For each game the part of the win that goes to sides of this name."""
    won = np.array([winners >> its[0] & 1 for _, its in sides], dtype=float)  # a side wins as a whole
    own = np.array([side == name for side, _ in sides], dtype=float)
    total = won.sum(axis=0)
    return np.divide(own @ won, total, out=np.zeros(len(winners)), where=total > 0)


def _pairings(plan: Plan, outcomes: NDArray[np.int32]) -> list[dict[str, Any]]:
    """In a game of one against all: how often each player alone beats each team."""
    rows: list[dict[str, Any]] = []
    if meta_of(plan.game).teams is None:
        return rows
    for at, seating in enumerate(plan.seatings):
        (one, _), (team, _) = seating.sides
        shares = _win_share(seating.sides, outcomes[:, at, 0], one)
        low, high = over_deals(shares, len(shares))
        rows.append(
            {"one": one, "team": team, "games": len(shares), "share": float(shares.mean()), "low": low, "high": high}
        )
    return rows
