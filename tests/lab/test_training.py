"""Training: the gradient is right, and the same seed gives the same weights however the work is done."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tavolino.engine.net import NetShape, net_of_weights
from tavolino.lab.net_steps import add_gradient, learning_room
from tavolino.lab.training import Report, Round, TrainingFailed, TrainingPlan, first_weights, train

GAME = "splendor-marvel"
TINY = TrainingPlan(GAME, (2,), 5, rounds=(Round(200, 0, 1, 1e-3, 320), Round(100, 4, 1, 1e-3, 320)))
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
