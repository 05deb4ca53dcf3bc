"""Decorators around Numba. `machine_code` compiles, `code_cache` stores the result."""

from collections.abc import Callable
from functools import cached_property
from typing import Any, ParamSpec, TypeVar, cast

import numba
import numpy as np
from numba.core.registry import CPUDispatcher

from tavolino.engine.code_cache import CodeCache
from tavolino.engine.machine_code import EntryCompiler, InnerCompiler

P = ParamSpec("P")
R = TypeVar("R")

# 64-bit and 32-bit integers in compiled code, ordinary ints to the type checker.
int64 = cast(Callable[[Any], int], np.int64)
int32 = cast(Callable[[Any], int], np.int32)

# True in the mode for debugging and coverage, in which every rule runs as ordinary Python.
IS_PLAIN = bool(numba.config.DISABLE_JIT)


def entry(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a function that Python calls, at its first call. It releases the GIL and is cached on disk."""
    jitted: Any = _jit(function, no_cfunc_wrapper=True, pipeline_class=EntryCompiler)
    if not IS_PLAIN:
        jitted._cache = CodeCache(function)
    return cast(Callable[P, R], jitted)


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a function that only compiled code calls, as a part of the entry points that call it."""
    return _inner(function, is_inlined=False)


def inlined(function: Callable[P, R]) -> Callable[P, R]:
    """Like `compiled`, for a tiny function in a hot loop: every call is inlined."""
    return _inner(function, is_inlined=True)


def cached(function: Callable[P, R]) -> Callable[P, R]:
    """Cache an inner function on disk too, so that the next entry point that calls it need not compile it again.

    Used for the few functions through which entry points call a game. The stored code includes everything it calls.
    """
    if not IS_PLAIN:
        cast(Any, function)._cache = CodeCache(cast(Any, function).py_func)
    return function


def compile_for(function: Callable[..., Any], *arguments: Any) -> None:
    """Compile an entry point for arguments of these types, without calling it."""
    if not IS_PLAIN:
        cast(Any, function).compile(tuple(numba.typeof(argument) for argument in arguments))


class _Inner(CPUDispatcher):  # type: ignore[misc]
    """A function that only compiled code calls. If a test calls it from Python, it is compiled as an entry point."""

    def __call__(self, *arguments: Any) -> Any:
        return self._entry(*arguments)

    @cached_property
    def _entry(self) -> Callable[..., Any]:
        return entry(self.py_func)


def _inner(function: Callable[P, R], is_inlined: bool) -> Callable[P, R]:
    inner = _jit(
        function,
        no_cpython_wrapper=True,
        no_cfunc_wrapper=True,
        forceinline=is_inlined,
        pipeline_class=InnerCompiler,
    )
    if not IS_PLAIN:
        inner.__class__ = _Inner
    return inner


def _jit(function: Callable[P, R], **settings: Any) -> Callable[P, R]:
    jitted: Callable[P, R] = numba.njit(nogil=True, error_model="numpy", **settings)(function)
    return jitted
