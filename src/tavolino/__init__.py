"""Tavolino: a small table for three card games of hidden information."""

from typing import TYPE_CHECKING, Any

# This makes the package `tavolino.games` an attribute too; calling it lists the games.
from tavolino.games import load
from tavolino.version import VERSION as __version__

if TYPE_CHECKING:
    from tavolino.engine.errors import BadRecord, IllegalAction, UnknownGame
    from tavolino.engine.game import Game
    from tavolino.engine.match import Match, Outcome
    from tavolino.games import games

__all__ = [
    "BadRecord",
    "Game",
    "IllegalAction",
    "Match",
    "Outcome",
    "UnknownGame",
    "__version__",
    "games",
    "load",
    "replay",
]

# Loaded at first use: the command's `--version` and `--help` should not wait for the compiler.
_HOMES = {
    "BadRecord": "tavolino.engine.errors",
    "IllegalAction": "tavolino.engine.errors",
    "UnknownGame": "tavolino.engine.errors",
    "Game": "tavolino.engine.game",
    "Match": "tavolino.engine.match",
    "Outcome": "tavolino.engine.match",
}


def replay(record: Any) -> "Match":
    """The match at the end of a record; BadRecord if anything in the record does not fit."""
    from tavolino.engine.records import replay

    return replay(record, load)


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        from importlib import import_module

        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'tavolino' has no attribute {name!r}")
