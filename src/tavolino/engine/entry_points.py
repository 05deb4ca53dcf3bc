"""The list of entry points: every function that Python calls in compiled code, with sample arguments.

Each is declared beside its function, in the layer that it belongs to; a game declares its own in the same way. What is
compiled in advance follows this list: Numba's cache (`bots.warmup`), and the libraries compiled ahead (`tavolino.aot`).

The samples are as small as arguments may be: a caller of compiled code refuses arrays that are smaller, or of another
type. Their contents do not matter.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from tavolino.engine.decks import arrange
from tavolino.engine.options import resolve

if TYPE_CHECKING:
    from tavolino.engine.game import Game

Arguments = tuple[Any, ...]
INDEX = "index"  # an argument of this name is an index of the array before it, in every entry point
KEY_WORDS = 8


@dataclass(frozen=True)
class EntryPoint:
    part: (
        str  # what it is needed for: "rules", "worlds", "medium", "hard", "coach", "simulation", "contests", "research"
    )
    function: Callable[..., Any]
    samples: Callable[["Game"], Arguments | None]  # None: the game has no use for it
    symbol: str  # differs between variants of one function, for arguments of different types
    record: np.dtype[Any] | None = None  # of the only game that has it; None: every game has it
    counts: Mapping[str, str] = field(default_factory=dict)  # an argument that counts rows of an array argument

    @property
    def name(self) -> str:
        return self.function.__name__


_declared: dict[str, EntryPoint] = {}


def declare(
    part: str,
    function: Callable[..., Any],
    samples: Callable[["Game"], Arguments | None],
    *,
    symbol: str | None = None,
    record: np.dtype[Any] | None = None,
    counts: Mapping[str, str] | None = None,
) -> None:
    """Add an entry point to the list."""
    point = EntryPoint(part, function, samples, symbol or function.__name__, record, counts or {})
    known = _declared.get(point.symbol)
    if known is not None and known.function.__module__ != function.__module__:
        raise ValueError(f"Two entry points are called {point.symbol}.")
    _declared[point.symbol] = point


def entry_points(game: "Game") -> Iterator[tuple[EntryPoint, Arguments]]:
    """Those of one game, as far as their modules have been imported, with sample arguments."""
    for point in _declared.values():
        if point.record is None or point.record == game.record:
            arguments = point.samples(game)
            if arguments is not None:
                yield point, arguments


# -- parts of sample arguments

# Options and decks, where a call does not deal.
NO_DEAL = np.zeros(0, np.int32), np.zeros((0, 0), np.int32), np.zeros(0, np.int32)


def sample_key() -> np.ndarray[Any, Any]:
    return np.zeros(KEY_WORDS, np.int64)


def sample_actions(game: "Game") -> np.ndarray[Any, Any]:
    """Room for a number for each action."""
    return np.zeros(game.action_count, np.int32)


def sample_scores(game: "Game") -> np.ndarray[Any, Any]:
    """Room for a score of each action."""
    return np.zeros(game.action_count)


def sample_deal(game: "Game") -> tuple[np.ndarray[Any, Any], ...]:
    """The options and decks of an ordinary game."""
    players = game.players[0]
    options = game.option_numbers(players, resolve(game.options, players, {}))
    return options, *arrange(game.decks, None, game.check_decks)
