"""python -m tests.aot.fuzz GAME SEED CALLS: calls every entry point of a library with arguments that are not right.

Each must be refused with a Python error. Prints how many were; if one is taken, it says so and fails.
"""

from __future__ import annotations

import random
import sys
from typing import Any

import numpy as np

import tavolino
from tavolino.aot.lowering import import_declaring
from tavolino.engine.ahead import library_for
from tavolino.engine.entry_points import entry_points

ODD = [
    *(None, True, -1, 1 << 62, 1 << 70, 0.5, float("nan"), "x", b"bytes", [], (), {}, object(), type, tavolino),
    *(np.float32(1), np.int8(3), np.array(5), np.zeros(0), np.zeros((2, 2)), np.zeros(3, np.int32), np.zeros(3)[::2]),
    *(np.zeros((1, 1, 1, 1, 1)), np.zeros(4, ">i4"), np.zeros((64, 64), np.int32).T, bytearray(64), memoryview(b"12")),
]


def twisted(chance: random.Random, one: Any) -> Any:
    """The argument with something wrong, or something else."""
    way = chance.randrange(6)
    if isinstance(one, tuple):
        items = list(one)
        if way < 3:
            at = chance.randrange(len(items))
            items[at] = twisted(chance, items[at])
        elif way == 3:
            items.pop()
        elif way == 4:
            items.append(0)
        else:
            return items
        return tuple(items)
    if isinstance(one, np.ndarray) and one.size:
        if way == 0:
            return one[:-1].copy()
        if way == 1:
            frozen = one.copy()
            frozen.flags.writeable = False
            return frozen
        if way == 2:
            return one[np.newaxis]
        if way == 3:
            return np.zeros(one.shape, np.complex128)
        if way == 4:
            return np.repeat(one, 2, axis=0)[::2]
    return chance.choice(ODD)


def fits(given: Any, sample: Any) -> bool:
    """Whether it is taken; then the code would run on numbers without a meaning."""
    if isinstance(sample, tuple):
        return isinstance(given, tuple) and len(given) == len(sample) and all(map(fits, given, sample))
    if isinstance(sample, np.ndarray):
        if not isinstance(given, np.ndarray) or given.dtype != sample.dtype or given.ndim != sample.ndim:
            return given is None  # there may be a variant for None
        return given.flags.carray and all(a >= b for a, b in zip(given.shape, sample.shape, strict=True))
    if isinstance(sample, bool):
        return isinstance(given, bool)
    return given is sample or isinstance(given, int | float | np.generic | np.ndarray)


def main(name: str, seed: int, calls: int) -> int:
    game, chance = tavolino.load(name), random.Random(seed)
    import_declaring(game)
    library = library_for(game.record)
    assert library is not None
    refused = 0
    for point, arguments in entry_points(game):
        call = library.call(point.name)
        assert call is not None
        for _ in range(calls):
            given = list(arguments)
            way = chance.randrange(8)
            if way == 0:
                given = given[: chance.randrange(len(given))]
            elif way == 1:
                given.append(0)
            else:
                at = chance.randrange(len(given))
                given[at] = twisted(chance, given[at])
                if fits(given[at], arguments[at]):
                    continue
            try:
                call(*given)
            except (TypeError, ValueError, IndexError):
                refused += 1
            else:
                print(f"{point.symbol} took {given}", file=sys.stderr)
                return 1
    print(refused)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
