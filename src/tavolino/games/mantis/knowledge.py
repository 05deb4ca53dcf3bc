"""What viewers know in Mantis: everything except the undrawn cards; of the top card only its back (MA-04, MA-06)."""

import numpy as np
from numpy.typing import NDArray

from tavolino.engine.chance import draw
from tavolino.engine.compiled import compiled
from tavolino.games.mantis.facts import BACK, CARD_COUNT, NO_CARD
from tavolino.games.mantis.state import MantisState


@compiled
def resample(s: MantisState, viewer: int) -> None:
    """Draw the top card again from the undrawn ones with that back; the cards below have no order.

    All viewers know the same. The pile is rebuilt in the order of card numbers, so that nothing in the record depends
    on the true order.
    """
    s.arranged = 0
    is_undrawn = np.zeros(CARD_COUNT, np.bool_)
    for at in range(s.pile_size):
        is_undrawn[s.pile[at]] = True
    if s.top != NO_CARD:
        is_undrawn[s.top] = True
        s.top = _draw_with_back(s, is_undrawn, BACK[s.top])
        is_undrawn[s.top] = False
    size = 0
    for card in range(CARD_COUNT):
        if is_undrawn[card]:
            s.pile[size] = card
            size += 1
    s.pile[size:] = NO_CARD


@compiled
def _draw_with_back(s: MantisState, is_undrawn: NDArray[np.bool_], back: int) -> int:
    fitting = 0
    for card in range(CARD_COUNT):
        if is_undrawn[card] and BACK[card] == back:
            fitting += 1
    nth = draw(s, fitting)
    for card in range(CARD_COUNT):
        if is_undrawn[card] and BACK[card] == back:
            if nth == 0:
                return card
            nth -= 1
    return NO_CARD
