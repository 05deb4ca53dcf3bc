"""Mantis: the three icons (MA-20 to MA-24)."""

import pytest

import tavolino
from tests.games.mantis.conftest import Arrange

pytestmark = pytest.mark.plain
FULL = "pink pink pink pink"


def tank(match: tavolino.Match, seat: int) -> dict[str, int]:
    return {colour: n for colour, n in match.view(None)["seats"][seat]["tank"].items() if n}


def scores(match: tavolino.Match) -> list[int]:
    return [seat["score"] for seat in match.view(None)["seats"]]


@pytest.mark.rule("MA-20", "MA-22")
def test_another_turn_follows_a_steal_that_this_very_card_made_succeed(arrange: Arrange) -> None:
    match = arrange(["red red red red", "blue green green green", FULL], ["blue another-turn", "red"])
    events = match.play("steal 1")
    assert [event["kind"] for event in events] == ["turned", "back", "another-turn"]
    assert tank(match, 0) == {"red": 4, "blue": 2}
    assert match.to_act == 0
    assert match.legal() == ("score", "steal 1", "steal 2"), "a whole turn, and there is no way to decline it"
    match.play("score")
    assert scores(match) == [5, 0, 0]
    assert match.to_act == 1


@pytest.mark.rule("MA-20")
@pytest.mark.parametrize("icon", ["another-turn", "steal-a-card", "score-and-steal"])
def test_an_icon_does_nothing_when_the_steal_fails(arrange: Arrange, icon: str) -> None:
    tanks = ["orange orange orange orange", "green green green green", "pink pink red red"]
    match = arrange(tanks, ["red", f"blue {icon}"], first=2)
    match.play("score")
    event = match.play("steal 1")[0]
    assert event["icon"] == icon
    assert event["matched"] is False
    assert tank(match, 1) == {"green": 4, "blue": 1}
    assert scores(match) == [0, 0, 3]
    assert match.to_act == 1
    assert match.view(0)["step"] == "turn"


@pytest.mark.rule("MA-21")
@pytest.mark.parametrize("icon", ["another-turn", "steal-a-card", "score-and-steal"])
def test_an_icon_on_a_card_used_to_score_is_ignored(arrange: Arrange, icon: str) -> None:
    tanks = ["blue red red red", "green green green green", "pink pink yellow yellow"]
    match = arrange(tanks, ["pink", f"blue {icon}"], first=2)
    match.play("score")
    event = match.play("score")[0]
    assert event["icon"] == icon
    assert event["matched"] is True
    assert scores(match) == [2, 0, 3]
    assert match.to_act == 1
    assert match.view(0)["step"] == "turn"


@pytest.mark.rule("MA-21")
def test_icons_in_tanks_and_on_cards_stolen_along_are_ignored(arrange: Arrange) -> None:
    cards = ["blue another-turn", "blue steal-a-card", "blue score-and-steal"]
    match = arrange([FULL, "green green green green", "red red red red"], [*cards, "orange", "orange", "blue"])
    match.play("steal 2")  # into the tank of seat 2, without a match
    match.play("steal 2")  # the second one matches, and it is its own icon that asks; nobody has scored, so nothing
    assert tank(match, 1) == {"green": 4, "blue": 2}
    match.play("steal 1")  # the third matches with its icon: straight to the score pile
    assert scores(match) == [0, 0, 3]
    match.play("steal 1")
    match.play("steal 0")
    # The cards in tanks had icons too, and no turn was repeated for them.
    assert match.to_act == 2


@pytest.mark.rule("MA-21")
def test_a_plain_card_that_steals_cards_with_icons_starts_none_of_them(arrange: Arrange) -> None:
    cards = ["blue another-turn", "orange", "orange", "blue"]
    match = arrange([FULL, "green green green green", "red red red red"], cards)
    match.play("steal 2")
    match.play("steal 0")
    match.play("steal 0")
    events = match.play("steal 2")
    assert events[0]["matched"] is True
    assert events[0]["icon"] is None
    assert match.to_act == 1


@pytest.mark.rule("MA-23")
def test_steal_a_card_takes_one_from_a_score_pile_of_ones_choice(arrange: Arrange) -> None:
    tanks = ["pink pink pink blue", "green green green red", "red red red orange"]
    match = arrange(tanks, ["green", "red", "red steal-a-card"], first=1)
    match.play("score")
    match.play("score")
    assert scores(match) == [0, 4, 4]
    match.play("steal 1")
    assert match.to_act == 0, "asked after the steal, before the next turn"
    assert match.view(0)["prompt"] == {"key": "take", "seat": 0}
    assert match.legal() == ("take 1", "take 2")
    events = match.play("take 2")
    assert events[0] == {"kind": "taken", "seat": 0, "target": 2}
    assert scores(match) == [1, 4, 3]
    assert match.to_act == 1


@pytest.mark.rule("MA-23")
def test_steal_a_card_is_asked_even_with_one_pile_and_cannot_be_declined(arrange: Arrange) -> None:
    match = arrange(
        ["pink pink pink blue", "green green green red", "orange orange orange orange"],
        ["green", "yellow", "red steal-a-card"],
        first=1,
    )
    match.play("score")
    match.play("score")
    match.play("steal 1")
    assert match.legal() == ("take 1",)
    for action, key in [("score", "take-first"), ("steal 1", "take-first"), ("take 2", "empty-score-pile")]:
        with pytest.raises(tavolino.IllegalAction) as refusal:
            match.play(action)
        assert (refusal.value.rule, refusal.value.key) == ("MA-23", key)
    with pytest.raises(tavolino.IllegalAction) as refusal:
        match.play("take 0")
    assert refusal.value.key == "take-from-yourself"


@pytest.mark.rule("MA-23")
def test_steal_a_card_does_nothing_when_nobody_else_has_scored(arrange: Arrange) -> None:
    match = arrange(
        ["blue blue blue red", "pink pink red green", FULL],
        ["blue", "orange", "yellow", "red steal-a-card"],
    )
    match.play("score")
    match.play("score")
    match.play("score")
    assert scores(match) == [4, 0, 0], "one's own score pile does not count"
    match.play("steal 1")
    assert match.view(None)["step"] == "turn"
    assert match.to_act == 1


@pytest.mark.rule("MA-24", "MA-15")
def test_score_and_steal_brings_the_stolen_cards_to_the_score_pile(arrange: Arrange) -> None:
    match = arrange(["blue red red red", "blue blue green green", FULL], ["blue score-and-steal"])
    match.play("steal 1")
    assert scores(match) == [3, 0, 0]
    assert tank(match, 0) == {"red": 3, "blue": 1}, "one's own cards of that colour stay where they are"
    assert tank(match, 1) == {"green": 2}
    assert match.to_act == 1


@pytest.mark.rule("MA-20")
def test_with_icons_switched_off_no_card_shows_or_starts_one(arrange: Arrange) -> None:
    match = arrange(["red red red red", "blue green green green", FULL], ["blue another-turn"], icons=False)
    events = match.play("steal 1")
    assert events[0]["icon"] is None
    assert match.to_act == 1
    assert match.view(0)["icons"] is False
