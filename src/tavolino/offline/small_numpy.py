"""The part of NumPy that a local table uses, in plain Python: records, small arrays, few calculations.

In the pack this module is called `numpy`: the real one would be 3 MB more to load, and there is none for Pyodide on the
package index. An array is a view of a `bytearray`, whose address compiled code gets. Numbers are those of Python. Tests
compare all of it with NumPy; whatever is not here raises an error when it is used, and the build imports every module.
"""

import ctypes
import math
import operator
from collections.abc import Callable, Iterable, Iterator
from struct import Struct, calcsize
from types import GenericAlias
from typing import Any

PAIRWISE_BLOCK = 128  # NumPy adds up to so many numbers in eight sums, and halves what is longer


class generic: ...


class number(generic): ...


class integer(number): ...


class bool_(generic):
    code = "?"

    def __new__(cls, value: Any = False) -> Any:
        return bool(value)


class _Whole(integer):
    code: str

    def __new__(cls, value: Any = 0) -> Any:
        return int(value)


class int8(_Whole):
    code = "b"


class uint8(_Whole):
    code = "B"


class int16(_Whole):
    code = "h"


class int32(_Whole):
    code = "i"


class int64(_Whole):
    code = "q"


class uint32(_Whole):
    code = "I"


class uint64(_Whole):
    code = "Q"


class float32(number):
    code = "f"

    def __new__(cls, value: Any = 0.0) -> Any:
        return Struct("f").unpack(Struct("f").pack(value))[0]


class float64(number):
    code = "d"

    def __new__(cls, value: Any = 0.0) -> Any:
        return float(value)


_KINDS = (bool_, int8, uint8, int16, int32, int64, uint32, uint64, float32, float64)
_LETTERS = {"?": "b", **dict.fromkeys("bhiq", "i"), **dict.fromkeys("BIQ", "u"), "f": "f", "d": "f"}
_NAMES = {f"{_LETTERS[kind.code]}{calcsize(kind.code)}": kind for kind in _KINDS}
_PLAIN = {int: int64, float: float64, bool: bool_}
Shape = tuple[int, ...]


class dtype:
    """The type of an array's items: a number, a record, or (as a field of a record) an array of numbers."""

    __class_getitem__: Any = classmethod(GenericAlias)
    names: tuple[str, ...] | None
    fields: dict[str, tuple["dtype", int]] | None
    base: "dtype"
    code: str
    shape: Shape
    itemsize: int
    alignment: int
    key: Any

    def __new__(cls, what: Any, align: bool = False) -> "dtype":
        if isinstance(what, dtype):
            return what
        self = object.__new__(cls)
        self.names, self.fields, self.shape = None, None, ()
        if isinstance(what, tuple):
            self._set_array(dtype(what[0]), what[1])
        elif isinstance(what, list):
            self._set_record([(name, *_kind_and_shape(rest)) for name, *rest in what], None, None, align)
        elif isinstance(what, dict):
            kinds = [(name, dtype(kind)) for name, kind in zip(what["names"], what["formats"], strict=True)]
            self._set_record(kinds, what["offsets"], what["itemsize"], align)
        else:
            kind = _NAMES[what.lstrip("<|")] if isinstance(what, str) else _PLAIN.get(what, what)
            self.code, self.base = kind.code, self
            self.itemsize = self.alignment = calcsize(kind.code)
            self.key = kind.code
        return self

    def _set_array(self, base: "dtype", shape: int | Shape) -> None:
        self.base, self.code = base, base.code
        self.shape = shape if isinstance(shape, tuple) else (shape,)
        self.itemsize, self.alignment = base.itemsize * math.prod(self.shape), base.alignment
        self.key = (base.key, self.shape)

    def _set_record(
        self, kinds: list[tuple[str, "dtype"]], offsets: list[int] | None, size: int | None, align: bool
    ) -> None:
        self.base, self.code, self.fields = self, "", {}
        end, widest = 0, 1
        for nth, (name, kind) in enumerate(kinds):
            if align:
                end, widest = _rounded(end, kind.alignment), max(widest, kind.alignment)
            at = end if offsets is None else offsets[nth]
            self.fields[name] = (kind, at)
            end = at + kind.itemsize
        self.names, self.alignment = tuple(self.fields), widest
        self.itemsize = _rounded(end, widest) if size is None else size
        self.key = (*((name, kind.key, at) for name, (kind, at) in self.fields.items()), self.itemsize)

    @property
    def str(self) -> str:
        return f"{'|' if self.itemsize == 1 else '<'}{_LETTERS[self.code]}{self.itemsize}"

    def __getitem__(self, name: Any) -> "dtype":
        assert self.fields is not None
        return self.fields[name][0]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, dtype) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)


def _kind_and_shape(rest: list[Any]) -> tuple[dtype]:
    return (dtype((rest[0], rest[1])) if len(rest) > 1 else dtype(rest[0]),)


def _rounded(end: int, unit: int) -> int:
    return -(-end // unit) * unit


class ndarray:
    """Items in a `bytearray`, from an offset on, `strides` bytes apart."""

    __class_getitem__: Any = classmethod(GenericAlias)
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, memory: bytearray, at: int, shape: Shape, strides: Shape, kind: dtype) -> None:
        self._memory, self._at, self.shape, self.strides, self.dtype = memory, at, shape, strides, kind

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    @property
    def nbytes(self) -> int:
        return self.size * self.dtype.itemsize

    @property
    def __array_interface__(self) -> dict[str, Any]:
        address = ctypes.addressof(ctypes.c_char.from_buffer(self._memory)) + self._at
        return {"data": (address, False), "strides": None if self._is_in_order() else self.strides, "shape": self.shape}

    def __len__(self) -> int:
        return self.shape[0]

    def __iter__(self) -> Iterator[Any]:
        return (self[nth] for nth in range(len(self)))

    def _is_in_order(self) -> bool:
        return self.strides == _strides(self.shape, self.dtype.itemsize)

    def _offsets(self) -> list[int]:
        offsets = [self._at]
        for length, stride in zip(self.shape, self.strides, strict=True):
            offsets = [at + nth * stride for at in offsets for nth in range(length)]
        return offsets

    def _flat(self) -> list[Any]:
        if self.dtype.fields is not None:
            return [void(self._memory, at, self.dtype) for at in self._offsets()]
        return list(Struct(f"={self.size}{self.dtype.code}").unpack(self.tobytes()))

    def tobytes(self) -> bytes:
        size = self.dtype.itemsize
        if self._is_in_order():
            return bytes(self._memory[self._at : self._at + self.nbytes])
        return b"".join(bytes(self._memory[at : at + size]) for at in self._offsets())

    def tolist(self) -> Any:
        flat = self._flat()
        for nth in range(self.ndim - 1, 0, -1):
            length = self.shape[nth]
            flat = [flat[at * length : (at + 1) * length] for at in range(math.prod(self.shape[:nth]))]
        return flat

    def copy(self) -> "ndarray":
        return _in_order(bytearray(self.tobytes()), self.shape, self.dtype)

    def astype(self, kind: Any) -> "ndarray":
        return _filled(self._flat(), self.shape, dtype(kind))

    def reshape(self, *shape: int) -> "ndarray":
        if math.prod(shape) != self.size or not self._is_in_order():
            raise ValueError(f"cannot reshape {self.shape} into {shape}")
        return ndarray(self._memory, self._at, shape, _strides(shape, self.dtype.itemsize), self.dtype)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            assert self.dtype.fields is not None
            kind, at = self.dtype.fields[key]
            strides = self.strides + _strides(kind.shape, kind.base.itemsize)
            return ndarray(self._memory, self._at + at, self.shape + kind.shape, strides, kind.base)
        at, shape, strides = self._place(key)
        if shape or strides:
            return ndarray(self._memory, at, shape, strides, self.dtype)
        return _item(self._memory, at, self.dtype)

    def _place(self, key: Any) -> tuple[int, Shape, Shape]:
        """Where the part with these indices and slices begins, its lengths and its strides."""
        keys = key if isinstance(key, tuple) else (key,)
        if len(keys) > self.ndim:
            raise IndexError("too many indices for array")
        at, shape, strides = self._at, [], []
        for nth, length in enumerate(self.shape):
            one = keys[nth] if nth < len(keys) else slice(None)
            if isinstance(one, slice):
                chosen = range(*one.indices(length))
                at += chosen.start * self.strides[nth] if chosen else 0
                shape.append(len(chosen))
                strides.append(self.strides[nth] * chosen.step)
            else:
                index = operator.index(one)
                if not -length <= index < length:
                    raise IndexError(f"index {index} is out of bounds for axis {nth} with size {length}")
                at += index % length * self.strides[nth]
        return at, tuple(shape), tuple(strides)

    def __setitem__(self, key: Any, value: Any) -> None:
        part = self[key] if isinstance(key, str) else ndarray(self._memory, *self._place(key), self.dtype)
        if self.dtype.fields is not None and not isinstance(key, str):
            if not isinstance(value, void | ndarray) or value.dtype != self.dtype or part.nbytes != value.nbytes:
                raise TypeError("only records of the same type can be assigned")
            content, size = value.tobytes(), self.dtype.itemsize
            for nth, at in enumerate(part._offsets()):
                self._memory[at : at + size] = content[nth * size : (nth + 1) * size]
            return
        values = _flattened(value)
        if len(values) == 1:
            values *= part.size
        if len(values) != part.size:
            raise ValueError(f"could not broadcast {len(values)} items into shape {part.shape}")
        pack = Struct("=" + part.dtype.code).pack_into
        for at, each in zip(part._offsets(), values, strict=True):
            pack(part._memory, at, each)

    def _with(self, other: Any, calculate: Callable[[Any, Any], Any], kind: Any = None) -> "ndarray":
        """With a number, or with an array of the same shape."""
        flat = self._flat()
        if isinstance(other, ndarray):
            if other.shape != self.shape:
                raise ValueError(f"operands could not be broadcast together: {self.shape} and {other.shape}")
            others = other._flat()
        elif isinstance(other, int | float):
            others = [other] * len(flat)
        else:
            return NotImplemented
        values = [calculate(one, two) for one, two in zip(flat, others, strict=True)]
        return _filled(values, self.shape, _kind_of(values, self.dtype) if kind is None else dtype(kind))

    def __add__(self, other: Any) -> "ndarray":
        return self._with(other, operator.add)

    def __sub__(self, other: Any) -> "ndarray":
        return self._with(other, operator.sub)

    def __mul__(self, other: Any) -> "ndarray":
        return self._with(other, operator.mul)

    def __eq__(self, other: object) -> "ndarray":  # type: ignore[override]
        return self._with(other, operator.eq, bool_)

    def __ne__(self, other: object) -> "ndarray":  # type: ignore[override]
        return self._with(other, operator.ne, bool_)

    def any(self) -> bool:
        return any(self._flat())

    def all(self) -> bool:
        return all(self._flat())

    def sum(self) -> Any:
        return _pairwise_sum(self._flat())

    def mean(self) -> float:
        return float(self.sum() / self.size)

    def var(self) -> float:
        mean = self.mean()
        return float(_pairwise_sum([(value - mean) * (value - mean) for value in self._flat()]) / self.size)

    def max(self) -> Any:
        return max(self._flat())

    def min(self) -> Any:
        return min(self._flat())

    def argmax(self) -> int:
        flat = self._flat()
        return flat.index(max(flat))


class recarray(ndarray):
    """For rules that are not compiled; in a pack all are."""


class record:
    """For rules that are not compiled; in a pack all are."""


class void:
    """One record: a view of its bytes."""

    def __init__(self, memory: bytearray, at: int, kind: dtype) -> None:
        self._memory, self._at, self.dtype = memory, at, kind

    @property
    def nbytes(self) -> int:
        return self.dtype.itemsize

    def tobytes(self) -> bytes:
        return bytes(self._memory[self._at : self._at + self.dtype.itemsize])

    def __getitem__(self, name: str) -> Any:
        assert self.dtype.fields is not None
        kind, at = self.dtype.fields[name]
        if kind.shape:
            strides = _strides(kind.shape, kind.base.itemsize)
            return ndarray(self._memory, self._at + at, kind.shape, strides, kind.base)
        return _item(self._memory, self._at + at, kind)

    def __setitem__(self, name: str, value: Any) -> None:
        assert self.dtype.fields is not None
        kind, at = self.dtype.fields[name]
        if kind.shape:
            self[name][:] = value
        else:
            Struct("=" + kind.code).pack_into(self._memory, self._at + at, value)


class _Int(int):
    """A number of an array, which has its bytes."""

    code: str

    def tobytes(self) -> bytes:
        return Struct("=" + self.code).pack(self)

    def tolist(self) -> int:
        return int(self)

    item = tolist


class _Float(float):
    code: str

    def tobytes(self) -> bytes:
        return Struct("=" + self.code).pack(self)

    def tolist(self) -> float:
        return float(self)

    item = tolist


def _item(memory: bytearray, at: int, kind: dtype) -> Any:
    if kind.fields is not None:
        return void(memory, at, kind)
    (value,) = Struct("=" + kind.code).unpack_from(memory, at)
    if isinstance(value, bool):
        return value
    made: Any = _Float(value) if isinstance(value, float) else _Int(value)
    made.code = kind.code
    return made


def _pairwise_sum(values: list[Any]) -> Any:
    """The sum in the order in which NumPy adds, so that its last bit is the same."""
    count = len(values)
    if not count or not isinstance(values[0], float):
        return sum(values) if count else 0.0
    if count < 8:
        total = -0.0
        for value in values:
            total += value
        return total
    if count <= PAIRWISE_BLOCK:
        sums = values[:8]
        whole = count - count % 8
        for at in range(8, whole, 8):
            for nth in range(8):
                sums[nth] += values[at + nth]
        total = ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]))
        for value in values[whole:]:
            total += value
        return total
    half = count // 2
    half -= half % 8
    return _pairwise_sum(values[:half]) + _pairwise_sum(values[half:])


def _strides(shape: Shape, size: int) -> Shape:
    strides: list[int] = []
    for length in reversed(shape):
        strides.insert(0, size)
        size *= length
    return tuple(strides)


def _in_order(memory: bytearray, shape: Shape, kind: dtype) -> ndarray:
    """An array that owns its memory. An empty one has some, too: an address is taken of it."""
    return ndarray(memory or bytearray(8), 0, shape, _strides(shape, kind.itemsize), kind)


def _filled(flat: list[Any], shape: Shape, kind: dtype) -> ndarray:
    if kind.code in "bBhiIqQ":
        flat = list(map(int, flat))
    return _in_order(bytearray(Struct(f"={len(flat)}{kind.code}").pack(*flat)), shape, kind)


def _flattened(values: Any) -> list[Any]:
    if isinstance(values, ndarray):
        return values._flat()
    if isinstance(values, list | tuple | range):
        return [item for each in values for item in _flattened(each)]
    return [values]


def _shape_of(values: Any) -> Shape:
    if isinstance(values, ndarray):
        return values.shape
    if not isinstance(values, list | tuple | range):
        return ()
    inner = {_shape_of(each) for each in values}
    if len(inner) > 1:
        raise ValueError("the lengths of the rows differ")
    return (len(values), *(inner.pop() if inner else ()))


def _kind_of(values: list[Any], otherwise: dtype) -> dtype:
    if not values:
        return otherwise
    if all(isinstance(value, bool) for value in values):
        return dtype(bool_)
    if all(isinstance(value, int) for value in values):
        return otherwise if otherwise.code in "bBhiIqQ" else dtype(int64)
    return otherwise if otherwise.code == "f" else dtype(float64)


def zeros(shape: int | Shape, dtype: Any = float64) -> ndarray:
    kind = _dtype(dtype)
    shape = shape if isinstance(shape, tuple) else (shape,)
    return _in_order(bytearray(math.prod(shape) * kind.itemsize), shape, kind)


_dtype = dtype
empty = zeros


def full(shape: int | Shape, value: Any, dtype: Any) -> ndarray:
    made = zeros(shape, dtype)
    made[:] = value
    return made


def array(values: Any, dtype: Any = None, order: str = "C") -> ndarray:
    flat = _flattened(values)
    own = values.dtype if isinstance(values, ndarray) else _dtype(float64 if not flat else int64)
    kind = _dtype(dtype) if dtype is not None else own if isinstance(values, ndarray) else _kind_of(flat, own)
    return _filled(flat, _shape_of(values), kind)


def frombuffer(data: bytes, dtype: Any) -> ndarray:
    kind = _dtype(dtype)
    return _in_order(bytearray(data), (len(data) // kind.itemsize,), kind)


def concatenate(parts: Iterable[Any]) -> ndarray:
    """Of arrays with one dimension."""
    flat = [item for part in parts for item in _flattened(part)]
    return _filled(flat, (len(flat),), _kind_of(flat, _dtype(float64)))


def append(one: ndarray, other: Any) -> ndarray:
    return concatenate((one, other))


def frozen(kind: str, shape: Shape, content: str) -> ndarray:
    """An array that was computed when the pack was built (`offline/freezing.py`)."""
    return _in_order(bytearray.fromhex(content), shape, dtype(kind))
