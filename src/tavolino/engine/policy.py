"""The interface of a game's policy: a heuristic that scores actions and positions, and the settings of its search.

A game's module `policy` holds `POLICY = Policy(...)`. Every part has a default, so a game without a policy can be
searched too: all actions have the same score, and playouts are random and go to the end of the game.

The type of the record selects the compiled functions of a policy, as in `engine.dispatch` and for the same reason:
search and contests are ordinary generic code that Numba can cache across processes.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tavolino.engine.compiled import compiled
from tavolino.engine.dispatch import ByRecord, register
from tavolino.engine.net import NetShape, no_features
from tavolino.engine.record import Numbers, State

Reals = NDArray[np.float64]

# The weights of the heuristic, one array for each level. The first columns have the same meaning in every game.
OVERLOOK = 0  # the probability of ignoring an action
NOISE = 1  # the largest error in the score of an action, in the units of the score
FIRST_OWN_WEIGHT = 2  # the first column that each game defines
SLIPS = 0.2  # OVERLOOK of `easy` in a game that has no weights for it

THOUSAND = 1000  # probabilities are drawn in thousandths
TO_THE_END = 100_000  # the length of a playout without a limit


@dataclass(frozen=True)
class SearchSettings:
    """The parameters of the level `hard`. The defaults suit a game that has no heuristic."""

    iterations: int = 5_000  # for one decision at a table
    exploration: float = 0.7  # the weight of the confidence bound
    depth: int = 20  # the tree keeps so many decisions below the root
    widening: float = 10.0  # a node visited k times tries 1 + widening * sqrt(k) actions, the best-scored first
    playout: int = TO_THE_END  # so many decisions are played below the tree before the position is evaluated
    random_percent: int = 100  # percent of the playout's decisions that are random instead of heuristic
    by_information: bool = False  # nodes differ by `information_key`, or only by the actions that lead to them
    # For this many decisions the searched worlds track each seat's knowledge; later seats know what is public.
    informed: int = TO_THE_END
    opponents_search: bool = True  # the other seats search in the tree too (max-n), or always play by the heuristic
    margin: float = 0.0  # by how many standard errors an action must beat the heuristic's first choice
    common_worlds: bool = False  # at the root all actions are tried in the same worlds (bots/common_worlds.py)
    capacity: int = 1 << 17  # nodes, and edges, of the tree


@ByRecord
def score_actions(s: Any, weights: Any, actions: Any, n: int, scores: Any) -> None:
    """Write into `scores` how good each of the `n` legal actions looks to the seat that must act.

    `s` is a world that is possible for this seat. The scores may depend only on what the seat knows in it: its own
    cards, what is public, and the sets of what can be where. `weights` are those of the bot.
    """


@ByRecord
def evaluate(s: Any, values: Any) -> None:
    """Write into `values` each seat's estimated chance to win, where a playout is cut off.

    In a game with a payoff of its own: the expected payoff, from 0 (the lowest) to 1 (the highest).
    """


@ByRecord
def information_key(s: Any, viewer: int) -> int:  # type: ignore[empty-body]
    """A number for what the viewer sees now; a search treats positions with different keys as different."""


@compiled
def score_alike(s: State, weights: Reals, actions: Numbers, n: int, scores: Reals) -> None:
    """The default of `score_actions`."""
    for i in range(n):
        scores[i] = 0.0


@compiled
def evaluate_alike(s: State, values: Reals) -> None:
    """The default of `evaluate`."""
    for seat in range(s.players):
        values[seat] = 1.0 / s.players


@compiled
def no_key(s: State, viewer: int) -> int:
    """The default of `information_key`."""
    return 0


@dataclass(frozen=True, eq=False)
class Policy:
    """How the bots play a game. Without weights there is no heuristic: `medium` searches, `easy` is random."""

    record: np.dtype[Any]
    weights: Mapping[str, Reals] = field(default_factory=dict)  # by level: "medium", and "easy" if it has its own
    score_actions: Callable[..., None] = score_alike
    evaluate: Callable[..., None] = evaluate_alike
    information_key: Callable[..., int] = no_key
    features: Callable[..., None] = no_features
    net: NetShape | None = None  # of the net that `features` describe a seat to
    search: SearchSettings = SearchSettings()
    search_with_net: SearchSettings | None = None  # of `expert`, where there is a net; None: as without one

    def __post_init__(self) -> None:
        register(
            self.record,
            score_actions=self.score_actions,
            evaluate=self.evaluate,
            information_key=self.information_key,
            features=self.features,
        )

    @property
    def has_heuristic(self) -> bool:
        return bool(self.weights)

    def weights_of(self, level: str) -> Reals:
        """The weights of a level; `hard` plays its playouts like `medium`."""
        if not self.weights:
            return np.zeros(FIRST_OWN_WEIGHT)
        if level in self.weights:
            return self.weights[level]
        weights = self.weights["medium"].copy()
        if level == "easy":
            weights[OVERLOOK] = SLIPS
        return weights
