"""The interface of a game's explanations: why an action is good, by facts that the seat could know.

A game's module `explain` has the function of `Explanations`. Its facts come from a view (with its log) and a notebook,
never from the match; their sentences are in the game's texts, under keys that begin with `reason.`. For a game without
the module, a review shows only numbers.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

View = Mapping[str, Any]


@dataclass(frozen=True)
class Fact:
    """One fact: the key of its sentence without `reason.`, its parameters, and the rule behind it."""

    key: str
    params: Mapping[str, Any] = field(default_factory=dict)
    rule: str | None = None


class Explanations(Protocol):
    """The functions of a game's module `explain`."""

    def explain(self, view: View, notebook: View, better: str, chosen: str | None) -> list[Fact]:
        """Facts in favour of the better action, and against the chosen one if given; the most important first."""
