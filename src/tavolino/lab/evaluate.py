"""The benchmark of agents: fixed deals, fixed opponents, and intervals of paired differences.

In each deal the agent sits in every seat once, against bots of one level in all other seats; in a game of one against
all it is once the single player and once the whole team. The reference, a bot of level `medium`, plays the same deals
against the same opponents, so the luck of the cards cancels in the difference. Every game is played as at a table:
agents get a `SeatMatch` and nothing else.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

import tavolino
from tavolino.bots import LEVELS, Bot, make_bot
from tavolino.coach.intervals import of_differences, over_deals
from tavolino.engine.match import Match
from tavolino.games import meta_of
from tavolino.lab.crew import Crew
from tavolino.lab.matches import ITERATIONS
from tavolino.lab.own_bots import bot_class, choice_of, make_own_bot

PROTOCOL = 1  # another number: results cannot be compared
SEED = "benchmark 1"
REFERENCE = "medium"
OPPONENTS = ("easy", "medium")
DEALS, FEWEST_DEALS = 200, 2
CHUNK = 5  # deals that a worker plays at once
Progress = Callable[[int], None]


@dataclass(frozen=True)
class Benchmark:
    """What an agent plays."""

    agent: str  # a level, or module:Class
    game: str
    players: int
    opponents: tuple[str, ...] = OPPONENTS
    deals: int = DEALS
    seed: str = SEED
    options: dict[str, Any] = field(default_factory=dict)
    iterations: int = ITERATIONS  # of `hard` and `expert`


@dataclass(frozen=True)
class Sitting:
    """Where the agent sits in one game of a deal."""

    seats: frozenset[int]
    options: Mapping[str, Any]


def sittings(benchmark: Benchmark) -> list[Sitting]:
    """All games of a deal: what the agent plays differs, the cards do not."""
    meta, seats = meta_of(benchmark.game), range(benchmark.players)
    if meta.teams is not None:
        alone = benchmark.options.get(meta.teams.option, 0)
        options = {**benchmark.options, meta.teams.option: alone}
        return [Sitting(frozenset({alone}), options), Sitting(frozenset(seats) - {alone}, options)]
    first = {} if meta.seat_option is None else {meta.seat_option: 0}
    return [Sitting(frozenset({seat}), {**first, **benchmark.options}) for seat in seats]


def check(benchmark: Benchmark) -> None:
    """Raise ValueError for what cannot be played."""
    game = tavolino.load(benchmark.game)
    game.check_players(benchmark.players)
    if benchmark.deals < FEWEST_DEALS:
        raise ValueError(f"There must be at least {FEWEST_DEALS} deals for an interval, not {benchmark.deals}.")
    if not benchmark.opponents:
        raise ValueError("There must be at least one level of opponents.")
    for level in benchmark.opponents:
        if level not in LEVELS:
            raise ValueError(f"Opponents are levels ({', '.join(LEVELS)}), not {level!r}.")
    game.start(benchmark.players, 0, dict(sittings(benchmark)[0].options))
    if benchmark.agent not in LEVELS:
        bot_class(benchmark.agent)


def evaluate(
    benchmark: Benchmark, workers: int = 1, ray: str | None = None, progress: Progress = lambda deals: None
) -> dict[str, Any]:
    """Play everything. Returns the figures as a dict for JSON; the same ones for any number of workers."""
    check(benchmark)
    work = [
        (benchmark, level, first, min(CHUNK, benchmark.deals - first))
        for level in benchmark.opponents
        for first in range(0, benchmark.deals, CHUNK)
    ]
    parts: dict[str, list[NDArray[np.float64]]] = {level: [] for level in benchmark.opponents}
    done = 0
    with Crew(_play_chunk, workers, ray) as crew:
        for (_, level, _, deals), scores in zip(work, crew.map(work), strict=True):
            parts[level].append(scores)
            done += deals
            progress(done)
    return {
        "protocol": PROTOCOL,
        "agent": benchmark.agent,
        "game": benchmark.game,
        "rules": tavolino.load(benchmark.game).rules,
        "players": benchmark.players,
        "options": dict(benchmark.options),
        "seed": benchmark.seed,
        "deals": benchmark.deals,
        "games": benchmark.deals * len(sittings(benchmark)),
        "iterations": benchmark.iterations,
        "reference": REFERENCE,
        "results": [_result(level, np.concatenate(found), benchmark) for level, found in parts.items()],
    }


def _result(level: str, scores: NDArray[np.float64], benchmark: Benchmark) -> dict[str, Any]:
    """One level of opponents: the share of wins, and the paired difference from the reference."""
    own, reference = scores[:, 0], scores[:, 1]
    low, high = over_deals(own, len(own) * len(sittings(benchmark)))
    difference_low, difference_high = of_differences(own - reference)
    return {
        "opponents": level,
        "share": float(own.mean()),
        "low": low,
        "high": high,
        "reference_share": float(reference.mean()),
        "difference": float((own - reference).mean()),
        "difference_low": difference_low,
        "difference_high": difference_high,
        "shares": own.tolist(),
    }


def _play_chunk(work: tuple[Benchmark, str, int, int]) -> NDArray[np.float64]:
    """For each deal the mean share of wins of the agent and of the reference."""
    benchmark, level, first, count = work
    scores = np.zeros((count, 2))
    for row in range(count):
        for column, name in enumerate((benchmark.agent, REFERENCE)):
            games = [_play(benchmark, name, level, first + row, sitting) for sitting in sittings(benchmark)]
            scores[row, column] = np.mean(games)
    return scores


def _play(benchmark: Benchmark, name: str, level: str, deal: int, sitting: Sitting) -> float:
    """One game: the share of the win that goes to the seats of `name`."""
    match = tavolino.load(benchmark.game).start(benchmark.players, f"{benchmark.seed} {deal}", dict(sitting.options))
    bots = [
        _bot(benchmark, name if seat in sitting.seats else level, deal * benchmark.players + seat)
        for seat in range(benchmark.players)
    ]
    while match.to_act is not None:
        who = name if match.to_act in sitting.seats else level
        match.advance(choice_of(bots[match.to_act], who, match, f"deal {deal}"))
    return _win_share(match, sitting.seats)


def _bot(benchmark: Benchmark, name: str, seed: int) -> Bot:
    if name in LEVELS:
        return make_bot(name, benchmark.game, seed, iterations=benchmark.iterations)
    return make_own_bot(name, benchmark.game, seed)


def _win_share(match: Match, seats: frozenset[int]) -> float:
    """1 split evenly among the winning teams; 0 without a winner."""
    outcome, teams = match.outcome, match.teams()
    assert outcome is not None
    won = {teams[seat] for seat in outcome.winners}
    return len(won & {teams[seat] for seat in seats}) / len(won) if won else 0.0


def table_row(figures: Mapping[str, Any]) -> Sequence[str]:
    """The row of docs/benchmarks.md: the agent, the deals, and for each level the share and the paired difference."""
    cells = [figures["agent"], f"{figures['deals']:,}"]
    for result in figures["results"]:
        cells.append(f"{result['share']:.1%} ({result['low']:.1%} to {result['high']:.1%})")
        apart = (f"{100 * result[key]:+.1f}" for key in ("difference", "difference_low", "difference_high"))
        cells.append("{} ({} to {})".format(*apart))
    return cells
