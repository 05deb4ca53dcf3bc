"""The notebook: what a viewer of Infinity Gauntlet can deduce (IG-90 to IG-92).

The sets are exact (possible.py). The order of the places of a hand has no meaning, and each place lists what it can
hold in some possible hand; facts about several places together are given as sentences.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import permutations
from typing import Any, Literal

import numpy as np

from tavolino.games.infinity_gauntlet.actions import Event, Result
from tavolino.games.infinity_gauntlet.facts import (
    CARD_COUNT,
    CARDS,
    FIRST_THANOS_CARD,
    HERO_DECK,
    HEROES,
    LARGEST_DECK,
    NO_CARD,
    NUMBER,
    THANOS,
    THANOS_CARD_KINDS,
    THANOS_DECK,
    TOKEN_BONUS,
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
from tavolino.games.infinity_gauntlet.possible import (
    FIRST_OF_DECK,
    LARGEST_HERO_HAND,
    MOST_HANDS,
    MOST_PLACES,
    TOO_MANY,
    UNCERTAIN,
    list_possible,
)
from tavolino.games.infinity_gauntlet.view import DeckPlaces, Deduction, Notebook

NUMBERS = [int(number) for number in NUMBER]
Hand = tuple[int, ...]  # cards, ascending


def notebook(s: Any, viewer: int) -> Notebook:
    """What each hidden place can hold, which are known, which cards are unseen, and facts about several places.

    The places of a hand have no order; those of a deck are given from the top.
    """
    hands, decks = _places(s, viewer if viewer >= 0 else s.players)
    known = [[place[0] for place in hand if len(place) == 1] for hand in hands]
    return {
        "unseen": _unseen(s, hands, decks),
        "places": {"hands": hands, "decks": decks},
        "known": {"hands": known, "decks": {"hero": _known(decks["hero"]), "thanos": _known(decks["thanos"])}},
        "together": _deductions(s, viewer, set(known[s.thanos])),
    }


def _places(s: Any, row: int) -> tuple[list[list[list[str]]], DeckPlaces]:
    """The cards that each place can hold: of the hands by seat, and of the decks."""
    heroes, thanos_deck = np.zeros(MOST_PLACES + 1, np.int32), np.zeros(LARGEST_DECK, np.int32)
    hands_of_thanos = np.zeros(MOST_HANDS, np.int32)
    n = list_possible(s.states, 0, s.states.copy(), row, heroes, hands_of_thanos, thanos_deck)
    hands: list[list[int]] = s.states[0]["hand_can"][row].tolist()
    decks: list[list[int]] = s.states[0]["deck_can"][row].tolist()
    if n != TOO_MANY:
        for seat in range(s.players):
            if seat != s.thanos:
                hand = heroes[LARGEST_HERO_HAND * seat : LARGEST_HERO_HAND * (seat + 1)].tolist()
                hands[seat] = _split(hand, int(heroes[UNCERTAIN])) if all(hand) else hand
        hands[s.thanos] = _fit(hands[s.thanos], [_hand(bits) for bits in hands_of_thanos[:n].tolist()])
        decks = [heroes[FIRST_OF_DECK:].tolist(), thanos_deck.tolist()]
    return (
        [sorted(_cards(can) for can in hands[seat] if can) for seat in range(s.players)],
        {
            "hero": [_cards(can) for can in reversed(decks[HEROES][: s.deck_size[HEROES]])],
            "thanos": [_cards(can) for can in reversed(decks[THANOS][: s.deck_size[THANOS]])],
        },
    )


def _split(hand: list[int], uncertain: int) -> list[int]:
    """The places of a hero with two cards: held and drawn, or the certain card and the rest."""
    cards = hand[0] | hand[1]
    certain = cards & ~uncertain
    if certain.bit_count() == LARGEST_HERO_HAND:
        return [certain & -certain, certain & (certain - 1)]
    return [certain, cards & ~certain] if certain else hand


def _hand(bits: int) -> Hand:
    """A hand from its bits in possible.py; the bit after the last kind is the second Outrider."""
    kinds = (kind % THANOS_CARD_KINDS for kind in range(THANOS_CARD_KINDS + 1) if bits >> kind & 1)
    return tuple(sorted(FIRST_THANOS_CARD + kind for kind in kinds))


def _fit(sets: list[int], hands: list[Hand]) -> list[int]:
    """The smallest sets for a hand's places that allow all possible hands: cards that all hands have in common get a
    place of their own, and the other places keep what they can hold in some hand."""
    places = [can for can in sets if can]
    certain = hands[0]
    for hand in hands[1:]:
        certain = tuple((Counter(certain) & Counter(hand)).elements())
    for card in (Counter(certain) - Counter(_singles(places))).elements():
        at = next((at for at in range(len(places)) if _can_pin(places, at, card, hands)), None)
        if at is None:  # these sets have no place for it: the other places can hold the rest of any hand
            rest = sum(1 << other for other in {*_rests(hands, certain)})
            return [1 << each for each in certain] + [rest] * (len(places) - len(certain))
        places[at] = 1 << card
    narrow = [0] * len(places)
    for hand in hands:
        for order in set(permutations(hand)):
            if _can_be_in(order, places):
                for at, card in enumerate(order):
                    narrow[at] |= 1 << card
    return narrow


def _singles(places: Iterable[int]) -> Iterator[int]:
    return (can.bit_length() - 1 for can in places if can.bit_count() == 1)


def _can_pin(places: list[int], at: int, card: int, hands: list[Hand]) -> bool:
    """Whether every hand still fits if this place has that card."""
    if places[at].bit_count() == 1 or not places[at] >> card & 1:
        return False
    pinned = [*places[:at], 1 << card, *places[at + 1 :]]
    return all(any(_can_be_in(order, pinned) for order in permutations(hand)) for hand in hands)


def _can_be_in(cards: Iterable[int], places: Iterable[int]) -> bool:
    return all(can >> card & 1 for card, can in zip(cards, places, strict=True))


def _rests(hands: list[Hand], certain: Hand) -> Iterator[int]:
    for hand in hands:
        yield from (Counter(hand) - Counter(certain)).elements()


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


# -- what fights and looks have revealed about several places together (IG-40, IG-44, IG-53, IG-73)


def _deductions(s: Any, viewer: int, known_of_thanos: set[str]) -> list[Deduction]:
    """All deductions that still hold, the oldest first, each once. None for Thanos, who knows his cards."""
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
    # They are not news to a viewer who knows such a card in his hand.
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
