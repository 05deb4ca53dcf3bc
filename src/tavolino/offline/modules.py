"""The modules that a local table can load: all that it imports, at once or later, and all of the games."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path

from tavolino.games import package_of

ROOT = "tavolino"
STARTS = ("tavolino.local.browser", "tavolino.local.checking", "tavolino.local.helper")  # of the workers
# Where rules are compiled or trained, or where there is a terminal; a local table never comes there.
OMITTED = frozenset(
    {
        "tavolino.engine.batches",
        "tavolino.engine.cache_folder",
        "tavolino.engine.code_cache",
        "tavolino.engine.drawing",
        "tavolino.engine.jit",
        "tavolino.engine.machine_code",
        "tavolino.engine.observation",
        "tavolino.engine.testing",
        "tavolino.engine.typescript",
        "tavolino.bots.anchors",
        "tavolino.bots.contest",
        "tavolino.bots.contest_loop",
        "tavolino.bots.self_play",
        "tavolino.bots.warmup",
        "tavolino.bots.whole_games",
        "tavolino.server.context",
        "tavolino.server.http",
    }
)
OMITTED_OF_GAMES = ("beliefs", "encoding", "terminal")  # for research, for training, and for playing in a terminal


class CannotFreeze(Exception):
    """Something cannot be part of the pack. The message names it and says why."""


def is_omitted(name: str) -> bool:
    return any(name == each or name.startswith(f"{each}.") for each in OMITTED)


def modules(chosen: Iterable[str]) -> dict[str, Path]:
    """The files of all modules of a pack with these games, by name."""
    found: dict[str, Path] = {}
    waiting = [*STARTS, *(name for game in chosen for name in _all_below(package_of(game)))]
    while waiting:
        name = waiting.pop()
        while name:  # a module brings the packages that it is in
            if name not in found and not is_omitted(name) and (path := _file_of(name)) is not None:
                found[name] = path
                waiting += imports_of(name, path, ast.parse(path.read_text("utf-8")))
            name = name.rpartition(".")[0]
    return dict(sorted(found.items()))


def imports_of(name: str, path: Path, tree: ast.Module) -> Iterator[str]:
    """Our modules that this one imports, except for the type checker."""
    for node in without_type_checking(tree):
        if isinstance(node, ast.ImportFrom):
            if node.level:
                raise CannotFreeze(f"{name}, line {node.lineno}: a relative import")
            if (node.module or "").partition(".")[0] == ROOT:
                yield node.module or ""
                yield from (f"{node.module}.{each.name}" for each in node.names)
        elif isinstance(node, ast.Import):
            yield from (each.name for each in node.names if each.name.partition(".")[0] == ROOT)


def without_type_checking(tree: ast.AST) -> Iterator[ast.AST]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            continue
        yield node
        yield from without_type_checking(node)


def _file_of(name: str) -> Path | None:
    """The source of a module; None if the name is that of something in a module."""
    try:
        spec = find_spec(name)
    except ModuleNotFoundError:  # the part before the last dot is a module and not a package
        return None
    return Path(spec.origin) if spec is not None and spec.origin is not None else None


def _all_below(package: str) -> Iterator[str]:
    spec = find_spec(package)
    assert spec is not None
    for folder in spec.submodule_search_locations or ():
        for path in sorted(Path(folder).rglob("*.py")):
            parts = path.relative_to(folder).with_suffix("").parts
            if parts[0] not in OMITTED_OF_GAMES:
                yield ".".join((package, *parts)).removesuffix(".__init__")
