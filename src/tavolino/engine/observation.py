"""The interface of a game's encoding for learning: named slices of one vector, and named ranges of the flat table of
actions. A game's module `encoding` holds `ENCODING = Encoding(...)`.

Seats are counted clockwise from the seat that observes or acts: +0 is oneself, +1 the next seat. So one policy can
play every seat. The size does not depend on the number of players: the components of empty seats are zero.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tavolino.engine.dispatch import ByRecord, register
from tavolino.engine.game import Game

# Every component is a count or a flag, not negative and well below 255.
Component = np.uint8


@ByRecord
def observe(s: Any, viewer: int, out: Any) -> None:
    """Write what a seat may know now into `out`, component by component."""


@dataclass(frozen=True)
class Slice:
    """One named part of the observation: its length, its highest value, and its meaning."""

    name: str
    length: int
    highest: int
    meaning: str
    is_knowledge: bool = False  # from the knowledge that the rules keep for each viewer; quiet batches have none


@dataclass(frozen=True)
class ActionRange:
    """A contiguous range of the flat table of actions."""

    name: str
    first: int
    count: int
    meaning: str
    names_seat: bool = False  # one action for each seat, clockwise from the seat that acts


def offsets(slices: Sequence[Slice]) -> dict[str, int]:
    """Where each slice begins, for the compiled functions that write them."""
    starts: dict[str, int] = {}
    at = 0
    for part in slices:
        starts[part.name] = at
        at += part.length
    return starts


def size_of(slices: Sequence[Slice]) -> int:
    return sum(part.length for part in slices)


@dataclass(frozen=True, eq=False)
class Encoding:
    """One game as numbers. A changed slice, bound or action is a new version."""

    game: Game
    version: str
    slices: tuple[Slice, ...]
    actions: tuple[ActionRange, ...]
    observe: Callable[[Any, int, Any], None]

    def __post_init__(self) -> None:
        kinds = [part.is_knowledge for part in self.slices]
        if kinds != sorted(kinds):
            raise ValueError("Slices of knowledge come last, so that what is left without them is one piece.")
        register(self.game.record, observe=self.observe)

    @property
    def name(self) -> str:
        return f"{self.game.name}/{self.version}"

    @cached_property
    def size(self) -> int:
        return size_of(self.slices)

    @cached_property
    def open_size(self) -> int:
        """The length of the observation without the slices of knowledge."""
        return size_of([part for part in self.slices if not part.is_knowledge])

    @property
    def action_count(self) -> int:
        return self.game.action_count

    @cached_property
    def highest(self) -> NDArray[np.uint8]:
        """The highest value of each component: `observation / highest` lies between 0 and 1."""
        return np.repeat(
            np.array([part.highest for part in self.slices], dtype=Component),
            [part.length for part in self.slices],
        )

    @cached_property
    def has_knowledge(self) -> bool:
        return any(part.is_knowledge for part in self.slices)

    def slice_of(self, name: str) -> slice:
        start = offsets(self.slices)[name]
        length = next(part.length for part in self.slices if part.name == name)
        return slice(start, start + length)

    def turned(self, players: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """The numbers of actions, by seat: from the seat's own numbers to the rules' numbers, and back.

        They differ where an action names a seat: the rules use its number, a policy its distance.
        Distances beyond the number of players keep their numbers, so that both arrays are permutations.
        """
        to_rules = np.tile(np.arange(self.action_count, dtype=np.int32), (players, 1))
        for part in self.actions:
            if part.names_seat:
                for seat in range(players):
                    for distance in range(players):
                        to_rules[seat, part.first + distance] = part.first + (seat + distance) % players
        return to_rules, np.argsort(to_rules, axis=1).astype(np.int32)
