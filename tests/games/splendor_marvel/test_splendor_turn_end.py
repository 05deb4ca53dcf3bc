"""Splendor: Marvel, the end of a turn (SM-20 to SM-24)."""

import pytest

from tests.games.splendor_marvel.conftest import Scenario

pytestmark = pytest.mark.plain

TAKE = "take yellow blue red"
OTHER = "take red orange purple"


# -- the Time Stone


@pytest.mark.rule("SM-20")
def test_the_first_level_3_card_brings_the_time_stone_and_the_second_none(scenario: type[Scenario]) -> None:
    game = scenario(level_3=["drax", "luke-cage"])
    game.lay(bonuses={0: "orange orange orange orange orange orange orange yellow yellow yellow"})
    events = game.play("recruit drax")
    assert {"kind": "time-stone", "seat": 0} in events
    assert game.held(0) == {"green": 1}
    assert game.table()["bank"]["green"] == 1
    events = game.play(TAKE, "recruit luke-cage")
    assert "time-stone" not in [event["kind"] for event in events]
    assert game.held(0) == {"green": 1}


@pytest.mark.rule("SM-20")
def test_cards_of_the_lower_levels_bring_no_time_stone(scenario: type[Scenario]) -> None:
    game = scenario(level_1=["mysterio"], level_2=["venom"])
    game.lay(bonuses={0: "orange orange orange blue blue blue blue blue"})
    game.play("recruit mysterio", TAKE, "recruit venom")
    assert game.held(0) == {}


@pytest.mark.rule("SM-20")
def test_a_reserved_level_3_card_brings_the_stone_only_when_it_is_recruited(scenario: type[Scenario]) -> None:
    game = scenario(level_3=["drax"])
    game.lay(bonuses={0: "orange orange orange orange orange orange orange"})
    game.play("reserve drax", TAKE)
    assert game.held(0) == {"grey": 1}
    game.play("recruit drax")
    assert game.held(0) == {"grey": 1, "green": 1}


# -- the Avengers tile

FREE = "yellow yellow yellow blue blue blue red red red orange orange orange purple purple purple"


@pytest.mark.rule("SM-21", "SM-34")
def test_the_first_with_three_symbols_takes_the_avengers_tile(scenario: type[Scenario]) -> None:
    game = scenario(level_1=["wasp", "hawkeye", "quake"], locations=["hells-kitchen", "avengers-tower"])
    game.lay(bonuses={0: FREE})
    game.play("recruit wasp", TAKE, "recruit hawkeye", TAKE)
    assert game.table()["avengers_tile"] is None
    assert game.seat(0)["avengers"] == 2
    before = game.seat(0)["points"]
    events = game.play("recruit quake")
    assert {"kind": "avengers", "seat": 0, "how": "first", "target": None, "symbols": 3} in events
    assert game.table()["avengers_tile"] == 0
    assert game.seat(0)["points"] == before + 3  # these cards bear no points of their own


@pytest.mark.rule("SM-21")
def test_the_rulebooks_example_a_tie_leaves_the_tile_and_more_symbols_take_it(scenario: type[Scenario]) -> None:
    """Sara has the tile with 4 symbols. Luca gets his fourth with Wasp: a tie. Michele gets his fifth: he takes it."""
    sara, luca, michele = 0, 1, 2
    game = scenario(players=3, first=luca, level_1=["wasp"], level_3=["captain-america"])
    five = "yellow yellow yellow yellow yellow blue blue blue orange orange orange purple purple purple"
    game.lay(bonuses={luca: five, michele: five}, avengers={sara: 4, luca: 3, michele: 3}, points={sara: 5})
    game.set(avengers_tile=sara)
    game.match._states[0]["locations"][:] = -1
    game.play("recruit wasp")
    assert game.table()["avengers_tile"] == sara
    events = game.play("recruit captain-america")
    assert {"kind": "avengers", "seat": michele, "how": "taken-over", "target": sara, "symbols": 5} in events
    assert game.table()["avengers_tile"] == michele
    assert [game.seat(seat)["points"] for seat in (sara, luca, michele)] == [2, 0, 3 + 3]


@pytest.mark.rule("SM-21")
def test_the_tile_can_come_back(scenario: type[Scenario]) -> None:
    game = scenario(level_1=["wasp", "hawkeye", "quake"])
    game.lay(bonuses={0: FREE, 1: FREE}, avengers={0: 3, 1: 3}, points={0: 3})
    game.set(avengers_tile=0)
    game.match._states[0]["locations"][:] = -1
    game.play(TAKE, "recruit wasp")
    assert game.table()["avengers_tile"] == 1
    game.play("recruit hawkeye")
    assert game.table()["avengers_tile"] == 1  # a tie
    game.match._states[0]["avengers"][0] = 5
    game.play(TAKE, "take red orange purple")
    assert game.table()["avengers_tile"] == 0
    assert game.seat(1)["points"] == 0


# -- locations


@pytest.mark.rule("SM-22", "SM-34")
def test_a_location_that_ones_bonuses_cover_comes_at_once(scenario: type[Scenario]) -> None:
    game = scenario(level_1=["mysterio"], locations=["knowhere", "triskelion"])
    game.lay(tokens={0: "orange orange orange"}, bonuses={0: "yellow yellow yellow blue blue blue red red"})
    events = game.play("recruit mysterio")
    assert {"kind": "visited", "seat": 0, "location": "knowhere"} in events
    assert game.seat(0)["locations"] == ["knowhere"]
    assert game.seat(0)["points"] == 3
    assert game.table()["locations"] == ["triskelion"]


@pytest.mark.rule("SM-22")
def test_tokens_do_not_count_for_a_location(scenario: type[Scenario]) -> None:
    game = scenario(locations=["knowhere", "triskelion"])
    game.lay(tokens={0: "red red"}, bonuses={0: "yellow yellow yellow blue blue blue red"})
    game.play("take red orange purple")
    assert game.seat(0)["locations"] == []


@pytest.mark.rule("SM-22")
def test_of_several_locations_one_is_chosen_and_the_other_can_come_in_a_later_turn(scenario: type[Scenario]) -> None:
    game = scenario(locations=["knowhere", "avengers-tower"])
    game.lay(bonuses={0: "yellow yellow yellow yellow blue blue blue blue red red red"})
    game.play(TAKE)
    assert game.match.to_act == 0
    assert game.legal == ("visit avengers-tower", "visit knowhere")
    assert game.table()["prompt"] == {"key": "visit", "seat": 0}
    assert game.refusal(TAKE) == ("SM-22", "choose-a-location")
    assert game.refusal("visit asgard") == ("SM-22", "location-not-there")
    game.play("visit knowhere")
    assert game.seat(0)["locations"] == ["knowhere"]
    assert game.match.to_act == 1  # one a turn
    game.play(OTHER, "take yellow blue purple")
    assert game.seat(0)["locations"] == ["knowhere", "avengers-tower"]
    assert game.seat(0)["points"] == 6


@pytest.mark.rule("SM-22")
def test_a_location_that_is_not_covered_cannot_be_chosen(scenario: type[Scenario]) -> None:
    game = scenario(players=3, locations=["knowhere", "avengers-tower", "asgard"])
    game.lay(bonuses={0: "yellow yellow yellow yellow blue blue blue blue red red red"})
    game.play(TAKE)
    assert game.refusal("visit asgard") == ("SM-22", "bonuses-missing")


@pytest.mark.rule("SM-22")
def test_it_is_no_action_to_ask_for_a_location(scenario: type[Scenario]) -> None:
    game = scenario(locations=["knowhere", "avengers-tower"])
    assert game.refusal("visit knowhere") == (None, "choose-an-action")


# -- ten tokens


@pytest.mark.rule("SM-23")
def test_what_is_over_ten_goes_back_as_one_chooses(scenario: type[Scenario]) -> None:
    game = scenario(players=4)
    game.lay(tokens={0: "yellow yellow blue blue red red orange purple grey"})
    game.play(TAKE)
    assert sum(game.held(0).values()) == 12  # any number while the turn lasts
    assert game.table()["prompt"] == {"key": "return", "seat": 0, "count": 2}
    assert game.legal == tuple(f"return {token}" for token in ("yellow", "blue", "red", "orange", "purple", "grey"))
    assert game.refusal(TAKE) == ("SM-23", "return-tokens")
    game.play("return orange")
    assert "return orange" not in game.legal
    assert game.refusal("return orange") == ("SM-23", "none-to-return")
    game.play("return grey")
    assert game.held(0) == {"yellow": 3, "blue": 3, "red": 3, "purple": 1}
    assert game.table()["bank"]["orange"] == 7
    assert game.table()["bank"]["grey"] == 5
    assert game.match.to_act == 1


@pytest.mark.rule("SM-23")
def test_ten_may_be_kept(scenario: type[Scenario]) -> None:
    game = scenario(players=4)
    game.lay(tokens={0: "yellow yellow blue blue red red orange"})
    game.play(TAKE)
    assert game.match.to_act == 1


@pytest.mark.rule("SM-23", "SM-20")
def test_green_counts_and_never_goes_back(scenario: type[Scenario]) -> None:
    game = scenario(players=4)
    game.lay(tokens={0: "yellow yellow blue blue red red orange green"})
    game.play(TAKE)
    assert "return green" not in game.legal
    assert game.refusal("return green") == ("SM-23", "green-stays")
    game.play("return yellow")
    assert game.held(0)["green"] == 1


@pytest.mark.rule("SM-20", "SM-21", "SM-22", "SM-23")
def test_the_order_time_stone_avengers_tile_location_ten_tokens(scenario: type[Scenario]) -> None:
    game = scenario(players=4, level_3=["thor"], locations=["knowhere", "avengers-tower"])
    game.lay(
        tokens={0: "yellow yellow blue blue orange orange orange orange purple purple"},
        bonuses={0: "yellow yellow yellow yellow blue blue blue blue red red red " + "purple " * 5},
        avengers={0: 1},
    )
    events = game.play("recruit thor")
    assert [event["kind"] for event in events] == ["recruited", "refilled", "time-stone", "avengers"]
    events = game.play("visit knowhere")
    assert [event["kind"] for event in events] == ["visited"]
    assert game.table()["step"] == "return"
    game.play("return orange")
    assert game.match.to_act == 1


@pytest.mark.rule("SM-24")
def test_tokens_are_open_to_all(scenario: type[Scenario]) -> None:
    game = scenario(players=3)
    game.play(TAKE, "reserve level-1", "take purple purple")
    shown = [[seat["tokens"] for seat in game.table(viewer)["seats"]] for viewer in (0, 1, 2, None)]
    assert all(tokens == shown[0] for tokens in shown)
    assert shown[0][1] == {"yellow": 0, "blue": 0, "red": 0, "orange": 0, "purple": 0, "grey": 1, "green": 0}
