"""The record: one game as one row of numbers with named fields, without pointers.

Copying a game is copying bytes; many games are one array. Every game's record has the same first fields, so that
generic code (matches, simulation, search) works on all of them.
"""

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tavolino.engine.chance import CHANCE_FIELDS, Chance
from tavolino.engine.compiled import compiled, inlined

NOBODY = -1  # a seat field that holds no seat
SPECTATOR = -1  # the viewer who has no seat

EVENT_ROOM = 48  # more events than any action of any game writes
EVENT_WIDTH = 10  # kind, audience, and up to eight numbers

SHARED_FIELDS: list[tuple[Any, ...]] = [
    *CHANCE_FIELDS,
    ("players", np.int32),
    ("to_act", np.int32),  # the seat that must decide, NOBODY when the game is over
    ("winners", np.int32),  # one bit per seat, when the game is over
    ("reason", np.int32),  # why it is over: a number from the game's enumeration, 0 while it runs
    ("quiet", np.int32),  # 1: neither events nor knowledge are written, for mass simulation
]
# Last in the record, so that the fields that rules use are close together in memory.
EVENT_FIELDS: list[tuple[Any, ...]] = [
    ("n_events", np.int32),
    ("events", np.int32, (EVENT_ROOM, EVENT_WIDTH)),
]


class State(Chance, Protocol):
    """What the states of all games have in common; each game's own Protocol adds its fields."""

    players: int
    to_act: int
    winners: int
    reason: int
    quiet: int
    n_events: int
    events: NDArray[np.int32]


def record_type(fields: list[tuple[Any, ...]]) -> np.dtype[Any]:
    """The record of a game: the shared fields, the game's own, and room for events.

    The eight-byte fields come first, and there is no gap between fields: bytes that belong to no field would make
    equal games look different.
    """
    record = np.dtype(SHARED_FIELDS + fields + EVENT_FIELDS, align=True)
    held = sum(record[name].itemsize for name in record.names or ())
    if held != record.itemsize:
        record = np.dtype(SHARED_FIELDS + fields + [("filler", np.int32)] + EVENT_FIELDS, align=True)
    return record


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
