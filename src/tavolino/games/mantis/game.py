"""Mantis, for 2 to 6 players: score or steal by the three colours on a card's back."""

from tavolino.engine.decks import Deck
from tavolino.engine.game import Game
from tavolino.games.mantis.facts import CARD_COUNT, CARDS, COLOURS, ICON, ICONS, TANK_AT_START

CARDS_THAT_STEAL_A_CARD = 7  # MA-25


def most_decisions(players: int) -> int:
    """A card leaves the pile in every turn that is played; docs/rules/mantis.md has the proof."""
    turns = CARD_COUNT - TANK_AT_START * players
    if players == 2:
        return 2 * turns  # a successful steal gives a turn, which can be skipped (MA-41)
    return turns + CARDS_THAT_STEAL_A_CARD  # each of them adds a decision (MA-23)


GAME = Game.from_package(
    __name__,
    decks={"draw": Deck(CARDS, range(CARD_COUNT))},
    most_decisions=most_decisions,
    parts={
        "colours": COLOURS,
        "cards": {card: {"icon": ICONS[icon]} for card, icon in zip(CARDS, ICON.tolist(), strict=True)},
    },
)
