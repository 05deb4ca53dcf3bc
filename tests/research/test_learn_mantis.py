"""A short run of the worked example: after a few rounds the player is clearly better than random."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "learn_mantis.py"


@pytest.fixture(scope="module")
def example() -> ModuleType:
    spec = importlib.util.spec_from_file_location("learn_mantis", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["learn_mantis"] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_the_gradient_is_the_slope(example: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """The gradient that `learn` uses, against finite differences of the objective."""
    chance = np.random.default_rng(3)
    network = example.Network.new(chance)
    network.weights["act"] *= 50
    n = 6
    x = chance.random((n, example.FEATURES), dtype=np.float32)
    masks = np.ones((n, example.ENCODING.action_count), np.int8)
    masks[:, 5:] = 0
    actions = chance.integers(0, 5, n)
    advantages, results = chance.normal(size=(2, n)).astype(np.float32)

    def objective() -> float:
        _, chances, values = network.judge(x, masks)
        logs = np.log(np.maximum(chances, 1e-12))
        entropy = -(chances * logs).sum(axis=1)
        gain = logs[np.arange(n), actions] * advantages + example.ENTROPY * entropy
        return float((gain - (results - values) ** 2 / 2).mean(dtype=np.float64))

    climbed: dict[str, Any] = {}
    monkeypatch.setattr(network, "_climb", climbed.update)
    network.learn(x, masks, actions, advantages, results)
    for name, place in (("act", (3, 2)), ("value", (5, 0)), ("in", (10, 7)), ("act_0", (1,))):
        kept = network.weights[name][place]
        network.weights[name][place] = kept + 0.01
        above = objective()
        network.weights[name][place] = kept - 0.01
        slope = (above - objective()) / 0.02
        network.weights[name][place] = kept
        assert climbed[name][place] == pytest.approx(slope, rel=0.05, abs=2e-4)


SHORT_COURSE = """
import learn_mantis as example
import numpy as np

network = example.Network.new(np.random.default_rng(1))
print(example.win_share(example.as_player(network), 4000))
chance = np.random.default_rng(1)
env = example.BatchEnv("mantis", example.GAMES, example.PLAYERS, seat=example.EACH_IN_TURN)
seen = env.reset(seed=1)
for _ in range(1000):
    seen = example._round(env, network, *seen, chance)
print(example.win_share(example.as_player(network), 8000))
print(example.win_share(example.always_score, 8000))
"""


@pytest.mark.slow
def test_it_learns_from_the_cards() -> None:
    """From random play to better than any player who ignores the cards: always scoring wins three games in four.

    Two million decisions, in a process of its own as the example is run. Untrained it must be no better than random, or
    the test would show nothing.
    """
    paths = os.pathsep.join([str(EXAMPLE.parent), *sys.path])
    course = subprocess.run(
        [sys.executable, "-c", SHORT_COURSE],
        env={**os.environ, "PYTHONPATH": paths},
        check=True,
        capture_output=True,
        text=True,
        timeout=600,
    )
    untrained, learned, blind = map(float, course.stdout.split())
    assert abs(untrained - 0.25) < 0.04
    assert 0.70 < blind < 0.80
    assert learned > blind + 0.01
