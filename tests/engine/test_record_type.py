"""The record of a game, made from the class of its state."""

from typing import Annotated, Any

import numpy as np
import pytest

from tavolino.engine.chance import Chance
from tavolino.engine.record import (
    UNHASHED,
    Events,
    Int64,
    Numbers,
    State,
    fields_of,
    hashed_fields,
    record_type,
)


class Plain(State):
    step: int
    wide: Int64
    share: float
    cards: Annotated[Numbers, 4, 7]


def test_the_fields_of_a_class_are_those_of_the_record_between_the_shared_ones_and_the_events() -> None:
    record = record_type(Plain)
    assert fields_of(Plain) == [
        ("step", np.int32),
        ("wide", np.int64),
        ("share", np.float64),
        ("cards", np.int32, (4, 7)),
    ]
    names = [name for kind in (Chance, State, Plain, Events) for name, *_ in fields_of(kind)]
    assert [name for name in record.names or () if name != "filler"] == names
    assert record["cards"] == np.dtype((np.int32, (4, 7)))


def test_no_byte_belongs_to_no_field() -> None:
    record = record_type(Plain)
    assert sum(record[name].itemsize for name in record.names or ()) == record.itemsize


@pytest.mark.parametrize("hint", [str, list[int], Numbers, Annotated[Numbers, "four"], Annotated[int, 4]])
def test_what_a_record_cannot_hold_is_refused_with_the_name_of_the_field(hint: Any) -> None:
    wrong = type("Wrong", (), {"__annotations__": {"cards": hint}})
    with pytest.raises(TypeError, match=r"Wrong.cards is not a field of a record: write int or Int64"):
        record_type(wrong)


def test_a_field_is_left_out_of_the_hash_only_if_it_is_marked() -> None:
    """Whatever its name: before, fields called `history` were left out in every game."""

    class Diary(State):
        history: Annotated[Numbers, 3]
        n_history: int
        n_own: int
        whose_own: Annotated[Numbers, 2]
        read_to: int
        shown_to: int
        spare: int
        jotted: Annotated[Numbers, 2, UNHASHED]

    record = record_type(Diary)
    hashed = hashed_fields(record)
    assert {name for name, *_ in fields_of(Diary)} - set(hashed) == {"jotted"}
    assert {"n_events", "events", "quiet"}.isdisjoint(hashed)
