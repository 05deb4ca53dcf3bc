"""The games, loaded when they are asked for."""

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from tavolino.engine.errors import UnknownGame

if TYPE_CHECKING:
    from tavolino.engine.game import Game

NAMES = ("infinity-gauntlet", "mantis", "splendor-marvel")


def games() -> tuple[str, ...]:
    """The names of the games."""
    return NAMES


def load(name: str) -> "Game":
    """The game of that name; UnknownGame, a LookupError, lists the names."""
    if name not in NAMES:
        raise UnknownGame(f"There is no game {name!r}; there are: {', '.join(NAMES)}.")
    return _load(name)


@cache
def _load(name: str) -> "Game":
    game: Game = import_module(f"tavolino.games.{name.replace('-', '_')}").GAME
    return game
