"""What the net of Splendor: Marvel is told about a seat."""

import numpy as np
import pytest

import tavolino
from tavolino.bots.policies import policy_of
from tavolino.engine.compiled import entry
from tavolino.engine.match import Match
from tavolino.engine.net import MAX_SEATS, Floats, features
from tavolino.engine.record import States
from tavolino.games.splendor_marvel.facts import BONUS, COST, GREEN, LEVEL, POINTS
from tavolino.games.splendor_marvel.policy.features import FAR, OUTLOOK, SHAPE

pytestmark = pytest.mark.plain

OWN_FINISH, RIVALS_FINISH = OUTLOOK + 3, OUTLOOK + 4
NOT_NEAR = 1 / (1 + FAR)


@entry
def describe(states: States, inputs: Floats) -> None:
    features(states[0], inputs)


def described(match: Match) -> Floats:
    policy_of("splendor-marvel")
    inputs = np.ones((MAX_SEATS, SHAPE.inputs), np.float32)
    describe(match._states, inputs)
    return inputs


def near_the_end(points: int, colours: int, has_stone: bool) -> Match:
    """Seat 0 has one bonus of each of so many colours; nobody has any other token."""
    match = tavolino.load("splendor-marvel").start(3, "finish")
    match._states["points"][0, 0] = points
    match._states["bonuses"][0, 0, :colours] = 1
    match._states["tokens"][0, 0, GREEN] = 1 if has_stone else 0
    return match


def fewest_missing(match: Match, colours: int, *, fewest_points: int, lowest_level: int = 0) -> int:
    due = COST - match._states["bonuses"][0, 0]
    cards = match._states["face_up"][0, : match._states["n_face_up"][0]]
    return min(
        (
            int(np.maximum(due[card], 0).sum())
            for card in cards
            if POINTS[card] >= fewest_points and LEVEL[card] >= lowest_level and (colours == 5 or BONUS[card] == 4)
        ),
        default=FAR,
    )


@pytest.mark.parametrize("colours", [4, 5])
def test_a_seat_and_its_rivals_know_how_near_it_is_to_a_card_that_ends_the_game(colours: int) -> None:
    match = near_the_end(13, colours, has_stone=True)
    missing = min(fewest_missing(match, colours, fewest_points=3), FAR)
    inputs = described(match)
    assert inputs[0, OWN_FINISH] == pytest.approx(1 / (1 + missing))
    assert inputs[1:3, RIVALS_FINISH] == pytest.approx(np.full(2, 1 / (1 + missing)))
    assert inputs[0, RIVALS_FINISH] == pytest.approx(NOT_NEAR), "nobody else is near"
    assert inputs[1:3, OWN_FINISH] == pytest.approx(np.full(2, NOT_NEAR))


def test_without_the_time_stone_only_a_card_of_the_third_level_ends_the_game() -> None:
    match = near_the_end(15, 5, has_stone=False)
    missing = min(fewest_missing(match, 5, fewest_points=1, lowest_level=2), FAR)
    with_stone = min(fewest_missing(match, 5, fewest_points=1), FAR)
    assert missing > with_stone
    assert described(match)[0, OWN_FINISH] == pytest.approx(1 / (1 + missing))


def test_no_card_ends_the_game_if_two_colours_are_missing_or_too_many_points() -> None:
    assert described(near_the_end(15, 3, has_stone=True))[0, OWN_FINISH] == pytest.approx(NOT_NEAR)
    assert described(near_the_end(9, 5, has_stone=True))[0, OWN_FINISH] == pytest.approx(NOT_NEAR)


def test_inputs_of_cards_that_are_not_there_are_empty_whatever_stood_there() -> None:
    items = described(near_the_end(0, 0, has_stone=False))[:3, SHAPE.whole : -1].reshape(3, -1, SHAPE.per_item)
    assert (items[:, :12, 0] == 1.0).all()
    assert not items[:, 12:].any()
