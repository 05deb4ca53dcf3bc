"""Scenarios of Mantis start with tanks and draws that the test chooses."""

from collections.abc import Callable, Sequence

import pytest

import tavolino
from tavolino.games.mantis.facts import CARDS, ICON, ICONS

Arrange = Callable[..., tavolino.Match]
ICON_OF = {card: ICONS[icon] for card, icon in zip(CARDS, ICON.tolist(), strict=True)}


@pytest.fixture
def arrange() -> Arrange:
    """A match with these tanks (front colours, four a seat) and these cards on the draw pile, top first.

    A draw is a colour, for a card of it without an icon, `colour icon`, or a card's id.
    """

    def start(tanks: Sequence[str], draws: Sequence[str] = (), **options: object) -> tavolino.Match:
        taken = [draw for draw in draws if ":" in draw]
        fronts = [colour for tank in tanks for colour in tank.split()]
        deck = [_pick(wanted, taken) for wanted in (*fronts, *draws)]
        return tavolino.load("mantis").start(len(tanks), "a story", options=options, decks={"draw": deck})

    return start


def _pick(wanted: str, taken: list[str]) -> str:
    if ":" in wanted:
        return wanted
    colour, _, icon = wanted.partition(" ")
    card = next(
        card
        for card in CARDS
        if card.startswith(f"{colour}:") and ICON_OF[card] == (icon or None) and card not in taken
    )
    taken.append(card)
    return card
