"""The record of a game of Mantis."""

from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tavolino.engine.record import State, record_type
from tavolino.games.mantis.facts import CARD_COUNT, COLOUR_COUNT, MOST_PLAYERS

RECORD = record_type(
    [
        ("step", np.int32),
        # The number of the rules version. Eight bytes wide, so that the record still ends with a `filler`, which the
        # hashes of version 1 include.
        ("rules", np.int64),
        ("current", np.int32),  # whose turn it is
        ("icons", np.int32),  # 1: icons count
        ("goal", np.int32),
        ("another_turn", np.int32),  # 1: the current player has another turn after this one
        ("tank", np.int32, (MOST_PLAYERS, COLOUR_COUNT)),
        ("score", np.int32, (MOST_PLAYERS,)),
        ("top", np.int32),  # the card whose back everybody sees, NO_CARD when the draw pile is empty
        # The undrawn cards below the top one. They have no order: each card is drawn when it comes up.
        ("pile", np.int32, (CARD_COUNT,)),
        ("pile_size", np.int32),
        (
            "arranged",
            np.int32,
        ),  # this many cards, at the end of the pile, come up in the order of the array
    ]
)


class Step(IntEnum):
    """The decision that is to be made."""

    OVER = 0
    TURN = 1  # score or steal
    TAKE = 2  # which score pile to take a card from
    EXTRA_TURN = 3  # score, steal or end the turn (MA-41)


class MantisState(State):
    """The fields above, for the type checker."""

    step: int
    rules: int
    current: int
    icons: int
    goal: int
    another_turn: int
    tank: NDArray[np.int32]
    score: NDArray[np.int32]
    top: int
    pile: NDArray[np.int32]
    pile_size: int
    arranged: int


States = np.ndarray[Any, Any]
