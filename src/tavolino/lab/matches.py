"""Plays deals: in compiled batches if all bots are built-in levels, else in plain Python."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

import tavolino
from tavolino.bots import LEVELS, Bot, make_bot
from tavolino.bots.contest import Contest, Contestant, ContestGame
from tavolino.engine.batches import stream_seed
from tavolino.engine.game import Seed
from tavolino.lab.own_bots import bot_class, choice_of, make_own_bot
from tavolino.lab.seatings import Seating, seatings

ITERATIONS = 1000  # of `hard`, for one decision, unless the plan says otherwise


@dataclass(frozen=True)
class Plan:
    """What to play: a number of deals, each in every seating."""

    game: str
    players: int
    bots: tuple[str, ...]  # levels, or module:Class
    deals: int
    seed: Seed = 0
    options: dict[str, Any] = field(default_factory=dict)
    iterations: int = ITERATIONS

    @property
    def seatings(self) -> list[Seating]:
        return seatings(self.game, self.bots, self.players, self.options)


@dataclass
class Played:
    """The outcomes of some deals: outcomes[deal, seating] is (winners, reason, decisions)."""

    first: int
    outcomes: NDArray[np.int32]
    choices: NDArray[np.int64]


def check(plan: Plan) -> None:
    """Raise ValueError for a plan that cannot be played."""
    game = tavolino.load(plan.game)
    game.check_players(plan.players)
    if not plan.bots:
        raise ValueError("There must be at least one bot.")
    game.start(plan.players, 0, {**plan.options, **plan.seatings[0].options})
    for bot in plan.bots:
        if bot not in LEVELS:
            bot_class(bot)


class Runner:
    """Plays the deals of a plan, one chunk after the other."""

    def __init__(self, plan: Plan):
        self._plan = plan
        self._seatings = plan.seatings
        self._seed = stream_seed(plan.seed)
        self._contest = None
        if all(bot in LEVELS for bot in plan.bots):
            self._contest = Contest(plan.game, [Contestant(bot, plan.iterations) for bot in plan.bots])

    def warm(self) -> None:
        """Compile before time is measured."""
        self.play(0, 1)

    def play(self, first: int, deals: int) -> Played:
        games = [(deal, seating) for deal in range(first, first + deals) for seating in self._seatings]
        if self._contest is not None:
            rows = [ContestGame(deal, seating.players, seating.options) for deal, seating in games]
            results = self._contest.play(rows, self._seed)
            outcomes, choices = results.outcomes, results.choices
        else:
            action_count = tavolino.load(self._plan.game).action_count
            outcomes = np.array([self._play_in_python(*game) for game in games], np.int32)
            choices = np.zeros((action_count, 2), np.int64)
        return Played(first, outcomes.reshape(deals, len(self._seatings), 3), choices)

    def _play_in_python(self, deal: int, seating: Seating) -> tuple[int, int, int]:
        """One game in which every bot gets only what its seat may know, for bots that are not built in."""
        plan = self._plan
        match = tavolino.load(plan.game).start(plan.players, f"{plan.seed!r} {deal}", dict(seating.options))
        bots = [self._bot(plan.bots[who], deal * plan.players + seat) for seat, who in enumerate(seating.players)]
        decisions = 0
        while match.to_act is not None:
            name = plan.bots[seating.players[match.to_act]]
            match.play(choice_of(bots[match.to_act], name, match, f"deal {deal}"))
            decisions += 1
        assert match.outcome is not None
        winners = sum(1 << seat for seat in match.outcome.winners)
        return winners, match.game.reasons.index(match.outcome.reason), decisions

    def _bot(self, name: str, seed: int) -> Bot:
        if name in LEVELS:
            return make_bot(name, self._plan.game, seed, iterations=self._plan.iterations)
        return make_own_bot(name, self._plan.game, seed)


def merge(parts: Sequence[Played]) -> Played:
    """Join chunks in the order of their deals."""
    parts = sorted(parts, key=lambda part: part.first)
    return Played(
        parts[0].first,
        np.concatenate([part.outcomes for part in parts]),
        np.sum([part.choices for part in parts], axis=0),
    )
