"""What a viewer of Mantis sees, and what can be deduced from it."""

from collections import Counter
from functools import lru_cache
from typing import Any, Literal, TypedDict, cast

from tavolino.games.mantis import facts
from tavolino.games.mantis.facts import BACKS, CARDS, FRONT, ICON, ICONS, NO_CARD

Colour = Literal["red", "orange", "yellow", "green", "blue", "purple", "pink"]
Icon = Literal["another-turn", "steal-a-card", "score-and-steal"]

COLOURS = cast("tuple[Colour, ...]", facts.COLOURS)


class Draw(TypedDict):
    """The draw pile: how many cards, and the three colours on the back of the top card."""

    size: int
    back: list[Colour] | None


class Seat(TypedDict):
    tank: dict[Colour, int]
    score: int


class View(TypedDict):
    draw: Draw
    goal: int
    icons: bool
    seats: list[Seat]


class DrawPlaces(TypedDict):
    """The cards that can be on top."""

    top: list[str]


class Places(TypedDict):
    draw: DrawPlaces


class Notebook(TypedDict):
    unseen: dict[str, int]
    unseen_colours: dict[Colour, int]
    unseen_icons: dict[str, int]
    places: Places
    known: dict[str, str]


class Card(TypedDict):
    icon: Icon | None


class Parts(TypedDict):
    colours: list[Colour]
    cards: dict[str, Card]


def view(s: Any, viewer: int) -> View:
    """The same for everybody: no seat has private information."""
    return _public(s).copy()


@lru_cache(maxsize=16)
def _public(s: Any) -> View:
    """Tanks, the sizes of score piles and draw pile, and the back on top. Built once for a position, for all views."""
    is_empty = s.top == NO_CARD
    return {
        "draw": {
            "size": 0 if is_empty else s.pile_size + 1,
            "back": None if is_empty else [COLOURS[colour] for colour in BACKS[s.top]],
        },
        "goal": s.goal,
        "icons": bool(s.icons) and s.players > 2,
        "seats": [
            {"tank": dict(zip(COLOURS, s.tank[seat], strict=True)), "score": s.score[seat]} for seat in range(s.players)
        ],
    }


def notebook(s: Any, viewer: int) -> Notebook:
    """Card counting: what is undrawn, and what the top card can be."""
    undrawn = sorted(s.pile[: s.pile_size] + ([] if s.top == NO_CARD else [s.top]))
    top = [] if s.top == NO_CARD else [card for card in undrawn if BACKS[card] == BACKS[s.top]]
    icons = Counter(ICONS[ICON[card]] for card in undrawn if ICON[card]) if s.icons and s.players > 2 else Counter()
    return {
        "unseen": {CARDS[card]: 1 for card in undrawn},
        "unseen_colours": {colour: sum(1 for card in undrawn if FRONT[card] == n) for n, colour in enumerate(COLOURS)},
        "unseen_icons": {icon: icons[icon] for icon in ICONS if icon},
        "places": {"draw": {"top": [CARDS[card] for card in top]}},
        "known": {},
    }


def inventory(s: Any) -> dict[str, int]:
    """Where the 105 cards are: in tanks, scored, undrawn."""
    undrawn = s.pile_size + (s.top != NO_CARD)
    return {"cards": sum(map(sum, s.tank)) + sum(s.score) + undrawn}
