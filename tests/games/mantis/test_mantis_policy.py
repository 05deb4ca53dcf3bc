"""What a player of Mantis by heuristic is sure to do: stories of single decisions."""

import tavolino
from tavolino.bots import SeatMatch, make_bot
from tavolino.engine.match import Match


def medium(match: Match) -> str:
    assert match.to_act is not None
    return make_bot("medium", match.game.name, 0).choose(SeatMatch(match, match.to_act))


def test_mantis_scores_when_the_card_is_sure_to_match() -> None:
    """Whatever the top card is, its three colours lie in the tank already."""
    deck = ["red:orange+yellow", "orange:red+yellow", "yellow:red+orange", "red:green+blue"]
    others = ["blue:green+purple", "green:blue+purple", "purple:green+blue", "pink:green+blue"]
    match = tavolino.load("mantis").start(2, "sure", decks={"draw": [*deck, *others, "red:orange+pink"]})
    states = match._states
    states["tank"][0, 0] = [2, 2, 2, 0, 0, 0, 2]
    match._advance(3, 0)
    assert medium(match) == "score"


def test_mantis_counts_the_cards_that_are_gone() -> None:
    """The back shows red, orange and yellow, but the red and the orange card with that back lie on the table.

    So the card is yellow: the stack of yellow is what to go for, though red and orange are there too.
    """
    deck = ["red:orange+yellow", "orange:red+yellow", "blue:green+purple", "green:blue+purple"]
    others = ["yellow:green+blue", "yellow:green+purple", "purple:green+blue", "pink:green+blue"]
    match = tavolino.load("mantis").start(2, "gone", decks={"draw": [*deck, *others, "yellow:red+orange"]})
    assert match.view(0)["draw"]["back"] == ["red", "orange", "yellow"]
    assert medium(match) == "steal 1"
