"""Exponential and logarithm out of plain arithmetic: close to the true values, and the same bits everywhere."""

import hashlib
import math
import random
import struct

import pytest

from tavolino.engine import arithmetic


@pytest.mark.plain
def test_exp_is_within_two_units_in_the_last_place() -> None:
    chance = random.Random(1)
    for x in [0.0, 1.0, -1.0, 0.5, 30.0, -30.0, *(chance.uniform(-40, 40) for _ in range(2000))]:
        true = math.exp(x)
        assert abs(arithmetic.exp(x) - true) <= 2 * math.ulp(true), x
    assert arithmetic.exp(1e9) == arithmetic.exp(700.0) < math.inf
    assert 0.0 < arithmetic.exp(-1e9) < 1e-300


@pytest.mark.plain
def test_log_is_within_two_units_in_the_last_place() -> None:
    chance = random.Random(2)
    numbers = [float(n) for n in range(2, 1000)] + [chance.uniform(1, 1e9) for _ in range(1000)] + [1e-9, 0.3, 0.75]
    for x in numbers:
        true = math.log(x)
        assert abs(arithmetic.log(x) - true) <= 2 * math.ulp(true), x
    assert arithmetic.log(1.0) == 0.0


@pytest.mark.plain
def test_the_logarithm_of_a_count_is_the_same_looked_up_and_worked_out() -> None:
    end = arithmetic.MOST_IN_TABLE
    for n in (1, 2, 3, 10, 181, 4097, end - 1, end, end + 1, 10**9):
        assert arithmetic.log_of_count(n) == arithmetic.log(float(n)), n
    assert all(arithmetic.LOG_OF_COUNT[n] == arithmetic.log(float(n)) for n in range(1, end))


@pytest.mark.plain
def test_the_values_are_the_same_bits_on_every_machine() -> None:
    values = [arithmetic.exp(n / 64) for n in range(-640, 641)] + [arithmetic.log(float(n)) for n in range(1, 2000)]
    assert hashlib.sha256(struct.pack(f"<{len(values)}d", *values)).hexdigest()[:16] == "97e4a26e7b69ee6e"
