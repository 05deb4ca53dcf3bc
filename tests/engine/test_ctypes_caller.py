"""The caller for WebAssembly packs the words that compiled code reads, and refuses what it was not compiled for."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from struct import pack, unpack
from typing import Any

import numpy as np
import pytest

from tavolino.engine import ctypes_caller

ROW = np.dtype([("a", np.int64), ("b", np.int32, (2,))], align=True)
ARGUMENTS: list[Any] = [
    ("array", ROW, 1),
    ("index", 0),
    ("whole",),
    ("real",),
    ("truth",),
    ("none",),
    ("tuple", ("array", np.dtype(np.int32), 0, 3), ("array", np.dtype(np.float64), 2)),
    ("count", 2),
]
ROWS, TABLE, REALS = np.zeros(3, ROW), np.zeros((2, 3), np.int32), np.zeros(4)
RIGHT: tuple[Any, ...] = (ROWS, 2, -5, 0.25, True, None, (TABLE, REALS), 4)


class Library:
    """One entry point, written in Python: it gets the address of the words."""

    def __init__(self, entry: Callable[[Any], int]) -> None:
        self._entry = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)(
            lambda address: entry((ctypes.c_int64 * 20).from_address(address))
        )

    def __getitem__(self, name: str) -> Any:
        if name != "entry":
            raise AttributeError(name)
        return self._entry


def bound(entry: Callable[[Any], int], result: str = "whole") -> Callable[..., Any]:
    return ctypes_caller.bind(Library(entry), "entry", result, ARGUMENTS)  # type: ignore[arg-type]


def test_the_words_are_numbers_addresses_and_lengths() -> None:
    seen: list[int] = []

    def entry(words: Any) -> int:
        seen.extend(words[:13])
        words[0] = 42
        return 0

    assert bound(entry)(*RIGHT) == 42
    (real,) = unpack("q", pack("d", 0.25))
    table, reals = TABLE.ctypes.data, REALS.ctypes.data
    assert seen == [0, ROWS.ctypes.data, 3, 2, -5, real, 1, table, 2, 3, reals, 4, 4]


@pytest.mark.parametrize(("kind", "answer"), [("whole", 1), ("truth", True), ("none", None)])
def test_the_result_has_its_kind(kind: str, answer: object) -> None:
    def entry(words: Any) -> int:
        words[0] = 1
        return 0

    result = bound(entry, kind)(*RIGHT)
    assert result is answer or (result == answer and type(result) is int)


@pytest.mark.parametrize(
    ("nth", "wrong", "error", "sentence"),
    [
        (0, 7, TypeError, "entry: argument 1 is not an array"),
        (0, np.zeros(3), TypeError, "entry: argument 1 is not an array of"),
        (0, np.zeros(0, ROW), ValueError, "entry: argument 1 is too small: 0 instead of at least 1 in dimension 1"),
        (0, np.zeros((1, 1), ROW), TypeError, "entry: argument 1 is not an array of so many dimensions"),
        (0, np.zeros(6, ROW)[::2], TypeError, "entry: argument 1 is not an array in C order that can be written"),
        (0, np.frombuffer(bytes(ROW.itemsize), ROW), TypeError, "in C order that can be written"),
        (1, 3, IndexError, "entry: 3 is out of range for an array of length 3"),
        (1, -1, IndexError, "entry: -1 is out of range for an array of length 3"),
        (2, "2", TypeError, "entry: argument 3 is not a whole number of 64 bits"),
        (2, 1 << 63, TypeError, "entry: argument 3 is not a whole number of 64 bits"),
        (3, "x", TypeError, "entry: argument 4 is not a number"),
        (4, 1, TypeError, "entry: argument 5 is not True or False"),
        (5, 0, TypeError, "entry: argument 6 is not None"),
        (6, (TABLE,), TypeError, "entry: argument 7 is not the tuple of arrays"),
        (6, (TABLE, REALS[:1]), ValueError, "entry: argument 7 is too small: 1 instead of at least 2 in dimension 1"),
        (7, 5, IndexError, "entry: 5 is out of range for an array of length 4"),
    ],
)
def test_a_wrong_argument_is_refused_before_the_call(
    nth: int, wrong: object, error: type[Exception], sentence: str
) -> None:
    def entry(words: Any) -> int:
        raise AssertionError

    with pytest.raises(error, match=sentence):
        bound(entry)(*RIGHT[:nth], wrong, *RIGHT[nth + 1 :])


def test_other_counts_statuses_and_names_are_errors() -> None:
    call = bound(lambda words: 3)
    with pytest.raises(TypeError, match="7 arguments are too few"):
        call(*RIGHT[:-1])
    with pytest.raises(TypeError, match="9 arguments are too many"):
        call(*RIGHT, 0)
    with pytest.raises(RuntimeError, match="ended with status 3"):
        call(*RIGHT)
    with pytest.raises(OSError, match="no entry point nothing"):
        ctypes_caller.bind(Library(lambda words: 0), "nothing", "whole", [])  # type: ignore[arg-type]
