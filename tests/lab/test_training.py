"""Training: the gradient is right, and the same seed gives the same weights however the work is done."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tavolino.bots.self_play import UNSEARCHED, Positions
from tavolino.engine.net import NetShape, net_of_weights
from tavolino.lab.net_steps import add_gradient, learning_room
from tavolino.lab.training import (
    Report,
    Round,
    SelfPlay,
    TrainingFailed,
    TrainingPlan,
    first_weights,
    targets,
    train,
)

GAME = "splendor-marvel"
TINY = TrainingPlan(GAME, (2,), 5, rounds=(Round(200, 0, 1, 1e-3, 320), Round(100, 4, 1, 1e-3, 320, 500, 1)))
SMALL = NetShape(3, 2, 7, 4, 5, 6)


def test_the_gradient_is_that_of_the_loss() -> None:
    chance = np.random.default_rng(2)
    inputs = chance.random((20, 3, SMALL.inputs)).astype(np.float32)
    inputs[:10, :, SMALL.whole] = 0.0  # an item that is not there
    shares = np.eye(3, dtype=np.float32)[chance.integers(0, 3, 20)]
    weights = (first_weights(SMALL, 1) + 0.3 * chance.standard_normal(SMALL.size)).astype(np.float32)

    def loss(at: np.ndarray[tuple[int], np.dtype[np.float32]]) -> float:
        losses = np.zeros(1)
        add_gradient(inputs, shares, net_of_weights(SMALL, at), learning_room(SMALL), np.zeros(0), losses)
        return float(losses[0])

    gradient = np.zeros(SMALL.size)
    room = learning_room(SMALL)
    add_gradient(inputs, shares, net_of_weights(SMALL, weights), room, gradient, np.zeros(1))
    for at in range(0, SMALL.size, 7):
        more, less = weights.copy(), weights.copy()
        more[at] += 2e-3
        less[at] -= 2e-3
        slope = (loss(more) - loss(less)) / float(more[at] - less[at])
        assert gradient[at] == pytest.approx(slope, abs=0.02 + 0.05 * abs(slope)), at


@pytest.mark.parametrize("iterations", [0, 3])
def test_every_kept_position_has_a_winner_and_what_the_search_expected(iterations: int) -> None:
    """A game whose first decision was searched was begun again, and that position kept without an outcome."""
    plan = replace(TINY, rounds=(Round(100, iterations, 1, 1e-3, 400),))
    positions = SelfPlay(plan, 2, 0, None).play(0)
    assert len(positions.shares) > 500
    assert (positions.shares.sum(axis=1) == 1.0).all()
    searched = positions.expected[:, 0] != UNSEARCHED
    assert searched.mean() > 0.8 if iterations > 0 else not searched.any()
    assert positions.expected[searched].sum(axis=1) == pytest.approx(1.0, abs=1e-5)
    assert (positions.expected[searched] >= 0.0).all()


def test_a_round_learns_from_what_the_search_expected_too() -> None:
    shares, expected = np.array([[1, 0], [0, 1]], np.float32), np.array([[0.6, 0.4], [-1, -1]], np.float32)
    positions = Positions(np.zeros((2, 2, 1), np.float16), shares, expected)
    assert targets(positions, 0.25) == pytest.approx(np.array([[0.9, 0.1], [0.0, 1.0]]))


@pytest.mark.slow
def test_the_weights_do_not_depend_on_workers_or_interruptions(tmp_path: Path) -> None:
    reports: list[Report] = []
    alone = train(TINY, tmp_path / "alone", progress=reports.append)[2]
    assert [each.round for each in reports if each.loss is not None] == [0, 1]
    together = train(TINY, tmp_path / "together", workers=2)[2]
    assert (alone == together).all()

    class Interrupted(Exception):
        pass

    def interrupt(report: Report) -> None:
        if report.round == 1:
            raise Interrupted

    with pytest.raises(Interrupted):
        train(TINY, tmp_path / "resumed", progress=interrupt)
    assert (train(TINY, tmp_path / "resumed")[2] == alone).all()


def test_a_folder_of_another_training_and_a_game_without_features_are_refused(tmp_path: Path) -> None:
    plan = replace(TINY, players=())
    train(plan, tmp_path)
    with pytest.raises(TrainingFailed, match="another seed"):
        train(replace(plan, seed=6), tmp_path)
    with pytest.raises(TrainingFailed, match="mantis has no features"):
        train(replace(plan, game="mantis"), tmp_path / "other")
