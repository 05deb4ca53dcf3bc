"""Kuhn poker as the engine takes it."""

from kuhn_poker import knowledge, notation, rules, view
from kuhn_poker.facts import ACTIONS, CARD_COUNT, CARDS, FOLDER, REASONS
from kuhn_poker.meta import META
from kuhn_poker.state import RECORD
from tavolino.engine.decks import Deck
from tavolino.engine.game import Game

GAME = Game(
    meta=META,
    decks={"cards": Deck(CARDS, range(CARD_COUNT))},
    record=RECORD,
    action_count=len(ACTIONS),
    most_decisions=lambda players: 3,  # check, bet, answer
    event_kinds=notation.EVENT_KINDS,
    steps=notation.STEPS,
    reasons=REASONS,
    folder=FOLDER,
    setup=rules.setup,
    legal=rules.legal,
    apply=rules.apply,
    resample=knowledge.resample,
    payoff=rules.payoff,
    action_text=notation.action_text,
    action_params=notation.action_params,
    prompt=notation.prompt,
    refuse=notation.refuse,
    view=view.view,
    notebook=view.notebook,
    inventory=view.inventory,
    parts={"cards": {card: {"rank": rank} for rank, card in enumerate(CARDS, 1)}},
)
