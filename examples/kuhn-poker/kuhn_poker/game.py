"""Kuhn poker as the engine takes it."""

from kuhn_poker.facts import ACTIONS, CARD_COUNT, CARDS
from tavolino.engine.decks import Deck
from tavolino.engine.game import Game

GAME = Game.from_package(
    __name__,
    decks={"cards": Deck(CARDS, range(CARD_COUNT))},
    action_count=len(ACTIONS),
    most_decisions=lambda players: 3,  # check, bet, answer
    parts={"cards": {card: {"rank": rank} for rank, card in enumerate(CARDS, 1)}},
)
