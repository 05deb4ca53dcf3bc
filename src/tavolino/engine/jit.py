"""Functions compiled by Numba. `machine_code` compiles, `code_cache` stores the result.

Imported only by a process that compiles, or loads what another one has compiled: importing Numba takes half a second.
"""

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, cast

import numba
from numba.core import types
from numba.core.errors import TypingError
from numba.core.registry import CPUDispatcher
from numba.extending import models, register_model

from tavolino.engine.code_cache import CodeCache
from tavolino.engine.machine_code import EntryCompiler, InnerCompiler

if TYPE_CHECKING:
    from tavolino.engine.dispatch import ByRecord

P = ParamSpec("P")
R = TypeVar("R")


def entry(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a function that Python calls, at its first call. It releases the GIL and is cached on disk."""
    jitted: Any = _jit(function, no_cfunc_wrapper=True, pipeline_class=EntryCompiler)
    jitted._cache = CodeCache(function)
    return cast(Callable[P, R], jitted)


def inner(function: Callable[P, R], is_inlined: bool) -> Callable[P, R]:
    """Compile a function that only compiled code calls, as a part of the entry points that call it."""
    jitted = _jit(
        function,
        no_cpython_wrapper=True,
        no_cfunc_wrapper=True,
        forceinline=is_inlined,
        pipeline_class=InnerCompiler,
    )
    jitted.__class__ = _Inner
    return jitted


def cache_inner(function: Any) -> None:
    """Cache an inner function on disk too; the stored code includes everything it calls."""
    function._cache = CodeCache(function.py_func)


def compile_for(function: Any, *arguments: Any) -> None:
    """Compile an entry point for arguments of these types, without calling it."""
    function.compile(tuple(numba.typeof(argument) for argument in arguments))


class _Inner(CPUDispatcher):  # type: ignore[misc]
    """A function that only compiled code calls. If a test calls it from Python, it is compiled as an entry point."""

    def __call__(self, *arguments: Any) -> Any:
        return self._entry(*arguments)

    @cached_property
    def _entry(self) -> Callable[..., Any]:
        return entry(self.py_func)


def _jit(function: Callable[P, R], **settings: Any) -> Callable[P, R]:
    jitted: Callable[P, R] = numba.njit(nogil=True, error_model="numpy", **settings)(function)
    return jitted


class ByRecordType(types.Callable, types.Dummy):
    """Numba's type of a `ByRecord`: it resolves a call directly to the game's function, without a wrapper."""

    def __init__(self, function: "ByRecord[..., Any]"):
        self.function = function
        super().__init__(f"by_record({function.name})")

    def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:
        return self._game_function(args).get_call_type(context, args, kws)

    def get_call_signatures(self) -> tuple[tuple[Any, ...], bool]:
        return (), True

    def get_impl_key(self, signature: Any) -> Any:
        return self._game_function(signature.args).get_impl_key(signature)

    def _game_function(self, arguments: Any) -> Any:
        try:
            return numba.typeof(self.function.of(arguments[0].dtype))
        except (AttributeError, KeyError):
            raise TypingError(f"No game has registered {self.function.name} for {arguments[0]}.") from None


register_model(ByRecordType)(models.OpaqueModel)
