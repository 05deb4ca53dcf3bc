"""Balance: what a game is like between players of one level, by seat and side, in length, ends and choices."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

import tavolino
from tavolino.bots.contest import TAKEN, WON
from tavolino.engine.game import Seed
from tavolino.lab.arena import interval
from tavolino.lab.crew import Progress, play_all
from tavolino.lab.fixtures import TEAM_GAMES
from tavolino.lab.matches import ITERATIONS, Plan, Played, check, merge

MOST_ACTIONS = 60  # rows of the table of choices


@dataclass(frozen=True)
class Question:
    """What is to be measured; `thanos_life` asks for a table over life totals (Infinity Gauntlet)."""

    game: str
    level: str
    players: tuple[int, ...]
    games: int
    seed: Seed = 0
    options: Mapping[str, Any] = field(default_factory=dict)
    iterations: int = ITERATIONS
    thanos_life: tuple[int, ...] = ()

    def plan(self, players: int, options: Mapping[str, Any]) -> Plan:
        return Plan(
            self.game, players, (self.level,), self.games, self.seed, {**self.options, **options}, self.iterations
        )

    def _hero_life(self) -> Any:
        return self.options.get("hero_life", tavolino.load(self.game).options["hero_life"].default)

    def plans(self) -> list[Plan]:
        """Every batch of games that the question asks for."""
        tables = [self.plan(players, {}) for players in self.players]
        life = [
            self.plan(players, {"hero_life": self._hero_life(), "thanos_life": life})
            for players in self.players
            for life in self.thanos_life
        ]
        return tables + life


def balance(question: Question, workers: int = 1, progress: Progress = lambda games: None) -> dict[str, Any]:
    """Play and count; the figures as a dict for JSON. After Ctrl-C: of the batches that were finished."""
    plans = question.plans()
    for plan in plans:
        check(plan)
    figures: dict[str, Any] = {
        "game": question.game,
        "rules": tavolino.load(question.game).rules,
        "level": question.level,
        "iterations": question.iterations if question.level == "hard" else None,
        "seed": question.seed,
        "stopped": False,
        "tables": [],
        "actions": [],
        "life": [],
    }
    total = np.zeros((tavolino.load(question.game).action_count, 2), np.int64)
    done, counted = 0, 0
    for number, plan in enumerate(plans):
        parts, _, figures["stopped"] = play_all(plan, workers, progress=_further(progress, done))
        if figures["stopped"] or not parts:
            break
        played = merge(parts)
        done += plan.deals
        if number < len(question.players):
            figures["tables"].append(_table(plan, played))
            total += played.choices
            counted += plan.deals
        else:
            figures["life"].append(_life(plan, played))
    figures["actions"] = _actions(question.game, total, counted)
    return figures


def _further(progress: Progress, done: int) -> Progress:
    """Progress that goes on from what earlier batches have done."""
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
    """Who is compared: seats in the order of play, or Thanos and the heroes."""
    if plan.game in TEAM_GAMES:
        (_, one), (_, team) = plan.fixtures[0].sides
        return [("Thanos", one, 0.5), ("heroes", team, 0.5)]
    return [(f"seat {seat}", (seat,), 1 / plan.players) for seat in range(plan.players)]


def _share(who: str, winners: NDArray[np.int32], seats: tuple[int, ...], even: float) -> dict[str, Any]:
    won = (winners >> seats[0] & 1).astype(float)
    if len(seats) == 1:
        sharing = np.array([max(1, int(each).bit_count()) for each in winners])
        won = won / sharing
    low, high = interval(won, len(won))
    return {"who": who, "share": float(won.mean()), "low": low, "high": high, "even": even}


def _life(plan: Plan, played: Played) -> dict[str, Any]:
    seat = plan.fixtures[0].sides[0][1]
    row = _share("Thanos", played.outcomes[:, 0, 0], seat, 0.5)
    life = {name: plan.options[name] for name in ("hero_life", "thanos_life")}
    return {"players": plan.players, **life, "games": len(played.outcomes), **row}


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
    """An action's text; None where it depends on the position, as that of an order of cards does."""
    try:
        return tavolino.load(game).action_text(None, number)
    except AttributeError:
        return None
