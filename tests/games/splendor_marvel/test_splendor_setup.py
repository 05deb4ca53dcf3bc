"""Splendor: Marvel, parts and set-up (SM-01 to SM-05), and invalid starts."""

from collections import Counter
from typing import Any

import pytest

import tavolino
from tavolino.games.splendor_marvel.facts import (
    AVENGERS,
    BONUS,
    CARDS,
    COST,
    LEVEL,
    LOCATION_COST,
    LOCATIONS,
    PARTS,
    POINTS,
)
from tests.games.splendor_marvel.conftest import Scenario

pytestmark = pytest.mark.plain

COLOURS = ("yellow", "blue", "red", "orange", "purple")
ROW = ["rocket", "wasp", "wong", "rhino"]
# With 8 kinds there are 7 degrees of freedom: a chi-square above 30 has a chance below 0.0001. Seeds are fixed.
BOUND_FOR_8 = 30.0
# 20 kinds, 19 degrees of freedom: above 50.8 has a chance below 0.0001.
BOUND_FOR_20 = 50.8


def chi_square(counts: Counter[str], kinds: int) -> float:
    expected = sum(counts.values()) / kinds
    seen = sum((n - expected) ** 2 / expected for n in counts.values())
    return seen + (kinds - len(counts)) * expected


@pytest.mark.rule("SM-01")
def test_the_box_holds_90_cards_44_tokens_and_four_tiles(scenario: type[Scenario]) -> None:
    assert [sum(1 for level in LEVEL if level == n) for n in range(3)] == [40, 30, 20]
    for level, of_each in enumerate((8, 6, 4)):
        assert Counter(BONUS[level == LEVEL].tolist()) == dict.fromkeys(range(5), of_each)
    assert sum(AVENGERS > 0) == 30
    assert AVENGERS.sum() == 35
    assert len(LOCATIONS) == 8
    bank = scenario(players=4).table()["bank"]
    assert bank == {**dict.fromkeys(COLOURS, 7), "grey": 5, "green": 4}


@pytest.mark.rule("SM-01")
def test_cards_that_the_rulebook_shows_are_as_it_shows_them() -> None:
    def card(name: str) -> tuple[list[int], str, int, int]:
        n = CARDS.index(name)
        return COST[n].tolist(), COLOURS[BONUS[n]], int(POINTS[n]), int(AVENGERS[n])

    assert card("rocket") == ([1, 0, 2, 0, 0], "yellow", 0, 0)
    # "2 yellow, 4 blue and 1 purple; it brings 2 points and a red bonus"
    assert card("ghost-rider") == ([2, 4, 0, 0, 1], "red", 2, 0)
    assert card("wasp")[3] == 1
    assert card("captain-america")[3] == 2
    assert LOCATION_COST[LOCATIONS.index("knowhere")].tolist() == [3, 3, 3, 0, 0]


def test_clients_can_read_what_is_printed_on_the_parts() -> None:
    assert PARTS["cards"]["thor"] == {
        "level": 3,
        "bonus": "red",
        "points": 3,
        "avengers": 2,
        "green": True,
        "cost": {"yellow": 3, "blue": 3, "red": 3, "orange": 0, "purple": 5},
    }
    assert PARTS["locations"]["atlantis"]["cost"] == {"yellow": 0, "blue": 3, "red": 3, "orange": 0, "purple": 3}
    assert len(PARTS["cards"]) == 90


@pytest.mark.rule("SM-02")
def test_four_cards_of_each_level_lie_face_up_in_the_order_of_an_arranged_deck(scenario: type[Scenario]) -> None:
    table = scenario(level_1=[*ROW, "electro"], level_3=["thor"]).table()
    assert table["rows"]["1"] == ROW
    assert table["rows"]["3"][0] == "thor"
    assert table["decks"] == {"1": 36, "2": 26, "3": 16}
    for level, row in table["rows"].items():
        assert all(PARTS["cards"][card]["level"] == int(level) for card in row)


@pytest.mark.rule("SM-02")
def test_every_card_of_a_deck_comes_up_first_equally_often() -> None:
    game = tavolino.load("splendor-marvel")
    counts = Counter(game.start(2, seed).view(None)["rows"]["3"][0] for seed in range(600))
    assert chi_square(counts, 20) < BOUND_FOR_20


@pytest.mark.rule("SM-03")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_as_many_locations_as_players_and_no_tile_on_both_sides(scenario: type[Scenario], players: int) -> None:
    for seed in range(30):
        locations = scenario(players, seed=str(seed)).table()["locations"]
        assert len({LOCATIONS.index(location) // 2 for location in locations}) == players


@pytest.mark.rule("SM-03")
def test_every_side_lies_on_the_table_equally_often() -> None:
    game = tavolino.load("splendor-marvel")
    firsts: Counter[str] = Counter()
    all_sides: Counter[str] = Counter()
    for seed in range(800):
        locations = game.start(2, seed).view(None)["locations"]
        firsts[locations[0]] += 1
        all_sides.update(locations)
    assert chi_square(firsts, 8) < BOUND_FOR_8
    assert chi_square(all_sides, 8) < BOUND_FOR_8


@pytest.mark.rule("SM-03")
def test_named_locations_come_first_and_only_as_many_as_players(scenario: type[Scenario]) -> None:
    named = ["asgard", "attilan", "knowhere", "triskelion"]
    assert scenario(2, locations=named).table()["locations"] == named[:2]
    assert scenario(4, locations=named).table()["locations"] == named
    assert scenario(3, locations=["wakanda"]).table()["locations"][0] == "wakanda"


@pytest.mark.rule("SM-04")
@pytest.mark.parametrize(("players", "colour", "green"), [(2, 4, 2), (3, 5, 3), (4, 7, 4)])
def test_tokens_by_the_number_of_players(scenario: type[Scenario], players: int, colour: int, green: int) -> None:
    assert scenario(players).table()["bank"] == {**dict.fromkeys(COLOURS, colour), "grey": 5, "green": green}


@pytest.mark.rule("SM-05")
def test_the_first_player_is_an_option_and_play_goes_clockwise(scenario: type[Scenario]) -> None:
    game = scenario(players=3, first=2)
    seats = []
    for _ in range(4):
        seats.append(game.match.to_act)
        game.play("take yellow blue red")
    assert seats == [2, 0, 1, 2]
    assert scenario().match.to_act == 0


def test_the_first_layout_is_told_as_events(scenario: type[Scenario]) -> None:
    log = scenario(level_1=ROW, locations=["asgard", "attilan"]).table()["log"]
    assert [event["kind"] for event in log] == ["row", "row", "row", "locations"]
    assert log[0] == {"kind": "row", "level": 1, "cards": ROW}
    assert log[3] == {"kind": "locations", "locations": ["asgard", "attilan"]}


@pytest.mark.parametrize(
    ("players", "options", "decks"),
    [
        (1, None, None),
        (5, None, None),
        (2, {"first": 2}, None),
        (2, {"first": True}, None),
        (2, {"last": 0}, None),
        (2, None, {"level-4": []}),
        (2, None, {"level-1": ["thor"]}),
        (2, None, {"level-3": ["thor", "thor"]}),
        (2, None, {"level-1": ["nobody"]}),
        (2, None, {"locations": ["asgard", "wakanda", "knowhere", "attilan", "triskelion"]}),
        (2, None, {"locations": ["avengers-tower", "attilan"]}),
        (4, None, {"locations": ["asgard", "knowhere", "wakanda"]}),
    ],
)
def test_a_start_that_cannot_be_is_refused(players: int, options: Any, decks: Any) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        tavolino.load("splendor-marvel").start(players, "x", options, decks)


def test_both_sides_of_one_tile_are_named_in_the_refusal() -> None:
    with pytest.raises(ValueError, match="asgard and wakanda are the two sides of one tile"):
        tavolino.load("splendor-marvel").start(2, "x", None, {"locations": ["asgard", "wakanda"]})
