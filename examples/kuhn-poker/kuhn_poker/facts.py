"""The parts of Kuhn poker (KP-01) and its actions."""

from enum import IntEnum

CARDS = ("jack", "queen", "king")  # the higher number wins
CARD_COUNT = len(CARDS)
SEATS = 2
ANTE = 1  # KP-02
MOST_CHIPS = 2  # of one player in the pot


class Action(IntEnum):
    CHECK = 0
    BET = 1
    CALL = 2
    FOLD = 3


ACTIONS = ("check", "bet", "call", "fold")


class Reason(IntEnum):
    """Why a game is over."""

    NONE = 0
    FOLD = 1
    SHOWDOWN = 2


REASONS = (None, "KP-20", "KP-21")
