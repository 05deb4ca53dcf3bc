"""What a player by habit is sure to do: stories of single decisions."""

import tavolino
from tavolino.bots import SeatDoor, make_bot
from tavolino.engine.match import Match


def medium(match: Match) -> str:
    assert match.to_act is not None
    return make_bot("medium", match.game.name, 0).choose(SeatDoor(match, match.to_act))


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


def test_thanos_snaps_when_he_can() -> None:
    stones = ["mind-stone", "soul-stone", "space-stone", "power-stone", "reality-stone", "time-stone"]
    game = tavolino.load("infinity-gauntlet")
    match = game.start(3, "snap", options={"thanos_life": 20, "hero_life": 20}, decks={"thanos": stones})
    bots = [make_bot("medium", game.name, seat) for seat in range(3)]
    while match.to_act is not None and "snap" not in match.legal():
        match.play(bots[match.to_act].choose(SeatDoor(match, match.to_act)))
    assert match.to_act == 0, "with these lives and this deck it must come to a snap"
    assert medium(match) == "snap"


def test_a_hero_names_the_number_that_was_seen() -> None:
    """A 2 shows the hero a card of Thanos, and the 1 that is left names its number."""
    game = tavolino.load("infinity-gauntlet")
    decks = {"hero": ["nebula", "gamora", "spider-man"], "thanos": ["proxima-midnight", "ebony-maw", "black-dwarf"]}
    match = game.start(2, "look", decks=decks)
    match.play("play proxima-midnight")
    match.play("play gamora")
    seen = [event for event in match.view(1)["log"] if event["kind"] == "looked"][-1]["card"]
    if "play nebula" in match.legal():
        match.play("play nebula")
    else:
        match.play("play spider-man")
    number = {"ebony-maw": 5, "black-dwarf": 3}[seen]
    assert medium(match) == f"guess {number}"


def test_a_hero_declines_a_hopeless_fight() -> None:
    game = tavolino.load("infinity-gauntlet")
    decks = {"hero": ["nebula", "thor", "spider-man"], "thanos": ["thanos", "time-stone", "ebony-maw"]}
    match = game.start(2, "hopeless", decks=decks)
    match.play("play ebony-maw")
    match.play(next(action for action in match.legal() if action not in ("bottom thanos", "bottom time-stone")))
    match.play("play thor")
    assert match.view(1)["step"] == "fight"
    assert medium(match) == "decline"


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
