"""The parts of Infinity Gauntlet: 16 hero cards, 13 Thanos cards, their numbers, and life (IG-02, IG-03, IG-06)."""

import csv
from enum import IntEnum
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).parent

PLAYERS = range(2, 7)
MOST_PLAYERS = 6
NO_CARD = -1
HERO_NUMBERS = range(1, 7)
THANOS_NUMBERS = range(1, 8)
HIGHEST_HERO, HIGHEST_THANOS = HERO_NUMBERS[-1], THANOS_NUMBERS[-1]
TOKEN_BONUS = 2  # IG-45
TOP_CARDS = 3  # IG-57: how many cards a 5 looks at
# The tokens that Thanos takes with these cards, and the cards that he draws and puts under his deck (IG-70, IG-71).
PROXIMA_TOKENS, POWER_TOKENS = 1, 3
MAW_CARDS, REALITY_CARDS = 1, 2
CORVUS_HIGHEST = SOUL_LOWEST = 3  # IG-63, IG-64: the numbers that are defeated, up to the one and from the other


class Side(IntEnum):
    """The two teams, each with a deck of its own."""

    HEROES = 0
    THANOS = 1


SIDES = ("hero", "thanos")
HEROES = int(Side.HEROES)
THANOS = int(Side.THANOS)


class Card(IntEnum):
    """Every kind of card. The two Outriders are one kind, twice in the deck."""

    NEBULA = 0
    SPIDER_MAN = 1
    STAR_LORD = 2
    BLACK_WIDOW = 3
    GAMORA = 4
    ANT_MAN_AND_WASP = 5
    CAPTAIN_AMERICA = 6
    HULK = 7
    THOR = 8
    BLACK_PANTHER = 9
    FALCON = 10
    DOCTOR_STRANGE = 11
    SCARLET_WITCH = 12
    VISION = 13
    CAPTAIN_MARVEL = 14
    IRON_MAN = 15
    OUTRIDER = 16
    MIND_STONE = 17
    CORVUS_GLAIVE = 18
    SOUL_STONE = 19
    BLACK_DWARF = 20
    SPACE_STONE = 21
    PROXIMA_MIDNIGHT = 22
    POWER_STONE = 23
    EBONY_MAW = 24
    REALITY_STONE = 25
    TIME_STONE = 26
    THANOS = 27


CARDS = tuple(card.name.lower().replace("_", "-") for card in Card)
CARD_COUNT = len(CARDS)
FIRST_THANOS_CARD = int(Card.OUTRIDER)
THANOS_CARD_KINDS = CARD_COUNT - FIRST_THANOS_CARD  # 12

_HERO_NUMBERS = (1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 6, 6)
_NUMBERS = (*_HERO_NUMBERS, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 7)
NUMBER = np.array(_NUMBERS, dtype=np.int32)

HERO_DECK = tuple(range(FIRST_THANOS_CARD))
THANOS_DECK = (int(Card.OUTRIDER), *range(FIRST_THANOS_CARD, CARD_COUNT))
DECK = np.array([HERO_DECK, THANOS_DECK + (NO_CARD,) * 3], dtype=np.int32)
DECK_SIZES = (len(HERO_DECK), len(THANOS_DECK))
LARGEST_DECK = len(HERO_DECK)
LARGEST_HAND = 4  # Thanos, while he carries out the Reality Stone (IG-71)

# The capacity of the history (history.py); docs/rules has the proof that it is enough.
HISTORY_ROOM = 512
CARD_BITS = 5
NO_ENTRY_CARD = (1 << CARD_BITS) - 1

# Sets of cards, one bit for each kind.
HERO_CARDS = (1 << FIRST_THANOS_CARD) - 1
THANOS_CARDS = (1 << CARD_COUNT) - 1 - HERO_CARDS
STONES = sum(1 << card for card in Card if card.name.endswith("_STONE"))
STONE_COUNT = 6
GO_BACK = STONES | 1 << Card.THANOS  # IG-21: when defeated, these are shuffled back into the deck
OUTRIDER_BIT = 1 << Card.OUTRIDER
OUTRIDERS = 2
# By number, from 0 to 7: the cards of both decks with that number.
OF_NUMBER = np.array(
    [sum(1 << card for card in range(CARD_COUNT) if _NUMBERS[card] == number) for number in range(8)],
    dtype=np.int32,
)


class Reason(IntEnum):
    """Why a game is over."""

    NONE = 0
    THANOS_HAS_NO_LIFE = 1
    HEROES_HAVE_NO_LIFE = 2
    SNAP = 3


REASONS = (None, "IG-80", "IG-81", "IG-82")

MOST_LIFE = 20
with (FOLDER / "life.csv").open(encoding="utf-8") as _file:
    _LIFE = {int(row["players"]): row for row in csv.DictReader(_file)}
HERO_LIFE = int(_LIFE[PLAYERS[0]]["heroes"])  # the same for every number of players
THANOS_LIFE = {players: int(row["thanos"]) for players, row in _LIFE.items()}


def most_decisions(players: int) -> int:
    """An upper bound; docs/rules/infinity-gauntlet.md has the proof (Thanos plays each card only once)."""
    hero_turns_in_a_round = max(2, players - 1)
    return 43 + 12 * hero_turns_in_a_round * 3
