"""The small NumPy of the offline pack answers as NumPy does, in everything that a local table uses."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tavolino.aot.wrappers import described_dtype
from tavolino.engine.ahead import dtype_from
from tavolino.games import games, load
from tavolino.offline import small_numpy as small

KINDS = ("int8", "uint8", "int16", "int32", "int64", "uint32", "uint64", "float32", "float64")
FIELDS = [
    ("key", "int64", (8,)),
    ("cheap", "uint64"),
    ("seat", "int32"),
    ("last", "int32"),
    ("rows", "int32", (3, 4)),
    ("value", "float64"),
]
reals = st.floats(-1e6, 1e6, allow_nan=False, width=64)
lengths = st.integers(0, 300)


def both(module: Any, fields: list[Any]) -> Any:
    return module.dtype([(name, getattr(module, kind), *shape) for name, kind, *shape in fields], align=True)


def same(one: Any, other: Any) -> None:
    """The same type, shape, bytes and values."""
    assert one.dtype.str == other.dtype.str
    assert one.shape == other.shape
    assert one.tobytes() == other.tobytes()
    assert one.tolist() == other.tolist()


@pytest.mark.parametrize("kind", KINDS)
def test_numbers_have_their_names_and_sizes(kind: str) -> None:
    one, other = small.dtype(getattr(small, kind)), np.dtype(getattr(np, kind))
    assert (one.str, one.itemsize, one.names, one.shape) == (other.str, other.itemsize, other.names, other.shape)
    assert small.dtype(other.str) == one
    assert hash(small.dtype(other.str)) == hash(one)


def laid_out(dtype: Any) -> list[Any]:
    return [(name, dtype[name].shape, dtype[name].base.str, dtype.fields[name][1]) for name in dtype.names]


@given(st.lists(st.tuples(st.sampled_from(KINDS), st.sampled_from([(), (1,), (5,), (2, 3)])), min_size=1, max_size=6))
@settings(max_examples=60, deadline=None)
def test_records_are_laid_out_alike(kinds: list[Any]) -> None:
    fields = [(f"f{nth}", kind, *([shape] if shape else [])) for nth, (kind, shape) in enumerate(kinds)]
    one, other = both(small, fields), both(np, fields)
    assert laid_out(one) == laid_out(other)
    assert one.itemsize == other.itemsize


@pytest.mark.parametrize("game", games())
def test_the_records_of_games_come_back_from_a_manifest(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    record = load(game).record
    described = described_dtype(record)
    monkeypatch.setattr("tavolino.engine.ahead.np", small)
    found: Any = dtype_from(described)
    assert laid_out(found) == laid_out(record)
    assert found.itemsize == record.itemsize
    assert found == dtype_from(described)


def records(module: Any) -> Any:
    array = module.zeros(4, both(module, FIELDS))
    for nth in range(4):
        array[nth]["seat"] = nth - 2
        array[nth]["cheap"] = 2**64 - 1 - nth
        array[nth]["value"] = nth / 3
        array[nth]["key"][:] = module.array(range(nth, nth + 8), module.int64)
        array[nth]["rows"][1, 2] = nth
    return array


def test_records_are_read_written_and_copied_alike() -> None:
    one, other = records(small), records(np)
    assert one.tobytes() == other.tobytes()
    copy = one.copy()
    copy[1] = one[3]
    copied = other.copy()
    copied[1] = other[3]
    assert copy.tobytes() == copied.tobytes()
    assert one.tobytes() == other.tobytes()
    for name in ("key", "cheap", "seat", "rows", "value"):
        assert one[2][name].tobytes() == other[2][name].tobytes()
        assert one[2][name].tolist() == other[2][name].tolist()
        same(one[name], other[name])
    same(one[1:3]["rows"], other[1:3]["rows"])
    assert one[1:2].tobytes() == other[1:2].tobytes()


@pytest.mark.parametrize(
    "key",
    [0, -1, 2, slice(None), slice(1, 3), slice(0, 0), slice(None, None, 2), (0, 1), (slice(None), 1), (1, slice(1, 4)),
     (slice(None), slice(None), 2), (slice(0, 2), 3, slice(1, 3))],
)  # fmt: skip
def test_parts_are_taken_and_set_alike(key: Any) -> None:
    one = small.array(range(60), small.int32).reshape(3, 4, 5)
    other = np.array(range(60), np.int32).reshape(3, 4, 5)
    same(one[key], other[key])
    one[key], other[key] = -7, -7
    same(one, other)


@pytest.mark.parametrize("key", [3, -4, (0, 9), (0, 0, 0, 0)])
def test_an_index_out_of_range_is_an_error(key: Any) -> None:
    with pytest.raises(IndexError):
        np.zeros((3, 4, 5))[key]
    with pytest.raises(IndexError):
        small.zeros((3, 4, 5))[key]


@given(st.lists(reals, min_size=1, max_size=700))
@settings(max_examples=100, deadline=None)
def test_sums_have_the_same_last_bit(values: list[float]) -> None:
    one, other = small.array(values), np.array(values)
    assert one.sum() == other.sum()
    assert one.mean() == other.mean()
    assert one.var() == other.var()


@given(st.integers(1, 400), st.integers(1, 4), st.integers(0, 2**32 - 1))
@settings(max_examples=50, deadline=None)
def test_sums_of_columns_have_the_same_last_bit(count: int, columns: int, seed: int) -> None:
    """As the coach takes them: a column of the results of playouts, and the difference of two."""
    values = np.random.default_rng(seed).random((count, columns, 2))
    one = small.frozen("<f8", values.shape, values.tobytes().hex())
    for column in range(columns):
        mine, theirs = one[:, column, 1], values[:, column, 1]
        assert mine.mean() == theirs.mean()
        assert mine.var() == theirs.var()
        same(mine - one[:, 0, 1], theirs - values[:, 0, 1])
        same(small.concatenate([mine, mine]), np.concatenate([theirs, theirs]))
        same(small.append(mine, one[:, 0, 0]), np.append(theirs, values[:, 0, 0]))


@given(st.lists(st.integers(-(2**31), 2**31 - 1), max_size=20))
def test_whole_numbers_are_made_and_compared_alike(values: list[int]) -> None:
    one, other = small.array(values, small.int32), np.array(values, np.int32)
    same(one, other)
    same(one == one.copy(), other == other.copy())
    assert (one == one.copy()).all() == (other == other.copy()).all()
    assert (one != one.copy()).any() == (other != other.copy()).any()
    same(one.astype(small.int64), other.astype(np.int64))
    if values:
        assert (one.max(), one.min(), one.argmax()) == (other.max(), other.min(), other.argmax())


def test_arrays_are_made_alike() -> None:
    same(small.zeros(3), np.zeros(3))
    same(small.zeros((0, 3), small.int32), np.zeros((0, 3), np.int32))
    same(small.full((2, 3), -1, dtype=small.int32), np.full((2, 3), -1, dtype=np.int32))
    same(small.array([0.5, 1, 2]), np.array([0.5, 1, 2]))
    same(small.array([[1, 2], [3, 4]], dtype=small.int32), np.array([[1, 2], [3, 4]], dtype=np.int32))
    same(small.array([0.1, 0.2], small.float32, order="C"), np.array([0.1, 0.2], np.float32, order="C"))
    content = bytes(range(32))
    same(small.frombuffer(content, "<u4").astype(small.int64), np.frombuffer(content, "<u4").astype(np.int64))
    same(small.frombuffer(content, "<f4").reshape(2, 4)[1], np.frombuffer(content, "<f4").reshape(2, 4)[1])
    with pytest.raises(ValueError, match="rows"):
        small.array([[1, 2], [3]])


def test_compiled_code_gets_the_address_of_what_python_reads() -> None:
    array = small.zeros((2, 3), small.int32)
    part = array[1:]
    address, is_readonly = part.__array_interface__["data"]
    (ctypes.c_int32 * 3).from_address(address)[:] = [7, 8, 9]
    assert array.tolist() == [[0, 0, 0], [7, 8, 9]]
    assert not is_readonly
    assert part.__array_interface__["strides"] is None
    assert array[:, 1].__array_interface__["strides"] is not None


def test_a_wrong_answer_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(small, "PAIRWISE_BLOCK", 64)
    values = np.random.default_rng(1).random(400)
    answers = [small.array(values[:count].tolist()).sum() == values[:count].sum() for count in range(100, 400, 20)]
    assert not all(answers)
