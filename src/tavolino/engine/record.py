"""The record: one game as one row of numbers with named fields, without pointers.

Copying a game is copying bytes; many games are one array. Every game's record has the same first fields, so that
generic code (matches, simulation, search) works on all of them.
"""

from inspect import get_annotations
from typing import Annotated, Any, Protocol, get_args, get_origin

import numpy as np
from numpy.typing import NDArray

from tavolino.engine.chance import Chance
from tavolino.engine.compiled import compiled, inlined

NOBODY = -1  # a seat field that holds no seat
SPECTATOR = -1  # the viewer who has no seat

EVENT_ROOM = 48  # more events than any action of any game writes
EVENT_WIDTH = 10  # kind, audience, and up to eight numbers

Numbers = NDArray[np.int32]
Int64 = Annotated[int, np.int64]
States = np.ndarray[Any, Any]  # an array of records


class _Unhashed:
    """The type of UNHASHED."""


# Marks a field that is not part of the position, such as what a game stores for its notebook:
# `history: Annotated[Numbers, 9, UNHASHED]`. The hash of a record leaves it out.
UNHASHED = _Unhashed()
# The version of the rules is named in the record, and its chain includes it.
RULES = "rules"

_unhashed: dict[np.dtype[Any], frozenset[str]] = {}  # by type of record


class Events(Protocol):
    """The events of the last action. Last in the record, so that what rules use lies close together in memory."""

    n_events: Annotated[int, UNHASHED]
    events: Annotated[Numbers, EVENT_ROOM, EVENT_WIDTH, UNHASHED]


class State(Chance, Events, Protocol):
    """What the states of all games have in common. Each game's own class adds its fields."""

    players: int
    to_act: int  # the seat that must decide, NOBODY when the game is over
    winners: int  # one bit per seat, when the game is over
    reason: int  # why it is over: a number of the game's own enumeration, 0 while it runs
    quiet: Annotated[int, UNHASHED]  # 1: neither events nor knowledge are written, for mass simulation


def record_type(state: type) -> np.dtype[Any]:
    """The record of a game: the shared fields, those of the game's class, and room for events.

    `int` declares an integer of 32 bits, `Int64` one of 64, and `Annotated[Numbers, 4, 7]` an array of 4 times 7
    integers of 32 bits. UNHASHED behind them leaves a field out of the hash.

    The eight-byte fields come first, and there is no gap between fields: bytes that belong to no field would make
    equal games look different.
    """
    shared, own, last = [*fields_of(Chance), *fields_of(State)], fields_of(state), fields_of(Events)
    record = np.dtype([*shared, *own, *last], align=True)
    held = sum(record[name].itemsize for name in record.names or ())
    if held != record.itemsize:
        record = np.dtype([*shared, *own, ("filler", np.int32), *last], align=True)
    hints = {name: hint for each in (State, Events, state) for name, hint in get_annotations(each).items()}
    marked = {name for name, hint in hints.items() if UNHASHED in getattr(hint, "__metadata__", ())}
    _unhashed[record] = frozenset({RULES, *marked})
    return record


def hashed_fields(record: np.dtype[Any]) -> tuple[str, ...]:
    """The fields that make up the position, in the order of the record."""
    return tuple(name for name in record.names or () if name not in _unhashed[record])


def fields_of(state: type) -> list[tuple[Any, ...]]:
    """The fields that a class itself declares, in the form that NumPy takes."""
    return [(name, *_number_and_shape(state, name, hint)) for name, hint in get_annotations(state).items()]


def _number_and_shape(state: type, name: str, hint: Any) -> tuple[Any, ...]:
    declared, *details = (hint.__origin__, *hint.__metadata__) if get_origin(hint) is Annotated else (hint,)
    details = [detail for detail in details if detail is not UNHASHED]
    if not details and (number := {int: np.int32, float: np.float64}.get(declared)):
        return (number,)
    if declared is int and len(details) == 1 and not isinstance(details[0], int):
        return (details[0],)
    if isinstance(declared, type) and issubclass(declared, np.integer):
        return (declared,)
    if get_origin(declared) is np.ndarray and details and all(isinstance(length, int) for length in details):
        _, number = get_args(declared)
        return *get_args(number), tuple(details)
    raise TypeError(
        f"{state.__name__}.{name} is not a field of a record: write int or Int64 for a number, and "
        "Annotated[Numbers, LENGTH] for an array"
    )


@inlined
def next_seat(s: State, seat: int) -> int:
    """The next seat clockwise; seat 0 follows the last one."""
    following = seat + 1
    return 0 if following == s.players else following


@compiled
def end_game(s: State, winners: int, reason: int) -> None:
    """Nobody acts any more; `winners` has one bit per seat and may be empty."""
    s.to_act = NOBODY
    s.winners = winners
    s.reason = reason


@compiled
def everybody(s: State) -> int:
    """The audience of all seats."""
    return (1 << s.players) - 1
