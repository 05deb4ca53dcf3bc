"""What a viewer of Infinity Gauntlet sees (IG-90 to IG-92), and the types of views and notebooks."""

from collections import Counter
from functools import lru_cache
from typing import Any, Literal, TypedDict

from tavolino.games.infinity_gauntlet.facts import (
    CARDS,
    HEROES,
    NO_CARD,
    STONES,
    THANOS,
    TOKEN_BONUS,
    Reason,
)

Role = Literal["thanos", "hero"]


class Life(TypedDict):
    heroes: int
    thanos: int


class DeckSizes(TypedDict):
    hero: int
    thanos: int


class Seat(TypedDict):
    """`hand` is null for everybody but its owner; after a snap that of Thanos is open to all."""

    role: Role
    hand_size: int
    hand: list[str] | None
    face_up: list[str]
    tokens: int


class Table(TypedDict):
    thanos: int
    turn: int
    turns_left: int
    life: Life
    decks: DeckSizes
    stones: list[str]
    effect: str | None
    target: int | None
    token_bonus: int


class View(Table):
    seats: list[Seat]


class DeckPlaces(TypedDict):
    """Of each place of a deck, from the top: the cards that can be there."""

    hero: list[list[str]]
    thanos: list[list[str]]


class KnownInDecks(TypedDict):
    """Known cards by their place from the top, beginning with 1."""

    hero: dict[str, str]
    thanos: dict[str, str]


class Places(TypedDict):
    hands: list[list[list[str]]]
    decks: DeckPlaces


class Known(TypedDict):
    hands: list[list[str]]
    decks: KnownInDecks


class Deduction(TypedDict):
    """A sentence `note.KEY` of the game's texts: about a card of Thanos of which the viewer knows the numbers or which
    the viewer has seen, in his hand or among so many at the bottom of his deck, or about a tie with a seat."""

    key: Literal["strong", "seen", "tie", "tie-higher", "tie-lower"]
    seat: int | None
    card: str | None
    numbers: list[int]
    bottom: int


class Notebook(TypedDict):
    """`together` has what no single place can tell: sentences about several of them."""

    unseen: dict[str, int]
    places: Places
    known: Known
    together: list[Deduction]


class Card(TypedDict):
    deck: Role
    number: int
    copies: int
    stone: bool


class Parts(TypedDict):
    cards: dict[str, Card]


def view(s: Any, viewer: int) -> View:
    """Everything public, and the viewer's own hand; after a snap that of Thanos too (IG-82)."""
    table, seats = _public(s)
    return {**table, "seats": [{**shown, "hand": _hand(s, seat)} if seat == viewer else shown for seat, shown in seats]}


@lru_cache(maxsize=16)
def _public(s: Any) -> tuple[Table, list[tuple[int, Seat]]]:
    """What is the same for all viewers: the table and the seats. Built once for a position, and shared by its views."""
    table: Table = {
        "thanos": s.thanos,
        "turn": s.current,
        "turns_left": s.turns_left,
        "life": {"heroes": s.life[HEROES], "thanos": s.life[THANOS]},
        "decks": {"hero": s.deck_size[HEROES], "thanos": s.deck_size[THANOS]},
        "stones": [card for n, card in enumerate(CARDS) if (s.shown & STONES) >> n & 1],
        "effect": None if s.effect == NO_CARD else CARDS[s.effect],
        "target": s.target if s.target >= 0 else None,
        "token_bonus": TOKEN_BONUS,  # what a power token adds in a fight (IG-45)
    }
    return table, [(seat, _seat(s, seat)) for seat in range(s.players)]


def _seat(s: Any, seat: int) -> Seat:
    is_open = seat == s.thanos and s.reason == Reason.SNAP
    return {
        "role": "thanos" if seat == s.thanos else "hero",
        "hand_size": s.hand_size[seat],
        "hand": _hand(s, seat) if is_open else None,
        "face_up": [CARDS[card] for card in s.face_up[seat] if card != NO_CARD],
        "tokens": s.tokens[seat],
    }


def _hand(s: Any, seat: int) -> list[str]:
    return sorted(CARDS[card] for card in s.hand[seat] if card != NO_CARD)


def inventory(s: Any) -> dict[str, int]:
    """Every card, wherever it is."""
    rows = (*s.hand, *s.deck, *s.face_up)
    return dict(sorted(Counter(CARDS[card] for row in rows for card in row if card != NO_CARD).items()))
