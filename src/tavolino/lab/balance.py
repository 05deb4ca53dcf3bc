"""Balance: statistics of games between players of one level: wins by seat and side, length, endings, choices."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

import tavolino
from tavolino.bots.contest_loop import TAKEN, WON
from tavolino.coach.intervals import over_deals
from tavolino.engine.game import Seed
from tavolino.games import meta_of
from tavolino.lab.executors import Progress, play_all
from tavolino.lab.matches import ITERATIONS, Plan, Played, check, merge
from tavolino.lab.ray_cluster import ray_session

MOST_ACTIONS = 60  # rows of the table of choices


@dataclass(frozen=True)
class Question:
    """What is to be measured; `vary` asks for more games with these values of one option."""

    game: str
    level: str
    players: tuple[int, ...]
    games: int
    seed: Seed = 0
    options: Mapping[str, Any] = field(default_factory=dict)
    iterations: int = ITERATIONS
    vary: tuple[str, tuple[Any, ...]] | None = None

    def plan(self, players: int, options: Mapping[str, Any]) -> Plan:
        return Plan(
            self.game, players, (self.level,), self.games, self.seed, {**self.options, **options}, self.iterations
        )

    def plans(self) -> list[Plan]:
        """Every batch of games that the question asks for."""
        tables = [self.plan(players, {}) for players in self.players]
        if self.vary is None:
            return tables
        option, values = self.vary
        return tables + [self.plan(players, {option: value}) for players in self.players for value in values]


def balance(
    question: Question, workers: int = 1, ray: str | None = None, progress: Progress = lambda games: None
) -> dict[str, Any]:
    """Play and count. Returns the figures as a dict for JSON; after Ctrl-C those of the finished batches."""
    plans = question.plans()
    for plan in plans:
        check(plan)
    figures: dict[str, Any] = {
        "game": question.game,
        "rules": tavolino.load(question.game).rules,
        "level": question.level,
        "iterations": question.iterations if question.level in ("hard", "expert") else None,
        "seed": question.seed,
        "stopped": False,
        "tables": [],
        "actions": [],
        "varied": [],
    }
    total = np.zeros((tavolino.load(question.game).action_count, 2), np.int64)
    done, counted = 0, 0
    with ray_session(ray):  # one for all batches
        for number, plan in enumerate(plans):
            parts, _, figures["stopped"] = play_all(plan, workers, ray, _further(progress, done))
            if figures["stopped"] or not parts:
                break
            played = merge(parts)
            done += plan.deals
            if number < len(question.players):
                figures["tables"].append(_table(plan, played))
                total += played.choices
                counted += plan.deals
            else:
                figures["varied"].append(_varied(question, plan, played))
    figures["actions"] = _actions(question.game, total, counted)
    return figures


def _further(progress: Progress, done: int) -> Progress:
    """Progress that continues from the earlier batches."""
    return lambda games: progress(done + games)


def _table(plan: Plan, played: Played) -> dict[str, Any]:
    winners, reasons, lengths = played.outcomes[:, 0].T
    names = tavolino.load(plan.game).reasons
    numbers, counts = np.unique(reasons, return_counts=True)
    return {
        "players": plan.players,
        "options": plan.options,
        "games": len(winners),
        "wins": [_share(who, winners, seats, even) for who, seats, even in _sides(plan)],
        "length": {
            "mean": float(lengths.mean()),
            "shortest": int(lengths.min()),
            "median": float(np.median(lengths)),
            "longest": int(lengths.max()),
        },
        "reasons": {names[n] or "": int(count) / len(winners) for n, count in zip(numbers, counts, strict=True)},
    }


def _sides(plan: Plan) -> Sequence[tuple[str, tuple[int, ...], float]]:
    """Who is compared: seats in the order of play, or the two sides."""
    teams = meta_of(plan.game).teams
    if teams is not None:
        (_, one), (_, others) = plan.seatings[0].sides
        return [(teams.one, one, 0.5), (teams.others, others, 0.5)]
    return [(f"seat {seat}", (seat,), 1 / plan.players) for seat in range(plan.players)]


def _share(who: str, winners: NDArray[np.int32], seats: tuple[int, ...], even: float) -> dict[str, Any]:
    won = (winners >> seats[0] & 1).astype(float)
    if len(seats) == 1:
        sharing = np.array([max(1, int(each).bit_count()) for each in winners])
        won = won / sharing
    low, high = over_deals(won, len(won))
    return {"who": who, "share": float(won.mean()), "low": low, "high": high, "even": even}


def _varied(question: Question, plan: Plan, played: Played) -> dict[str, Any]:
    """How often the first side wins (the one who plays alone, or seat 0) with one value of an option."""
    assert question.vary is not None
    option, _ = question.vary
    who, seats, even = _sides(plan)[0]
    row = _share(who, played.outcomes[:, 0, 0], seats, even)
    value = plan.options[option]
    return {"players": plan.players, "option": option, "value": value, "games": len(played.outcomes), **row}


def _actions(game: str, choices: NDArray[np.int64], games: int) -> list[dict[str, Any]]:
    """The choices made most often, and the share of them made by somebody who won."""
    rows = []
    for number in np.argsort(-choices[:, TAKEN])[:MOST_ACTIONS]:
        taken, won = choices[number, TAKEN], choices[number, WON]
        text = _name_of(game, int(number))
        if taken > 0 and text is not None:
            rows.append({"action": text, "per_game": float(taken / games), "won": float(won / taken)})
    return rows


def _name_of(game: str, number: int) -> str | None:
    """An action's text; None if it depends on the position, as for an order of cards."""
    try:
        return tavolino.load(game).action_text(None, number)
    except AttributeError:
        return None
