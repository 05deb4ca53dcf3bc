"""The flat table of actions and the kinds of events of Infinity Gauntlet, by number."""

from enum import IntEnum
from itertools import permutations

import numpy as np

from tavolino.games.infinity_gauntlet.facts import (
    CARD_COUNT,
    FIRST_THANOS_CARD,
    MOST_PLAYERS,
    THANOS_CARD_KINDS,
    THANOS_NUMBERS,
    TOP_CARDS,
)

# The first action of each verb. Verbs with a card of Thanos count from his first card, `guess` from 1.
PLAY = 0
CHOOSE = PLAY + CARD_COUNT
GUESS = CHOOSE + MOST_PLAYERS
FIGHT = GUESS + len(THANOS_NUMBERS)
DECLINE = FIGHT + 1
FIGHT_WITH = DECLINE + 1
GIVE_UP = FIGHT_WITH + THANOS_CARD_KINDS
ORDER = GIVE_UP + THANOS_CARD_KINDS
BOTTOM = ORDER + 6
COPY = BOTTOM + THANOS_CARD_KINDS
SNAP = COPY + THANOS_CARD_KINDS
END_TURN = SNAP + 1
ACTION_COUNT = END_TURN + 1

# Add a card's number to these, for the verbs that take only cards of Thanos.
FIGHT_WITH_CARD = FIGHT_WITH - FIRST_THANOS_CARD
GIVE_UP_CARD = GIVE_UP - FIRST_THANOS_CARD
BOTTOM_CARD = BOTTOM - FIRST_THANOS_CARD
COPY_CARD = COPY - FIRST_THANOS_CARD

# IG-57: the orders of the three cards (taken in ascending order), top first.
ORDERS = np.array(list(permutations(range(TOP_CARDS))), dtype=np.int32)


class Event(IntEnum):
    DRAWN = 0
    NOTHING_TO_DRAW = 1
    PLAYED = 2
    CHOSEN = 3
    GUESSED = 4
    SPARED = 5
    DEFEATED = 6
    SHUFFLED_BACK = 7
    NEW_DECK = 8
    LOOKED = 9
    DECLINED = 10
    FIGHT = 11
    TOKENS = 12
    TOP_THREE = 13
    ORDERED = 14
    BOTTOM = 15
    COPIED = 16
    NO_EFFECT = 17
    SNAP = 18
    TURN_ENDED = 19
    OVER = 20


class Result(IntEnum):
    """How a fight ended, for the hero."""

    TIE = 0
    WON = 1
    LOST = 2
