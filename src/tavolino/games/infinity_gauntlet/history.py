"""The history: one number for each event that reveals something about hidden cards.

The rules append entries; deductions are made elsewhere, on demand. An entry has a public half and, marked by a bit, a
private half for its audience: the player who drew; the one who looked, and Thanos; both fighters; the one who put three
cards back; Thanos for a bottom card. In a resampled world the private halves of the others are zero. A game has at most
402 entries (docs/rules).
"""

from tavolino.engine.compiled import compiled
from tavolino.engine.record import NOBODY, Numbers
from tavolino.games.infinity_gauntlet.actions import Event, Result
from tavolino.games.infinity_gauntlet.facts import CARD_BITS, HISTORY_ROOM, NO_ENTRY_CARD, Card
from tavolino.games.infinity_gauntlet.state import GauntletState

# An entry: the kind of event in five bits, whether the private half is set, a seat, and the rest from PUBLIC on.
KIND_MASK = 31
IS_PRIVATE = 1 << 5
SEAT = 6
PUBLIC = 9
EVERYBODY = 7  # the seat of a guess that is for all heroes
ENDS_ACTION = 1 << 29
CARD_MASK = (1 << CARD_BITS) - 1
# A fight: tokens, result, the card shown, then both cards in private.
HERO_TOKEN, THANOS_TOKEN, RESULT, SHOWN_CARD, HERO_CARD, THANOS_CARD = 9, 10, 11, 13, 18, 23
# A guess: the number and who was hit.
GUESSED_NUMBER, HITS = 9, 12
FIRST, SECOND = 2, 3  # the columns of an event's numbers in its row, after its kind and audience


@compiled
def remember(s: GauntletState) -> None:
    """Append the events of an action."""
    first = s.n_history + 0
    for i in range(s.n_events):
        entry = _entry_of(s.events[i])
        if entry != 0 and s.n_history < HISTORY_ROOM:
            s.history[s.n_history] = entry
            s.n_history += 1
    if s.n_history > first:
        s.history[s.n_history - 1] |= ENDS_ACTION


@compiled
def _entry_of(event: Numbers) -> int:
    """The entry for an event; 0 if it reveals nothing about hidden cards."""
    kind, seat = event[0] + 0, event[FIRST] + 0
    if kind == Event.DRAWN or kind == Event.LOOKED or kind == Event.BOTTOM:
        return _begin(kind, seat) | IS_PRIVATE | (event[SECOND] << PUBLIC)
    if kind == Event.PLAYED or kind == Event.DEFEATED or kind == Event.SHUFFLED_BACK:
        return _begin(kind, seat) | (event[SECOND] << PUBLIC)
    if kind == Event.NEW_DECK:
        return _begin(kind, 0) | (event[FIRST] << PUBLIC)
    if kind == Event.TOP_THREE or kind == Event.ORDERED:
        cards = event[SECOND] | (event[SECOND + 1] << CARD_BITS) | (event[SECOND + 2] << (2 * CARD_BITS))
        return _begin(kind, seat) | IS_PRIVATE | (cards << PUBLIC)
    if kind == Event.GUESSED:
        target = EVERYBODY if event[SECOND] == NOBODY else event[SECOND] + 0
        return _begin(kind, target) | (event[FIRST + 2] << GUESSED_NUMBER) | (event[FIRST + 3] << HITS)
    if kind == Event.SPARED:
        return _begin(kind, event[SECOND] + 0) | ((1 if event[FIRST + 2] == Card.CORVUS_GLAIVE else 0) << PUBLIC)
    if kind == Event.FIGHT:
        shown = NO_ENTRY_CARD + 0
        if event[FIRST + 5] == Result.WON:
            shown = event[FIRST + 7] + 0
        elif event[FIRST + 5] == Result.LOST:
            shown = event[FIRST + 6] + 0
        tokens = (1 << HERO_TOKEN if event[FIRST + 3] != 0 else 0) | (1 << THANOS_TOKEN if event[FIRST + 4] != 0 else 0)
        cards = (event[FIRST + 6] << HERO_CARD) | (event[FIRST + 7] << THANOS_CARD)
        return _begin(kind, seat) | IS_PRIVATE | tokens | (event[FIRST + 5] << RESULT) | (shown << SHOWN_CARD) | cards
    if kind == Event.SNAP:
        entry = _begin(kind, seat)
        for i in range(4):
            entry |= (event[SECOND + i] & CARD_MASK) << (PUBLIC + CARD_BITS * i)
        return entry
    return 0


@compiled
def _begin(kind: int, seat: int) -> int:
    return kind | (seat << SEAT)


@compiled
def kind_of(entry: int) -> int:
    return entry & KIND_MASK


@compiled
def seat_of(entry: int) -> int:
    return (entry >> SEAT) & 7


@compiled
def card_at(entry: int, place: int) -> int:
    return (entry >> place) & CARD_MASK


@compiled
def is_told(s: GauntletState, entry: int, row: int) -> bool:
    """Whether the private half is set and the viewer with this row is in its audience (the spectator's row is last)."""
    if entry & IS_PRIVATE == 0:
        return False
    kind = kind_of(entry)
    return row == seat_of(entry) or (row == s.thanos and (kind == Event.LOOKED or kind == Event.FIGHT))


@compiled
def lead_of(entry: int) -> int:
    """By how much tokens raised the hero's number above that of Thanos."""
    return 2 * (((entry >> HERO_TOKEN) & 1) - ((entry >> THANOS_TOKEN) & 1))


@compiled
def result_of(entry: int) -> int:
    return (entry >> RESULT) & 3


@compiled
def forget_secrets_of_others(s: GauntletState, row: int) -> None:
    """Keep the private halves of one viewer and set all others to zero, the same in every world."""
    first = s.n_own if s.whose_own == row else 0
    for i in range(first, s.n_history):
        entry = s.history[i] + 0
        if entry & IS_PRIVATE != 0 and not is_told(s, entry, row):
            # The public part of a fight ends where the private cards begin; of other entries only the seat is public.
            public = (1 << HERO_CARD) - 1 if kind_of(entry) == Event.FIGHT else (1 << PUBLIC) - 1
            s.history[i] = entry & (public | ENDS_ACTION) & ~IS_PRIVATE
    s.n_own = s.n_history
    s.whose_own = row
