"""Dispatch of a game's compiled functions by the type of its record.

Generic compiled code (simulation, search, batches) calls `setup`, `legal`, `apply` and `resample` from here. The type
of the record selects the game's function: at compile time, or at run time in plain Python. So generic code is
ordinary code, and Numba can cache it across processes (it cannot cache functions that are passed as arguments or
captured in closures).
"""

from collections.abc import Callable
from functools import cached_property, update_wrapper
from typing import Any, Generic, ParamSpec, TypeVar

import numpy as np

from tavolino.engine.compiled import cached

P = ParamSpec("P")
R = TypeVar("R")
Function = Callable[..., Any]

_games: dict[np.dtype[Any], dict[str, Function]] = {}


def register(record: np.dtype[Any], **functions: Function) -> None:
    """Register the functions of a type of record; ValueError if another game has the same type of record."""
    known = _games.setdefault(record, {})
    for name, function in functions.items():
        if name in known and known[name] is not function:
            raise ValueError(f"Two games have the same type of record: {name} is registered for it twice.")
        known[name] = cached(function)


class ByRecord(Generic[P, R]):
    """A function that every game implements. The type of the first argument, the record, selects the game."""

    def __init__(self, described: Callable[P, R]):
        update_wrapper(self, described)
        self.name = described.__name__

    def of(self, record: np.dtype[Any]) -> Callable[P, R]:
        """The function of the game whose record has this type."""
        return _games[record][self.name]

    def __call__(self, *arguments: P.args, **named: P.kwargs) -> R:
        record: Any = arguments[0]
        return self.of(record.dtype)(*arguments, **named)

    @cached_property
    def _numba_type_(self) -> Any:
        """What Numba takes it for in compiled code: a function that it resolves by the type of the record."""
        from tavolino.engine.jit import ByRecordType

        return ByRecordType(self)


@ByRecord
def setup(s: Any, options: Any, arranged: Any, n_arranged: Any) -> None:
    """Lay out the game: shuffle, deal, and ask for the first decision."""


@ByRecord
def legal(s: Any, out: Any) -> int:  # type: ignore[empty-body]
    """Write the legal actions into `out`, in ascending order. Returns how many there are (0 at the end)."""


@ByRecord
def apply(s: Any, action: int) -> None:
    """Play a legal action."""


@ByRecord
def resample(s: Any, viewer: int) -> None:
    """Draw everything that a viewer cannot know again, with the record's own generator."""


@ByRecord
def conceal(s: Any, viewer: int) -> None:
    """Overwrite everything that a viewer cannot know, for bots that do not look at hidden cards.

    The values written there carry no information and need not be possible. `resample` works too, but takes longer.
    """


@ByRecord
def settle(s: Any) -> None:
    """Compute the fields that a game computes lazily. The hash of the record includes them."""
