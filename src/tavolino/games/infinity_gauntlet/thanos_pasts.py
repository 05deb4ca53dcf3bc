"""Whether the cards of Thanos have a past: a sequence of choices that leads to them and fits what a viewer has seen.

The algorithm goes back in time with a list of possible hands. Undoing a play or a defeat puts a known card back into
all of them; undoing a draw takes away any one card, so the hands branch; a card on the bottom of the deck (IG-73) comes
back into the hand: the one that is there, or after a shuffle (IG-21) any card that the deck then held. A fact (a wrong
guess, a fight won, a look) removes the hands that do not fit it. Before the oldest fact every hand is possible.

A hand is a bit set by kind of card; the 13th bit is the second Outrider. Stored with it is what older `bottom` events
will need of the deck (`Pasts`).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tavolino.engine.compiled import compiled, int64
from tavolino.engine.record import Numbers
from tavolino.games.infinity_gauntlet.actions import Event, Result
from tavolino.games.infinity_gauntlet.evidence import cards_guessed, cards_of_numbers, is_hit, winner_can
from tavolino.games.infinity_gauntlet.facts import (
    FIRST_THANOS_CARD,
    NO_CARD,
    OUTRIDERS,
    THANOS,
    THANOS_CARD_KINDS,
)
from tavolino.games.infinity_gauntlet.history import (
    PUBLIC,
    THANOS_CARD,
    card_at,
    is_told,
    kind_of,
    lead_of,
    result_of,
    seat_of,
)
from tavolino.games.infinity_gauntlet.state import GauntletState

SECOND_OUTRIDER = 1 << THANOS_CARD_KINDS
HAND_BITS = THANOS_CARD_KINDS + 1
HAND_MASK = (1 << HAND_BITS) - 1  # also the last slot of the hash table of hands
PLACE_BITS, PLACE_MASK = 4, 15
ANY_CARD = 15  # a place of a shuffled deck
MOST_PASTS = 4096  # hands at a time; random games need a few dozen. With more, a past is assumed to exist.
OUTRIDER_KIND = 0


class Pasts(NamedTuple):
    """Room for the hands that are possible at one time, each with the deck of the same past at the same index."""

    hand: NDArray[np.int64]  # a set of cards
    known: NDArray[np.int64]  # the known cards of a deck in an unknown order, a set
    bottom: NDArray[np.int64]  # the bottom of the deck: four bits a card, the lowest first


@compiled
def room_for_pasts() -> Pasts:
    return Pasts(np.empty(MOST_PASTS, np.int64), np.empty(MOST_PASTS, np.int64), np.empty(MOST_PASTS, np.int64))


@compiled
def _with(cards: int, kind: int) -> int:
    """A set with one card more."""
    if kind == OUTRIDER_KIND and cards & 1 != 0:
        return cards | SECOND_OUTRIDER
    return cards | (1 << kind)


@compiled
def without(cards: int, kind: int) -> int:
    if kind == OUTRIDER_KIND and cards & SECOND_OUTRIDER != 0:
        return cards & ~SECOND_OUTRIDER
    return cards & ~(1 << kind)


@compiled
def copies(cards: int, kind: int) -> int:
    found = (cards >> kind) & 1
    if kind == OUTRIDER_KIND:
        found += (cards >> THANOS_CARD_KINDS) & 1
    return found


@compiled
def count_facts(s: GauntletState, row: int) -> int:
    """The number of entries that can remove a hand."""
    facts = 0
    for i in range(s.n_history):
        facts += 1 if _is_fact(s, s.history[i] + 0, row) else 0
    return facts


@compiled
def _is_fact(s: GauntletState, entry: int, row: int) -> bool:
    kind = kind_of(entry)
    if kind == Event.GUESSED:
        return seat_of(entry) == s.thanos
    if kind == Event.FIGHT:
        return is_told(s, entry, row) or result_of(entry) != Result.WON
    return kind == Event.SHUFFLED_BACK or (kind == Event.LOOKED and is_told(s, entry, row))


@compiled
def bottoms_before(s: GauntletState, end: int) -> int:
    """How many cards were put on the bottom between the last shuffle before an entry and that entry."""
    bottoms = 0
    for i in range(end - 1, -1, -1):
        kind = kind_of(s.history[i] + 0)
        if kind == Event.SHUFFLED_BACK:
            break
        bottoms += 1 if kind == Event.BOTTOM else 0
    return bottoms


@compiled
def follow_thanos(
    s: GauntletState, row: int, facts: int, tie_can: Numbers, pasts: Pasts, fresh: Pasts, is_there: Numbers
) -> bool:
    """Go back through the turns of Thanos with all hands that he can have held. Returns whether any is left.

    Places of his deck may be unspecified (NO_CARD): then it is enough that some cards fit there.
    `tie_can` has, for each tie in which the viewer did not fight, the newest first, the numbers that the hero can have
    had. `pasts` and `fresh` are scratch memory for hands, `is_there` an empty hash table for them.
    """
    if facts == 0:
        return True
    thanos = s.thanos + 0
    hand = int64(0)
    for i in range(s.hand_size[thanos]):
        hand = _with(hand, s.hand[thanos, i] - FIRST_THANOS_CARD)
    out = int64(0)  # the cards that are neither in the hand nor in the deck
    for i in range(s.face_up_size[thanos]):
        out = _with(out, s.face_up[thanos, i] - FIRST_THANOS_CARD)
    size = s.deck_size[THANOS] + 0
    bottoms = bottoms_before(s, s.n_history + 0)
    is_shuffled, known, bottom = False, int64(0), int64(0)
    for at in range(size):
        is_open = s.deck[THANOS, at] == NO_CARD
        kind = ANY_CARD - 1 if is_open else s.deck[THANOS, at] - FIRST_THANOS_CARD
        is_shuffled = is_shuffled or is_open
        known = known if is_open else _with(known, kind)
        if at < bottoms:
            bottom |= int64(kind + 1) << (PLACE_BITS * at)
    _write(pasts, 0, hand, known if is_shuffled else int64(0), bottom)
    n, ties = 1, 0
    for i in range(s.n_history - 1, -1, -1):
        entry = s.history[i] + 0
        kind = kind_of(entry)
        if _is_fact(s, entry, row):
            if kind == Event.SHUFFLED_BACK:
                card = card_at(entry, PUBLIC) - FIRST_THANOS_CARD
                size -= 1
                out = _with(out, card)
                bottoms = bottoms_before(s, i)
                is_shuffled = True
                n = _undo_shuffle(pasts, n, card, min(bottoms, size))
            else:
                n = _keep_fitting(s, pasts, n, entry, is_told(s, entry, row), tie_can[ties] + 0)
                if kind == Event.FIGHT and result_of(entry) == Result.TIE and not is_told(s, entry, row):
                    ties += 1
            facts -= 1
            if n == 0:
                return False
            if facts == 0:
                return True
        elif kind == Event.BOTTOM:
            n = _undo_bottom(pasts, n, out, fresh, is_there)
            if n == MOST_PASTS:
                return True
            bottoms -= 1
            size -= 1
            if bottoms == 0:
                for past in range(n):
                    _write(pasts, past, pasts.hand[past], int64(0), int64(0))
        elif seat_of(entry) == thanos:
            if kind == Event.DRAWN:
                n = _undo_draw(pasts, n, size, bottoms, is_shuffled, fresh, is_there)
                size += 1
                if n == MOST_PASTS:
                    return True
            elif kind == Event.PLAYED or kind == Event.DEFEATED:
                card = card_at(entry, PUBLIC) - FIRST_THANOS_CARD
                out = without(out, card)
                for past in range(n):
                    pasts.hand[past] = _with(pasts.hand[past], card)
    return True


@compiled
def _write(pasts: Pasts, at: int, hand: int, known: int, bottom: int) -> None:
    pasts.hand[at] = hand
    pasts.known[at] = known
    pasts.bottom[at] = bottom


@compiled
def _keep_fitting(s: GauntletState, pasts: Pasts, n: int, entry: int, is_known: bool, tie_can: int) -> int:
    """Keep the hands that fit a fact. Returns their number."""
    kind = kind_of(entry)
    cards, is_held = 0, True  # the hand holds one of these cards, or none of them
    if kind == Event.GUESSED:
        cards = cards_guessed(entry)
        is_held = is_hit(entry, s.thanos + 0)
    elif kind == Event.LOOKED:
        cards = 1 << card_at(entry, PUBLIC)
    elif is_known:
        cards = 1 << card_at(entry, THANOS_CARD)
    elif result_of(entry) == Result.LOST:
        cards = winner_can(entry)
    else:
        lead = lead_of(entry)
        cards = cards_of_numbers((tie_can << lead if lead >= 0 else tie_can >> -lead) & 0b11111110)
    cards >>= FIRST_THANOS_CARD
    left = 0
    for past in range(n):
        if (pasts.hand[past] & cards != 0) == is_held:
            _write(pasts, left, pasts.hand[past], pasts.known[past], pasts.bottom[past])
            left += 1
    return left


@compiled
def _undo_shuffle(pasts: Pasts, n: int, card: int, size: int) -> int:
    """Before the shuffle the deck had an unknown order, and the card that was shuffled in was not in it."""
    bottom = (int64(1) << (PLACE_BITS * size)) - 1  # each place is ANY_CARD
    left = 0
    for past in range(n):
        hand = pasts.hand[past]
        if (hand >> card) & 1 == 0:
            _write(pasts, left, hand, int64(0), bottom)
            left += 1
    return left


@compiled
def _undo_bottom(pasts: Pasts, n: int, out: int, fresh: Pasts, is_there: Numbers) -> int:
    """The lowest card of the deck was in the hand."""
    found = 0
    for past in range(n):
        hand, known = pasts.hand[past], pasts.known[past]
        lowest = pasts.bottom[past] & PLACE_MASK
        rest = pasts.bottom[past] >> PLACE_BITS
        if lowest != ANY_CARD:
            found = _add(fresh, found, _with(hand, lowest - 1), without(known, lowest - 1), rest, is_there)
            continue
        for kind in range(THANOS_CARD_KINDS):
            printed = OUTRIDERS if kind == OUTRIDER_KIND else 1
            if printed > copies(out, kind) + copies(hand, kind) + copies(known, kind):
                found = _add(fresh, found, _with(hand, kind), known, rest, is_there)
    return _take_over(pasts, fresh, found, is_there)


@compiled
def _undo_draw(
    pasts: Pasts, n: int, size: int, bottoms: int, is_shuffled: bool, fresh: Pasts, is_there: Numbers
) -> int:
    """Any one card of the hand was on top of the deck."""
    found = 0
    for past in range(n):
        hand = pasts.hand[past]
        for kind in range(THANOS_CARD_KINDS):
            if (hand >> kind) & 1 == 0:
                continue
            known, bottom = int64(0), int64(0)
            if bottoms > 0:
                if is_shuffled:
                    known = _with(pasts.known[past], kind)
                bottom = pasts.bottom[past]
                if size < bottoms:
                    bottom |= int64(kind + 1) << (PLACE_BITS * size)
            found = _add(fresh, found, without(hand, kind), known, bottom, is_there)
    return _take_over(pasts, fresh, found, is_there)


@compiled
def _add(fresh: Pasts, n: int, hand: int, known: int, bottom: int, is_there: Numbers) -> int:
    """Add a past unless it is in the list. `is_there` is a hash table of indices, from 1."""
    slot = _slot_of(hand, known, bottom)
    while is_there[slot] != 0:
        at = is_there[slot] - 1
        if fresh.hand[at] == hand and fresh.known[at] == known and fresh.bottom[at] == bottom:
            return n
        slot = (slot + 1) & HAND_MASK
    if n == MOST_PASTS:
        return n
    _write(fresh, n, hand, known, bottom)
    is_there[slot] = n + 1
    return n + 1


@compiled
def _slot_of(hand: int, known: int, bottom: int) -> int:
    """Hands without deck cards do not collide."""
    return (hand ^ known * 5 ^ bottom * 1031) & HAND_MASK


@compiled
def _take_over(pasts: Pasts, fresh: Pasts, n: int, is_there: Numbers) -> int:
    for i in range(n):
        hand, known, bottom = fresh.hand[i], fresh.known[i], fresh.bottom[i]
        _write(pasts, i, hand, known, bottom)
        slot = _slot_of(hand, known, bottom)  # and the slots after it, which collisions have used
        while is_there[slot] != 0:
            is_there[slot] = 0
            slot = (slot + 1) & HAND_MASK
    return n
