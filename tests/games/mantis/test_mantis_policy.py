"""What a player of Mantis by heuristic is sure to do: scenarios of single decisions."""

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


def after_a_steal(top: str, tanks: tuple[list[int], list[int]]) -> Match:
    """A game of two in which a steal has just brought seat 0 another turn, with these tanks and this top card."""
    deck = ["red:orange+yellow", "red:orange+green", "red:orange+blue", "red:orange+purple"]
    others = ["blue:green+purple", "green:blue+purple", "purple:green+blue", "pink:green+blue"]
    match = tavolino.load("mantis").start(2, "extra", decks={"draw": [*deck, *others, "blue:red+orange", top]})
    match.play("steal 1")
    match._states["tank"][0, :2] = tanks
    match._advance(3, 0)
    assert match.legal() == ("score", "steal 1", "end-turn")
    return match


def test_mantis_leaves_out_a_turn_whose_card_helps_nobody() -> None:
    """No colour of the back lies in a tank: the other player must use the card up, and the next one is ours."""
    match = after_a_steal("green:yellow+pink", ([4, 2, 0, 0, 2, 2, 0], [3, 2, 0, 0, 2, 2, 0]))
    assert medium(match) == "end-turn"
    assert make_bot("hard", "mantis", 0, iterations=4000).choose(SeatMatch(match, 0)) == "end-turn"


def test_mantis_plays_the_extra_turn_when_its_card_helps() -> None:
    match = after_a_steal("green:yellow+pink", ([0, 0, 3, 3, 0, 0, 3], [0, 0, 1, 1, 0, 0, 1]))
    assert medium(match) == "score"
    match = after_a_steal("green:yellow+pink", ([2, 0, 0, 0, 0, 0, 0], [0, 0, 4, 4, 0, 0, 4]))
    assert medium(match) == "steal 1"


def test_mantis_does_not_leave_a_good_card_to_the_other_player() -> None:
    """It is of no use to seat 0, but the other player would score with it."""
    match = after_a_steal("green:yellow+pink", ([4, 2, 0, 0, 2, 2, 0], [0, 0, 3, 3, 0, 0, 3]))
    assert medium(match) != "end-turn"
