"""Rare cases of Mantis: icons one after the other, a goal reached by a steal, the last cards of the pile."""

from collections.abc import Iterator

import pytest

import tavolino
from tavolino.games.mantis.facts import CARDS
from tests.games.mantis.conftest import Arrange

pytestmark = pytest.mark.plain
MANTIS = tavolino.load("mantis")


def tank(match: tavolino.Match, seat: int) -> dict[str, int]:
    return {colour: n for colour, n in match.view(None)["seats"][seat]["tank"].items() if n}


def scores(match: tavolino.Match) -> list[int]:
    return [seat["score"] for seat in match.view(None)["seats"]]


def play(match: tavolino.Match, *actions: str) -> list[dict[str, object]]:
    return [event for action in actions for event in match.play(action)]


# -- icons


@pytest.mark.rule("MA-22")
def test_an_extra_turn_can_bring_another_one(arrange: Arrange) -> None:
    tanks = ["red red red red", "blue green pink pink", "orange orange orange orange"]
    match = arrange(tanks, ["blue another-turn", "green another-turn", "yellow", "purple"])
    play(match, "steal 1", "steal 1")
    assert match.to_act == 0
    assert tank(match, 0) == {"red": 4, "blue": 2, "green": 2}
    match.play("score")
    assert match.to_act == 1  # the third turn brought no icon


@pytest.mark.rule("MA-20", "MA-22")
def test_in_an_extra_turn_only_a_steal_starts_an_icon(arrange: Arrange) -> None:
    tanks = ["red red red green", "blue green pink pink", "orange orange orange orange"]
    match = arrange(tanks, ["blue another-turn", "green another-turn"])
    match.play("steal 1")
    assert match.play("score")[0]["icon"] == "another-turn"
    assert scores(match) == [2, 0, 0]
    assert match.to_act == 1


@pytest.mark.rule("MA-22", "MA-23")
def test_a_card_is_taken_after_an_extra_turn_too(arrange: Arrange) -> None:
    tanks = ["red red red red", "blue green pink pink", "orange orange orange orange"]
    match = arrange(tanks, ["pink", "yellow", "blue another-turn", "green steal-a-card"], first=1)
    play(match, "score", "score", "steal 1", "steal 1")
    assert scores(match) == [0, 3, 0]
    assert (match.to_act, match.legal()) == (0, ("take 1",))
    match.play("take 1")
    assert scores(match) == [1, 2, 0]
    assert match.to_act == 1


@pytest.mark.rule("MA-23", "MA-13")
def test_the_card_may_be_taken_from_a_player_who_was_not_stolen_from(arrange: Arrange) -> None:
    tanks = ["red red red red", "blue green pink yellow", "orange orange orange orange"]
    match = arrange(tanks, ["orange", "blue steal-a-card"], first=2)
    play(match, "score", "steal 1")
    assert tank(match, 0) == {"red": 4, "blue": 2}  # what was stolen goes to the tank as always
    match.play("take 2")
    assert scores(match) == [1, 0, 4]


@pytest.mark.rule("MA-24", "MA-30")
def test_a_steal_that_scores_can_win_the_game(arrange: Arrange) -> None:
    tanks = ["red red red red", "blue blue blue blue", "pink pink pink pink"]
    match = arrange(tanks, ["red", "yellow", "yellow", "blue score-and-steal"])
    play(match, "score", "score", "score")
    assert scores(match) == [5, 0, 0]
    events = match.play("steal 1")
    assert scores(match) == [10, 0, 0]
    assert events[-1] == {"kind": "over", "winners": [0], "reason": "MA-30"}


@pytest.mark.rule("MA-30", "MA-13")
def test_ten_cards_in_a_tank_win_nothing(arrange: Arrange) -> None:
    tanks = ["red red red red", "blue blue blue blue", "pink pink pink pink"]
    match = arrange(tanks, ["blue", "yellow", "yellow", "pink", "orange", "orange"])
    play(match, "steal 1", "score", "score", "steal 2")
    assert sum(tank(match, 0).values()) == 14
    assert scores(match) == [0, 0, 0]
    assert not match.over


@pytest.mark.rule("MA-13", "MA-11")
def test_what_was_stolen_joins_ones_own_cards_of_that_colour_and_scores_with_them(arrange: Arrange) -> None:
    tanks = ["blue blue red red", "blue blue green green", "pink pink pink pink"]
    match = arrange(tanks, ["blue", "yellow", "yellow", "blue"])
    play(match, "steal 1", "score", "score")
    assert tank(match, 0) == {"blue": 5, "red": 2}
    match.play("score")
    assert scores(match) == [6, 0, 0]


# -- the last cards


def last_cards(*cards: str, players: int = 3) -> Iterator[tavolino.Match]:
    """Games in which only these cards are left in the pile. Cards are only stolen until then."""
    for seed in range(40):
        rest = [card for card in CARDS if card not in cards]
        match = MANTIS.start(players, seed, decks={"draw": [*rest[seed:], *rest[:seed], *cards]})
        while not match.over and match.view(None)["draw"]["size"] > len(cards):
            legal = match.legal()
            match.play(legal[1 + seed % (players - 1)] if legal[0] == "score" else legal[0])
        if not match.over and match.view(None)["step"] == "turn":
            yield match


def holder_of(match: tavolino.Match, colour: str) -> int | None:
    """Another player with a card of this colour in the tank."""
    seats = [seat for seat in range(match.players) if seat != match.to_act]
    return next((seat for seat in seats if tank(match, seat).get(colour)), None)


@pytest.mark.rule("MA-22", "MA-31")
def test_an_extra_turn_uses_the_last_card_and_then_the_game_is_over() -> None:
    seen = 0
    for match in last_cards("green:blue+pink", "pink:yellow+green"):  # the first one brings another turn
        thief, victim = match.to_act, holder_of(match, "green")
        if victim is None:
            continue
        match.play(f"steal {victim}")
        assert match.to_act == thief
        assert match.view(None)["draw"]["size"] == 1
        match.play(f"steal {victim}")
        assert match.outcome
        assert match.outcome.reason == "MA-31"
        seen += 1
    assert seen >= 3


@pytest.mark.rule("MA-24", "MA-31", "MA-30")
def test_cards_scored_by_a_steal_with_the_last_card_are_counted() -> None:
    ends = set()
    for match in last_cards("green:red+blue"):  # its icon scores what it steals
        thief, victim = match.to_act, holder_of(match, "green")
        if victim is None or thief is None:
            continue
        had, loot = scores(match)[thief], tank(match, victim)["green"] + 1
        match.play(f"steal {victim}")
        assert scores(match)[thief] == had + loot
        assert match.outcome
        # Ten are the goal with the last card too; with fewer the piles are compared.
        assert match.outcome.reason == ("MA-30" if had + loot >= 10 else "MA-31")
        assert (thief in match.outcome.winners) == (had + loot >= 10 or scores(match)[thief] == max(scores(match)))
        ends.add(match.outcome.reason)
    assert ends == {"MA-30", "MA-31"}


# -- two players


@pytest.mark.rule("MA-40")
def test_with_two_players_ten_cards_are_not_enough(arrange: Arrange) -> None:
    tanks = ["red red red red", "blue blue blue blue"]
    match = arrange(tanks, ["red", "pink", "blue", "blue", "orange"])
    play(match, "score", "score", "steal 1", "score")
    assert scores(match) == [11, 0]
    assert not match.over


@pytest.mark.rule("MA-41")
def test_a_score_in_the_extra_turn_ends_the_chain(arrange: Arrange) -> None:
    match = arrange(["red red red red", "blue green green pink"], ["blue", "red", "green"])
    play(match, "steal 1", "score")
    assert scores(match) == [5, 0]
    assert match.to_act == 1


@pytest.mark.rule("MA-41")
def test_the_card_of_a_skipped_turn_can_bring_the_other_player_a_chain_of_their_own(arrange: Arrange) -> None:
    match = arrange(["red red red orange", "blue green green pink"], ["blue", "red", "orange", "yellow"])
    match.play("steal 1")
    back = match.view(None)["draw"]
    match.play("end-turn")
    assert match.view(None)["draw"] == back
    match.play("steal 0")  # the same card
    assert tank(match, 1) == {"green": 2, "pink": 1, "red": 4}
    assert (match.to_act, match.legal()) == (1, ("score", "steal 0", "end-turn"))
    match.play("steal 0")
    match.play("end-turn")
    assert (match.to_act, match.legal()) == (0, ("score", "steal 1"))  # an ordinary turn cannot be skipped
