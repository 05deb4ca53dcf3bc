"""Tavolino: a small table for three card games of hidden information."""

from __future__ import annotations

from tavolino.version import VERSION as __version__

TYPE_CHECKING = False  # a type checker takes it for true; importing `typing` would be most of `tavolino --version`
if TYPE_CHECKING:
    from typing import Any

    from tavolino.engine.errors import BadRecord, IllegalAction, UnknownGame
    from tavolino.engine.game import Game
    from tavolino.engine.match import Match, Outcome
    from tavolino.games import games, load

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
    "load": "tavolino.games",
    "BadRecord": "tavolino.engine.errors",
    "IllegalAction": "tavolino.engine.errors",
    "UnknownGame": "tavolino.engine.errors",
    "Game": "tavolino.engine.game",
    "Match": "tavolino.engine.match",
    "Outcome": "tavolino.engine.match",
}


def replay(record: Any) -> Match:
    """The match at the end of a record; BadRecord if anything in the record does not fit."""
    from tavolino.engine.records import replay
    from tavolino.games import load

    return replay(record, load)


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name == "games":  # a package that can be called: it lists the games
        return import_module("tavolino.games")
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'tavolino' has no attribute {name!r}")
