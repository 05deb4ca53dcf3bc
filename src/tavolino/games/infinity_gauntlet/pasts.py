"""Whether the two sides of a deal have pasts that fit what a viewer has seen, separately and together.

Only ties connect the two sides (IG-40): the hero had a number, and Thanos held a card that equalled it. All ways to
choose these numbers are tried, and all ways in which cards were drawn from blocks (hero_pasts.py).
"""

from typing import NamedTuple

import numpy as np

from tavolino.engine.compiled import compiled
from tavolino.engine.knowledge import is_one
from tavolino.engine.record import Numbers
from tavolino.games.infinity_gauntlet.actions import Event, Result
from tavolino.games.infinity_gauntlet.facts import HEROES, HISTORY_ROOM, LARGEST_DECK
from tavolino.games.infinity_gauntlet.hero_pasts import (
    ALL_NUMBERS,
    FITS,
    MOST_CHOICES,
    fits_deck,
    follow_deck,
    follow_hands,
)
from tavolino.games.infinity_gauntlet.history import is_told, kind_of, result_of
from tavolino.games.infinity_gauntlet.state import GauntletState
from tavolino.games.infinity_gauntlet.thanos_pasts import HAND_MASK, Pasts, count_facts, follow_thanos, room_for_pasts


class Room(NamedTuple):
    """What is the same for all deals of a viewer, and scratch memory for the search for pasts."""

    row: int  # the viewer's
    facts: int  # the number of entries that reveal something about the hand of Thanos
    ties: int  # in which the viewer did not fight
    choices: Numbers  # which item of a block each draw from it takes
    allowed: Numbers  # by entry: what a draw can have brought
    deck: Numbers  # the hero deck as the viewer knows it, and scratch memory for cards that were looked at
    tie_can: Numbers  # by tie, the newest first: the numbers that the hero can have had; one cell more than ties
    one_each: Numbers  # the same with one number for each
    pasts: Pasts  # hands of Thanos
    fresh: Pasts
    is_there: Numbers  # a hash table for them, empty


@compiled
def make_room(s: GauntletState, row: int) -> Room:
    ties = 0
    for i in range(s.n_history):
        entry = s.history[i] + 0
        if kind_of(entry) == Event.FIGHT and result_of(entry) == Result.TIE and not is_told(s, entry, row):
            ties += 1
    return Room(
        row,
        0 if row == s.thanos else count_facts(s, row),
        ties,
        np.zeros(MOST_CHOICES, np.int32),
        np.empty(HISTORY_ROOM, np.int32),
        np.zeros((2, 2 * LARGEST_DECK), np.int32),
        np.zeros(ties + 1, np.int32),
        np.zeros(ties + 1, np.int32),
        room_for_pasts(),
        room_for_pasts(),
        np.zeros(HAND_MASK + 1, np.int32),
    )


@compiled
def heroes_fit(s: GauntletState, room: Room) -> bool:
    """Whether the hero cards have a past, whatever Thanos held."""
    return _some_choices_fit(s, room, False)


@compiled
def sides_fit(s: GauntletState, room: Room) -> bool:
    """Whether both sides have pasts in which the ties were ties."""
    return _some_choices_fit(s, room, True)


@compiled
def _some_choices_fit(s: GauntletState, room: Room, is_for_both: bool) -> bool:
    room.choices[:] = 0
    while True:
        fits, made, size, block = follow_deck(s, room.row, room.choices, room.allowed, room.deck)
        room.tie_can[:] = ALL_NUMBERS
        if (
            fits == FITS
            and fits_deck(room.deck, 0, size, block, s.deck[HEROES])
            and follow_hands(s, room.row, room.allowed, room.tie_can)
            and (not is_for_both or _some_numbers_fit(s, room))
        ):
            return True
        if not choose_next(room.choices, made):
            return False


@compiled
def choose_next(choices: Numbers, made: int) -> bool:
    """The next list of choices, in the order of counting to base 3; False after the last."""
    last = min(made, len(choices)) - 1
    while last >= 0 and choices[last] == 2:
        choices[last] = 0
        last -= 1
    if last < 0:
        return False
    choices[last] += 1
    return True


@compiled
def thanos_fits(s: GauntletState, room: Room, tie_can: Numbers) -> bool:
    """Whether the cards of Thanos have a past in which the heroes had such numbers at the ties."""
    return follow_thanos(s, room.row, room.facts, tie_can, room.pasts, room.fresh, room.is_there)


@compiled
def _some_numbers_fit(s: GauntletState, room: Room) -> bool:
    """Whether there is one number for each tie with which both sides have a past."""
    if not thanos_fits(s, room, room.tie_can):
        return False
    is_clear = True
    for tie in range(room.ties):
        is_clear = is_clear and is_one(room.tie_can[tie] + 0)
    if is_clear:
        return True
    numbers = np.empty(room.ties, np.int32)
    first_numbers(room.tie_can, numbers)
    while True:
        write_over(room.one_each, numbers)  # a copy, because it is narrowed
        if follow_hands(s, room.row, room.allowed, room.one_each) and thanos_fits(s, room, room.one_each):
            return True
        if not next_numbers(room.tie_can, numbers):
            return False


@compiled
def write_over(numbers: Numbers, source: Numbers) -> None:
    """Write `source` over the beginning of `numbers`. `numbers[:n] = source` would compile Numba's text about sizes."""
    for i in range(len(source)):
        numbers[i] = source[i]


@compiled
def first_numbers(tie_can: Numbers, numbers: Numbers) -> None:
    """The lowest of the numbers that each tie can have had; a number is a set of one."""
    for tie in range(len(numbers)):
        numbers[tie] = tie_can[tie] & -tie_can[tie]


@compiled
def next_numbers(tie_can: Numbers, numbers: Numbers) -> bool:
    """The next way to choose one number for each tie; False after the last."""
    for tie in range(len(numbers) - 1, -1, -1):
        higher = tie_can[tie] & ~(2 * numbers[tie] - 1)
        if higher != 0:
            numbers[tie] = higher & -higher
            return True
        numbers[tie] = tie_can[tie] & -tie_can[tie]
    return False
