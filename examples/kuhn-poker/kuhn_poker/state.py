"""The record of a game of Kuhn poker."""

from enum import IntEnum
from typing import Annotated

from kuhn_poker.facts import SEATS
from tavolino.engine.record import Numbers, State, record_type


class Step(IntEnum):
    """What is being waited for."""

    OVER = 0
    OPEN = 1  # check or bet
    ANSWER = 2  # call or fold


class KuhnState(State):
    """One game."""

    step: int
    first: int
    card: Annotated[Numbers, SEATS]  # by seat; the third card is the one that nobody has
    chips: Annotated[Numbers, SEATS]  # of each seat in the pot


RECORD = record_type(KuhnState)
