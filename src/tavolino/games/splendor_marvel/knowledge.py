"""What viewers know in Splendor: Marvel: all except the decks and what others reserved blindly (SM-40, SM-41)."""

from tavolino.engine.chance import draw
from tavolino.engine.compiled import compiled
from tavolino.games.splendor_marvel.facts import LEVEL, LEVELS, NO_CARD, wide
from tavolino.games.splendor_marvel.state import SplendorState


@compiled
def resample(s: SplendorState, viewer: int) -> None:
    """Deal the cards that the viewer has not seen again, level by level.

    The unseen cards of a level are those of its deck and those of that level that others reserved blindly. All
    distributions over these places are equally likely: inferences from a pass or a missed purchase are not used
    (SM-36). Decks have no order; they are rebuilt by card number, so that nothing depends on the true order.
    """
    for level in range(LEVELS):
        s.arranged[level] = 0
        _take_back_unseen(s, viewer, level)
        _sort_pool(s, level)
        _deal_unseen(s, viewer, level)


@compiled
def _is_unseen(s: SplendorState, viewer: int, level: int, seat: int, place: int) -> bool:
    """Whether a reserved card of that level is hidden from the viewer; its level is known to all."""
    return seat != viewer and s.is_open[seat, place] == 0 and LEVEL[s.reserved[seat, place]] == level


@compiled
def _take_back_unseen(s: SplendorState, viewer: int, level: int) -> None:
    for seat in range(s.players):
        for place in range(s.n_reserved[seat]):
            if _is_unseen(s, viewer, level, seat, place):
                s.pool[level, s.pool_size[level]] = s.reserved[seat, place]
                s.pool_size[level] += 1


@compiled
def _sort_pool(s: SplendorState, level: int) -> None:
    """Sort by card number, and clear the rest of the array."""
    pool, size = s.pool[level], s.pool_size[level]
    for at in range(1, size):
        card, place = pool[at], at
        while place > 0 and pool[place - 1] > card:
            pool[place] = pool[place - 1]
            place -= 1
        pool[place] = card
    for at in range(size, pool.size):
        pool[at] = NO_CARD


@compiled
def _deal_unseen(s: SplendorState, viewer: int, level: int) -> None:
    """Each hidden place gets one of the unseen cards; the others move up, so that the pool stays sorted.

    Until then the place holds a card of the right level, so that it is still found.
    """
    pool = s.pool[level]
    for seat in range(s.players):
        for place in range(s.n_reserved[seat]):
            if _is_unseen(s, viewer, level, seat, place):
                at = draw(s, wide(s.pool_size[level]))
                s.reserved[seat, place] = pool[at]
                s.pool_size[level] -= 1
                for later in range(at, s.pool_size[level]):
                    pool[later] = pool[later + 1]
                pool[s.pool_size[level]] = NO_CARD
