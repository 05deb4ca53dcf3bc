"""Infinity Gauntlet, for 2 to 6 players: Thanos against a team of heroes."""

from tavolino.engine.decks import Deck
from tavolino.engine.game import Game
from tavolino.games.infinity_gauntlet import (
    actions,
    facts,
    knowledge,
    notation,
    notebook,
    refusals,
    remarks,
    rules,
    view,
    worlds,
)
from tavolino.games.infinity_gauntlet.meta import META
from tavolino.games.infinity_gauntlet.state import RECORD

GAME = Game(
    meta=META,
    decks={
        "hero": Deck([facts.CARDS[card] for card in facts.HERO_DECK], facts.HERO_DECK),
        "thanos": Deck([facts.CARDS[card] for card in facts.THANOS_DECK], facts.THANOS_DECK),
    },
    record=RECORD,
    action_count=actions.ACTION_COUNT,
    most_decisions=facts.most_decisions,
    event_kinds=notation.EVENT_KINDS,
    steps=notation.STEPS,
    reasons=facts.REASONS,
    folder=facts.FOLDER,
    setup=rules.setup,
    legal=rules.legal,
    apply=rules.apply,
    resample=worlds.resample,
    conceal=worlds.conceal,
    settle=knowledge.settle,
    secret_verbs=notation.SECRET_VERBS,
    action_text=notation.action_text,
    action_params=notation.action_params,
    prompt=notation.prompt,
    refuse=refusals.refuse,
    view=view.view,
    notebook=notebook.notebook,
    inventory=view.inventory,
    remarks=remarks.remarks,
    parts={
        "cards": {
            card: {
                "deck": facts.SIDES[facts.HEROES if number < facts.FIRST_THANOS_CARD else facts.THANOS],
                "number": facts.NUMBER[number].item(),
                "copies": (facts.HERO_DECK + facts.THANOS_DECK).count(number),
                "stone": bool(facts.STONES >> number & 1),
            }
            for number, card in enumerate(facts.CARDS)
        },
        "life": {"heroes": facts.HERO_LIFE, "thanos": facts.THANOS_LIFE},
        "most_life": facts.MOST_LIFE,
    },
)
