"""The figures of a tournament: standings with ratings, and a cross-table, each with 95% intervals over deals."""

from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import Any

import tavolino
from tavolino.bots.performance import Place, rating_of
from tavolino.coach.intervals import of_differences, over_deals
from tavolino.games import meta_of
from tavolino.lab.tournament.plan import Plan
from tavolino.lab.tournament.tables import Seated, Table

Scores = dict[str, dict[str, float]]  # by entrant, and by key of the deal


def figures_of(plan: Plan, ended: Mapping[str, list[Table]]) -> dict[str, Any]:
    """Of the deals that have ended, as a dict for JSON. Each deal counts for all entrants of it, or for none."""
    shared = {key: tables for key, tables in ended.items() if _is_duplicate(tables)}
    met = {key: tables for key, tables in ended.items() if not _is_duplicate(tables)}
    scores: Scores = {
        name: {key: _seated(tables, name).score for key, tables in shared.items()} for name in plan.entrants
    }
    standings = [_standing(plan, name, shared, scores[name]) for name in plan.entrants] if shared else []
    return {
        "game": plan.game,
        "rules": tavolino.load(plan.game).rules,
        "players": plan.players,
        "options": plan.start_options,
        "against": [plan.level_at(seat) for seat in range(plan.players)],
        "seconds": plan.seconds,
        "iterations": plan.iterations,
        "deals": len(shared),
        "games": sum(len(tables) for tables in ended.values()),
        "standings": sorted(standings, key=lambda row: -float(row["share"])),
        "differences": [_difference(a, b, scores) for a, b in permutations(plan.entrants, 2)] if shared else [],
        "meetings": _meetings(plan, met),
    }


def rows_of(ended: Mapping[str, list[Table]]) -> list[dict[str, Any]]:
    """A row for each entrant at each table, for a data frame."""
    return [
        {
            "deal": key,
            "is_meeting": not _is_duplicate(tables),
            "entrant": seated.entrant,
            "seat": seated.seat,
            "score": seated.score,
            "fault": seated.fault,
            "sentence": seated.sentence,
            "decisions": seated.decisions,
            "seconds": seated.seconds,
            "record": table.record,
        }
        for key, tables in ended.items()
        for table in tables
        for seated in table.seated
    ]


def _is_duplicate(tables: Sequence[Table]) -> bool:
    return len(tables[0].seated) == 1


def _seated(tables: Sequence[Table], name: str) -> Seated:
    return next(seated for table in tables for seated in table.seated if seated.entrant == name)


def _standing(plan: Plan, name: str, shared: Mapping[str, list[Table]], scores: Mapping[str, float]) -> dict[str, Any]:
    own = [_seated(tables, name) for tables in shared.values()]
    games, share = len(own), sum(scores.values()) / len(own)
    low, high = over_deals(list(scores.values()), games)
    places = [_place(plan, seated.seat) for seated in own]
    decisions = sum(seated.decisions for seated in own)
    return {
        "entrant": name,
        "games": games,
        "share": share,
        "low": low,
        "high": high,
        "rating": rating_of(places, share),
        "rating_low": rating_of(places, low) if low > 0 else None,
        "rating_high": rating_of(places, high) if high < 1 else None,
        "seconds": sum(seated.seconds for seated in own) / max(1, decisions),
        "slowest": max(seated.slowest for seated in own),
        **{fault: sum(seated.fault == fault for seated in own) for fault in ("late", "failed", "illegal")},
        "first_fault": next((seated.sentence for seated in own if seated.sentence), None),
    }


def _place(plan: Plan, seat: int) -> Place:
    """Whom an entrant in this seat plays with and against."""
    teams = meta_of(plan.game).teams
    alone = None if teams is None else int(plan.start_options[teams.option])
    return Place(plan.game, seat, tuple(plan.level_at(each) for each in range(plan.players)), alone)


def _difference(a: str, b: str, scores: Scores) -> dict[str, Any]:
    """How much more of the wins `a` got than `b`, with the same cards in the same seats."""
    by_deal = [scores[a][key] - scores[b][key] for key in scores[a]]
    low, high = of_differences(by_deal)
    return {"entrant": a, "other": b, "mean": sum(by_deal) / len(by_deal), "low": low, "high": high}


def _meetings(plan: Plan, met: Mapping[str, list[Table]]) -> list[dict[str, Any]]:
    rows = []
    for a, b in permutations(plan.entrants, 2):
        own = [{seated.entrant: seated.score for seated in table.seated} for tables in met.values() for table in tables]
        scores = [score[a] for score in own if score.keys() == {a, b}]
        if scores:
            low, high = over_deals(scores, len(scores))
            share = sum(scores) / len(scores)
            rows.append({"entrant": a, "other": b, "games": len(scores), "share": share, "low": low, "high": high})
    return rows
