"""The parts of Mantis: 105 cards, their colours, backs and icons (MA-01, MA-02, MA-25)."""

from enum import IntEnum
from itertools import combinations
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).parent

COLOURS = ("red", "orange", "yellow", "green", "blue", "purple", "pink")
COLOUR_COUNT = len(COLOURS)
PLAYERS = range(2, 7)
MOST_PLAYERS = 6
TANK_AT_START = 4  # MA-03
GOAL = 10  # MA-30
GOAL_FOR_TWO = 15  # MA-40
RULES_WITH_END_TURN = 2  # MA-41: since this rules version a player can skip the turn that a steal gives
NO_CARD = -1


class Icon(IntEnum):
    """MA-22 to MA-24."""

    NONE = 0
    ANOTHER_TURN = 1
    STEAL_A_CARD = 2
    SCORE_AND_STEAL = 3


ICONS = (None, "another-turn", "steal-a-card", "score-and-steal")


class Reason(IntEnum):
    """Why a game is over."""

    NONE = 0
    GOAL_REACHED = 1
    PILE_EMPTY = 2


REASONS = (None, "MA-30", "MA-31")


def _backs() -> list[tuple[int, int, int]]:
    """For each front, each pair of the six other colours once: front first, then the pair."""
    return [
        (front, *pair)
        for front in range(COLOUR_COUNT)
        for pair in combinations([colour for colour in range(COLOUR_COUNT) if colour != front], 2)
    ]


_CARDS = _backs()
CARD_COUNT = len(_CARDS)  # 105
CARDS = tuple(f"{COLOURS[front]}:{COLOURS[one]}+{COLOURS[two]}" for front, one, two in _CARDS)
BACKS = tuple(tuple(sorted(card)) for card in _CARDS)  # three colours in the fixed order

# For the rules: arrays by card.
FRONT = np.array([card[0] for card in _CARDS], dtype=np.int32)
FRONT_COLOURS = tuple(COLOURS[front] for front, _, _ in _CARDS)  # by card, as words
_TRIPLES = tuple(combinations(range(COLOUR_COUNT), 3))
BACK = np.array([_TRIPLES.index(back) for back in BACKS], dtype=np.int32)  # which of the 35 triples
BACK_COLOURS = np.array(BACKS, dtype=np.int32)


def _read_icons() -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    """The cards with an icon, from icons.csv (MA-25)."""
    icons = np.zeros(CARD_COUNT, dtype=np.int32)
    for line in (FOLDER / "icons.csv").read_text().split()[1:]:
        card, icon = line.split(",")
        icons[CARDS.index(card)] = ICONS.index(icon)
    return icons


ICON = _read_icons()
