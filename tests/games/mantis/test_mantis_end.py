"""Mantis: the end (MA-30, MA-31)."""

import random
from collections.abc import Iterator

import pytest

import tavolino
from tavolino.games.mantis.facts import CARDS
from tests.games.mantis.conftest import Arrange

pytestmark = pytest.mark.plain
MANTIS = tavolino.load("mantis")
ENDS = 8  # so many games are brought to their last card for each scenario


def scores(match: tavolino.Match) -> list[int]:
    return [seat["score"] for seat in match.view(None)["seats"]]


@pytest.mark.rule("MA-30")
def test_ten_cards_in_the_score_pile_win_at_once(arrange: Arrange) -> None:
    tanks = ["red red red red", "blue blue blue blue", "green green green green"]
    match = arrange(tanks, ["red", "pink", "pink", "blue", "yellow", "yellow", "blue"])
    for action in ("score", "score", "score", "steal 1", "score", "score"):
        match.play(action)
    assert scores(match) == [5, 0, 0]
    assert match.view(0)["goal"] == 10
    events = match.play("score")
    assert scores(match) == [11, 0, 0]
    assert events[-1] == {"kind": "over", "winners": [0], "reason": "MA-30"}
    assert match.outcome == tavolino.Outcome((0,), "MA-30")
    assert match.to_act is None
    assert match.legal() == ()
    with pytest.raises(tavolino.IllegalAction, match="over"):
        match.play("score")


@pytest.mark.rule("MA-30", "MA-23")
def test_the_tenth_card_may_be_one_that_is_taken_from_another_score_pile(arrange: Arrange) -> None:
    tanks = ["red red red red", "blue blue green green", "pink pink orange orange"]
    draws = ["red", "yellow", "pink", "blue", "purple", "yellow", "blue", "red", "red", "green steal-a-card"]
    match = arrange(tanks, draws)
    for action in (
        "score",
        "score",
        "score",
        "steal 1",
        "score",
        "score",
        "score",
        "score",
        "score",
        "steal 1",
    ):
        match.play(action)
    assert scores(match) == [9, 0, 3]
    assert match.legal() == ("take 2",)
    match.play("take 2")
    assert match.outcome == tavolino.Outcome((0,), "MA-30")


def deck_that_ends_with(last: str, seed: int) -> dict[str, list[str]]:
    deck = [card for card in CARDS if card != last]
    random.Random(seed).shuffle(deck)
    return {"draw": [*deck, last]}


def play_until_one_card_is_left(match: tavolino.Match) -> bool:
    """Nobody scores more than once, so that the pile runs low; False if the game ended before."""
    while match.view(None)["draw"]["size"] > 1:
        has_scored = match.to_act is not None and scores(match)[match.to_act] > 0
        legal = match.legal()
        match.play("score" if "score" in legal and not has_scored else legal[-1])
        if match.over:
            return False
    return match.view(None)["step"] == "turn"


def matching_steals(match: tavolino.Match, colour: str) -> list[str]:
    seats = match.view(None)["seats"]
    return [f"steal {n}" for n, seat in enumerate(seats) if seat["tank"][colour] and n != match.to_act]


def ends(last: str, players: int = 4) -> Iterator[tuple[tavolino.Match, list[str]]]:
    """Games with one card left in the pile, and the steals that this card would make succeed."""
    found = 0
    for seed in range(60):
        match = MANTIS.start(players, seed, decks=deck_that_ends_with(last, seed))
        if play_until_one_card_is_left(match):
            yield match, matching_steals(match, last.split(":")[0])
            found += 1
        if found == ENDS:
            return


def check_leaders(match: tavolino.Match) -> None:
    rank = [(seat["score"], sum(seat["tank"].values())) for seat in match.view(None)["seats"]]
    winners = tuple(seat for seat, it in enumerate(rank) if it == max(rank))
    assert match.outcome == tavolino.Outcome(winners, "MA-31")


@pytest.mark.rule("MA-31")
def test_when_the_pile_runs_out_the_largest_score_pile_wins_then_the_fullest_tank() -> None:
    seen = 0
    for match, _ in ends("pink:red+green", players=5):
        match.play("score")
        assert match.outcome
        if match.outcome.reason == "MA-31":
            check_leaders(match)
            assert match.view(None)["draw"] == {"size": 0, "back": None}
            seen += 1
    assert seen >= 3


@pytest.mark.rule("MA-31")
def test_equal_score_piles_and_equal_tanks_share_the_win() -> None:
    """Without icons, and with nobody ever scoring, all score piles stay empty and the tanks decide."""
    shared = 0
    for seed in range(15):
        match = MANTIS.start(6, seed, {"icons": False})
        while not match.over:
            match.play(match.legal()[1 + seed % 5])
        assert scores(match) == [0] * 6
        check_leaders(match)
        assert match.outcome
        shared += len(match.outcome.winners) > 1
    assert shared >= 1


@pytest.mark.rule("MA-31")
def test_an_extra_turn_without_a_card_does_not_happen() -> None:
    seen = 0
    for match, steals in ends("green:blue+pink"):
        if steals:
            events = match.play(steals[0])
            assert events[0]["icon"] == "another-turn"
            assert events[0]["matched"] is True
            assert [event["kind"] for event in events] == ["turned", "over"]
            check_leaders(match)
            seen += 1
    assert seen >= 3


@pytest.mark.rule("MA-31", "MA-23")
def test_the_last_turn_is_finished_first_with_its_card_to_take() -> None:
    seen = 0
    for match, steals in ends("green:purple+pink"):
        before = scores(match)
        others = [seat for seat, score in enumerate(before) if score and seat != match.to_act]
        if steals and others:
            thief = match.to_act
            match.play(steals[0])
            assert not match.over
            assert match.legal() == tuple(f"take {seat}" for seat in others)
            match.play(match.legal()[0])
            assert match.over
            assert scores(match)[thief] == before[thief] + 1
            assert match.outcome
            if match.outcome.reason == "MA-31":
                check_leaders(match)
                seen += 1
    assert seen >= 3


@pytest.mark.rule("MA-41", "MA-31")
def test_with_two_players_too_a_last_steal_brings_no_turn_without_a_card() -> None:
    seen = 0
    for match, steals in ends("pink:red+green", players=2):
        if steals:
            assert [event["kind"] for event in match.play(steals[0])] == ["turned", "over"]
            seen += 1
    assert seen >= 3
