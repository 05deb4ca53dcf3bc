"""The record of a game of Mantis."""

from enum import IntEnum
from typing import Annotated

from tavolino.engine.record import Int64, Numbers, State, record_type
from tavolino.games.mantis.facts import CARD_COUNT, COLOUR_COUNT, MOST_PLAYERS


class Step(IntEnum):
    """The decision that is to be made."""

    OVER = 0
    TURN = 1  # score or steal
    TAKE = 2  # which score pile to take a card from
    EXTRA_TURN = 3  # score, steal or end the turn (MA-41)


class MantisState(State):
    """One game."""

    step: int
    # The number of the rules version. Eight bytes wide, so that the record still ends with a `filler`, which the
    # hashes of version 1 include.
    rules: Int64
    current: int  # whose turn it is
    icons: int  # 1: icons count
    goal: int
    another_turn: int  # 1: the current player has another turn after this one
    tank: Annotated[Numbers, MOST_PLAYERS, COLOUR_COUNT]
    score: Annotated[Numbers, MOST_PLAYERS]
    top: int  # the card whose back everybody sees, NO_CARD when the draw pile is empty
    # The undrawn cards below the top one. They have no order: each card is drawn when it comes up.
    pile: Annotated[Numbers, CARD_COUNT]
    pile_size: int
    arranged: int  # this many cards, at the end of the pile, come up in the order of the array


RECORD = record_type(MantisState)
