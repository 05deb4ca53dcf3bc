"""Functions compiled ahead of time: an entry point calls the shared library of the game whose record it gets.

A library is made by `tavolino.aot`. Beside it lies its manifest: the sources that it was made from, its own hash, and
the types of the arguments of every entry point. A library is loaded only if all of that agrees with this process: it
is never stale, and a damaged file is never run. A game without such a library is compiled by Numba if that is
installed, and otherwise runs as ordinary Python; one sentence says which of them, and why.
"""

import hashlib
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache, cached_property, update_wrapper
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import numpy as np

from tavolino.engine import modes
from tavolino.engine.sources import PACKAGE, all_sources, digest_of, folders_by_record, name_of

FORMAT = 1  # of the manifest and of the words that an entry point takes; `aot.lowering` writes it
FOLDER = "machine_code"  # in the package of a game from outside
CALLER = "tavolino.engine._caller"
WEBASSEMBLY = "emscripten"  # Pyodide
Call = Callable[..., Any]


class NotUsable(Exception):
    """A library cannot be used here. The message says why, as the end of a sentence."""


class Library:
    """The entry points of one game, compiled ahead."""

    def __init__(self, folder: Path, game: Path, record: np.dtype[Any]):
        name = f"{name_of(record)}.{modes.platform_name()}"
        self._path = folder / f"{name}.so"
        manifest = _manifest(folder / f"{name}.json")
        if manifest.get("format") != FORMAT:
            raise NotUsable("it was made by another version of the compiler")
        if manifest.get("sources") != digest_of(all_sources(game)):
            raise NotUsable("it was made from other sources")
        self._dtypes = [dtype_from(each) for each in manifest["dtypes"]]
        if self._dtypes[0] != record:
            raise NotUsable("its record has other fields")
        _check_hash(self._path, manifest)
        self._points: dict[str, Any] = manifest["entry_points"]
        try:
            self._handle = caller().load(str(self._path))
        except OSError as problem:
            raise NotUsable(f"it cannot be loaded: {problem}") from None

    def call(self, name: str) -> Call | None:
        """The function that calls an entry point, or None if this library does not have it."""
        variants = {_nones(point): self._bind(symbol, point) for symbol, point in self._of(name)}
        if len(variants) < 2:
            return next(iter(variants.values()), None)

        usual = next(iter(variants.values()))

        def call(*arguments: Any) -> Any:
            return variants.get(tuple(argument is None for argument in arguments), usual)(*arguments)

        return call

    def has(self, name: str) -> bool:
        return any(True for _ in self._of(name))

    def _of(self, name: str) -> Iterator[tuple[str, Any]]:
        """The variants of an entry point: an argument can be None in one of them, and an array in the other."""
        return ((symbol, point) for symbol, point in self._points.items() if point["name"] == name)

    def _bind(self, symbol: str, point: Any) -> Call:
        arguments = [self._argument(each) for each in point["arguments"]]
        bound: Call = caller().bind(self._handle, symbol, point["result"], arguments)
        return bound

    def _argument(self, described: list[Any]) -> tuple[Any, ...]:
        kind, *details = described
        if kind == "array":
            dtype, shape = details
            return kind, self._dtypes[dtype], *shape
        if kind == "tuple":
            return kind, *(self._argument(each) for each in details)
        return kind, *details


def _nones(point: Any) -> tuple[bool, ...]:
    return tuple(kind == "none" for kind, *_ in point["arguments"])


@cache
def caller() -> Any:
    """The extension module that packs arguments and calls; NotUsable if it cannot be loaded."""
    if sys.platform == WEBASSEMBLY:
        from tavolino.engine import ctypes_caller

        return ctypes_caller
    path = modes.caller_path()
    manifest = _manifest(path.with_suffix(".json"))
    _check_hash(path, manifest)
    loader = ExtensionFileLoader(CALLER, str(path))
    spec = spec_from_file_location(CALLER, path, loader=loader)
    assert spec is not None
    try:
        module = module_from_spec(spec)
        loader.exec_module(module)
    except (ImportError, OSError) as problem:
        raise NotUsable(f"{path.name} cannot be loaded: {problem}") from None
    return module


def _manifest(path: Path) -> dict[str, Any]:
    try:
        manifest = json.loads(path.read_text("utf-8"))
    except OSError as problem:
        raise NotUsable(f"{path.name} cannot be read ({problem.strerror or problem})") from None
    except ValueError:
        manifest = None
    if not isinstance(manifest, dict):
        raise NotUsable(f"{path.name} is damaged")
    return manifest


def _check_hash(path: Path, manifest: dict[str, Any]) -> None:
    """Before it is loaded: a shared library that was cut off would end this process with a bus error."""
    try:
        content = path.read_bytes()
    except OSError as problem:
        raise NotUsable(f"{path.name} cannot be read ({problem.strerror or problem})") from None
    if hashlib.sha256(content).hexdigest() != manifest.get("sha256"):
        raise NotUsable(f"{path.name} is not the file that its manifest describes")


def dtype_from(described: Any) -> np.dtype[Any]:
    """The type of an array's items, from a manifest."""
    if isinstance(described, str):
        return np.dtype(described)
    fields = [(name, dtype_from(each), tuple(shape)) for name, each, shape, _ in described["fields"]]
    return np.dtype(
        {
            "names": [name for name, _, _ in fields],
            "formats": [(each, shape) if shape else each for _, each, shape in fields],
            "offsets": [offset for *_, offset in described["fields"]],
            "itemsize": described["size"],
        },
        align=True,
    )


_libraries: dict[np.dtype[Any], Library | None] = {}


def library_for(record: np.dtype[Any]) -> Library | None:
    """The library of the game with this record, or None if the game is compiled or run in another way."""
    if record not in _libraries:
        _libraries[record] = _load(record)
    return _libraries[record]


def _load(record: np.dtype[Any]) -> Library | None:
    game = folders_by_record().get(record)
    if game is None:  # a record of a test
        return None
    is_ours = game.is_relative_to(PACKAGE)
    folder = modes.bundled_folder() if is_ours else game / FOLDER
    try:
        return Library(folder, game, record)
    except (NotUsable, KeyError, TypeError, IndexError) as problem:
        why = problem if isinstance(problem, NotUsable) else "its manifest is damaged"
    name = name_of(record)
    if modes.chosen_mode() == modes.AHEAD:
        raise modes.NoCodeAhead(f"{modes.CHOICE} is ahead, but the machine code of {name} is not usable: {why}.")
    instead = "Numba compiles it" if modes.has_numba() else "it runs as ordinary Python, about a hundred times slower"
    print(f"tavolino: the machine code of {name} is not usable ({why}); {instead}.", file=sys.stderr)
    return None


class Entry:
    """A function that Python calls: the library's, or Numba's, or the Python function itself."""

    def __init__(self, function: Call):
        update_wrapper(self, function)
        self.py_func, self._name = function, function.__name__
        self._calls: dict[Any, Call] = {}  # by the type of the first argument's items

    def __call__(self, *arguments: Any) -> Any:
        try:
            call = self._calls[arguments[0].dtype]
        except (KeyError, AttributeError, IndexError):
            call = self._find(arguments)
        return call(*arguments)

    def compile_for(self, *arguments: Any) -> None:
        """Load it, or let Numba compile it, without calling it."""
        if self._find(arguments) is self.__dict__.get("_jitted"):
            from tavolino.engine import jit

            jit.compile_for(self._jitted, *arguments)

    def is_ahead(self, record: np.dtype[Any]) -> bool:
        """Whether nothing has to be compiled for the game with this record."""
        library = library_for(record)
        return library is not None and library.has(self._name)

    def _find(self, arguments: tuple[Any, ...]) -> Call:
        record = next((each for each in dtypes_in(arguments) if each in folders_by_record()), None)
        libraries = [library_for(record)] if record is not None else list(_libraries.values())
        calls = (library.call(self._name) for library in libraries if library is not None)
        call = next((each for each in calls if each is not None), None)
        if call is None:
            call = self._jitted if modes.has_numba() else self._plain
        if arguments and hasattr(arguments[0], "dtype"):
            self._calls[arguments[0].dtype] = call
        return call

    @cached_property
    def _jitted(self) -> Call:
        from tavolino.engine import jit

        return jit.entry(self.py_func)

    def _plain(self, *arguments: Any) -> Any:
        return self.py_func(*map(as_plain, arguments))

    def __reduce__(self) -> str:
        return self._name  # another process finds it in its module


class Inner:
    """A function that only compiled code calls. Numba compiles it for a game that has no library."""

    def __init__(self, function: Call, is_inlined: bool):
        update_wrapper(self, function)
        self.py_func, self._is_inlined = function, is_inlined
        self.is_cached = False

    def __call__(self, *arguments: Any) -> Any:
        return self.py_func(*map(as_plain, arguments))

    def __reduce__(self) -> str:
        return self.py_func.__name__

    @cached_property
    def _jitted(self) -> Any:
        from tavolino.engine import jit

        jitted = jit.inner(self.py_func, self._is_inlined)
        if self.is_cached:
            jit.cache_inner(jitted)
        return jitted

    @property
    def _numba_type_(self) -> Any:
        """What Numba takes it for in compiled code. The type does not keep the function, so this object does."""
        return self._jitted._numba_type_


def dtypes_in(arguments: Iterable[Any]) -> Iterator[np.dtype[Any]]:
    for argument in arguments:
        if isinstance(argument, tuple):
            yield from dtypes_in(argument)
        elif hasattr(argument, "dtype"):
            yield argument.dtype


def as_plain(argument: Any) -> Any:
    """An argument for ordinary Python, in which the fields of records are read as attributes."""
    if isinstance(argument, tuple):
        return type(argument)(*map(as_plain, argument)) if hasattr(argument, "_fields") else argument
    if isinstance(argument, np.ndarray) and argument.dtype.names and not isinstance(argument, np.recarray):
        return argument.view(np.recarray)
    if type(argument) is np.void and argument.dtype.names:
        return argument.view(np.dtype((np.record, argument.dtype)))
    return argument
