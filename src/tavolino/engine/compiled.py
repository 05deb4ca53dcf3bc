"""Compiling: three decorators around Numba, and a cache that is never stale.

Numba's cache looks only at the file of the function itself. Edit a function that it calls in another file,
or switch bounds checks on, and the old machine code is loaded without a word. So the cache lives in a folder
named by a hash of everything that the machine code depends on: the sources of the layers that a function may
call, the versions of Python, Numba and NumPy, and Numba's own settings.
"""

import hashlib
import os
import re
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache, cached_property
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, cast

import numba
import numpy as np
from numba.core.registry import CPUDispatcher

P = ParamSpec("P")
R = TypeVar("R")

# Numbers of 64 and of 32 bits in compiled code, ordinary ints to the type checker.
int64 = cast(Callable[[Any], int], np.int64)
int32 = cast(Callable[[Any], int], np.int32)

PACKAGE = Path(__file__).absolute().parent.parent
FINGERPRINT_LENGTH = 20
LAYERS = ("engine", "games", "bots", "lab", "research")  # each may call those before it
# True in the mode for debugging and coverage, in which every rule runs as ordinary Python.
IS_PLAIN = bool(numba.config.DISABLE_JIT)


def entry(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a function that Python calls, at its first call; it runs without the GIL and is cached on disk."""
    return _jit(function, "entries", no_cfunc_wrapper=True)


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """The same for a function that compiled code calls, as nearly all are."""
    return _inner(function, is_inlined=False)


def inlined(function: Callable[P, R]) -> Callable[P, R]:
    """The same for a tiny function of a hot loop: its code is put in place of every call."""
    return _inner(function, is_inlined=True)


class _Inner(CPUDispatcher):  # type: ignore[misc]
    """A function without the wrapper that lets Python call it: making one for each took a third of all compiling.

    Tests call such functions all the same: at the first call from Python it is compiled once more, as an entry.
    """

    def __call__(self, *arguments: Any) -> Any:
        return self._entry(*arguments)

    @cached_property
    def _entry(self) -> Callable[..., Any]:
        return entry(self.py_func)


def _inner(function: Callable[P, R], is_inlined: bool) -> Callable[P, R]:
    inner = _jit(function, "inner", no_cpython_wrapper=True, no_cfunc_wrapper=True, forceinline=is_inlined)
    if not IS_PLAIN:
        inner.__class__ = _Inner
    return inner


def _jit(function: Callable[P, R], kind: str, **settings: bool) -> Callable[P, R]:
    elsewhere = numba.config.CACHE_DIR
    # Only while our own function looks for its cache: other packages keep theirs where they want it. Entries and inner
    # functions lie apart, because Numba tells apart neither.
    numba.config.CACHE_DIR = str(cache_folder(function.__module__) / kind)
    try:
        jitted: Callable[P, R] = numba.njit(cache=True, nogil=True, error_model="numpy", **settings)(function)
        return jitted
    finally:
        numba.config.CACHE_DIR = elsewhere


def cache_root() -> Path:
    """The folder under which all our machine code lies; `TAVOLINO_CACHE` moves it."""
    chosen = os.environ.get("TAVOLINO_CACHE")
    if chosen:
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "tavolino"


@cache
def cache_folder(module: str) -> Path:
    """Where the machine code of a module belongs, by what it may call."""
    folder = cache_root() / _fingerprint(_layers_below(module))
    with suppress(OSError):
        os.utime(folder)  # used now: `prune_cache` leaves it
    return folder


def _layers_below(module: str) -> tuple[str, ...]:
    """A game's functions call the engine and that game; generic ones may call every game, and the layers below."""
    parts = module.split(".")
    if parts[:2] == ["tavolino", "games"] and len(parts) > 2:
        return ("engine", f"games/{parts[2]}")
    if parts[:2] == ["tavolino", "engine"]:
        return LAYERS[:2]  # through engine/dispatch.py
    if parts[0] == "tavolino" and parts[1] in LAYERS:
        return LAYERS[: LAYERS.index(parts[1]) + 1]
    return LAYERS


@cache
def _fingerprint(layers: tuple[str, ...]) -> str:
    digest = hashlib.sha256()
    for layer in layers:
        for path in sorted((PACKAGE / layer).rglob("*.py")) + sorted((PACKAGE / layer).rglob("*.csv")):
            digest.update(str(path.relative_to(PACKAGE)).encode())
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    settings = sorted(f"{name}={value}" for name, value in os.environ.items() if _changes_code(name))
    # BOUNDSCHECK and the like can also be set from Python, so what is in force counts, not only the environment.
    in_force = (numba.config.BOUNDSCHECK, numba.config.OPT, numba.config.DEBUGINFO_DEFAULT)
    versions = (sys.version, numba.__version__, np.__version__, str(PACKAGE))
    digest.update(repr((settings, [str(value) for value in in_force], versions)).encode())
    return digest.hexdigest()[:FINGERPRINT_LENGTH]


def _changes_code(variable: str) -> bool:
    return variable.startswith("NUMBA_") and variable not in {"NUMBA_CACHE_DIR", "NUMBA_NUM_THREADS"}


def prune_cache(keep_days: float = 30.0) -> int:
    """Remove machine code of other versions that nobody has used for a while; says how many folders went."""
    import shutil
    import time

    root, removed = cache_root(), 0
    if not root.is_dir():
        return 0
    for folder in root.iterdir():
        is_ours = re.fullmatch(f"[0-9a-f]{{{FINGERPRINT_LENGTH}}}", folder.name)  # the root may be anybody's folder
        if is_ours and folder.is_dir() and time.time() - folder.stat().st_mtime > keep_days * 86400:
            shutil.rmtree(folder, ignore_errors=True)
            removed += 1
    return removed
