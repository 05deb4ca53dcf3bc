"""Rare cases of Splendor: Marvel: limits at the end of a turn, decks that run out, tiles that change hands."""

import pytest

from tests.games.splendor_marvel.conftest import Scenario

pytestmark = pytest.mark.plain
FOUR = ["rocket", "wasp", "wong", "rhino"]
FIVE_COLOURS = "yellow blue red orange purple"


# -- ten tokens


@pytest.mark.rule("SM-23", "SM-13")
def test_a_grey_token_taken_with_ten_tokens_may_be_the_one_that_goes_back(scenario: type[Scenario]) -> None:
    game = scenario(players=4)
    game.lay(tokens={0: "yellow yellow blue blue red red orange orange purple purple"})
    game.play("reserve level-1")
    assert game.table()["prompt"]["count"] == 1
    game.play("return grey")
    assert game.held(0) == {"yellow": 2, "blue": 2, "red": 2, "orange": 2, "purple": 2}
    assert game.table()["bank"]["grey"] == 5
    assert len(game.seat(0)["reserved"]) == 1


@pytest.mark.rule("SM-23", "SM-20")
def test_a_time_stone_that_is_the_eleventh_token_makes_another_one_go_back(scenario: type[Scenario]) -> None:
    game = scenario(players=4, level_3=["black-bolt"])
    game.lay(tokens={0: "grey grey blue blue red red orange orange purple purple"}, bonuses={0: "yellow " * 7})
    events = game.play("recruit black-bolt")  # free, so no token leaves
    assert "time-stone" in [event["kind"] for event in events]
    assert game.table()["prompt"] == {"key": "return", "seat": 0, "count": 1}
    assert "return green" not in game.legal
    game.play("return grey")
    assert game.held(0)["green"] == 1
    assert sum(game.held(0).values()) == 10


@pytest.mark.rule("SM-23", "SM-11")
def test_a_token_just_taken_may_go_back_at_once(scenario: type[Scenario]) -> None:
    game = scenario(players=4)
    game.lay(tokens={0: "blue blue red red orange orange purple purple grey"})
    game.play("take yellow yellow", "return yellow")
    assert game.held(0)["yellow"] == 1
    assert game.table()["bank"]["yellow"] == 6


@pytest.mark.rule("SM-23", "SM-31")
def test_the_turn_ends_only_when_tokens_are_returned_and_the_gauntlet_is_looked_at_then(
    scenario: type[Scenario],
) -> None:
    game = scenario(players=2, first=1)
    game.play("take yellow blue red")
    game.lay(
        tokens={0: "green orange orange orange yellow yellow purple purple purple"},
        bonuses={0: FIVE_COLOURS},
        points={0: 16},
    )
    game.play("take blue red purple")
    assert not game.match.over
    game.play("return purple", "return purple")
    assert game.match.outcome
    assert game.match.outcome.winners == (0,)


# -- taking tokens


@pytest.mark.rule("SM-10", "SM-11")
def test_with_two_colours_left_two_of_one_may_still_be_taken(scenario: type[Scenario]) -> None:
    game = scenario(players=4)
    game.lay(tokens={1: "yellow " * 7 + "blue " * 7 + "red " * 7 + "orange " * 3})
    assert {*game.legal_of("take")} == {
        "take orange",
        "take purple",
        "take orange purple",
        "take orange orange",
        "take purple purple",
    }


# -- decks that run out


@pytest.mark.rule("SM-13", "SM-18")
def test_the_last_card_of_a_deck_can_be_reserved_blindly_and_the_row_is_then_not_refilled(
    scenario: type[Scenario],
) -> None:
    game = scenario(level_1=[*FOUR, "electro"])
    game.match._states[0]["pool_size"][0] = 1
    game.lay()
    game.play("reserve level-1")
    assert game.table()["decks"]["1"] == 0
    assert game.table()["rows"]["1"] == FOUR
    game.play("reserve wasp")
    assert game.table()["rows"]["1"] == ["rocket", None, "wong", "rhino"]
    assert game.legal_of("reserve")[:3] == ["reserve rocket", "reserve wong", "reserve rhino"]


@pytest.mark.rule("SM-15", "SM-18")
def test_a_card_recruited_from_the_hand_changes_no_row(scenario: type[Scenario]) -> None:
    game = scenario(level_1=["mysterio", *FOUR])
    game.lay(tokens={0: "orange orange"})
    game.play("reserve mysterio", "take yellow blue red")
    rows, decks = game.table()["rows"], game.table()["decks"]
    events = game.play("recruit mysterio")
    assert "refilled" not in [event["kind"] for event in events]
    assert (game.table()["rows"], game.table()["decks"]) == (rows, decks)


# -- paying


@pytest.mark.rule("SM-16", "SM-17")
def test_the_bonus_of_a_card_does_not_help_to_pay_for_that_card(scenario: type[Scenario]) -> None:
    game = scenario(level_1=FOUR)  # Rocket costs a yellow and two reds, and brings a yellow bonus
    game.lay(tokens={0: "red red"})
    assert game.refusal("recruit rocket") == ("SM-16", "too-dear")


@pytest.mark.rule("SM-17")
def test_grey_can_pay_for_all_that_bonuses_leave(scenario: type[Scenario]) -> None:
    game = scenario(level_1=FOUR)
    game.lay(tokens={0: "yellow red grey grey grey"}, bonuses={0: "red"})
    game.play("recruit rocket", "grey yellow", "grey red")
    assert game.legal == ("pay",)
    game.play("pay")
    assert game.held(0) == {"yellow": 1, "red": 1, "grey": 1}


@pytest.mark.rule("SM-17", "SM-20")
def test_green_pays_for_nothing(scenario: type[Scenario]) -> None:
    game = scenario(level_1=FOUR)
    game.lay(tokens={0: "red red green"})
    assert game.refusal("recruit rocket") == ("SM-16", "too-dear")


# -- tiles


@pytest.mark.rule("SM-22")
def test_a_second_location_comes_in_the_next_turn_whatever_the_action(scenario: type[Scenario]) -> None:
    game = scenario(locations=["knowhere", "avengers-tower"])
    game.lay(bonuses={0: "yellow " * 4 + "blue " * 4 + "red " * 3})
    game.play("take yellow blue red")
    assert game.legal == ("visit avengers-tower", "visit knowhere")
    game.play("visit knowhere", "take yellow blue red")
    assert game.seat(0)["locations"] == ["knowhere"]
    game.play("take yellow blue red")
    assert game.seat(0)["locations"] == ["knowhere", "avengers-tower"]
    assert game.seat(0)["points"] == 6


@pytest.mark.rule("SM-22")
def test_who_is_first_to_end_a_turn_gets_a_location_that_two_players_cover(scenario: type[Scenario]) -> None:
    game = scenario(locations=["knowhere", "asgard"])
    for seat in (0, 1):
        game.lay(bonuses={seat: "yellow yellow yellow blue blue blue red red red"})
    game.play("take yellow blue red", "take yellow orange purple")
    assert game.seat(0)["locations"] == ["knowhere"]
    assert game.seat(1)["locations"] == []


@pytest.mark.rule("SM-21")
def test_two_symbols_on_one_card_can_pass_over_three(scenario: type[Scenario]) -> None:
    game = scenario(level_3=["hulk"])
    game.lay(
        tokens={0: "grey grey"}, bonuses={0: "blue blue blue red red red orange orange orange purple purple purple"}
    )
    game.lay(avengers={0: 2, 1: 3})
    game.set(avengers_tile=1)
    game.lay(points={1: 3})
    events = game.play("recruit hulk")
    assert [event["kind"] for event in events] == ["recruited", "refilled", "time-stone", "avengers"]
    assert events[-1]["symbols"] == 4
    assert game.table()["avengers_tile"] == 0
    assert game.seat(1)["points"] == 0


# -- the end


@pytest.mark.rule("SM-31", "SM-33")
def test_the_last_player_of_the_round_does_not_win_against_more_points(scenario: type[Scenario]) -> None:
    game = scenario(players=2)
    for seat, points in ((0, 18), (1, 16)):
        game.lay(tokens={seat: "green"}, bonuses={seat: FIVE_COLOURS}, points={seat: points})
    game.play("take yellow blue red")
    assert not game.match.over
    game.play("take yellow blue red")
    assert game.match.outcome
    assert (game.match.outcome.winners, game.match.outcome.reason) == ((0,), "SM-33")


@pytest.mark.rule("SM-30", "SM-33")
def test_more_points_without_the_time_stone_do_not_count(scenario: type[Scenario]) -> None:
    game = scenario(players=3)
    game.lay(tokens={2: "green"}, bonuses={0: FIVE_COLOURS, 2: FIVE_COLOURS}, points={0: 20, 1: 25, 2: 16})
    game.play("take yellow blue red", "take yellow blue red", "take yellow blue red")
    assert game.match.outcome
    assert game.match.outcome.winners == (2,)


@pytest.mark.rule("SM-22", "SM-30", "SM-31")
def test_a_location_can_bring_the_points_that_end_the_game(scenario: type[Scenario]) -> None:
    game = scenario(players=2, first=1, locations=["knowhere", "asgard"])
    game.play("take yellow blue red")
    game.lay(
        tokens={0: "green"},
        bonuses={0: "yellow yellow yellow blue blue blue red red red orange purple"},
        points={0: 13},
    )
    events = game.play("reserve level-1")
    assert [event["kind"] for event in events][-3:] == ["visited", "gauntlet", "over"]
