"""What a player of Splendor: Marvel by heuristic is sure to do: scenarios of single decisions."""

import tavolino
from tavolino.bots import SeatMatch, make_bot
from tavolino.engine.match import Match


def medium(match: Match) -> str:
    assert match.to_act is not None
    return make_bot("medium", match.game.name, 0).choose(SeatMatch(match, match.to_act))


def test_splendor_recruits_the_card_that_wins() -> None:
    """Fifteen points, every colour and the Time Stone: any card with a point ends the game."""
    game = tavolino.load("splendor-marvel")
    match = game.start(2, "finish")
    states = match._states
    states["points"][0, 0] = 15
    states["bonuses"][0, 0, :] = 7
    states["tokens"][0, 0, 6] = 1
    match._advance(3, 0)
    choice = medium(match)
    assert choice.startswith("recruit ")
    assert game.parts["cards"][choice.removeprefix("recruit ")]["points"] >= 1
