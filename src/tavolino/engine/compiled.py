"""The decorators of compiled functions. What compiles them is chosen once for each process (`engine.modes`).

- Compiled ahead of time: an entry point calls the shared library of the game whose record it gets (`ahead`).
- By Numba, at the first call, or loaded from its cache on disk (`jit`, `machine_code`, `code_cache`).
- Not at all: every rule runs as ordinary Python, for debugging and coverage, and where nothing else is installed.
"""

import sys
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar, cast

import numpy as np

from tavolino.engine import modes

P = ParamSpec("P")
R = TypeVar("R")

# Numbers of one size in compiled code, ordinary ones to the type checker.
int64 = cast(Callable[[Any], int], np.int64)
int32 = cast(Callable[[Any], int], np.int32)
float32 = cast(Callable[[Any], float], np.float32)

MODE = modes.mode()
IS_PLAIN = MODE == modes.PLAIN

if IS_PLAIN and not modes.has_numba() and modes.chosen_mode() is None:
    print(
        "tavolino: the rules are not compiled for this machine, and Numba is not installed: they run as ordinary"
        " Python, about a hundred times slower. The extra `compile` of the package brings Numba.",
        file=sys.stderr,
    )


def entry(function: Callable[P, R]) -> Callable[P, R]:
    """A function that Python calls. It releases the GIL."""
    if IS_PLAIN:
        return function
    if MODE == modes.AHEAD:
        from tavolino.engine import ahead

        return cast(Callable[P, R], ahead.Entry(function))
    from tavolino.engine import jit

    return jit.entry(function)


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """A function that only compiled code calls: it becomes part of the entry points that call it."""
    return _inner(function, is_inlined=False)


def inlined(function: Callable[P, R]) -> Callable[P, R]:
    """Like `compiled`, for a tiny function in a hot loop: every call is inlined."""
    return _inner(function, is_inlined=True)


def cached(function: Callable[P, R]) -> Callable[P, R]:
    """Let Numba cache an inner function on disk too, so that the next entry point need not compile it again.

    Used for the few functions through which entry points call a game.
    """
    if MODE == modes.AHEAD:
        cast(Any, function).is_cached = True
    elif MODE == modes.NUMBA:
        from tavolino.engine import jit

        jit.cache_inner(function)
    return function


def compile_for(function: Callable[..., Any], *arguments: Any) -> None:
    """Let an entry point be compiled for arguments of these types, without calling it."""
    if MODE == modes.AHEAD:
        cast(Any, function).compile_for(*arguments)
    elif MODE == modes.NUMBA:
        from tavolino.engine import jit

        jit.compile_for(function, *arguments)


def is_ready(function: Callable[..., Any], record: np.dtype[Any]) -> bool:
    """Whether an entry point runs at once for the game with this record, without a compiler."""
    if MODE == modes.AHEAD and (not modes.has_numba() or cast(Any, function).is_ahead(record)):
        return True
    if IS_PLAIN:
        return True
    from tavolino.engine.code_cache import is_cached

    return is_cached(function, record)


def _inner(function: Callable[P, R], is_inlined: bool) -> Callable[P, R]:
    if IS_PLAIN:
        return function
    if MODE == modes.AHEAD:
        from tavolino.engine import ahead

        return cast(Callable[P, R], ahead.Inner(function, is_inlined))
    from tavolino.engine import jit

    return jit.inner(function, is_inlined)
