"""The cache of machine code on disk. It is never stale, keeps modes apart, and may be read-only.

Numba's own cache looks only at the file of the function itself. Edit a function that it calls in another file, or
switch bounds checks on, and Numba silently loads the old machine code. Therefore the code is stored in a folder named
by a hash of everything that it depends on: the sources of the layers that a function may call and of the game whose
record it takes, the versions of Python, Numba and NumPy, and Numba's own settings. Paths and times of files do not
count, so a cache can be copied into an image or shipped in a wheel.

Code for the portable CPU (see `PORTABLE_CPU`) is used on every machine of its architecture. The commands and servers
of this package compile such code; a program that imports the package compiles what is missing for its own CPU.
"""

import atexit
import errno
import hashlib
import os
import pickle
import platform
import re
import shutil
import sys
import tempfile
import time
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
from tavolino.engine.portable import PORTABLE_CPU

PACKAGE = Path(__file__).absolute().parent.parent
BUNDLED = PACKAGE / "machine_code"  # in a wheel for one platform
FINGERPRINT_LENGTH = 20
LAYERS = ("engine", "bots", "coach", "lab", "research")  # each may call those before it, and a game
SUFFIX = ".code"
OUT_OF_DESCRIPTORS = (errno.EMFILE, errno.ENFILE)
TEMPORARY = "TAVOLINO_TEMPORARY_CACHE"  # this environment variable passes the folder to child processes

_writable: set[Path] = set()  # folders that were found writable; others are tried again
_folders_by_record: dict[np.dtype[Any], Path] = {}
_used: dict[Path, None] = {}  # files, in the order in which they were loaded or written


def remember_folder(record: np.dtype[Any], folder: Path) -> None:
    """Register the folder with the sources of the game that has this record."""
    _folders_by_record[record] = folder


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
            write(path, content)
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
        for root in _roots():
            for target in targets:
                yield root / folder / self._name(signature, target)

    def _folder(self, signature: Any) -> str:
        fingerprint = _fingerprint(_sources(self._function.__module__, _game_folder(signature)))
        _mark_used(fingerprint)
        return fingerprint

    def _name(self, signature: Any, target: tuple[str, ...]) -> str:
        arguments = signature.args if hasattr(signature, "args") else signature
        digest = hashlib.sha256(repr((str(tuple(arguments)), target)).encode()).hexdigest()
        return f"{_name_of(self._function)}-{digest[:16]}{SUFFIX}"


def is_cached(function: Callable[..., Any], record: np.dtype[Any]) -> bool:
    """Whether some process has already compiled an entry point for the game with this record."""
    python_function = getattr(function, "py_func", function)
    folder = _fingerprint(_sources(python_function.__module__, _folders_by_record.get(record)))
    return any(next((root / folder).glob(f"{_name_of(python_function)}-*"), None) for root in _roots())


def used_files() -> tuple[Path, ...]:
    """The files from which this process has loaded machine code, or to which it has written some, for the build of a
    wheel."""
    return tuple(_used)


def _name_of(function: Callable[..., Any]) -> str:
    return f"{function.__module__}.{function.__qualname__}"


def _game_folder(signature: Any) -> Path | None:
    """The folder of the game whose record is among the arguments."""
    for record in _records(signature.args if hasattr(signature, "args") else signature):
        for known, folder in _folders_by_record.items():
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


# -- where it is stored


def cache_root() -> Path:
    """The folder that contains all our machine code; `TAVOLINO_CACHE` sets another one."""
    chosen = os.environ.get("TAVOLINO_CACHE")
    if chosen:
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME")
    if not base:
        try:
            base = str(Path.home() / ".cache")
        except RuntimeError:  # no HOME, and no entry for this user in the system's list
            return Path(tempfile.gettempdir()) / f"tavolino-{os.getuid()}"
    return Path(base) / "tavolino"


def _roots() -> list[Path]:
    """Every folder that may contain code. The temporary one exists only if the usual one is not writable."""
    temporary = os.environ.get(TEMPORARY)
    return [cache_root(), *([Path(temporary)] if temporary else []), BUNDLED]


def writable_root() -> Path:
    """Where new code is written: the usual folder or, with a warning, a temporary one if that is not writable."""
    root = cache_root()
    if root in _writable:
        return root
    problem = _why_not_writable(root)
    if problem is None:
        _writable.add(root)
        return root
    temporary = os.environ.get(TEMPORARY)
    if temporary is None or not Path(temporary).is_dir():
        temporary = os.environ[TEMPORARY] = tempfile.mkdtemp(prefix="tavolino-")
        atexit.register(_remove_temporary, temporary, os.getpid())
        print(
            f"tavolino: the cache folder {root} cannot be written ({problem}). The rules are compiled for this run"
            " only; set TAVOLINO_CACHE to a folder that can be written.",
            file=sys.stderr,
        )
    return Path(temporary)


def _why_not_writable(root: Path) -> str | None:
    try:
        root.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=root).close()
    except OSError as problem:
        if problem.errno in OUT_OF_DESCRIPTORS:  # this is not about the folder
            raise
        return problem.strerror or str(problem)
    return None


def _remove_temporary(folder: str, process: int) -> None:
    if os.getpid() == process:  # not in a fork
        shutil.rmtree(folder, ignore_errors=True)


def write(path: Path, content: bytes) -> None:
    """Write a file atomically: no other process ever reads a partial file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(name).chmod(0o644)  # an image's cache is read by another user
        Path(name).replace(path)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise


# -- what it depends on


def _sources(module: str, game: Path | None) -> tuple[Path, ...]:
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


def _package_folder(package: str) -> Path:
    file = getattr(sys.modules.get(package), "__file__", None)
    return Path(file).absolute().parent if file else Path.cwd()


def _source_files(folder: Path) -> Iterator[Path]:
    """Python and CSV files. `Path.rglob` would silently skip a folder that cannot be read."""

    def fail(error: OSError) -> None:
        raise error

    for place, _, names in os.walk(folder, onerror=fail):
        yield from (Path(place, name) for name in names if name.endswith((".py", ".csv")))


@cache
def _fingerprint(folders: tuple[Path, ...]) -> str:
    digest = hashlib.sha256()
    for folder in folders:
        for path in sorted(_source_files(folder)):
            digest.update(f"{folder.name}/{path.relative_to(folder).as_posix()}".encode())
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    settings = sorted(f"{name}={value}" for name, value in os.environ.items() if _changes_code(name))
    # BOUNDSCHECK and similar settings can also be set from Python, so the environment alone is not enough.
    in_force = (numba.config.BOUNDSCHECK, numba.config.OPT, numba.config.DEBUGINFO_DEFAULT)
    versions = (numba.__version__, llvmlite.__version__, np.__version__.rsplit(".", 1)[0])
    python = (sys.implementation.cache_tag, getattr(sys, "abiflags", ""), sys.platform, platform.machine())
    digest.update(repr((settings, [str(value) for value in in_force], versions, python)).encode())
    return digest.hexdigest()[:FINGERPRINT_LENGTH]


# The CPU is part of each file's name instead of the folder's.
_CHANGES_NOTHING = {"NUMBA_CACHE_DIR", "NUMBA_NUM_THREADS", "NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES"}


def _changes_code(variable: str) -> bool:
    return variable.startswith("NUMBA_") and variable not in _CHANGES_NOTHING


# -- when it is removed


@cache
def _mark_used(fingerprint: str) -> None:
    with suppress(OSError):
        os.utime(cache_root() / fingerprint)  # `prune_cache` leaves it


def prune_cache(keep_days: float = 30.0) -> int:
    """Remove machine code of other versions that was not used for `keep_days`. Returns how many folders it removed."""
    root, removed = cache_root(), 0
    if not root.is_dir():
        return 0
    for folder in root.iterdir():
        is_ours = re.fullmatch(f"[0-9a-f]{{{FINGERPRINT_LENGTH}}}", folder.name)  # the root may contain other files
        if is_ours and folder.is_dir() and time.time() - folder.stat().st_mtime > keep_days * 86400:
            shutil.rmtree(folder, ignore_errors=True)
            removed += 1
    return removed
