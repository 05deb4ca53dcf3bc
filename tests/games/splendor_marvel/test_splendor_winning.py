"""Splendor: Marvel, the Gauntlet, the end of a round and of the game (SM-30 to SM-36)."""

from typing import Any

import pytest

import tavolino
from tavolino.games.splendor_marvel.facts import PARTS
from tests.games.splendor_marvel.conftest import Scenario, Scripted

pytestmark = pytest.mark.plain

ALL_FIVE = "yellow blue red orange purple"
TAKE = "take yellow blue red"


def ready(scenario: type[Scenario], players: int = 2, first: int = 0, **decks: Any) -> Scenario:
    """A table without locations: all points are set by the test."""
    game = scenario(players, first, **decks)
    game.match._states[0]["locations"][:] = -1
    return game


# -- the condition


@pytest.mark.rule("SM-30")
@pytest.mark.parametrize(
    ("points", "bonuses", "tokens", "is_met"),
    [
        (16, ALL_FIVE, "green", True),
        (15, ALL_FIVE, "green", False),
        (20, "yellow yellow blue red orange", "green", False),
        (20, ALL_FIVE, "grey", False),
    ],
)
def test_the_gauntlet_asks_for_points_all_five_colours_and_the_time_stone(
    scenario: type[Scenario], points: int, bonuses: str, tokens: str, is_met: bool
) -> None:
    game = ready(scenario, first=1)
    game.lay(tokens={0: tokens}, bonuses={0: bonuses}, points={0: points})
    assert game.seat(0)["gauntlet"]["met"] is is_met
    game.play(TAKE, TAKE)
    assert game.match.over is is_met


@pytest.mark.rule("SM-31")
def test_the_round_is_finished_so_that_all_have_had_equally_many_turns(scenario: type[Scenario]) -> None:
    game = ready(scenario, players=3, first=1)
    game.lay(tokens={1: "green"}, bonuses={1: ALL_FIVE}, points={1: 17})
    events = game.play(TAKE)
    assert events[-1] == {"kind": "gauntlet", "seat": 1, "points": 17}
    assert game.match.to_act == 2
    game.play(TAKE)
    assert not game.match.over
    events = game.play(TAKE)
    assert events[-1] == {"kind": "over", "winners": [1], "reason": "SM-33"}
    assert game.match.outcome == tavolino.Outcome((1,), "SM-33")
    assert game.legal == ()


@pytest.mark.rule("SM-31")
def test_the_last_player_of_a_round_ends_it_then_and_there(scenario: type[Scenario]) -> None:
    game = ready(scenario, players=3, first=1)
    game.lay(tokens={0: "green"}, bonuses={0: ALL_FIVE}, points={0: 16})
    game.play(TAKE, TAKE)
    assert not game.match.over
    game.play(TAKE)
    assert game.match.outcome
    assert game.match.outcome.winners == (0,)


@pytest.mark.rule("SM-31")
def test_a_round_begins_with_the_first_player_whatever_the_seat(scenario: type[Scenario]) -> None:
    game = ready(scenario, players=4, first=3)
    game.play(*[TAKE] * 3)
    assert game.table()["round"] == 1
    game.play(TAKE)
    assert game.table()["round"] == 2
    assert game.match.to_act == 3


def lose_the_tile(scenario: type[Scenario], **points: int) -> Scenario:
    """Seat 0 holds 16 points with the Avengers tile; seat 1 is about to have more symbols."""
    game = ready(scenario, level_1=["wasp"], players=3)
    game.lay(
        tokens={0: "green", 1: "green", 2: "green"},
        bonuses={0: ALL_FIVE, 1: ALL_FIVE + " yellow orange", 2: ALL_FIVE},
        avengers={0: 3, 1: 3},
        points={0: 16, 1: 3, 2: 3} | {int(seat[-1]): n for seat, n in points.items()},
    )
    game.set(avengers_tile=0)
    events = game.play(TAKE)
    assert events[-1]["kind"] == "gauntlet"
    game.play("recruit wasp")
    return game


@pytest.mark.rule("SM-32")
def test_whoever_falls_below_16_with_the_avengers_tile_has_not_won_and_the_game_goes_on(
    scenario: type[Scenario],
) -> None:
    game = lose_the_tile(scenario)
    assert game.seat(0)["points"] == 13
    game.play(TAKE)
    assert not game.match.over
    assert game.table()["round"] == 2
    assert game.match.to_act == 0


@pytest.mark.rule("SM-32")
def test_another_can_win_in_that_very_round(scenario: type[Scenario]) -> None:
    game = lose_the_tile(scenario, seat_1=13)
    assert game.seat(1)["points"] == 16
    game.play(TAKE)
    assert game.match.outcome
    assert game.match.outcome.winners == (1,)


@pytest.mark.rule("SM-32", "SM-33")
def test_only_those_who_meet_the_condition_are_compared(scenario: type[Scenario]) -> None:
    game = ready(scenario, players=3)
    game.lay(
        tokens={0: "green", 1: "green"},
        bonuses={0: ALL_FIVE, 1: "yellow yellow blue red orange", 2: ALL_FIVE},
        points={0: 16, 1: 25, 2: 22},
    )
    game.play(TAKE, TAKE, TAKE)
    assert game.match.outcome
    assert game.match.outcome.winners == (0,)


# -- who wins


def tie(
    scenario: type[Scenario], points: tuple[int, ...], cards: tuple[int, ...], tile: int | None
) -> tavolino.Outcome | None:
    game = ready(scenario, players=3)
    game.lay(
        tokens=dict.fromkeys(range(3), "green"),
        bonuses=dict.fromkeys(range(3), ALL_FIVE),
        points=dict(enumerate(points)),
        n_cards=dict(enumerate(cards)),
    )
    game.set(avengers_tile=-1 if tile is None else tile)
    game.play(TAKE, TAKE, TAKE)
    return game.match.outcome


@pytest.mark.rule("SM-33")
@pytest.mark.parametrize(
    ("points", "cards", "tile", "winners"),
    [
        ((16, 18, 17), (5, 20, 5), 0, (1,)),  # most points, whatever else
        ((17, 17, 16), (5, 20, 5), 1, (1,)),  # then the Avengers tile, also with more cards
        ((17, 17, 16), (12, 11, 5), 2, (1,)),  # then the fewest cards; the third's tile does not count
        ((17, 17, 17), (11, 12, 11), None, (0, 2)),  # then a shared win
        ((16, 16, 16), (9, 9, 9), None, (0, 1, 2)),
        ((15, 16, 14), (9, 9, 9), 0, (1,)),
    ],
)
def test_most_points_then_the_tile_then_the_fewest_cards_then_a_shared_win(
    scenario: type[Scenario],
    points: tuple[int, ...],
    cards: tuple[int, ...],
    tile: int | None,
    winners: tuple[int, ...],
) -> None:
    assert tie(scenario, points, cards, tile) == tavolino.Outcome(winners, "SM-33")


def points_on_the_table(match: tavolino.Match) -> list[int]:
    """SM-34, counted from the cards and tiles of a seat."""
    table = match.view(None)
    return [
        sum(PARTS["cards"][card]["points"] for card in seat["cards"])
        + 3 * len(seat["locations"])
        + 3 * (table["avengers_tile"] == n)
        for n, seat in enumerate(table["seats"])
    ]


@pytest.mark.rule("SM-34")
def test_points_are_those_of_cards_locations_and_the_avengers_tile(scripted: Scripted) -> None:
    record = scripted("the-game-goes-on-after-the-avengers-tile-is-lost")
    match = tavolino.replay({**record, "actions": []})
    for action in record["actions"]:
        match.play(action)
        assert [seat["points"] for seat in match.view(None)["seats"]] == points_on_the_table(match)


# -- rare courses of whole games, played from the deal


def rounds_of(record: dict[str, Any]) -> list[dict[str, Any]]:
    """The table at the end of each round, with the seats that met the condition during it."""
    match = tavolino.replay({**record, "actions": []})
    rounds: list[dict[str, Any]] = []
    met: set[int] = set()
    number = 1
    for action in record["actions"]:
        events = match.play(action)
        met |= {event["seat"] for event in events if event["kind"] == "gauntlet"}
        table = match.view(None)
        if match.over or table["round"] != number:
            rounds.append({"met": met, "still": {n for n, s in enumerate(table["seats"]) if s["gauntlet"]["met"]}})
            met, number = set(), table["round"]
    rounds[-1]["seats"] = match.view(None)["seats"]
    rounds[-1]["outcome"] = match.outcome
    rounds[-1]["tile"] = match.view(None)["avengers_tile"]
    return rounds


@pytest.mark.rule("SM-32")
def test_a_whole_game_that_goes_on_after_somebody_could_assemble_the_gauntlet(scripted: Scripted) -> None:
    rounds = rounds_of(scripted("the-game-goes-on-after-the-avengers-tile-is-lost"))
    assert any(played["met"] and not played["still"] for played in rounds[:-1])


@pytest.mark.rule("SM-32")
def test_a_whole_game_in_which_another_wins_in_the_round_of_the_loss(scripted: Scripted) -> None:
    last = rounds_of(scripted("somebody-else-wins-after-the-avengers-tile-is-lost"))[-1]
    assert last["met"] - last["still"]
    assert set(last["outcome"].winners) <= last["still"]


@pytest.mark.rule("SM-33")
def test_whole_games_with_ties(scripted: Scripted) -> None:
    last = rounds_of(scripted("a-shared-win"))[-1]
    one, two = (last["seats"][seat] for seat in last["outcome"].winners)
    assert (one["points"], len(one["cards"])) == (two["points"], len(two["cards"]))
    assert last["tile"] not in last["outcome"].winners

    last = rounds_of(scripted("a-tie-broken-by-the-avengers-tile"))[-1]
    assert last["outcome"].winners == (last["tile"],)
    assert len({last["seats"][seat]["points"] for seat in last["still"]}) == 1
    assert len(last["still"]) > 1

    last = rounds_of(scripted("a-tie-broken-by-the-fewest-cards"))[-1]
    (winner,) = last["outcome"].winners
    best = [seat for seat in last["still"] if last["seats"][seat]["points"] == last["seats"][winner]["points"]]
    assert len(best) > 1
    assert all(
        len(last["seats"][winner]["cards"]) < len(last["seats"][seat]["cards"]) for seat in best if seat != winner
    )


@pytest.mark.rule("SM-35", "SM-19")
def test_a_round_of_passes_ends_the_game_without_a_winner(scripted: Scripted) -> None:
    record = scripted("a-round-of-passes")
    assert record["actions"][-3:] == ["pass", "pass", "pass"]
    match = tavolino.replay({**record, "actions": record["actions"][:-2]})
    assert not match.over  # seat 1 has passed, but seat 0 had not in that round
    match.play("pass")
    assert not match.over
    events = match.play("pass")
    assert events[-1] == {"kind": "over", "winners": [], "reason": "SM-35"}
    assert match.outcome == tavolino.Outcome((), "SM-35")


@pytest.mark.rule("SM-36")
def test_the_end_of_the_200th_round_ends_the_game_without_a_winner(scripted: Scripted) -> None:
    record = scripted("the-200th-round")
    match = tavolino.replay({**record, "actions": record["actions"][:-1]})
    assert match.view(None)["round"] == 200
    assert not match.over
    match.play(record["actions"][-1])
    assert match.outcome == tavolino.Outcome((), "SM-36")


@pytest.mark.rule("SM-33", "SM-35", "SM-36")
def test_in_the_last_round_the_gauntlet_comes_first_then_a_round_of_passes(scenario: type[Scenario]) -> None:
    game = ready(scenario)
    game.lay(tokens={0: "green"}, bonuses={0: ALL_FIVE}, points={0: 16})
    game.set(round_number=200)
    game.play(TAKE, TAKE)
    assert game.match.outcome == tavolino.Outcome((0,), "SM-33")


@pytest.mark.rule("SM-35", "SM-36")
def test_a_round_of_passes_in_the_200th_round_is_a_round_of_passes(scripted: Scripted) -> None:
    record = scripted("a-round-of-passes")
    match = tavolino.replay({**record, "actions": record["actions"][:-2]})
    match._states["round_number"][0] = 200
    match.play("pass")
    match.play("pass")
    assert match.outcome
    assert match.outcome.reason == "SM-35"


@pytest.mark.rule("SM-35", "SM-33")
def test_a_winner_comes_before_a_round_of_passes(scripted: Scripted) -> None:
    record = scripted("a-round-of-passes")
    match = tavolino.replay({**record, "actions": record["actions"][:-1]})
    state = match._states[0]
    state["points"][1], state["bonuses"][1] = 16, 1
    state["tokens"][1, 0], state["tokens"][1, 6] = 1, 1  # the Time Stone in place of a yellow token
    match.play("pass")
    assert match.outcome == tavolino.Outcome((1,), "SM-33")
