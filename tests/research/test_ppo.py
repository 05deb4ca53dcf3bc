"""The PPO example: masked, its gradients are right, it learns, and its player plays by the rules."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from examples import ppo

from tavolino.lab.evaluate import Benchmark, evaluate


def test_illegal_actions_have_no_chance() -> None:
    chance = np.random.default_rng(1)
    weights = ppo.new_weights(20, 6, chance)
    masks = (chance.random((50, 6)) < 0.5).astype(np.int8)
    masks[:, 2] = 1
    _, chances, _ = ppo.forward(weights, chance.random((50, 20), dtype=np.float32), masks)
    assert (chances[masks == 0] == 0).all()
    assert np.allclose(chances.sum(axis=1), 1)
    drawn = ppo.draw(chances, chance)
    assert (masks[np.arange(50), drawn] == 1).all()


def test_advantages_follow_each_seat_to_its_next_decision_or_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """One game, five decisions: seats 0 1 0 0 1; it ends after the fourth, and the fifth is of the next game."""
    monkeypatch.setattr(ppo, "GAMES", 1)
    monkeypatch.setattr(ppo, "STEPS", 5)
    play = ppo.SelfPlay("mantis", 2, 1)
    seats = np.array([[0], [1], [0], [0], [1]])
    values = np.array([[0.1], [0.2], [0.3], [0.4], [0.5]], np.float32)
    is_over = np.array([[False], [False], [False], [True], [False]])
    returns = np.zeros((5, 1, 2), np.float32)
    returns[3, 0] = (1, -1)
    advantages, known = play._advantages(seats, values, is_over, returns)
    assert known[:, 0].tolist() == [True, True, True, True, False]
    last = 1 - 0.4
    middle = (0.4 - 0.3) + ppo.TRACE * last
    assert advantages[:4, 0] == pytest.approx([(0.3 - 0.1) + ppo.TRACE * middle, -1 - 0.2, middle, last])


def test_it_learns_within_seconds_and_its_player_can_be_evaluated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ppo, "HIDDEN", (64,))
    monkeypatch.setattr(ppo, "GAMES", 128)
    chance = np.random.default_rng(1)
    play = ppo.SelfPlay("mantis", 2, 1)
    learner = ppo.Learner(ppo.new_weights(play._size, 14, chance))
    before = ppo.win_share(learner.weights, "mantis", 2, "random", 1000)
    for _ in range(20):
        learner.learn(play.batch(learner.weights, chance), 1.0, chance)
    assert ppo.win_share(learner.weights, "mantis", 2, "random", 1000) > before + 0.1
    np.savez(tmp_path / "weights.npz", **learner.weights)  # type: ignore[arg-type]
    monkeypatch.setenv(ppo.WEIGHTS, str(tmp_path / "weights.npz"))
    figures = evaluate(Benchmark("examples.ppo:Player", "mantis", 2, ("random",), deals=4))
    assert figures["games"] == 8
    monkeypatch.delenv(ppo.WEIGHTS)
    with pytest.raises(ValueError, match=ppo.WEIGHTS):
        ppo.Player("mantis", 1)
