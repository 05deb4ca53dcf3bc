"""Fits the fixed ratings of the levels (`bots/anchors.py`) to games between them, by maximum likelihood."""

from collections.abc import Callable, Sequence
from math import log
from typing import Any, NamedTuple

import numpy as np

from tavolino.bots.anchors import MEDIUM, POINTS
from tavolino.games import meta_of
from tavolino.lab.arena import arena, deals_for
from tavolino.lab.matches import Plan

ROUNDS = 50
QUICK = ("random", "easy", "medium")


class Pair(NamedTuple):
    """How often `a` has won against `b`. In a game of one against all, `a` is the one."""

    a: str
    b: str
    games: int
    share: float


def measure(
    game: str, games: int, hard_games: int, iterations: int, say: Callable[[str], None], known: Sequence[Pair] = ()
) -> dict[str, Any]:
    """Play each pair of levels, and compute the anchors: the content of `anchors.json`.

    `hard` is slow: it plays only against `medium`, in fewer games, with a given number of iterations for a decision.
    If it plays no games, its `known` rating stays.
    """
    meta = meta_of(game)
    pairs = [] if hard_games else [pair for pair in known if "hard" in pair[:2]]
    lineups = [(*QUICK,)] if meta.teams else [("easy", "random"), ("medium", "easy"), ("medium", "random")]
    players = meta.usual_seats if meta.teams else meta.players[0]
    for bots, count in [*((lineup, games) for lineup in lineups), (("hard", "medium"), hard_games)]:
        if not count:
            continue
        plan = Plan(game, players, tuple(bots), 1, seed="anchors", iterations=iterations)
        figures = arena(deals_for(plan, count * (len(bots) ** 2 if meta.teams else 1)))
        pairs += _pairs(figures)
        say(f"{game}: {', '.join(bots)}")
    levels, one = fit(pairs, has_one=meta.teams is not None)
    return {
        "rules": meta.rules,
        "players": players,
        "iterations": iterations,
        "pairs": [[pair.a, pair.b, pair.games, round(pair.share, 4)] for pair in pairs],
        "levels": levels,
        **({"one": one} if meta.teams else {}),
    }


def _pairs(figures: dict[str, Any]) -> list[Pair]:
    if figures["pairings"]:  # of one against all: "medium as Thanos"
        return [
            Pair(row["one"].split()[0], row["team"].split()[0], row["games"], row["share"])
            for row in figures["pairings"]
        ]
    a, b = figures["bots"]
    row = next(row for row in figures["standings"] if row["bot"] == a)
    return [Pair(a, b, row["games"], row["share"])]


def fit(pairs: Sequence[Pair], has_one: bool) -> tuple[dict[str, float], float]:
    """The ratings of the levels, and what playing as the one is worth, by Bradley and Terry's model.

    Half a game is added to both sides of each pair, so that a level that never lost is not infinitely strong. What
    playing as the one is worth differs between levels; the value between two `medium` players is used.
    """
    games = np.array([pair.games + 1.0 for pair in pairs])
    wins = np.array([pair.games * pair.share + 0.5 for pair in pairs])
    one = 0.0
    if has_one:
        even = next(nth for nth, pair in enumerate(pairs) if pair.a == pair.b == "medium")
        one = log(wins[even] / (games[even] - wins[even]))
    names = sorted({name for pair in pairs for name in (pair.a, pair.b)} - {"medium"})
    x = np.array([[float(pair.a == name) - float(pair.b == name) for name in names] for pair in pairs])
    found = np.zeros(len(names))
    for _ in range(ROUNDS):  # Newton's method; the likelihood has one maximum
        likely = 1 / (1 + np.exp(-(x @ found + one)))
        slope = x.T @ (wins - games * likely)
        curve = (x.T * (games * likely * (1 - likely))) @ x
        found = found + np.clip(np.linalg.solve(curve, slope), -1, 1)
    levels = {"medium": MEDIUM, **{name: MEDIUM + POINTS * found[nth] for nth, name in enumerate(names)}}
    order = sorted(levels, key=lambda name: levels[name])
    return {name: round(float(levels[name])) for name in order}, round(POINTS * one)
