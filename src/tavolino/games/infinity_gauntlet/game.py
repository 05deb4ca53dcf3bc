"""Infinity Gauntlet, for 2 to 6 players: Thanos against a team of heroes."""

from tavolino.engine.decks import Deck
from tavolino.engine.game import Game
from tavolino.games.infinity_gauntlet import actions, facts, notebook, refusals, worlds

GAME = Game.from_package(
    __name__,
    decks={
        "hero": Deck([facts.CARDS[card] for card in facts.HERO_DECK], facts.HERO_DECK),
        "thanos": Deck([facts.CARDS[card] for card in facts.THANOS_DECK], facts.THANOS_DECK),
    },
    action_count=actions.ACTION_COUNT,
    most_decisions=facts.most_decisions,
    resample=worlds.resample,
    conceal=worlds.conceal,
    refuse=refusals.refuse,
    notebook=notebook.notebook,
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
