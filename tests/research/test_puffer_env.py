"""The PufferLib example, with a stand-in for PufferLib, which must be built against PyTorch: a base class with the
buffers of its environments, which are filled in place."""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from tavolino.engine.game import Game
from tavolino.research.batch import BatchEnv

GAMES = 32
NAMES = ("observations", "rewards", "terminals", "truncations", "masks", "actions")


class PufferEnv:
    """What the base class of PufferLib 3 does: it asks for three attributes, and makes or takes the buffers."""

    def __init__(self, buf: Any = None) -> None:
        space, count = self.single_observation_space, self.num_agents  # type: ignore[attr-defined]
        assert self.single_action_space.n > 1  # type: ignore[attr-defined]
        assert not hasattr(self, "observation_space")
        made = (np.zeros((count, *space.shape), space.dtype), np.zeros(count, np.float32), *np.zeros((2, count), bool))
        buffers = buf or dict(zip(NAMES, (*made, np.ones(count, bool), np.zeros(count, np.int32)), strict=True))
        for name in NAMES:
            setattr(self, name, buffers[name])


@pytest.fixture
def puffer_env(monkeypatch: pytest.MonkeyPatch) -> Any:
    module = ModuleType("pufferlib")
    module.PufferEnv = PufferEnv  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "pufferlib", module)
    monkeypatch.delitem(sys.modules, "examples.puffer_env", raising=False)
    yield import_module("examples.puffer_env")
    sys.modules.pop("examples.puffer_env", None)


@pytest.mark.parametrize("seat", ["each in turn", None])
def test_it_is_the_batch_written_into_the_buffers(game: Game, seat: Any, puffer_env: Any) -> None:
    env, batch = puffer_env.TavolinoEnv(game.name, GAMES, 3, seat=seat), BatchEnv(game.name, GAMES, 3, seat=seat)
    buffers = [getattr(env, name) for name in NAMES]
    observations, told = env.reset(seed=4)
    wanted, infos = batch.reset(seed=4)
    assert told == []
    games = 0
    for _ in range(150):
        assert env.single_observation_space.contains(observations[0])
        assert (env.masked(observations) == (infos["action_mask"] > 0)).all()
        assert (observations[:, env.action_count :] == wanted).all()
        actions = batch.sample_actions()
        observations, rewards, terminals, truncations, told = env.step(actions)
        wanted, result, is_over, _, infos = batch.step(actions)
        assert (rewards == result).all()
        assert (terminals == is_over).all()
        assert not truncations.any()
        assert bool(told) == bool(is_over.any())
        games += sum(each["games"] for each in told)
    assert games > 0
    assert all(getattr(env, name) is buffer for name, buffer in zip(NAMES, buffers, strict=True)), "filled in place"
    env.close()


def test_the_buffers_of_a_vectorizer_are_used_and_any_action_will_do(puffer_env: Any) -> None:
    size = puffer_env.TavolinoEnv("mantis", 1, 2).single_observation_space.shape[0]
    buffers = {"observations": np.zeros((8, size), np.uint8), "rewards": np.zeros(8, np.float32)}
    buffers |= {name: np.zeros(8, bool) for name in ("terminals", "truncations", "masks")}
    buffers["actions"] = np.zeros(8, np.int32)
    env = puffer_env.TavolinoEnv("mantis", 8, 2, buf=buffers, opponents="medium")
    env.reset()
    assert buffers["observations"].any()
    for action in range(40):
        env.step(np.full(8, action % env.action_count))
    assert buffers["observations"][:, env.action_count :].any()
