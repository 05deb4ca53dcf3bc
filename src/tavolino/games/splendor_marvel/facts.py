"""The parts of Splendor: Marvel: 90 characters, eight sides of four locations, tokens, figures (SM-01, SM-04).

cards.csv and locations.csv are the only source for what is printed on cards and tiles.
"""

import csv
from collections.abc import Callable
from enum import IntEnum
from pathlib import Path
from typing import Any, cast

import numpy as np

FOLDER = Path(__file__).parent

COLOURS = ("yellow", "blue", "red", "orange", "purple")
COLOUR_COUNT = len(COLOURS)
GREY = COLOUR_COUNT  # S.H.I.E.L.D., the joker
GREEN = GREY + 1  # the Time Stone
TOKENS = (*COLOURS, "grey", "green")
TOKEN_COUNT = len(TOKENS)
PAYMENT = TOKENS[:GREEN]  # green pays for nothing

PLAYERS = range(2, 5)
MOST_PLAYERS = 4
LEVELS = 3
ROW_LENGTH = 4  # SM-02
FACE_UP = LEVELS * ROW_LENGTH

# SM-04, by the number of players
OF_EACH_COLOUR = np.array([0, 0, 4, 5, 7], dtype=np.int32)
GREEN_TOKENS = np.array([0, 0, 2, 3, 4], dtype=np.int32)
GREY_TOKENS = 5

LEFT_TO_TAKE_TWO = 4  # SM-11
MOST_RESERVED = 3  # SM-14
TIME_STONE_LEVEL = 3  # SM-20: the cards with the icon
AVENGERS_NEEDED = 3  # SM-21
AVENGERS_POINTS = 3
LOCATION_POINTS = 3  # SM-22
MOST_TOKENS = 10  # SM-23
POINTS_NEEDED = 16  # SM-30
LAST_ROUND = 200  # SM-36

# Compiled functions get integers of one width: another argument type would compile them again.
wide = cast("Callable[[int], int]", np.int64)

NO_CARD = -1
NO_LOCATION = -1


class Reason(IntEnum):
    """Why a game is over."""

    NONE = 0
    GAUNTLET = 1
    ALL_PASSED = 2
    LAST_ROUND = 3


REASONS = (None, "SM-33", "SM-35", "SM-36")


def _read(name: str) -> list[dict[str, str]]:
    with (FOLDER / name).open(encoding="utf-8", newline="") as rows:
        return list(csv.DictReader(rows))


def _id(name: str) -> str:
    """Lower case words joined with "-", without full stops, apostrophes and what follows a comma."""
    if name == "M.O.D.O.K.":
        return "m-o-d-o-k"
    kept = name.partition(",")[0].replace(".", "").replace("'", "")
    return kept.lower().replace(" ", "-")


_CARDS = _read("cards.csv")  # in the order of levels
_LOCATIONS = _read("locations.csv")  # the two sides of a tile one after the other

CARDS = tuple(_id(card["name"]) for card in _CARDS)
CARD_COUNT = len(CARDS)  # 90
CARDS_OF_LEVEL = tuple(
    tuple(card for card in range(CARD_COUNT) if int(_CARDS[card]["level"]) == level + 1) for level in range(LEVELS)
)
LARGEST_LEVEL = max(len(cards) for cards in CARDS_OF_LEVEL)
LOCATIONS = tuple(_id(location["name"]) for location in _LOCATIONS)
LOCATION_COUNT = len(LOCATIONS)  # 8
TILES = LOCATION_COUNT // 2
SIDES = 2
SIDE_NAMES = tuple(location["side"] for location in _LOCATIONS)  # 1A, 1B, 2A, ...

Numbers = np.ndarray[Any, np.dtype[np.int32]]


def _column(rows: list[dict[str, str]], name: str) -> Numbers:
    return np.array([int(row[name]) for row in rows], dtype=np.int32)


def _costs(rows: list[dict[str, str]]) -> Numbers:
    return np.array([[int(row[colour]) for colour in COLOURS] for row in rows], dtype=np.int32)


# For the rules: arrays by card, by level, by location.
LEVEL = _column(_CARDS, "level") - 1  # 0 to 2
BONUS = np.array([COLOURS.index(card["bonus"]) for card in _CARDS], dtype=np.int32)
POINTS = _column(_CARDS, "points")
AVENGERS = _column(_CARDS, "avengers")
COST = _costs(_CARDS)
LEVEL_START = np.array([cards[0] for cards in CARDS_OF_LEVEL], dtype=np.int32)
LEVEL_SIZE = np.array([len(cards) for cards in CARDS_OF_LEVEL], dtype=np.int32)
LOCATION_COST = _costs(_LOCATIONS)
FEWEST_BONUSES = int(LOCATION_COST.sum(axis=1).min())  # no location needs fewer: 8


def pack(counts: Numbers) -> "np.ndarray[Any, np.dtype[np.int64]]":
    """Rows of five counts as one number each, eight bits a colour: see `shortfall` in payment.py."""
    shifts = np.arange(COLOUR_COUNT, dtype=np.int64) * 8
    packed: np.ndarray[Any, np.dtype[np.int64]] = (counts.astype(np.int64) << shifts).sum(axis=1)
    return packed


PACKED_COST = pack(COST)
PACKED_LOCATION_COST = pack(LOCATION_COST)


def _prices(costs: Numbers) -> list[dict[str, int]]:
    return [dict(zip(COLOURS, cost, strict=True)) for cost in costs.tolist()]


# What is printed on cards and tiles, for clients, which compute no rules themselves.
PARTS: dict[str, Any] = {
    "colours": list(COLOURS),
    "tokens": list(TOKENS),
    "cards": {
        card: {
            "level": int(LEVEL[n]) + 1,
            "bonus": COLOURS[BONUS[n]],
            "points": int(POINTS[n]),
            "avengers": int(AVENGERS[n]),
            "green": int(LEVEL[n]) + 1 == TIME_STONE_LEVEL,
            "cost": cost,
        }
        for n, (card, cost) in enumerate(zip(CARDS, _prices(COST), strict=True))
    },
    "locations": {
        location: {"side": side, "points": LOCATION_POINTS, "cost": cost}
        for location, side, cost in zip(LOCATIONS, SIDE_NAMES, _prices(LOCATION_COST), strict=True)
    },
}
