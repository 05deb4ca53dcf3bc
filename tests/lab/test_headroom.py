"""The value of an action when `medium` bots play on, and the headroom above medium."""

import numpy as np
import pytest

import tavolino
from tavolino.bots import SeatMatch, make_bot
from tavolino.engine.match import Match
from tavolino.lab.headroom import action_values, headroom


def nearly_won() -> Match:
    """Seat 0 wins by scoring, whatever the top card is; and so does seat 1, whose turn comes next."""
    match = tavolino.load("mantis").start(3, "nearly", options={"icons": False})
    match._states["score"][0, :2] = 8
    match._states["tank"][0, :2, :] = 2
    match._advance(3, 0)
    return match


def test_an_action_that_wins_at_once_is_worth_a_whole_win() -> None:
    values = action_values(nearly_won(), [True] * 3, rollouts=50, sees_all=False, seed=1)
    assert values[0] == pytest.approx(1.0)
    assert (values[1:] < 1.0).all()


@pytest.mark.parametrize("game", tavolino.games())
def test_the_fair_measure_sees_the_same_in_worlds_a_seat_cannot_tell_apart(game: str) -> None:
    match = tavolino.load(game).start(4, "worlds")
    for number in range(12):
        assert match.to_act is not None
        other = match.resample(match.to_act, number)
        here, there = (action_values(each, [True] * 4, 4, False, 7) for each in (match, other))
        assert np.array_equal(here, there)
        match.play(make_bot("medium", game, number).choose(SeatMatch(match, match.to_act)))


def test_who_sees_the_top_card_knows_whether_it_matches() -> None:
    """Seat 0 wins by scoring if the top card is of the one colour of its tank; else seat 1 is sure to win."""
    found = set()
    for seed in range(40):
        match = tavolino.load("mantis").start(3, seed, options={"icons": False})
        match._states["score"][0, :3] = 9
        match._states["tank"][0, 1:3, :] = 2
        match._states["tank"][0, 0, :] = 0
        match._states["tank"][0, 0, 3] = 2
        match._advance(3, 0)
        if "green" in match.view(0)["draw"]["back"]:
            found.add(bool(action_values(match, [True] * 3, 20, True, 1)[0] > 0.999))
    assert found == {True, False}


def test_headroom_is_measured_from_below_and_from_above() -> None:
    figures = headroom("mantis", ["medium", "random", "random"], positions=30, rollouts=40)["all"]
    assert figures["positions"] >= 30
    assert figures["low"] <= figures["high"]
    assert figures["high"] >= 0
    sides = headroom("infinity-gauntlet", ["medium"] * 3, positions=8, rollouts=4)
    assert set(sides) == {"Thanos", "heroes"}
