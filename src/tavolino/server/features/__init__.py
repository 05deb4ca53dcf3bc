"""The features: each is a package below this one, or a package from outside with an entry point `tavolino.features`.

A package names its class as `FEATURE`, and its routes, if it has any, as `ROUTES`. Nothing outside names a feature.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Collection
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from types import ModuleType
from typing import Any

from tavolino.server.context import Context
from tavolino.server.http.route import Route
from tavolino.server.kernel.entry_kinds import EntryKinds
from tavolino.server.kernel.feature import Feature, Features

GROUP = "tavolino.features"


class CannotSwitchOff(ValueError):
    """A name is unknown, or of a feature that a table cannot do without; the message is one sentence."""


@cache
def packages() -> dict[str, ModuleType]:
    """All installed features by name."""
    own = [import_module(f"{__name__}.{module.name}") for module in pkgutil.iter_modules(__path__)]
    others = [entry.load() for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name)]
    return {package.FEATURE.name: package for package in (*own, *others)}


@cache
def entry_kinds() -> EntryKinds:
    """Of all installed features, switched on or not: old tables must be readable."""
    return EntryKinds(_class(package) for package in packages().values())


def switched_on(without: Collection[str] = ()) -> list[ModuleType]:
    """The packages of all features but these, and those that depend on one of these."""
    optional = {name for name, package in packages().items() if not _class(package).is_required}
    if wrong := sorted(set(without) - optional):
        why = "cannot be switched off" if wrong[0] in packages() else "is not the name of a feature"
        raise CannotSwitchOff(f"{wrong[0]} {why}; these can be: {', '.join(sorted(optional))}")
    off = set(without)
    while more := {name for name, each in packages().items() if off & set(_class(each).depends)} - off:
        off |= more
    return [package for name, package in packages().items() if name not in off]


def make(context: Context) -> Features:
    """The features of a server."""
    return Features([_class(package)(context) for package in switched_on(context.settings.without)])


def routes(without: Collection[str] = ()) -> tuple[Route, ...]:
    return tuple(route for package in switched_on(without) for route in getattr(package, "ROUTES", ()))


def _class(package: ModuleType) -> type[Feature[Any]]:
    feature: type[Feature[Any]] = package.FEATURE
    return feature
