"""The record of a game of Splendor: Marvel."""

from enum import IntEnum
from typing import Annotated

from tavolino.engine.record import Numbers, State, record_type
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


class Step(IntEnum):
    """The decision that is to be made."""

    OVER = 0
    TURN = 1  # one of the four actions, or a pass
    PAY = 2  # how to pay (SM-17)
    VISIT = 3  # which of several locations to take (SM-22)
    RETURN = 4  # which token to give back (SM-23)


class SplendorState(State):
    """One game."""

    step: int
    current: int  # whose turn it is
    first: int  # who begins every round
    round_number: int  # from 1
    passes: int  # in this round
    bank: Annotated[Numbers, TOKEN_COUNT]
    tokens: Annotated[Numbers, MOST_PLAYERS, TOKEN_COUNT]
    bonuses: Annotated[Numbers, MOST_PLAYERS, COLOUR_COUNT]
    points: Annotated[Numbers, MOST_PLAYERS]
    avengers: Annotated[Numbers, MOST_PLAYERS]  # symbols on recruited cards
    avengers_tile: int  # the seat that holds it, or NOBODY
    n_cards: Annotated[Numbers, MOST_PLAYERS]  # recruited
    # A recruitment whose payment is not closed yet (SM-17): nothing has moved.
    paying_for: int  # the card, or NO_CARD
    payment: Annotated[Numbers, GREEN]
    # The table. A row keeps its places (SM-18); `face_up` is the same cards by number, so that `legal` need
    # not sort them.
    rows: Annotated[Numbers, LEVELS, ROW_LENGTH]
    face_up: Annotated[Numbers, FACE_UP]
    n_face_up: int
    locations: Annotated[Numbers, MOST_PLAYERS]  # NO_LOCATION where one was taken
    # Reserved cards in the order of reserving. Everybody knows the open ones, only their holder the others.
    reserved: Annotated[Numbers, MOST_PLAYERS, MOST_RESERVED]
    is_open: Annotated[Numbers, MOST_PLAYERS, MOST_RESERVED]
    n_reserved: Annotated[Numbers, MOST_PLAYERS]
    # The undrawn cards of each level. They have no order: each card is drawn when it comes up (SM-41).
    pool: Annotated[Numbers, LEVELS, LARGEST_LEVEL]
    pool_size: Annotated[Numbers, LEVELS]
    arranged: Annotated[Numbers, LEVELS]  # this many, at the end of the pool, come up in the order of the array
    # What was recruited and visited, in order, and by whom.
    recruited: Annotated[Numbers, CARD_COUNT]
    recruited_by: Annotated[Numbers, CARD_COUNT]
    n_recruited: int
    visited: Annotated[Numbers, MOST_PLAYERS]
    visited_by: Annotated[Numbers, MOST_PLAYERS]
    n_visited: int


RECORD = record_type(SplendorState)
