"""The sources that machine code depends on. Code is found by a hash of them, so that it is never stale."""

import hashlib
import os
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

PACKAGE = Path(__file__).absolute().parent.parent
LAYERS = ("engine", "bots", "coach", "lab", "research")  # each may call those before it, and a game

FROZEN = "sources.sha256"  # in a pack without sources: the digest that those of this folder had

_folders_by_record: dict[np.dtype[Any], Path] = {}
_names_by_record: dict[np.dtype[Any], str] = {}


def remember_folder(record: np.dtype[Any], folder: Path, name: str) -> None:
    """Register the folder with the sources, and the name, of the game that has this record."""
    _folders_by_record[record], _names_by_record[record] = folder, name


def name_of(record: np.dtype[Any]) -> str:
    return _names_by_record[record]


def folders_by_record() -> dict[np.dtype[Any], Path]:
    return _folders_by_record


def sources_of(module: str, game: Path | None) -> tuple[Path, ...]:
    """The folders whose sources a function of a module may call."""
    parts = module.split(".")
    own: list[Path] = []
    layers: tuple[str, ...]
    if parts[0] != "tavolino":  # a game of another package, or a script
        own = [_package_folder(parts[0])]
        layers = LAYERS[:1]
    elif parts[1] in LAYERS:
        layers = LAYERS[: LAYERS.index(parts[1]) + 1]
    elif parts[1] == "games" and len(parts) > 2:
        own, layers = [PACKAGE / "games" / parts[2]], LAYERS[:1]
    else:
        layers = LAYERS
    folders = [*(PACKAGE / layer for layer in layers), *own, *([game] if game else [])]
    return tuple(dict.fromkeys(folders))


def all_sources(game: Path) -> tuple[Path, ...]:
    """The folders whose sources any entry point of a game may call."""
    return (*(PACKAGE / layer for layer in LAYERS), game)


def digest_of(folders: tuple[Path, ...]) -> str:
    """A hash of all sources in these folders; where the folders are, and how old the files, does not count."""
    digest = hashlib.sha256()
    for folder in folders:
        digest.update(digest_of_folder(folder))
    return digest.hexdigest()


@cache
def digest_of_folder(folder: Path) -> bytes:
    """A hash of all sources in one folder."""
    if (frozen := folder / FROZEN).is_file():
        return bytes.fromhex(frozen.read_text("ascii"))
    digest = hashlib.sha256()
    for path in sorted(_source_files(folder)):
        digest.update(f"{folder.name}/{path.relative_to(folder).as_posix()}".encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.digest()


def _package_folder(package: str) -> Path:
    file = getattr(sys.modules.get(package), "__file__", None)
    return Path(file).absolute().parent if file else Path.cwd()


def _source_files(folder: Path) -> Iterator[Path]:
    """Python and CSV files. `Path.rglob` would silently skip a folder that cannot be read."""

    def fail(error: OSError) -> None:
        raise error

    for place, _, names in os.walk(folder, onerror=fail):
        yield from (Path(place, name) for name in names if name.endswith((".py", ".csv")))
