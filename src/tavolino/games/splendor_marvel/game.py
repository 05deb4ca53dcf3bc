"""Splendor: Marvel, for 2 to 4 players: collect Infinity Stones, recruit characters, assemble the Gauntlet."""

from tavolino.engine.decks import Deck
from tavolino.engine.game import Game
from tavolino.games.splendor_marvel import layout, notebook, refusals
from tavolino.games.splendor_marvel.facts import (
    CARDS,
    CARDS_OF_LEVEL,
    GREY_TOKENS,
    LAST_ROUND,
    LOCATION_COUNT,
    LOCATIONS,
    TILES,
)

# Name a card, replace a colour by each grey token, close the payment (docs/rules/splendor-marvel.md has the proof).
_MOST_IN_A_TURN = 1 + GREY_TOKENS + 1

GAME = Game.from_package(
    __name__,
    decks={
        **{f"level-{n}": Deck([CARDS[card] for card in cards], cards) for n, cards in enumerate(CARDS_OF_LEVEL, 1)},
        "locations": Deck(LOCATIONS, range(LOCATION_COUNT), longest=TILES),
    },
    # This many in every turn of 200 rounds, and a choice of location at most once for each tile.
    most_decisions=lambda players: LAST_ROUND * players * _MOST_IN_A_TURN + players,
    setup=layout.setup,
    refuse=refusals.refuse,
    notebook=notebook.notebook,
    check_decks=layout.check_decks,
)
