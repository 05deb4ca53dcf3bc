"""Splendor: Marvel, for 2 to 4 players: collect Infinity Stones, recruit characters, assemble the Gauntlet."""

from tavolino.engine.decks import Deck
from tavolino.engine.game import Game
from tavolino.games.splendor_marvel import knowledge, layout, notation, notebook, refusals, rules, view
from tavolino.games.splendor_marvel.facts import (
    CARDS,
    CARDS_OF_LEVEL,
    FOLDER,
    GREY_TOKENS,
    LAST_ROUND,
    LOCATION_COUNT,
    LOCATIONS,
    PARTS,
    REASONS,
    TILES,
)
from tavolino.games.splendor_marvel.meta import META
from tavolino.games.splendor_marvel.state import RECORD

# Name a card, replace a colour by each grey token, close the payment (docs/rules/splendor-marvel.md has the proof).
_MOST_IN_A_TURN = 1 + GREY_TOKENS + 1

GAME = Game(
    meta=META,
    decks={
        **{f"level-{n}": Deck([CARDS[card] for card in cards], cards) for n, cards in enumerate(CARDS_OF_LEVEL, 1)},
        "locations": Deck(LOCATIONS, range(LOCATION_COUNT), longest=TILES),
    },
    record=RECORD,
    action_count=notation.ACTION_COUNT,
    # This many in every turn of 200 rounds, and a choice of location at most once for each tile.
    most_decisions=lambda players: LAST_ROUND * players * _MOST_IN_A_TURN + players,
    event_kinds=notation.EVENT_KINDS,
    steps=notation.STEPS,
    reasons=REASONS,
    folder=FOLDER,
    setup=layout.setup,
    legal=rules.legal,
    apply=rules.apply,
    resample=knowledge.resample,
    action_text=notation.action_text,
    action_params=notation.action_params,
    prompt=notation.prompt,
    refuse=refusals.refuse,
    view=view.view,
    notebook=notebook.notebook,
    inventory=view.inventory,
    parts=PARTS,
    check_decks=layout.check_decks,
)
