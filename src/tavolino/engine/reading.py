"""A state read as plain Python numbers and lists, for views and words.

Fields are read when they are first asked for: the single numbers all together, every list alone. Views are made after
each decision for each viewer, so this is done by attributes of a class for each record: Python finds those quickest.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np


class _List:
    """A field that holds several numbers."""

    def __init__(self, name: str):
        self._name = name

    def __get__(self, reading: Any, owner: type) -> Any:
        value = reading.__dict__[self._name] = reading.record[self._name].tolist()
        return value


class _Number:
    """A field that holds one."""

    def __init__(self, name: str, numbers: np.dtype[Any]):
        self._name = name
        self._numbers = numbers

    def __get__(self, reading: Any, owner: type) -> Any:
        values = reading.record.view(self._numbers).item()
        reading.__dict__.update(zip(self._numbers.names, values, strict=True))  # type: ignore[arg-type]
        return reading.__dict__[self._name]


@cache
def _class_for(record: np.dtype[Any]) -> type:
    fields: Mapping[str, Any] = record.fields or {}
    single = {name: field for name, field in fields.items() if not field[0].shape}
    numbers = np.dtype(
        {
            "names": list(single),
            "formats": [field[0] for field in single.values()],
            "offsets": [field[1] for field in single.values()],
            "itemsize": record.itemsize,
        }
    )
    return type("Reading", (), {name: _Number(name, numbers) if name in single else _List(name) for name in fields})


def read(states: np.ndarray[Any, Any], index: int = 0) -> Any:
    """One of the states, its fields as attributes."""
    reading = _class_for(states.dtype)()
    reading.record = states[index]
    reading.states = states[index : index + 1]  # for what is worked out by compiled code
    return reading
