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

CARDS_THAT_STEAL_A_CARD = 7  # MA-25


def most_decisions(players: int) -> int:
    """A card leaves the pile in every turn that is played; docs/rules/mantis.md has the proof."""
    turns = CARD_COUNT - TANK_AT_START * players
    if players == 2:
        return 2 * turns  # a successful steal gives a turn, which can be skipped (MA-41)
    return turns + CARDS_THAT_STEAL_A_CARD  # each of them adds a decision (MA-23)


GAME = Game(
    meta=META,
    decks={"draw": Deck(CARDS, range(CARD_COUNT))},
    record=RECORD,
    action_count=notation.ACTION_COUNT,
    most_decisions=most_decisions,
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
