"""Discovery of the games. A game is loaded when it is first used.

A game is a package with the same modules in every game: `meta` (META: readable without the compiler) and `game` (GAME)
are required; `policy`, `terminal`, `encoding`, `beliefs` and `explain` are optional. The packages in this folder are
games, and so are those that installed distributions declare in the entry point group `tavolino.games`:
`kuhn-poker = "kuhn_poker"`.

The package itself can be called: `tavolino.games()` is the public name of the function `games`.
"""

import sys
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from types import ModuleType
from typing import TYPE_CHECKING

from tavolino.engine.errors import UnknownGame

if TYPE_CHECKING:
    from tavolino.engine.game import Game
    from tavolino.engine.meta import Meta

GROUP = "tavolino.games"


def games() -> tuple[str, ...]:
    """The names of the games."""
    return tuple(packages())


def load(name: str) -> "Game":
    """The game of that name; UnknownGame, a LookupError, lists the names."""
    game: Game = _module(name, "game").GAME
    return game


def meta_of(name: str) -> "Meta":
    """A game's metadata, without loading its rules."""
    meta: Meta = _module(name, "meta").META
    return meta


def part_of(name: str, part: str) -> ModuleType | None:
    """An optional module of a game (`policy`, `terminal`, `encoding`, `explain`), or None if it has none."""
    package = package_of(name)
    return import_module(f"{package}.{part}") if find_spec(f"{package}.{part}") else None


def package_of(name: str) -> str:
    """The Python package of a game; UnknownGame lists the names."""
    found = _own_packages().get(name) or packages().get(name)
    if found is None:
        raise UnknownGame(f"There is no game {name!r}. Games: {', '.join(games())}.")
    return found


@cache
def _own_packages() -> Mapping[str, str]:
    """The packages in this folder."""
    return {module.name.replace("_", "-"): f"{__name__}.{module.name}" for module in iter_modules(__path__)}


@cache
def packages() -> Mapping[str, str]:
    """The package of each game, by the game's name, in alphabetical order."""
    from importlib.metadata import entry_points  # importing it takes as long as a game of this folder, without NumPy

    found = dict(_own_packages())
    for point in entry_points(group=GROUP):
        if found.setdefault(point.name, point.value) != point.value:
            raise ValueError(f"Two installed games are called {point.name!r}: {found[point.name]} and {point.value}.")
    return dict(sorted(found.items()))


class _Games(ModuleType):
    """The type of this package."""

    def __call__(self) -> tuple[str, ...]:
        return games()


sys.modules[__name__].__class__ = _Games


def _module(name: str, part: str) -> ModuleType:
    return import_module(f"{package_of(name)}.{part}")
