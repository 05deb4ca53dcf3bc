"""A state read as plain Python numbers and lists, for views and words.

Fields are read when they are first used. Views are built after each decision for each viewer, so speed matters: there
is a class for each record, whose attributes are the fields, and they are unpacked from the bytes of the state.
"""

from collections.abc import Sequence
from functools import cache
from struct import Struct
from typing import Any

import numpy as np

_USUAL = np.dtype(np.int32)  # nearly all fields of a record


class _Number:
    """A field that holds one number. All of these are read at once: a view needs many of them."""

    def __init__(self, name: str, names: Sequence[str], numbers: Struct):
        self._name, self._names, self._unpack = name, names, numbers.unpack_from

    def __get__(self, reading: Any, owner: type) -> Any:
        reading.__dict__.update(zip(self._names, self._unpack(reading.bytes), strict=True))
        return reading.__dict__[self._name]


class _List:
    """A field that holds several numbers."""

    def __init__(self, name: str, offset: int, length: int):
        self._name, self._offset, self._unpack = name, offset, Struct(f"={length}i").unpack_from

    def __get__(self, reading: Any, owner: type) -> Any:
        value = reading.__dict__[self._name] = list(self._unpack(reading.bytes, self._offset))
        return value


class _ListOfLists:
    """A field that holds several numbers for each seat, say."""

    def __init__(self, name: str, offset: int, count: int, length: int):
        self._name, row = name, Struct(f"={length}i")
        self._unpack = row.unpack_from
        self._offsets = range(offset, offset + count * row.size, row.size)

    def __get__(self, reading: Any, owner: type) -> Any:
        unpack, data = self._unpack, reading.bytes
        value = reading.__dict__[self._name] = [list(unpack(data, offset)) for offset in self._offsets]
        return value


class _Other:
    """A field of another shape, or of numbers of another size."""

    def __init__(self, name: str):
        self._name = name

    def __get__(self, reading: Any, owner: type) -> Any:
        value = reading.__dict__[self._name] = reading.record[self._name].tolist()
        return value


@cache
def _class_for(record: np.dtype[Any]) -> type:
    fields = {name: place[:2] for name, place in (record.fields or {}).items()}
    single = {name: offset for name, (field, offset) in fields.items() if field == _USUAL}
    numbers = _struct_of_numbers(list(single.values()))

    def attribute(name: str, field: np.dtype[Any], offset: int) -> object:
        if field.base == _USUAL:
            match field.shape:
                case ():
                    return _Number(name, list(single), numbers)
                case (length,):
                    return _List(name, offset, length)
                case (count, length):
                    return _ListOfLists(name, offset, count, length)
        return _Other(name)

    return type("Reading", (), {name: attribute(name, *place) for name, place in fields.items()})


def _struct_of_numbers(offsets: Sequence[int]) -> Struct:
    """Unpacks the numbers at these offsets, which ascend, and skips what lies between them."""
    ends = [0, *(offset + _USUAL.itemsize for offset in offsets)]
    return Struct("=" + "".join(f"{offset - end}xi" for offset, end in zip(offsets, ends, strict=False)))


def read(states: np.ndarray[Any, Any], index: int = 0) -> Any:
    """One of the states, its fields as attributes."""
    reading = _class_for(states.dtype)()
    reading.record = record = states[index]
    reading.bytes = record.tobytes()
    reading.states = states[index : index + 1]  # for fields that compiled code computes lazily
    return reading
