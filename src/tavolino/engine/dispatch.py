"""The four functions of a game, under one name for all games.

Generic compiled code (simulation, search, batches) calls `setup`, `legal`, `apply` and `resample` from here. Which
game's function runs is decided by the type of the record: when the generic code is compiled, or, in plain Python,
when it runs. So generic code is ordinary code, and Numba's cache works for it across processes (it does not for
functions passed as arguments or caught in closures).
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numba.extending import overload as untyped_overload

from tavolino.engine.compiled import IS_PLAIN

Function = Callable[..., Any]


def overload(stub: Function) -> Callable[[Function], Function]:
    """Numba's decorator; the stub vanishes from the machine code, so that only the game's function is called."""
    return untyped_overload(stub, jit_options={"forceinline": True})


_games: dict[np.dtype[Any], dict[str, Function]] = {}


def register(record: np.dtype[Any], **functions: Function) -> None:
    """Tell which functions belong to a type of record."""
    _games.setdefault(record, {}).update(functions)


def function_of(record: np.dtype[Any], name: str) -> Function:
    return _games[record][name]


def _of_type(s: Any, name: str) -> Function | None:
    dtype = getattr(s, "dtype", None)
    return _games.get(dtype, {}).get(name) if dtype is not None else None


def setup(s: Any, options: Any, arranged: Any, n_arranged: Any) -> None:
    """Lay out the game: shuffle, deal, and ask for the first decision."""
    _games[s.dtype]["setup"](s, options, arranged, n_arranged)


def legal(s: Any, out: Any) -> int:
    """Write the legal actions into `out`, in ascending order, and say how many they are (0 at the end)."""
    n: int = _games[s.dtype]["legal"](s, out)
    return n


def apply(s: Any, action: int) -> None:
    """Play a legal action."""
    _games[s.dtype]["apply"](s, action)


def resample(s: Any, viewer: int) -> None:
    """Draw anew, by the record's own generator, all that a viewer cannot know."""
    _games[s.dtype]["resample"](s, viewer)


if not IS_PLAIN:

    @overload(setup)
    def _setup(s: Any, options: Any, arranged: Any, n_arranged: Any) -> Any:
        chosen = _of_type(s, "setup")
        if chosen is None:
            return None

        def call(s: Any, options: Any, arranged: Any, n_arranged: Any) -> None:
            chosen(s, options, arranged, n_arranged)

        return call

    @overload(legal)
    def _legal(s: Any, out: Any) -> Any:
        chosen = _of_type(s, "legal")
        if chosen is None:
            return None

        def call(s: Any, out: Any) -> Any:
            return chosen(s, out)

        return call

    @overload(apply)
    def _apply(s: Any, action: Any) -> Any:
        chosen = _of_type(s, "apply")
        if chosen is None:
            return None

        def call(s: Any, action: Any) -> None:
            chosen(s, action)

        return call

    @overload(resample)
    def _resample(s: Any, viewer: Any) -> Any:
        chosen = _of_type(s, "resample")
        if chosen is None:
            return None

        def call(s: Any, viewer: Any) -> None:
            chosen(s, viewer)

        return call
