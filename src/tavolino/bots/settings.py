"""The parameters of `hard`, all in one place, tuned by measurement (docs/balance.md, bench/search.py)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

TO_THE_END = 100_000  # a playout that is never cut off


@dataclass(frozen=True)
class Settings:
    """How a search spends its iterations."""

    iterations: int  # for one decision at the table
    exploration: float  # the weight of the confidence bound
    depth: int  # so many decisions below the root are kept in the tree
    widening: float  # a node visited k times tries 1 + widening * sqrt(k) actions; the best-looking come first
    playout: int  # so many decisions are played beyond the tree before the position is judged
    at_random: int  # percent of the playout's decisions that are random instead of by habit
    sees: bool  # positions are told apart by what is seen, or only by the actions that led there
    informed: int  # for so many decisions players in the searched worlds go on learning; then they see what is open
    rivals: bool  # the others search in the tree too (max-n), or play by habit throughout
    doubt: float  # by how many standard errors an action must beat the habit's favourite
    shared: bool  # at the root every action meets the same worlds (roots.py), or the highest bound is followed
    room: int = 1 << 17  # nodes, and edges, of the tree

    def numbers(self) -> NDArray[np.float64]:
        """In the order that the compiled search reads."""
        search = (self.exploration, self.depth, self.widening, self.playout, self.at_random)
        return np.array([*search, float(self.sees), self.informed, float(self.rivals), float(self.shared)])


SETTINGS = {
    "mantis": Settings(
        iterations=30_000,
        exploration=0.15,
        depth=1,
        widening=10.0,
        playout=8,
        at_random=0,
        sees=True,
        informed=0,
        rivals=False,
        doubt=1.0,
        shared=True,
    ),
    "splendor-marvel": Settings(
        iterations=12_000,
        exploration=0.08,
        depth=12,
        widening=0.6,
        playout=0,
        at_random=0,
        sees=False,
        informed=0,
        rivals=True,
        doubt=0.5,
        shared=False,
    ),
    "infinity-gauntlet": Settings(
        iterations=12_000,
        exploration=0.6,
        depth=3,
        widening=10.0,
        playout=8,
        at_random=0,
        sees=True,
        informed=TO_THE_END,
        rivals=False,
        doubt=1.0,
        shared=True,
    ),
}
