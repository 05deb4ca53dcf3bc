"""The worlds that are possible for one seat at one moment, and the results of actions in them.

What the seat has seen is the random seed: two games that it cannot tell apart give the same worlds, and so the same
judgement to the last bit.
"""

from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tavolino.bots import SeatMatch
from tavolino.bots.heuristic import decide
from tavolino.bots.policies import policy_of
from tavolino.bots.search import new_scratch
from tavolino.coach.playouts import AS_POLICY, ROOM, Results, play_out
from tavolino.engine.match import Match
from tavolino.engine.policy import TO_THE_END
from tavolino.engine.reading import read

LEVEL = "medium"  # of all players in the playouts
SHORTEST = 8  # decisions of a playout that is cut: searches that have a tree may have shorter ones
SEED_BITS = 32


class Worlds:
    """Worlds that are possible for a seat. Another `salt` gives other worlds, for tests of the standard errors."""

    def __init__(self, match: Match, seat: int, salt: str = ""):
        self.game, self.seat, self.players = match.game, seat, match.players
        digest = SeatMatch(match, seat).fingerprint(salt)
        root = match.resample(seat, digest)
        self.to_act = root.to_act
        self.texts = {self.game.action_text(read(root._states), n): n for n in root._out[: root._n_legal].tolist()}
        self._roots, self._teams = root._states, self.game.teams(root._states[0])
        self._policy = policy_of(self.game.name)
        self._weights = self._policy.weights_of(LEVEL)
        self._seed = int.from_bytes(digest[: SEED_BITS // 8], "big")
        self._room, (self._actions, self._scores, _) = self.game.new_states(ROOM), new_scratch(self.game)
        self._own_choice = self._ask_policy(root)
        self._next = 0
        self.work = 0

    def _ask_policy(self, root: Match) -> int:
        """The heuristic's action here, if it is the seat's decision."""
        if self.to_act != self.seat or not self._policy.has_heuristic:
            return AS_POLICY  # without a heuristic the choice differs from world to world
        return int(decide(self._roots, 0, self._weights, root._out, root._n_legal, self._scores))

    @property
    def policy_action(self) -> int:
        """The number of the action that the heuristic chooses for this seat, or AS_POLICY."""
        return self._own_choice

    @property
    def short_cut(self) -> int:
        """After how many decisions a playout may be evaluated instead of played to the end, to compare actions."""
        return max(self._policy.search.playout, SHORTEST) if self._policy.has_heuristic else TO_THE_END

    def play(self, tried: list[int], count: int, cut: int = TO_THE_END) -> Results:
        """Draw `count` new worlds, and play each of the actions in each of them."""
        results = np.zeros((count, len(tried), self.players))
        self.work += play_out(
            self._roots,
            0,
            self._room,
            self.seat,
            self._teams,
            self._weights,
            cut,
            self._seed,
            self._next,
            np.array(tried, np.int64),
            self._actions,
            self._scores,
            results,
        )
        self._next += count
        return results


def mean_and_error(values: NDArray[Any]) -> tuple[float, float]:
    """The mean over the worlds, and its standard error.

    Laplace's correction: where all worlds agree the error is small, but not zero.
    """
    count = len(values)
    spread = max(float(values.var()), 1.0 / (count + 2) * (1.0 - 1.0 / (count + 2)))
    return float(values.mean()), sqrt(spread / count)


def difference(one: NDArray[Any], other: NDArray[Any]) -> tuple[float, float]:
    """The mean of the differences world by world, and its standard error; 0 for an action and itself."""
    apart = one - other
    if not apart.any() and one is other:
        return 0.0, 0.0
    return mean_and_error(apart)
