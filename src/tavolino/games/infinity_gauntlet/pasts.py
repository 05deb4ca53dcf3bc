"""Whether both sides of a deal have a past that fits what a viewer has seen, each alone and both together.

The sides hang together by ties alone (IG-40): the hero had a number, and Thanos held a card that equalled it. All ways
to choose these numbers are tried, and with them all ways in which cards were drawn from blocks (hero_pasts.py).
"""

import numpy as np
from numpy.typing import NDArray

from tavolino.engine.compiled import compiled
from tavolino.engine.knowledge import is_one
from tavolino.games.infinity_gauntlet.facts import HEROES
from tavolino.games.infinity_gauntlet.hero_pasts import ALL_NUMBERS, FITS, fits_deck, follow_deck, follow_hands
from tavolino.games.infinity_gauntlet.state import GauntletState
from tavolino.games.infinity_gauntlet.thanos_pasts import Pasts, follow_thanos

Numbers = NDArray[np.int32]


@compiled
def heroes_fit(s: GauntletState, row: int, choices: Numbers, allowed: Numbers, deck: Numbers, tie_can: Numbers) -> bool:
    """Whether the hero cards have a past, whatever Thanos held."""
    choices[:] = 0
    while True:
        fits, made, size, block = follow_deck(s, row, choices, allowed, deck)
        tie_can[:] = ALL_NUMBERS
        if fits == FITS and fits_deck(deck, 0, size, block, s.deck[HEROES]) and follow_hands(s, row, allowed, tie_can):
            return True
        if not _choose_next(choices, made):
            return False


@compiled
def sides_fit(
    s: GauntletState,
    row: int,
    facts: int,
    choices: Numbers,
    allowed: Numbers,
    deck: Numbers,
    tie_can: Numbers,
    one_each: Numbers,
    pasts: Pasts,
    fresh: Pasts,
    is_there: Numbers,
) -> bool:
    """Whether both sides have pasts in which the ties were ties."""
    choices[:] = 0
    while True:
        fits, made, size, block = follow_deck(s, row, choices, allowed, deck)
        tie_can[:] = ALL_NUMBERS
        if (
            fits == FITS
            and fits_deck(deck, 0, size, block, s.deck[HEROES])
            and follow_hands(s, row, allowed, tie_can)
            and follow_thanos(s, row, facts, tie_can, pasts, fresh, is_there)
            and _some_numbers_fit(s, row, facts, allowed, tie_can, one_each, pasts, fresh, is_there)
        ):
            return True
        if not _choose_next(choices, made):
            return False


@compiled
def _choose_next(choices: Numbers, made: int) -> bool:
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
def _some_numbers_fit(
    s: GauntletState,
    row: int,
    facts: int,
    allowed: Numbers,
    tie_can: Numbers,
    one_each: Numbers,
    pasts: Pasts,
    fresh: Pasts,
    is_there: Numbers,
) -> bool:
    """Whether there is one number for each tie with which both sides have a past."""
    ties = len(tie_can) - 1
    is_clear = True
    for tie in range(ties):
        is_clear = is_clear and is_one(tie_can[tie] + 0)
    if is_clear:
        return True
    numbers = np.empty(ties + 1, np.int32)
    for tie in range(ties):
        numbers[tie] = tie_can[tie] & -tie_can[tie]
    while True:
        for tie in range(ties):
            one_each[tie] = numbers[tie]
        if follow_hands(s, row, allowed, one_each) and follow_thanos(s, row, facts, one_each, pasts, fresh, is_there):
            return True
        tie = ties - 1
        while tie >= 0:
            higher = tie_can[tie] & ~(2 * numbers[tie] - 1)
            if higher != 0:
                numbers[tie] = higher & -higher
                break
            numbers[tie] = tie_can[tie] & -tie_can[tie]
            tie -= 1
        if tie < 0:
            return False
