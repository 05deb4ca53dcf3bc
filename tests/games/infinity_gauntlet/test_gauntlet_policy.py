"""What a player of Infinity Gauntlet by heuristic is sure to do: scenarios of single decisions."""

import pytest

import tavolino
from tavolino.bots import SeatMatch, make_bot
from tavolino.coach.reasons import reasons
from tavolino.engine.match import Match
from tests.games.infinity_gauntlet.gauntlet_scenarios import deal, play


def medium(match: Match) -> str:
    assert match.to_act is not None
    return make_bot("medium", match.game.name, 0).choose(SeatMatch(match, match.to_act))


def test_thanos_snaps_when_he_can() -> None:
    stones = ["mind-stone", "soul-stone", "space-stone", "power-stone", "reality-stone", "time-stone"]
    game = tavolino.load("infinity-gauntlet")
    match = game.start(3, "snap", options={"thanos_life": 20, "hero_life": 20}, decks={"thanos": stones})
    bots = [make_bot("medium", game.name, seat) for seat in range(3)]
    while match.to_act is not None and "snap" not in match.legal():
        match.play(bots[match.to_act].choose(SeatMatch(match, match.to_act)))
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


@pytest.mark.parametrize(
    ("cards", "actions", "rule"),
    [
        ("outrider thanos ebony-maw", ["play outrider", "choose 1"], "IG-61"),
        ("mind-stone thanos ebony-maw", ["play mind-stone"], "IG-62"),
        ("proxima-midnight thanos ebony-maw", ["play proxima-midnight", "play nebula"], "IG-51"),
    ],
)
def test_the_reason_for_a_guess_names_the_rule_of_the_card_that_asks(cards: str, actions: list[str], rule: str) -> None:
    match = deal(3, hero="nebula hulk", thanos=cards)
    play(match, *actions)
    assert match.to_act is not None
    legal = match.legal()
    facts = [fact for better in legal for chosen in legal for fact in reasons(match, match.to_act, better, chosen)]
    assert {fact.rule for fact in facts if fact.key in ("can-hold", "sure-guess", "excluded")} == {rule}
