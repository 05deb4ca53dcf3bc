"""Mantis: the game of two (MA-40, MA-41)."""

import random

import pytest

import tavolino
from tests.games.mantis.conftest import Arrange

pytestmark = pytest.mark.plain
MANTIS = tavolino.load("mantis")


def scores(match: tavolino.Match) -> list[int]:
    return [seat["score"] for seat in match.view(None)["seats"]]


@pytest.mark.rule("MA-40")
def test_two_players_play_to_fifteen() -> None:
    match = MANTIS.start(2, "two")
    assert match.view(None)["goal"] == 15
    assert MANTIS.start(3, "three").view(None)["goal"] == 10
    reached = 0
    for seed in range(8):
        match = MANTIS.start(2, seed)
        rng = random.Random(seed)
        while not match.over:
            before = max(scores(match))
            assert before < 15
            match.play(rng.choice(match.legal()))
        assert match.outcome
        if match.outcome.reason == "MA-30":
            reached += 1
            assert max(scores(match)) >= 15
    assert reached


@pytest.mark.rule("MA-41")
def test_with_two_players_a_steal_that_succeeds_brings_another_whole_turn(arrange: Arrange) -> None:
    match = arrange(["red red red red", "blue green green pink"], ["blue", "green", "orange", "pink"])
    assert [event["kind"] for event in match.play("steal 1")] == ["turned", "back", "another-turn"]
    assert match.to_act == 0
    assert match.legal() == ("score", "steal 1", "end-turn")
    match.play("steal 1")
    assert match.to_act == 0
    match.play("steal 1")
    assert match.to_act == 1, "as long as one succeeds"


@pytest.mark.rule("MA-41")
@pytest.mark.parametrize("icons", [True, False])
@pytest.mark.parametrize("icon", ["another-turn", "steal-a-card", "score-and-steal"])
def test_with_two_players_no_icon_counts_whatever_the_option_says(arrange: Arrange, icon: str, icons: bool) -> None:
    match = arrange(["red red red red", "blue green green pink"], [f"blue {icon}"], icons=icons)
    event = match.play("steal 1")[0]
    assert event["icon"] is None
    assert scores(match) == [0, 0]
    assert match.view(0)["seats"][0]["tank"]["blue"] == 2
    assert match.view(0)["step"] == "extra-turn"
    assert match.view(0)["icons"] is False


@pytest.mark.rule("MA-41")
def test_the_turn_that_a_steal_has_brought_may_be_left_out(arrange: Arrange) -> None:
    match = arrange(["red red red red", "blue green green pink"], ["blue", "green", "orange", "pink"])
    assert "end-turn" not in match.legal(), "a turn that no steal has brought is played"
    match.play("steal 1")
    assert match.view(0)["step"] == "extra-turn"
    assert match.view(0)["prompt"] == {"key": "extra-turn", "seat": 0}
    before = match.view(None)
    assert match.play("end-turn") == [{"kind": "turn-ended", "seat": 0}]
    after = match.view(None)
    assert match.to_act == 1
    assert after["draw"] == before["draw"], "the other player has the same top card"
    assert after["seats"] == before["seats"]
    assert match.legal() == ("score", "steal 0"), "this turn was not brought by a steal"
    match.play("score")
    assert match.view(None)["log"][-2]["card"].startswith("green:")


@pytest.mark.rule("MA-41")
@pytest.mark.parametrize("played", ["score", "steal 1"])
def test_a_turn_after_a_turn_that_was_played_cannot_be_ended(arrange: Arrange, played: str) -> None:
    match = arrange(["red red red red", "blue green green pink"], ["blue", "yellow", "orange", "orange"])
    match.play("steal 1")
    match.play(played)
    assert match.to_act == 1
    assert "end-turn" not in match.legal()
    with pytest.raises(tavolino.IllegalAction) as refused:
        match.play("end-turn")
    assert refused.value.rule == "MA-10"
    assert "score" in str(refused.value)


@pytest.mark.rule("MA-22", "MA-41")
def test_the_turn_that_an_icon_brings_must_be_played(arrange: Arrange) -> None:
    tanks = ["red red red red", "blue green green pink", "yellow yellow yellow yellow"]
    match = arrange(tanks, ["blue another-turn", "green"])
    assert match.play("steal 1")[0]["icon"] == "another-turn"
    assert match.to_act == 0
    assert match.legal() == ("score", "steal 1", "steal 2")


@pytest.mark.rule("MA-41")
def test_with_rules_of_version_1_the_turn_must_be_played(arrange: Arrange) -> None:
    newest = arrange(["red red red red", "blue green green pink"], ["blue", "green", "orange", "pink"])
    record = newest.record()
    match = MANTIS.start(2, record["seed"], record["options"], record["decks"], rules="1")
    match.play("steal 1")
    assert match.to_act == 0
    for other in (match, match.clone(), match.resample(0, 1), tavolino.replay(match.record())):
        assert other.rules == "1"
        assert other.legal() == ("score", "steal 1")
        assert other.view(0)["step"] == "turn"
    assert match.record()["rules"] == "1"
    newest.play("steal 1")
    newest.play("end-turn")
    with pytest.raises(tavolino.BadRecord, match="'end-turn', is not legal"):
        tavolino.replay({**newest.record(), "rules": "1", "hash": None})


@pytest.mark.rule("MA-41")
def test_no_game_of_two_takes_more_decisions_than_stated() -> None:
    """Every extra turn is left out, and everybody steals: the longest way to play."""
    for seed in range(20):
        match = MANTIS.start(2, f"long {seed}")
        taken = 0
        while not match.over:
            match.play(match.legal()[-1])
            taken += 1
        assert taken <= MANTIS.most_decisions(2)
