"""Mantis, for 2 to 6 players: score or steal by the three colours on a card's back."""

from tavolino.engine.decks import Deck
from tavolino.engine.game import Game
from tavolino.games.mantis import knowledge, notation, rules, view
from tavolino.games.mantis.facts import (
    CARD_COUNT,
    CARDS,
    COLOURS,
    FOLDER,
    ICON,
    ICONS,
    REASONS,
    TANK_AT_START,
)
from tavolino.games.mantis.meta import META
from tavolino.games.mantis.state import RECORD

GAME = Game(
    meta=META,
    decks={"draw": Deck(CARDS, range(CARD_COUNT))},
    record=RECORD,
    action_count=notation.ACTION_COUNT,
    # Every turn uses up a card of the pile, and each of the seven cards that steal a card asks once more.
    most_decisions=lambda players: CARD_COUNT - TANK_AT_START * players + 7,
    event_kinds=notation.EVENT_KINDS,
    steps=notation.STEPS,
    reasons=REASONS,
    folder=FOLDER,
    setup=rules.setup,
    legal=rules.legal,
    apply=rules.apply,
    resample=knowledge.resample,
    action_text=notation.action_text,
    action_params=notation.action_params,
    prompt=notation.prompt,
    refuse=notation.refuse,
    view=view.view,
    notebook=view.notebook,
    inventory=view.inventory,
    parts={
        "colours": COLOURS,
        "cards": {card: {"icon": ICONS[icon]} for card, icon in zip(CARDS, ICON.tolist(), strict=True)},
    },
)
