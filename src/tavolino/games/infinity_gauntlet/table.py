"""Moving cards: drawing, laying face up, defeat, the new hero deck, and the end (IG-20 to IG-32, IG-80, IG-81).

Seats and cards are passed as 64-bit integers everywhere (`+ 0` widens a field), so that each function compiles once.
"""

from tavolino.engine.chance import shuffle
from tavolino.engine.compiled import compiled
from tavolino.engine.events import NO_ONE, emit
from tavolino.engine.record import end_game, everybody, next_seat
from tavolino.games.infinity_gauntlet.actions import Event
from tavolino.games.infinity_gauntlet.facts import (
    GO_BACK,
    HEROES,
    NO_CARD,
    THANOS,
    THANOS_CARDS,
    Reason,
)
from tavolino.games.infinity_gauntlet.state import GauntletState, Step

# -- hands and decks


@compiled
def _put_into_hand(s: GauntletState, seat: int, card: int) -> None:
    """Hands are sorted, so that the order of a hand carries no information (IG-92)."""
    at = s.hand_size[seat] + 0
    while at > 0 and s.hand[seat, at - 1] > card:
        s.hand[seat, at] = s.hand[seat, at - 1]
        at -= 1
    s.hand[seat, at] = card
    s.hand_size[seat] += 1


@compiled
def take_from_hand(s: GauntletState, seat: int, card: int) -> None:
    size = s.hand_size[seat] - 1
    at = 0
    while s.hand[seat, at] != card:
        at += 1
    for i in range(at, size):
        s.hand[seat, i] = s.hand[seat, i + 1]
    s.hand[seat, size] = NO_CARD
    s.hand_size[seat] = size


@compiled
def draw_card(s: GauntletState, seat: int) -> None:
    """The top card of one's own deck into one's hand; Thanos skips it when his deck is empty (IG-23)."""
    side = THANOS if seat == s.thanos else HEROES
    if s.deck_size[side] == 0:  # only that of Thanos: the hero deck is renewed before it is empty (IG-30)
        emit(s, Event.NOTHING_TO_DRAW, NO_ONE, seat)
        return
    top = s.deck_size[side] - 1
    card = s.deck[side, top] + 0
    s.deck[side, top] = NO_CARD
    s.deck_size[side] = top
    _put_into_hand(s, seat, card)
    emit(s, Event.DRAWN, 1 << seat, seat, card)
    if side == HEROES and top == 0:
        make_new_deck(s)


@compiled
def make_new_deck(s: GauntletState) -> None:
    """IG-30 to IG-32: all face-up hero cards are shuffled and put under the rest of the hero deck (IG-58)."""
    left = s.deck_size[HEROES] + 0
    cards = s.shown & ~THANOS_CARDS
    size = 0
    for seat in range(s.players):
        if seat != s.thanos:
            size += s.face_up_size[seat]
    for at in range(left - 1, -1, -1):
        s.deck[HEROES, size + at] = s.deck[HEROES, at]
    at = 0
    for card in range(16):
        if (cards >> card) & 1 != 0:
            s.deck[HEROES, at] = card
            at += 1
    shuffle(s, s.deck[HEROES], 0, size + 0)
    for seat in range(s.players):
        if seat != s.thanos:
            for i in range(s.face_up_size[seat]):
                s.face_up[seat, i] = NO_CARD
            s.face_up_size[seat] = 0
    s.deck_size[HEROES] = left + size
    s.shown &= THANOS_CARDS
    emit(s, Event.NEW_DECK, NO_ONE, cards)


@compiled
def lay_face_up(s: GauntletState, seat: int, card: int) -> None:
    s.face_up[seat, s.face_up_size[seat]] = card
    s.face_up_size[seat] += 1
    s.shown |= 1 << card


# -- defeat (IG-20 to IG-24)


@compiled
def _leave_defeated(s: GauntletState, seat: int, card: int) -> None:
    """IG-20: the team loses a life, never below 0, and the card is shown."""
    side = THANOS if seat == s.thanos else HEROES
    if s.life[side] > 0:
        s.life[side] -= 1
    take_from_hand(s, seat, card)
    emit(s, Event.DEFEATED, NO_ONE, seat, card, s.life[side] + 0)


@compiled
def defeat_thanos_card(s: GauntletState, card: int) -> None:
    """IG-20 to IG-23: stones and Thanos go back into the deck, after the new card is drawn."""
    seat = s.thanos + 0
    _leave_defeated(s, seat, card)
    if s.life[THANOS] == 0:
        lay_face_up(s, seat, card)
        end(s, everybody(s) & ~(1 << seat), Reason.THANOS_HAS_NO_LIFE)
    elif (GO_BACK >> card) & 1 != 0:
        draw_card(s, seat)
        _shuffle_back(s, card)
    else:
        lay_face_up(s, seat, card)
        draw_card(s, seat)


@compiled
def _shuffle_back(s: GauntletState, card: int) -> None:
    s.deck[THANOS, s.deck_size[THANOS]] = card
    s.deck_size[THANOS] += 1
    shuffle(s, s.deck[THANOS], 0, s.deck_size[THANOS] + 0)
    emit(s, Event.SHUFFLED_BACK, NO_ONE, s.thanos + 0, card)


@compiled
def defeat_hero_cards(s: GauntletState, seats: int) -> None:
    """IG-20, IG-62: each of these heroes loses the card in hand; all are discarded before anybody draws.

    Clockwise from Thanos; the hero deck may be renewed in between, with the cards just discarded (IG-31).
    """
    seat = next_seat(s, s.thanos + 0)
    while seat != s.thanos:
        if (seats >> seat) & 1 != 0:
            card = s.hand[seat, 0] + 0
            _leave_defeated(s, seat, card)
            lay_face_up(s, seat, card)
        seat = next_seat(s, seat)
    if s.life[HEROES] == 0:
        end(s, 1 << (s.thanos + 0), Reason.HEROES_HAVE_NO_LIFE)
        return
    seat = next_seat(s, s.thanos + 0)
    while seat != s.thanos:
        if (seats >> seat) & 1 != 0:
            draw_card(s, seat)
        seat = next_seat(s, seat)


@compiled
def end(s: GauntletState, winners: int, reason: int) -> None:
    """IG-80 to IG-82: the game is over at once."""
    s.step = Step.OVER
    end_game(s, winners, reason)
    emit(s, Event.OVER, NO_ONE, winners, reason)
