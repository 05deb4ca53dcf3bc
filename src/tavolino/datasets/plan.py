"""What to export: the games, who plays them, and the columns."""

from dataclasses import dataclass, field
from typing import Any

import tavolino
from tavolino.coach.beliefs import WORLDS, beliefs_of
from tavolino.engine.extras import require
from tavolino.lab import matches
from tavolino.research.encodings import encoding_of

FORMATS = ("parquet", "npz")
GAMES_PER_SHARD, LABELLED_GAMES_PER_SHARD = 1000, 10


class ExportFailed(ValueError):
    """A sentence for users."""


@dataclass(frozen=True)
class ExportPlan:
    """The same plan gives the same bytes."""

    game: str
    players: int
    bots: tuple[str, ...] = ("random",)  # levels, or module:Class; repeated until all seats are taken
    games: int = 1000
    seed: str = "0"
    options: dict[str, Any] = field(default_factory=dict)
    iterations: int = matches.ITERATIONS
    knowledge: bool = False  # the slices of knowledge in observations
    values: bool = False  # the measured value of every legal action
    luck: bool = False
    beliefs: bool = False
    worlds: int = WORLDS  # in which each action is played, and from which a belief is estimated if it is not counted
    format: str = "parquet"
    games_per_shard: int = 0  # 0: GAMES_PER_SHARD, or fewer with labels

    @property
    def is_labelled(self) -> bool:
        return self.values or self.luck or self.beliefs

    @property
    def shard_size(self) -> int:
        return self.games_per_shard or (LABELLED_GAMES_PER_SHARD if self.is_labelled else GAMES_PER_SHARD)

    @property
    def shards(self) -> range:
        """The first game of each shard."""
        return range(0, self.games, self.shard_size)

    def file_name(self, first: int) -> str:
        return f"games-{first:09}.{self.format}"

    def deal(self, number: int) -> str:
        """The seed of a game: `Game.start` deals the same cards from it."""
        return f"{self.seed} {number}"


def check(plan: ExportPlan) -> None:
    """Raise ValueError for a plan that cannot be carried out; a LookupError for a game that lacks a part."""
    if plan.format not in FORMATS:
        raise ValueError(f"There is no format {plan.format!r}. Formats: {', '.join(FORMATS)}.")
    for name in ("games", "worlds"):
        if getattr(plan, name) < 1:
            raise ValueError(f"The number of {name} must be at least 1, not {getattr(plan, name)}.")
    if plan.games_per_shard < 0:
        raise ValueError(f"A shard has at least 1 game, not {plan.games_per_shard}.")
    tavolino.load(plan.game)
    encoding_of(plan.game)
    matches.check(matches.Plan(plan.game, plan.players, plan.bots, 1, plan.seed, plan.options, plan.iterations))
    if plan.beliefs:
        beliefs_of(plan.game)
    if plan.format == "parquet":
        require("parquet", "pyarrow")
