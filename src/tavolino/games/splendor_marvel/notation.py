"""The texts of the actions and events of Splendor: Marvel."""

from enum import IntEnum
from itertools import combinations
from typing import Any

import numpy as np

from tavolino.engine.events import EventKind, Field, Row, flag, number, private, seat, word, word_list, word_set
from tavolino.engine.game import Json
from tavolino.games.splendor_marvel.facts import (
    BONUS,
    CARD_COUNT,
    CARDS,
    COLOUR_COUNT,
    COLOURS,
    GREEN,
    LEVELS,
    LOCATION_COUNT,
    LOCATIONS,
    MOST_PLAYERS,
    MOST_TOKENS,
    PAYMENT,
    POINTS,
    REASONS,
    ROW_LENGTH,
)
from tavolino.games.splendor_marvel.state import Step

# -- the flat table of actions

_TRIPLES = tuple(combinations(range(COLOUR_COUNT), 3))
_PAIRS = tuple(combinations(range(COLOUR_COUNT), 2))
_SINGLES = tuple((colour,) for colour in range(COLOUR_COUNT))
_DOUBLES = tuple((colour, colour) for colour in range(COLOUR_COUNT))
TAKES = (*_TRIPLES, *_PAIRS, *_SINGLES, *_DOUBLES)

TAKE = 0
TAKE_TWO = TAKE + len(TAKES) - len(_DOUBLES)
RESERVE = TAKE + len(TAKES)
RESERVE_BLIND = RESERVE + CARD_COUNT
RECRUIT = RESERVE_BLIND + LEVELS
PAY = RECRUIT + CARD_COUNT
GREY_FOR = PAY + 1
RETURN = GREY_FOR + COLOUR_COUNT
VISIT = RETURN + GREEN  # any token but green can be given back
PASS = VISIT + LOCATION_COUNT
ACTION_COUNT = PASS + 1

ACTIONS = (
    *("take " + " ".join(COLOURS[colour] for colour in take) for take in TAKES),
    *(f"reserve {card}" for card in CARDS),
    *(f"reserve level-{level + 1}" for level in range(LEVELS)),
    *(f"recruit {card}" for card in CARDS),
    "pay",
    *(f"grey {colour}" for colour in COLOURS),
    *(f"return {token}" for token in PAYMENT),
    *(f"visit {location}" for location in LOCATIONS),
    "pass",
)
NUMBER_OF = {text: action for action, text in enumerate(ACTIONS)}

# For the rules: how many tokens of each colour a take gives.
TAKEN = np.array([[take.count(colour) for colour in range(COLOUR_COUNT)] for take in TAKES], dtype=np.int32)


def _different_takes(left: int) -> list[int]:
    """SM-10: the takes of different colours when these are left, one bit for each colour."""
    held = {colour for colour in range(COLOUR_COUNT) if left >> colour & 1}
    return [
        action
        for action, take in enumerate(TAKES[:TAKE_TWO])
        if held.issuperset(take) and (len(take) == 3 or len(held) < 3)
    ]


_DIFFERENT = [_different_takes(left) for left in range(1 << COLOUR_COUNT)]
MOST_DIFFERENT = max(len(takes) for takes in _DIFFERENT)  # ten triples
# By the set of colours that are left: how many takes of different colours there are, and which.
N_DIFFERENT = np.array([len(takes) for takes in _DIFFERENT], dtype=np.int32)
DIFFERENT = np.array([takes + [0] * (MOST_DIFFERENT - len(takes)) for takes in _DIFFERENT], dtype=np.int32)


def action_text(s: Any, action: int) -> str:
    return ACTIONS[action]


def action_params(text: str) -> tuple[str, Json]:
    """An action as its verb and parameters, to label it."""
    verb, *words = text.split(" ")
    if verb == "take":
        if len(words) == 2 and words[0] == words[1]:
            return "take-two", {"colour": words[0]}
        return "take", {"colours": words}
    if verb == "reserve":
        if words[0].startswith("level-"):
            return "reserve-blind", {"level": int(words[0][len("level-") :])}
        return "reserve", {"card": words[0]}
    names = {"recruit": "card", "grey": "colour", "return": "token", "visit": "location"}
    return verb, {names[verb]: words[0]} if words else {}


# -- steps and the questions they ask

STEPS = ("over", "turn", "pay", "visit", "return")


def prompt(s: Any) -> Json:
    """The question that is waiting for an answer."""
    asked: Json = {"key": STEPS[s.step], "seat": s.to_act}
    if s.step == Step.PAY:
        asked["card"] = CARDS[s.paying_for]
        asked["payment"] = dict(zip(PAYMENT, s.payment, strict=False))
    elif s.step == Step.RETURN:
        asked["count"] = sum(s.tokens[s.to_act]) - MOST_TOKENS
    return asked


# -- events


class Event(IntEnum):
    ROW = 0
    LOCATIONS = 1
    TAKEN = 2
    RESERVED = 3
    RESERVED_BLIND = 4
    REFILLED = 5
    RECRUITING = 6
    GREY_PUT = 7
    RECRUITED = 8
    TIME_STONE = 9
    AVENGERS = 10
    VISITED = 11
    RETURNED = 12
    PASSED = 13
    GAUNTLET = 14
    OVER = 15


_SEATS = tuple(str(number) for number in range(MOST_PLAYERS))


def _winners(row: Row) -> list[int]:
    return [int(name) for name in word_set(0, _SEATS)(row)]


def _colours(row: Row) -> list[str]:
    return [COLOURS[colour] for colour in TAKES[row[3]]]


def _paid(row: Row) -> dict[str, int]:
    return dict(zip(PAYMENT, row[4:], strict=True))


_SEAT = Field("seat", seat(0))
EVENT_KINDS = (
    # The first layout: a level's row from left to right, and the locations.
    EventKind("row", (Field("level", number(0)), Field("cards", word_list(1, ROW_LENGTH, CARDS)))),
    EventKind("locations", (Field("locations", word_list(0, MOST_PLAYERS, LOCATIONS)),)),
    EventKind(
        "taken",
        (
            _SEAT,
            Field("how", lambda row: "two" if row[3] >= TAKE_TWO else "different"),
            Field("colours", _colours),
            Field("colour", lambda row: _colours(row)[0]),
        ),
    ),
    EventKind(
        "reserved",
        (_SEAT, Field("card", word(1, CARDS)), Field("level", number(2)), Field("grey", flag(3))),
    ),
    # From the top of a deck: only its holder sees the card.
    EventKind(
        "reserved-blind",
        (_SEAT, private("card", word(1, CARDS)), Field("level", number(2)), Field("grey", flag(3))),
    ),
    # The place in the row that was empty, and the card that fills it, or None when the deck is empty.
    EventKind(
        "refilled",
        (
            Field("how", lambda row: "empty" if row[4] < 0 else "card"),
            Field("level", number(0)),
            Field("place", number(1)),
            Field("card", word(2, CARDS)),
            Field("left", number(3)),
        ),
    ),
    # The card is named; how it is paid is still being chosen.
    EventKind("recruiting", (_SEAT, Field("card", word(1, CARDS)), Field("reserved", flag(2)))),
    EventKind("grey", (_SEAT, Field("colour", word(1, COLOURS)))),
    EventKind(
        "recruited",
        (
            _SEAT,
            Field("card", word(1, CARDS)),
            Field("paid", _paid),
            Field("count", lambda row: sum(row[4:])),
            Field("bonus", lambda row: COLOURS[BONUS[row[3]]]),
            Field("points", lambda row: int(POINTS[row[3]])),
        ),
    ),
    EventKind("time-stone", (_SEAT,)),
    EventKind(
        "avengers",
        (
            _SEAT,
            Field("how", lambda row: "first" if row[3] < 0 else "taken-over"),
            Field("target", seat(1)),
            Field("symbols", number(2)),
        ),
    ),
    EventKind("visited", (_SEAT, Field("location", word(1, LOCATIONS)))),
    EventKind("returned", (_SEAT, Field("token", word(1, PAYMENT)))),
    EventKind("passed", (_SEAT,)),
    EventKind("gauntlet", (_SEAT, Field("points", number(1)))),
    EventKind("over", (Field("winners", _winners), Field("reason", word(1, REASONS)))),
)
