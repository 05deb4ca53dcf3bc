"""The features: each is a package below this one, or a package from outside with an entry point `tavolino.features`.

A package names its class as `FEATURE`, and if it has any, its routes as `ROUTES`, the addresses of its pages as
`PAGES`, what it answers on a page without a server as `WITHOUT_SERVER`, and what else a browser keeps for play without
a connection as `FOR_LATER`. A package from outside may bring a folder `page`: its files are served below
`/features/NAME/`, and the page loads `panel.js` among them. Nothing outside names a feature.
"""

from __future__ import annotations

import pkgutil
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache, reduce
from importlib import import_module
from importlib.metadata import entry_points
from operator import or_
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import msgspec

from tavolino.server import protocol as p
from tavolino.server.kernel.commands import command_kinds
from tavolino.server.kernel.entry_kinds import EntryKinds
from tavolino.server.kernel.feature import Feature, Features
from tavolino.server.storage.nodes import FEATURES

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from tavolino.engine.game import Game
    from tavolino.server.context import Context
    from tavolino.server.http.route import Route
    from tavolino.server.http.static import Addresses
    from tavolino.server.settings import ServerSettings

GROUP = "tavolino.features"
NAME = re.compile(r"[a-z][a-z0-9_]*")
FOLDER, MODULE = "page", "panel.js"
PROFILES = ("class",)  # for whom a server is; features say themselves which they are not for


class CannotSwitchOff(ValueError):
    """A name is unknown, or of a feature that a table cannot do without; the message is one sentence."""


class UnknownProfile(ValueError):
    """The message is one sentence with the list."""


@cache
def packages() -> dict[str, ModuleType]:
    """All installed features by name."""
    found = {
        module.name: import_module(f"{__name__}.{module.name}")
        for module in pkgutil.iter_modules(__path__)
        if module.ispkg
    }
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        package = point.load()
        name = _class(package).name
        if not NAME.fullmatch(name):
            raise ValueError(f"A feature cannot be called {name!r}: small letters, numbers and _ only.")
        if name in found:
            raise ValueError(f"Two installed features are called {name!r}: {found[name].__name__} and {point.value}.")
        found[name] = package
    return found


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


def not_for(profile: str) -> tuple[str, ...]:
    """The features that servers of a profile leave out."""
    if profile not in PROFILES:
        raise UnknownProfile(f"{profile} is not the name of a profile; these are: {', '.join(PROFILES)}")
    return tuple(name for name, package in packages().items() if profile in _class(package).not_for)


def make(context: Context) -> Features:
    """The features of a server."""
    on = [_class(package) for package in switched_on(context.settings.without)]
    off = [_class(package) for package in packages().values() if _class(package) not in on]
    return Features([feature(context) for feature in on], off, summary(context.settings.without))


def summary(without: Collection[str]) -> str:
    """What servers on one database must have in common: what is switched off, and what is installed from outside. A
    feature that a newer version brings is not in it, so that nodes can be replaced one by one."""
    on = {_class(package).name for package in switched_on(without)}
    off = ", ".join(sorted(set(packages()) - on)) or "nothing"
    outside = ", ".join(sorted(name for name in on if _is_outside(packages()[name]))) or "nothing"
    return f"{FEATURES}without {off}, with {outside} from outside"


def commands(without: Collection[str] = ()) -> tuple[type[msgspec.Struct], ...]:
    """All commands of a server with the features that are on."""
    return command_kinds(_class(package) for package in switched_on(without))


def declared_types() -> list[Any]:
    """What the features of this package declare: commands, messages, bodies and answers."""
    found: list[Any] = []
    for package in packages().values():
        if not _is_outside(package):
            feature, routes = _class(package), getattr(package, "ROUTES", ())
            answers = [handler.answer for handler in feature.commands().values()]
            found += [*feature.commands(), *answers, *feature.messages]
            found += [kind for route in routes for kind in (route.body, route.answer)]
    return [kind for kind in found if kind is not None]


def routes(without: Collection[str] = ()) -> tuple[Route, ...]:
    """The routes of the features that are on, that which lists these, and that for all commands."""
    own = [route for package in switched_on(without) for route in getattr(package, "ROUTES", ())]
    return (_listing(without), _for_commands(without), *own)


def pages(without: Collection[str] = ()) -> Addresses:
    """The addresses of pages of the features that are on."""
    return {first: parts for package in switched_on(without) for first, parts in getattr(package, "PAGES", {}).items()}


def without_server(games: Sequence[Game], without: Collection[str] = ()) -> dict[str, Mapping[str, Callable[[], Any]]]:
    """The features that also work on a page without a server, with what they read there: answers by address
    (`WITHOUT_SERVER` in their packages)."""
    on = {_class(package).name: getattr(package, "WITHOUT_SERVER", None) for package in switched_on(without)}
    return {name: answers_for(games) for name, answers_for in on.items() if answers_for is not None}


def kept(settings: ServerSettings) -> tuple[list[str], list[str]]:
    """Addresses of answers and of files that features want a browser to keep, for somebody who has asked to play
    without a connection (`FOR_LATER` in their packages)."""
    wanted = [package.FOR_LATER(settings) for package in switched_on(settings.without) if hasattr(package, "FOR_LATER")]
    return [each for answers, _ in wanted for each in answers], [each for _, files in wanted for each in files]


def folders() -> tuple[Path, ...]:
    """Of all features, with their texts."""
    return tuple(_class(package).folder() for package in packages().values())


def page_folders(without: Collection[str] = ()) -> dict[str, Path]:
    """The folders with what features from outside add to the page, by the address below which it is served."""
    folders = {
        f"/features/{_class(package).name}": Path(package.__file__ or "").parent / FOLDER
        for package in switched_on(without)
        if _is_outside(package)
    }
    return {address: folder for address, folder in folders.items() if (folder / MODULE).is_file()}


def _listing(without: Collection[str]) -> Route:
    # Here, because a table without a server (`tavolino.local`) imports features, and has no HTTP.
    from tavolino.server.http.route import Route
    from tavolino.server.http.static import static_file

    names = sorted(_class(package).name for package in switched_on(without))
    outside = [p.OutsideFeature(address.rpartition("/")[2], f"{address}/{MODULE}") for address in page_folders(without)]
    file = static_file(msgspec.json.encode(p.ServerFeatures(names, outside)), "application/json")

    async def list_features(request: Request) -> Response:
        """The features that are switched on at this server, and the modules that those from outside add to the page."""
        return file.answer(request)

    return Route("GET", "/api/features", list_features, p.ServerFeatures)


def _for_commands(without: Collection[str]) -> Route:
    from tavolino.server.http.route import AT_TABLE, Route
    from tavolino.server.http.tables import command

    on = [_class(package) for package in switched_on(without)]
    own = [handler.answer for feature in on for handler in feature.commands().values() if handler.answer]
    answer, body = (p.Accepted, *own, p.Pong), commands(without)
    refusals = (
        "no-identity",
        "no-such-table",
        "still-secret",
        "not-seated",
        "stale-move",
        "illegal-move",
        "too-fast",
    )
    return Route("POST", f"{AT_TABLE}/commands", command, reduce(or_, answer), reduce(or_, body), refusals=refusals)


def _is_outside(package: ModuleType) -> bool:
    return not package.__name__.startswith(__name__)


def _class(package: ModuleType) -> type[Feature[Any]]:
    feature: type[Feature[Any]] = package.FEATURE
    return feature
