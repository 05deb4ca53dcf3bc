"""Exponential and logarithm from basic arithmetic, identical to the last bit on every machine.

The C library's `exp` and `log` differ in their last bits between processors and versions, and one bit is enough for a
search to build a different tree. IEEE 754 fixes sums, products, quotients and square roots to the last bit, so any
fixed sequence of them gives the same result everywhere. Both functions are within two units in the last place.
"""

from math import factorial, floor, frexp
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tavolino.engine.compiled import compiled, int64

# ln 2 in two parts. The first has few digits, so that its product with an integer is exact.
LN2_HIGH = 6.93147180369123816490e-01
LN2_LOW = 1.90821492927058770002e-10
PER_LN2 = 1.44269504088896338700
HALF_ROOT = 0.70710678118654752440
LARGEST = 700.0  # beyond that the exponential is cut off
TWO_TO_THE = np.array([2.0**power for power in range(-1022, 1024)])
ZEROTH = 1022  # the index of the power 0 in the table
ONE_OVER_FACTORIAL = np.array([1.0 / factorial(n) for n in range(14)])
ODD_TERMS = 10  # of the series for the logarithm
MOST_IN_TABLE = 1 << 9  # 4 kB in the machine code of every search; `log` gives the same bits for larger counts


@compiled
def exp(x: float) -> float:
    """e to the power of x."""
    x = min(max(x, -LARGEST), LARGEST)
    power = floor(x * PER_LN2 + 0.5)
    rest = (x - power * LN2_HIGH) - power * LN2_LOW  # at most half of ln 2
    # Estrin's scheme: the processor evaluates the short sums in parallel.
    c = ONE_OVER_FACTORIAL
    r2 = rest * rest
    r4 = r2 * r2
    low = (c[0] + c[1] * rest) + (c[2] + c[3] * rest) * r2
    middle = (c[4] + c[5] * rest) + (c[6] + c[7] * rest) * r2
    high = (c[8] + c[9] * rest) + (c[10] + c[11] * rest) * r2
    value = (low + middle * r4) + (high + (c[12] + c[13] * rest) * r4) * (r4 * r4)
    return value * TWO_TO_THE[int64(power) + ZEROTH]


def _log_of_parts(part: Any, power: Any) -> Any:
    """The logarithm of part times a power of 2, of one number or of an array of them; part is near 1."""
    quotient = (part - 1.0) / (part + 1.0)
    square = quotient * quotient
    value = 0.0 * quotient
    for term in range(ODD_TERMS, -1, -1):
        value = value * square + 1.0 / (2.0 * term + 1.0)
    return power * LN2_HIGH + (2.0 * quotient * value + power * LN2_LOW)


_log_of_one = compiled(_log_of_parts)


@compiled
def log(x: float) -> float:
    """The natural logarithm of a positive number."""
    part, power = frexp(x)  # exact: it reads the bits
    if part < HALF_ROOT:
        part, power = part * 2.0, power - 1
    return float(_log_of_one(part, power))


def _logs_of_counts(end: int) -> NDArray[np.float64]:
    part, power = np.frexp(np.arange(1.0, end))
    is_small = part < HALF_ROOT
    logs: NDArray[np.float64] = _log_of_parts(np.where(is_small, part * 2.0, part), power - is_small)
    return np.concatenate(([0.0], logs))


LOG_OF_COUNT = _logs_of_counts(MOST_IN_TABLE)


@compiled
def log_of_count(n: int) -> float:
    """The natural logarithm of a positive integer: the same as `log`, from a table for small numbers."""
    return LOG_OF_COUNT[n] if n < MOST_IN_TABLE else log(np.float64(n))
