"""The record of a game of Splendor: Marvel."""

from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from tavolino.engine.record import State, record_type
from tavolino.games.splendor_marvel.facts import (
    CARD_COUNT,
    COLOUR_COUNT,
    FACE_UP,
    GREEN,
    LARGEST_LEVEL,
    LEVELS,
    MOST_PLAYERS,
    MOST_RESERVED,
    ROW_LENGTH,
    TOKEN_COUNT,
)

RECORD = record_type(
    [
        ("step", np.int32),
        ("current", np.int32),  # whose turn it is
        ("first", np.int32),  # who begins every round
        ("round_number", np.int32),  # from 1
        ("passes", np.int32),  # in this round
        ("bank", np.int32, (TOKEN_COUNT,)),
        ("tokens", np.int32, (MOST_PLAYERS, TOKEN_COUNT)),
        ("bonuses", np.int32, (MOST_PLAYERS, COLOUR_COUNT)),
        ("points", np.int32, (MOST_PLAYERS,)),
        ("avengers", np.int32, (MOST_PLAYERS,)),  # symbols on recruited cards
        ("avengers_tile", np.int32),  # the seat that holds it, or NOBODY
        ("n_cards", np.int32, (MOST_PLAYERS,)),  # recruited
        # A recruitment whose payment is not closed yet (SM-17): nothing has moved.
        ("paying_for", np.int32),  # the card, or NO_CARD
        ("payment", np.int32, (GREEN,)),
        # The table. A row keeps its places (SM-18); `face_up` is the same cards by number, so that `legal` need
        # not sort them.
        ("rows", np.int32, (LEVELS, ROW_LENGTH)),
        ("face_up", np.int32, (FACE_UP,)),
        ("n_face_up", np.int32),
        ("locations", np.int32, (MOST_PLAYERS,)),  # NO_LOCATION where one was taken
        # Reserved cards in the order of reserving. Everybody knows the open ones, only their holder the others.
        ("reserved", np.int32, (MOST_PLAYERS, MOST_RESERVED)),
        ("is_open", np.int32, (MOST_PLAYERS, MOST_RESERVED)),
        ("n_reserved", np.int32, (MOST_PLAYERS,)),
        # The undrawn cards of each level. They have no order: each card is drawn when it comes up (SM-41).
        ("pool", np.int32, (LEVELS, LARGEST_LEVEL)),
        ("pool_size", np.int32, (LEVELS,)),
        ("arranged", np.int32, (LEVELS,)),  # this many, at the end of the pool, come up in the order of the array
        # What was recruited and visited, in order, and by whom.
        ("recruited", np.int32, (CARD_COUNT,)),
        ("recruited_by", np.int32, (CARD_COUNT,)),
        ("n_recruited", np.int32),
        ("visited", np.int32, (MOST_PLAYERS,)),
        ("visited_by", np.int32, (MOST_PLAYERS,)),
        ("n_visited", np.int32),
    ]
)


class Step(IntEnum):
    """The decision that is to be made."""

    OVER = 0
    TURN = 1  # one of the four actions, or a pass
    PAY = 2  # how to pay (SM-17)
    VISIT = 3  # which of several locations to take (SM-22)
    RETURN = 4  # which token to give back (SM-23)


class SplendorState(State):
    """The fields above, for the type checker."""

    step: int
    current: int
    first: int
    round_number: int
    passes: int
    bank: NDArray[np.int32]
    tokens: NDArray[np.int32]
    bonuses: NDArray[np.int32]
    points: NDArray[np.int32]
    avengers: NDArray[np.int32]
    avengers_tile: int
    n_cards: NDArray[np.int32]
    paying_for: int
    payment: NDArray[np.int32]
    rows: NDArray[np.int32]
    face_up: NDArray[np.int32]
    n_face_up: int
    locations: NDArray[np.int32]
    reserved: NDArray[np.int32]
    is_open: NDArray[np.int32]
    n_reserved: NDArray[np.int32]
    pool: NDArray[np.int32]
    pool_size: NDArray[np.int32]
    arranged: NDArray[np.int32]
    recruited: NDArray[np.int32]
    recruited_by: NDArray[np.int32]
    n_recruited: int
    visited: NDArray[np.int32]
    visited_by: NDArray[np.int32]
    n_visited: int
