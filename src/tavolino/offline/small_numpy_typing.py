"""In the pack: `numpy.typing`, as far as records are declared with it (`engine/record.py` reads it back)."""

from typing import Any

import numpy


class _NDArray:
    def __getitem__(self, item: Any) -> Any:
        return numpy.ndarray[Any, numpy.dtype[item]]


NDArray = _NDArray()
