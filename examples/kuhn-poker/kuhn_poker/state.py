"""The record of a game of Kuhn poker."""

from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from kuhn_poker.facts import SEATS
from tavolino.engine.record import State, record_type

RECORD = record_type(
    [
        ("step", np.int32),
        ("first", np.int32),
        ("card", np.int32, (SEATS,)),  # by seat; the third card is the one that nobody has
        ("chips", np.int32, (SEATS,)),  # of each seat in the pot
    ]
)


class Step(IntEnum):
    """What is being waited for."""

    OVER = 0
    OPEN = 1  # check or bet
    ANSWER = 2  # call or fold


class KuhnState(State):
    """The fields above, for the type checker."""

    step: int
    first: int
    card: NDArray[np.int32]
    chips: NDArray[np.int32]
