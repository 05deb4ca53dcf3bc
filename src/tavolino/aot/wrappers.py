"""The functions that a compiled library exports.

Nothing of Numba's calling convention is visible outside. An exported function takes one pointer to 64-bit words: word 0
is for the result; then a number is one word, and an array is its address and its shape (in C order). It returns 0, or
Numba's status. So a caller in C or JavaScript needs one kind of call for all of them.
"""

import inspect
from typing import Any

import numba
import numpy as np
from numba.core import types
from numba.core.types.containers import BaseTuple

from tavolino.engine.entry_points import INDEX, Arguments, EntryPoint

KINDS = {types.int64: "whole", types.float64: "real", types.boolean: "truth", types.none: "none"}
Described = list[Any]


class Wrapper:
    """The text of one exported function in LLVM's language, and the description of its arguments for callers."""

    def __init__(self, point: EntryPoint, inner: str, signature: tuple[Any, ...], returned: Any, context: Any):
        self._context = context
        self._lines: list[str] = []
        self._passed: list[str] = []
        self._words = 1
        for argument in signature:
            self._pass(argument)
        self.text = self._function(point.symbol, inner, returned)

    def _word(self, kind: str) -> str:
        """The next word."""
        at, self._words = self._words, self._words + 1
        self._lines.append(f"%p{at} = getelementptr i64, ptr %words, i64 {at}")
        self._lines.append(f"%w{at} = load {kind}, ptr %p{at}")
        return f"%w{at}"

    def _pass(self, argument: Any) -> None:
        if isinstance(argument, types.Array):
            self._pass_array(argument)
        elif isinstance(argument, BaseTuple):
            for each in argument.types:
                self._pass(each)
        elif argument == types.none:
            self._passed.append("ptr null")
        elif argument == types.boolean:
            word = self._word("i64")
            self._lines.append(f"{word}t = trunc i64 {word} to i8")
            self._passed.append(f"i8 {word}t")
        else:
            kind = {types.int64: "i64", types.float64: "double"}[argument]
            self._passed.append(f"{kind} {self._word(kind)}")

    def _pass_array(self, array: Any) -> None:
        """Address and lengths are words; the number of items and the strides are computed from them."""
        size = self._context.get_abi_sizeof(self._context.get_data_type(array.dtype))
        address = self._word("i64")
        self._lines.append(f"{address}a = inttoptr i64 {address} to ptr")
        lengths = [self._word("i64") for _ in range(array.ndim)]
        strides: list[str] = []
        items = "1"
        for length in reversed(lengths):
            strides.insert(0, f"{length}s")
            self._lines.append(f"{length}s = mul i64 {items}, {size}")
            self._lines.append(f"{length}n = mul i64 {items}, {length}")
            items = f"{length}n"
        self._passed += ["ptr null", "ptr null", f"i64 {items}", f"i64 {size}", f"ptr {address}a"]
        self._passed += [f"i64 {each}" for each in (*lengths, *strides)]

    def _function(self, symbol: str, inner: str, returned: Any) -> str:
        kinds = ", ".join(["ptr", "ptr", *(each.split()[0] for each in self._passed)])
        bits = 64 if returned == types.none else self._context.get_data_type(returned).width
        widened = "add i64 %narrow, 0" if bits == 64 else f"sext i{bits} %narrow to i64"
        lines = [
            "%result = alloca i64",
            "%trouble = alloca ptr",
            "store i64 0, ptr %result",
            *self._lines,
            f'%status = call i32 @"{inner}"(ptr %result, ptr %trouble, {", ".join(self._passed)})',
            f"%narrow = load i{bits}, ptr %result",
            f"%wide = {widened}",
            "store i64 %wide, ptr %words",
            "ret i32 %status",
        ]
        body = "\n".join(f"  {line}" for line in lines)
        return f'declare i32 @"{inner}"({kinds})\ndefine i32 @{symbol}(ptr %words) {{\n{body}\n}}\n'


class Description:
    """What callers need to know of a library's entry points, for its manifest."""

    def __init__(self, record: np.dtype[Any]):
        self.dtypes: list[np.dtype[Any]] = [record]
        self.points: dict[str, Any] = {}

    def add(self, point: EntryPoint, arguments: Arguments, returned: Any) -> None:
        names = list(inspect.signature(getattr(point.function, "py_func", point.function)).parameters)
        arrays = _array_numbers(names, arguments)
        self.points[point.symbol] = {
            "name": point.name,
            "result": KINDS.get(returned, "whole"),
            "arguments": [
                self._described(point, names, arrays, nth, argument) for nth, argument in enumerate(arguments)
            ],
        }

    def _described(
        self, point: EntryPoint, names: list[str], arrays: dict[str, int], nth: int, argument: Any
    ) -> Described:
        if names[nth] == INDEX:
            return ["index", arrays[names[nth - 1]]]
        if names[nth] in point.counts:
            return ["count", arrays[point.counts[names[nth]]]]
        return self._of(argument)

    def _of(self, argument: Any) -> Described:
        if isinstance(argument, np.ndarray):
            return ["array", self._dtype_number(argument.dtype), list(argument.shape)]
        if isinstance(argument, tuple):
            return ["tuple", *(self._of(each) for each in argument)]
        return [KINDS[numba.typeof(argument)]]

    def _dtype_number(self, dtype: np.dtype[Any]) -> int:
        if dtype not in self.dtypes:
            self.dtypes.append(dtype)
        return self.dtypes.index(dtype)


def _array_numbers(names: list[str], arguments: Arguments) -> dict[str, int]:
    """The number of each array among all arrays of a call, those in tuples included."""
    numbers: dict[str, int] = {}
    count = 0
    for name, argument in zip(names, arguments, strict=True):
        if isinstance(argument, np.ndarray):
            numbers[name] = count
        count += _count_arrays(argument)
    return numbers


def _count_arrays(argument: Any) -> int:
    return sum(map(_count_arrays, argument)) if isinstance(argument, tuple) else isinstance(argument, np.ndarray)


def described_dtype(dtype: np.dtype[Any]) -> Any:
    """A type of items for a manifest; `engine.ahead.dtype_from` reads it."""
    if dtype.names is None:
        return dtype.str
    fields, fields_by_name = [], dict(dtype.fields or {})
    for name in dtype.names:
        kind, offset = fields_by_name[name][:2]
        fields.append([name, described_dtype(kind.base), list(kind.shape), offset])
    return {"size": dtype.itemsize, "fields": fields}
