"""The cache of machine code on disk. It is never stale, keeps modes apart, and may be read-only.

Numba's own cache looks only at the file of the function itself. Edit a function that it calls in another file, or
switch bounds checks on, and Numba silently loads the old machine code. Therefore the code is stored in a folder named
by a hash of everything that it depends on: the sources of the layers that a function may call and of the game whose
record it takes, the versions of Python, Numba and NumPy, and Numba's own settings. Paths and times of files do not
count, so a cache can be copied into an image or shipped in a wheel.

Code for the portable CPU (see `PORTABLE_CPU`) is used on every machine of its architecture. The commands and servers
of this package compile such code; a program that imports the package compiles what is missing for its own CPU.
"""

import hashlib
import os
import pickle
import platform
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np
from numba.core import types
from numba.core.caching import _Cache
from numba.core.serialize import dumps
from numba.core.types.containers import BaseTuple

from tavolino.engine import machine_code
from tavolino.engine.cache_folder import (
    FINGERPRINT_LENGTH,
    OUT_OF_DESCRIPTORS,
    SUFFIX,
    cache_root,
    roots,
    writable_root,
)
from tavolino.engine.cache_folder import write as write_file
from tavolino.engine.portable import PORTABLE_CPU
from tavolino.engine.sources import digest_of, folders_by_record, sources_of

_used: dict[Path, None] = {}  # files, in the order in which they were loaded or written


class CodeCache(_Cache):  # type: ignore[misc]
    """Numba's interface to the machine code of one function."""

    def __init__(self, function: Callable[..., Any]):
        self._function = function

    @property
    def cache_path(self) -> str:
        return str(cache_root())

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        target_context.refresh()
        for path in self._paths(signature, target_context.codegen()):
            try:
                stored = pickle.loads(path.read_bytes())
            except OSError as error:
                if error.errno in OUT_OF_DESCRIPTORS:  # the file may exist; compiling again would take seconds
                    raise
                continue
            except (pickle.UnpicklingError, EOFError, AttributeError, ImportError, IndexError, ValueError):
                continue  # truncated by a crash or a full disk: compile and write it again
            _used[path] = None
            return machine_code.rebuild_result(target_context, stored)
        return None

    def save_overload(self, signature: Any, result: Any) -> None:
        if result.library.has_dynamic_globals:
            raise RuntimeError(f"{self._function.__qualname__} refers to memory of this process and cannot be cached")
        content = dumps(machine_code.reduce_result(result))
        folder, name = self._folder(signature), self._name(signature, result.codegen.magic_tuple())
        try:
            path = writable_root() / folder / name
            write_file(path, content)
        except OSError:  # full disk: this process has the code in memory, the next one compiles again
            return
        _used[path] = None

    def enable(self) -> None: ...

    def disable(self) -> None: ...

    def flush(self) -> None: ...

    def _paths(self, signature: Any, codegen: Any) -> Iterator[Path]:
        folder = self._folder(signature)
        triple, cpu, features = codegen.magic_tuple()
        targets = dict.fromkeys([(triple, cpu, features), (triple, PORTABLE_CPU, "")])
        for root in roots():
            for target in targets:
                yield root / folder / self._name(signature, target)

    def _folder(self, signature: Any) -> str:
        fingerprint = _fingerprint(sources_of(self._function.__module__, _game_folder(signature)))
        _mark_used(fingerprint)
        return fingerprint

    def _name(self, signature: Any, target: tuple[str, ...]) -> str:
        arguments = signature.args if hasattr(signature, "args") else signature
        digest = hashlib.sha256(repr((str(tuple(arguments)), target)).encode()).hexdigest()
        return f"{_name_of(self._function)}-{digest[:16]}{SUFFIX}"


def is_cached(function: Callable[..., Any], record: np.dtype[Any]) -> bool:
    """Whether some process has already compiled an entry point for the game with this record."""
    python_function = getattr(function, "py_func", function)
    folder = _fingerprint(sources_of(python_function.__module__, folders_by_record().get(record)))
    return any(next((root / folder).glob(f"{_name_of(python_function)}-*"), None) for root in roots())


def used_files() -> tuple[Path, ...]:
    """The files from which this process has loaded machine code, or to which it has written some, for the build of a
    wheel."""
    return tuple(_used)


def _name_of(function: Callable[..., Any]) -> str:
    return f"{function.__module__}.{function.__qualname__}"


def _game_folder(signature: Any) -> Path | None:
    """The folder of the game whose record is among the arguments."""
    for record in _records(signature.args if hasattr(signature, "args") else signature):
        for known, folder in folders_by_record().items():
            if numba.from_dtype(known) == record:
                return folder
    return None


def _records(arguments: Iterable[Any]) -> Iterator[types.Record]:
    for argument in arguments:
        if isinstance(argument, BaseTuple):
            yield from _records(argument.types)
        elif isinstance(argument, types.Array):
            yield from _records([argument.dtype])
        elif isinstance(argument, types.Record):
            yield argument


# -- what it depends on


@cache
def _fingerprint(folders: tuple[Path, ...]) -> str:
    settings = sorted(f"{name}={value}" for name, value in os.environ.items() if _changes_code(name))
    # BOUNDSCHECK and similar settings can also be set from Python, so the environment alone is not enough.
    in_force = (numba.config.BOUNDSCHECK, numba.config.OPT, numba.config.DEBUGINFO_DEFAULT)
    versions = (numba.__version__, llvmlite.__version__, np.__version__.rsplit(".", 1)[0])
    python = (sys.implementation.cache_tag, getattr(sys, "abiflags", ""), sys.platform, platform.machine())
    everything = (digest_of(folders), settings, [str(value) for value in in_force], versions, python)
    return hashlib.sha256(repr(everything).encode()).hexdigest()[:FINGERPRINT_LENGTH]


# The CPU is part of each file's name instead of the folder's.
_CHANGES_NOTHING = {"NUMBA_CACHE_DIR", "NUMBA_NUM_THREADS", "NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES"}


def _changes_code(variable: str) -> bool:
    return variable.startswith("NUMBA_") and variable not in _CHANGES_NOTHING


@cache
def _mark_used(fingerprint: str) -> None:
    with suppress(OSError):
        os.utime(cache_root() / fingerprint)  # `prune_cache` leaves it
