"""What a viewer of Infinity Gauntlet sees, and what can be worked out from it (IG-90 to IG-92)."""

from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Literal, TypedDict

from tavolino.games.infinity_gauntlet.actions import Event, Result
from tavolino.games.infinity_gauntlet.facts import (
    CARD_COUNT,
    CARDS,
    FIRST_THANOS_CARD,
    HERO_DECK,
    HEROES,
    NO_CARD,
    NUMBER,
    STONES,
    THANOS,
    THANOS_DECK,
    TOKEN_BONUS,
    Reason,
)
from tavolino.games.infinity_gauntlet.history import (
    CARD_MASK,
    HERO_TOKEN,
    IS_PRIVATE,
    KIND_MASK,
    PUBLIC,
    RESULT,
    SEAT,
    SHOWN_CARD,
    THANOS_CARD,
    THANOS_TOKEN,
)
from tavolino.games.infinity_gauntlet.knowledge import bring_up_to_date

NUMBERS = [int(number) for number in NUMBER]

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
    """Everything open to all, and of the hands one's own; after a snap that of Thanos too (IG-82)."""
    table, seats = _public(s)
    return {**table, "seats": [{**shown, "hand": _hand(s, seat)} if seat == viewer else shown for seat, shown in seats]}


@lru_cache(maxsize=16)
def _public(s: Any) -> tuple[Table, list[tuple[int, Seat]]]:
    """What all viewers see alike: the table and the seats. Made once for a position, and shared by their views."""
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


def notebook(s: Any, viewer: int) -> Notebook:
    """The viewer's sets as lists: what each hidden place can hold, which of them are known, what is unseen.

    The places of a hand have no order; those of a deck are given from the top.
    """
    row = viewer if viewer >= 0 else s.players
    bring_up_to_date(s.states, 0, row)
    hand_can, deck_can = s.states[0]["hand_can"][row].tolist(), s.states[0]["deck_can"][row].tolist()
    hands = [sorted(_cards(can) for can in hand_can[seat] if can) for seat in range(s.players)]
    decks: DeckPlaces = {"hero": _deck(s, deck_can, HEROES), "thanos": _deck(s, deck_can, THANOS)}
    known = [[place[0] for place in hand if len(place) == 1] for hand in hands]
    return {
        "unseen": _unseen(s, hands, decks),
        "places": {"hands": hands, "decks": decks},
        "known": {"hands": known, "decks": {"hero": _known(decks["hero"]), "thanos": _known(decks["thanos"])}},
        "together": _deductions(s, viewer, set(known[s.thanos])),
    }


def _deck(s: Any, deck_can: list[list[int]], side: int) -> list[list[str]]:
    return [_cards(can) for can in reversed(deck_can[side][: s.deck_size[side]])]


def _known(places: list[list[str]]) -> dict[str, str]:
    return {str(at + 1): place[0] for at, place in enumerate(places) if len(place) == 1}


def _cards(can: int) -> list[str]:
    return [card for n, card in enumerate(CARDS) if can >> n & 1]


def _unseen(s: Any, hands: list[list[list[str]]], decks: DeckPlaces) -> dict[str, int]:
    """How many of each card are neither face up nor in a place that the viewer knows."""
    unseen = Counter(CARDS[card] for card in (*HERO_DECK, *THANOS_DECK))
    unseen.subtract(CARDS[card] for face_up in s.face_up for card in face_up if card != NO_CARD)
    unseen.subtract(
        place[0] for places in (*hands, decks["hero"], decks["thanos"]) for place in places if len(place) == 1
    )
    return {card: count for card, count in unseen.items() if count}


def inventory(s: Any) -> dict[str, int]:
    """Every card, wherever it is."""
    rows = (*s.hand, *s.deck, *s.face_up)
    return dict(sorted(Counter(CARDS[card] for row in rows for card in row if card != NO_CARD).items()))


# -- what fights and looks have shown of several places together (IG-40, IG-44, IG-53, IG-73)


def _deductions(s: Any, viewer: int, known_of_thanos: set[str]) -> list[Deduction]:
    """All that still holds, the oldest first, each once. Thanos knows his cards, and needs none."""
    if viewer == s.thanos:
        return []
    found: list[Deduction] = []
    history: list[int] = s.history[: s.n_history]
    for at, entry in enumerate(history):
        kind, later = entry & KIND_MASK, history[at + 1 :]
        told: Deduction | None = None
        if entry & IS_PRIVATE and viewer == _seat_in(entry):
            if kind in (Event.LOOKED, Event.FIGHT):
                told = _seen(s, later, _card_in(entry, PUBLIC if kind == Event.LOOKED else THANOS_CARD))
        elif kind == Event.FIGHT:
            lead = TOKEN_BONUS * ((entry >> HERO_TOKEN & 1) - (entry >> THANOS_TOKEN & 1))
            if entry >> RESULT & 3 == Result.LOST:
                told = _strong(s, later, NUMBERS[_card_in(entry, SHOWN_CARD)] + lead)
            elif entry >> RESULT & 3 == Result.TIE:
                told = _tie(s, later, _seat_in(entry), lead)
        if told is not None and told not in found:
            found.append(told)
    at_hand = {int(NUMBER[CARDS.index(card)]) for card in known_of_thanos}
    # Who knows such a card in his hand is told nothing new.
    return [told for told in found if not (at_hand & set(told["numbers"]))]


def _seat_in(entry: int) -> int:
    return entry >> SEAT & 7


def _card_in(entry: int, place: int) -> int:
    return entry >> place & CARD_MASK


def _bottom_since(s: Any, later: list[int], could_be: Callable[[int], bool]) -> int | None:
    """How many cards Thanos has put on the bottom since; None if the card can have been shown or shuffled away."""
    bottom = 0
    for entry in later:
        kind = entry & KIND_MASK
        if kind in (Event.PLAYED, Event.DEFEATED) and _seat_in(entry) == s.thanos and could_be(_card_in(entry, PUBLIC)):
            return None
        if kind == Event.SNAP or (kind == Event.SHUFFLED_BACK and bottom):
            return None
        bottom += kind == Event.BOTTOM
    return min(bottom, s.deck_size[THANOS])


def _seen(s: Any, later: list[int], card: int) -> Deduction | None:
    """The viewer has seen a card in the hand of Thanos. Without cards on the bottom it is among the known ones."""
    bottom = _bottom_since(s, later, lambda shown: shown == card)
    if not bottom:
        return None
    return {"key": "seen", "seat": None, "card": CARDS[card], "numbers": [NUMBERS[card]], "bottom": bottom}


def _strong(s: Any, later: list[int], beaten: int) -> Deduction | None:
    """Thanos won with a card above a number: it is in his hand, or among those that he has put on the bottom since."""
    bottom = _bottom_since(s, later, lambda shown: NUMBERS[shown] > beaten)
    if bottom is None:
        return None
    hidden = [card for card in range(FIRST_THANOS_CARD, CARD_COUNT) if not s.shown >> card & 1]
    numbers = sorted({NUMBERS[card] for card in hidden if NUMBERS[card] > beaten})
    return {"key": "strong", "seat": None, "card": None, "numbers": numbers, "bottom": bottom}


def _tie(s: Any, later: list[int], hero: int, lead: int) -> Deduction | None:
    """The hero's card and one of Thanos's were equal, tokens counted, and neither has let a card go since."""
    for entry in later:
        if entry & KIND_MASK in (Event.PLAYED, Event.DEFEATED, Event.BOTTOM) and _seat_in(entry) in (hero, s.thanos):
            return None
    key: Literal["tie", "tie-higher", "tie-lower"] = "tie"
    if lead:
        key = "tie-higher" if lead > 0 else "tie-lower"
    return {"key": key, "seat": hero, "card": None, "numbers": [], "bottom": 0}
