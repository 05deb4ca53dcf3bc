"""Mantis: to score or to steal (MA-10 to MA-17)."""

from typing import Any

import pytest

import tavolino
from tests.games.mantis.conftest import Arrange

pytestmark = pytest.mark.plain


def tank(match: tavolino.Match, seat: int) -> dict[str, int]:
    return {colour: n for colour, n in match.view(None)["seats"][seat]["tank"].items() if n}


def scores(match: tavolino.Match) -> list[int]:
    return [seat["score"] for seat in match.view(None)["seats"]]


@pytest.mark.rule("MA-10")
def test_a_turn_offers_to_score_or_to_steal_from_anybody_else(arrange: Arrange) -> None:
    match = arrange(["red blue green pink"] * 4)
    assert match.legal() == ("score", "steal 1", "steal 2", "steal 3")
    match.play("score")
    assert match.to_act == 1
    assert match.legal() == ("score", "steal 0", "steal 2", "steal 3")


@pytest.mark.rule("MA-10")
def test_the_choice_is_made_before_the_card_is_turned(arrange: Arrange) -> None:
    """The same back with another front: whoever decides sees the same."""
    one = arrange(["red red red red"] * 3, ["blue:green+pink"])
    other = arrange(["red red red red"] * 3, ["green:blue+pink"])
    for viewer in (0, 1, 2, None):
        assert one.view(viewer) == other.view(viewer)


@pytest.mark.rule("MA-11", "MA-15")
def test_a_matching_score_takes_every_card_of_that_colour_to_the_score_pile(arrange: Arrange) -> None:
    match = arrange(["red red red blue", "red green green pink", "red pink pink pink"], ["red"])
    events = match.play("score")
    assert tank(match, 0) == {"blue": 1}
    assert scores(match) == [4, 0, 0]
    assert tank(match, 1) == {"red": 1, "green": 2, "pink": 1}
    assert events[0]["matched"] is True
    assert events[0] == {
        "kind": "turned",
        "seat": 0,
        "how": "score",
        "target": 0,
        "card": events[0]["card"],
        "icon": None,
        "matched": True,
        "count": 4,
    }
    assert match.to_act == 1


@pytest.mark.rule("MA-12")
def test_a_score_without_a_match_begins_a_new_stack(arrange: Arrange) -> None:
    match = arrange(["red red red blue"] + ["pink pink pink pink"] * 2, ["yellow"])
    match.play("score")
    assert tank(match, 0) == {"red": 3, "yellow": 1, "blue": 1}
    assert scores(match) == [0, 0, 0]


@pytest.mark.rule("MA-13", "MA-15")
def test_a_matching_steal_takes_every_card_of_that_colour_to_ones_own_tank(arrange: Arrange) -> None:
    match = arrange(["green blue blue blue", "green green red pink", "green pink pink pink"], ["green"])
    match.play("steal 1")
    assert tank(match, 0) == {"green": 4, "blue": 3}
    assert tank(match, 1) == {"red": 1, "pink": 1}
    assert tank(match, 2) == {"green": 1, "pink": 3}
    assert scores(match) == [0, 0, 0]
    assert match.to_act == 1


@pytest.mark.rule("MA-14")
def test_a_steal_without_a_match_leaves_the_card_with_the_victim(arrange: Arrange) -> None:
    match = arrange(["yellow blue blue blue", "green green red pink", "pink pink pink pink"], ["yellow"])
    match.play("steal 1")
    assert tank(match, 1) == {"red": 1, "yellow": 1, "green": 2, "pink": 1}
    assert tank(match, 0) == {"yellow": 1, "blue": 3}


@pytest.mark.rule("MA-16")
def test_with_an_empty_tank_one_plays_on_and_can_be_given_a_card(arrange: Arrange) -> None:
    match = arrange(["red red red red", "blue blue blue pink", "green green green pink"], ["red", "red", "pink", "red"])
    match.play("score")
    assert tank(match, 0) == {}
    assert "steal 0" in match.legal()
    match.play("steal 0")
    assert tank(match, 0) == {"red": 1}, "an empty tank never matches: it is a present"
    match.play("score")
    assert match.to_act == 0
    assert match.legal() == ("score", "steal 1", "steal 2")
    match.play("score")
    assert scores(match)[0] == 7


@pytest.mark.rule("MA-17")
def test_the_size_of_a_score_pile_is_open_and_its_cards_are_not_listed(arrange: Arrange) -> None:
    match = arrange(["red red red blue", "pink pink pink pink", "green green green green"], ["red"])
    match.play("score")
    for viewer in (0, 1, 2, None):
        view = match.view(viewer)
        assert view["seats"][0] == {
            "tank": {**dict.fromkeys(view["seats"][0]["tank"], 0), "blue": 1},
            "score": 4,
        }


@pytest.mark.rule("MA-10")
@pytest.mark.parametrize(
    ("action", "rule", "key"),
    [
        ("steal 0", "MA-13", "steal-from-yourself"),
        ("take 1", "MA-10", "score-or-steal"),
        ("steal 5", None, "no-such-seat"),
        ("steal", None, "unknown"),
        ("steal one", None, "unknown"),
        ("score 1", None, "unknown"),
        ("SCORE", None, "unknown"),
        ("", None, "unknown"),
    ],
)
def test_a_refusal_names_the_rule_and_changes_nothing(
    arrange: Arrange, action: str, rule: str | None, key: str
) -> None:
    match = arrange(["red red red blue"] + ["pink pink pink pink"] * 2)
    before = match.hash()
    with pytest.raises(tavolino.IllegalAction) as refusal:
        match.play(action)
    assert (refusal.value.rule, refusal.value.key) == (rule, key)
    assert str(refusal.value).endswith((".", "”"))
    assert match.hash() == before


@pytest.mark.rule("MA-01")
@pytest.mark.parametrize(
    "call",
    [
        {"players": 1},
        {"players": 7},
        {"players": True},
        {"options": {"first": 4}},
        {"options": {"first": -1}},
        {"options": {"icons": 1}},
        {"options": {"colours": 7}},
        {"decks": {"score": []}},
        {"decks": {"draw": ["blue"]}},
        {"decks": {"draw": ["blue:green+red"]}},
        {"decks": {"draw": ["blue:red+green", "blue:red+green"]}},
        {"decks": {"draw": "blue:red+green"}},
        {"seed": 1.5},
    ],
)
def test_a_start_that_makes_no_sense_is_refused(call: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"\."):
        tavolino.load("mantis").start(**{"players": 4, "seed": "s", **call})
