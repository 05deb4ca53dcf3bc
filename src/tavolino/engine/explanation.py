"""The interface of a game's explanations: why an action is good, by facts that the seat could know.

A game's module `explain` has the function of `Explanations`. Its facts come from a view (with its log) and a notebook,
never from the match; their sentences are in the game's texts, under keys that begin with `reason.`. For a game without
the module, a review shows only numbers.

A game's module `claims` says how each fact is checked, in worlds that are possible for the seat: whether it is true
there, and whether it speaks for the action. The checks look at positions, not at what the module `explain` computed.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol

if TYPE_CHECKING:
    from tavolino.engine.match import Match

View = Mapping[str, Any]
# What a puzzle is about, to choose by.
Theme = Literal["guess", "fight", "keep", "reserve", "recruit", "take", "finish", "deny", "steal"]
# The parameters that name something on the table, and what kind of thing it is.
NAMED = {
    "card": "cards",
    "cards": "cards",
    "cheaper": "cards",
    "target": "seats",
    "seat": "seats",
    "seats": "seats",
    "colour": "colours",
    "colours": "colours",
    "location": "locations",
}


@dataclass(frozen=True)
class Fact:
    """One fact: the key of its sentence without `reason.`, its parameters, and the rule behind it."""

    key: str
    params: Mapping[str, Any] = field(default_factory=dict)
    rule: str | None = None

    @property
    def about(self) -> dict[str, list[Any]]:
        """The cards, seats, colours and locations that the fact speaks of, for marking them on the table."""
        found: dict[str, list[Any]] = {}
        for name, kind in NAMED.items():
            value = self.params.get(name)
            if isinstance(value, list):
                found.setdefault(kind, []).extend(value)
            elif isinstance(value, str) or (kind == "seats" and value is not None):
                found.setdefault(kind, []).append(value)
        return found


class Explanations(Protocol):
    """The functions of a game's module `explain`."""

    def explain(self, view: View, notebook: View, better: str, chosen: str | None) -> list[Fact]:
        """Facts in favour of the better action, and against the chosen one if given; the most important first."""

    def theme(self, better: str, facts: Sequence[Fact]) -> Theme:
        """What a puzzle with this best action and these reasons is about. A module may do without: then it has none."""


# Worlds, the seat, the action that the fact speaks of, the fact.
IsTrue = Callable[[Sequence["Match"], int, str, Fact], bool]
# One world, the seat, an action, the fact.
Holds = Callable[["Match", int, str, Fact], bool]
Worth = Callable[["Match", int, str, Fact], float]


@dataclass(frozen=True)
class Claim:
    """How one kind of fact is checked.

    It speaks for an action if `worth`, averaged over the worlds, is larger for that action than for the other one.
    """

    is_true: IsTrue
    worth: Worth
    is_of_chosen: bool = False  # it speaks of the chosen action: what that one lacks


class Claims(Protocol):
    """The names of a game's module `claims`."""

    WORLDS: int  # in which facts are checked
    CLAIMS: Mapping[str, Claim]  # by the key of the fact; a fact without one is never said


def in_all(holds: Holds) -> IsTrue:
    """True if it holds in every world."""
    return lambda worlds, seat, action, fact: all(holds(world, seat, action, fact) for world in worlds)


def in_some(holds: Holds) -> IsTrue:
    """True if it holds in at least one world: of what is only possible."""
    return lambda worlds, seat, action, fact: any(holds(world, seat, action, fact) for world in worlds)
