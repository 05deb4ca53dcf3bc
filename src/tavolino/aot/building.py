"""Builds the libraries of several games for several targets, in processes of their own.

Each game is translated once for each size of pointers, with a fixed seed of Python's hashes: so the same sources give
the same bytes. A library that is there already and was made from the same sources is left as it is.
"""

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from tavolino.aot.targets import TRANSLATED_FOR, Target
from tavolino.engine import modes
from tavolino.engine.ahead import FORMAT
from tavolino.engine.sources import all_sources, digest_of
from tavolino.games import package_of

MOST_AT_ONCE = 2


class CannotBuild(Exception):
    """The message says what is missing, or what the code asks for."""


def build_callers(targets: Sequence[Target], folder: Path) -> None:
    """Make the extension module for each platform; libraries of games from outside are called by the package's own."""
    from tavolino.aot.emitting import emit_caller

    for target in targets:
        if target.is_native:
            emit_caller(target, folder)


def build(games: Sequence[str], targets: Sequence[Target], folder: Path) -> None:
    """Make the libraries of these games; CannotBuild says which of them cannot be made, and why."""
    waiting = []
    for game in games:
        missing = [target for target in targets if not _is_current(game, target, folder)]
        for bits in TRANSLATED_FOR:
            if names := [target.name for target in missing if target.word_bits == bits]:
                waiting.append((game, names))
    running: list[tuple[str, subprocess.Popen[str]]] = []
    failures = []
    while waiting or running:
        while waiting and len(running) < min(MOST_AT_ONCE, os.cpu_count() or 1):
            game, names = waiting.pop(0)
            running.append((game, _start(game, names, folder)))
        game, process = running.pop(0)
        errors = process.communicate()[1]
        if process.returncode:
            failures.append(f"{game}: {(errors.strip().splitlines() or ['no word of why'])[-1]}")
    if failures:
        raise CannotBuild("\n".join(failures))


def _start(game: str, targets: Sequence[str], folder: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tavolino.aot", str(folder), game, "--here"]
    for name in targets:
        command += ["--target", name]
    settings = {**os.environ, "PYTHONHASHSEED": "0", modes.CHOICE: modes.NUMBA}
    return subprocess.Popen(command, env=settings, stderr=subprocess.PIPE, text=True)


def build_here(game: str, targets: Sequence[Target], folder: Path) -> None:
    """In a process that has compiled nothing yet: the library of one game, for targets with pointers of one size."""
    from tavolino.aot import codegen

    codegen.compile_only_for(TRANSLATED_FOR[targets[0].word_bits])
    from tavolino.aot.emitting import emit
    from tavolino.aot.lowering import translate
    from tavolino.games import load

    translated = translate(load(game))
    for target in targets:
        emit(translated, target, folder)


def folder_of(game: str) -> Path:
    """The folder with the sources of a game."""
    spec = find_spec(package_of(game))
    assert spec is not None
    assert spec.submodule_search_locations is not None
    return Path(spec.submodule_search_locations[0])


def _is_current(game: str, target: Target, folder: Path) -> bool:
    try:
        manifest = json.loads((folder / target.manifest(game)).read_text("utf-8"))
        content = (folder / target.file(game)).read_bytes()
        made_from = manifest["format"], manifest["sources"], manifest["sha256"]
    except (OSError, ValueError, TypeError, KeyError):
        return False
    return made_from == (FORMAT, digest_of(all_sources(folder_of(game))), hashlib.sha256(content).hexdigest())
