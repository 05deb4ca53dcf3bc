"""Tavolino's games as a PufferLib environment: thousands of games in one process, written into PufferLib's buffers.

    from examples.puffer_env import TavolinoEnv
    env = TavolinoEnv("mantis", num_agents=1024, players=4, opponents="medium")

An agent of PufferLib is one game here, in which it plays one seat (each in turn), against `opponents`; with `seat=None`
it plays all seats, and `rewards` are those of the seat that has just decided. PufferLib has no masks of legal actions,
so an observation begins with the mask, a component for each action, and then has what the seat may know; `masked`
reads it. An action that is not legal is replaced by a random legal one.
"""

from typing import Any

import numpy as np
import pufferlib
from gymnasium import spaces
from numpy.typing import NDArray

from tavolino.research.batch import EACH_IN_TURN, BatchEnv


class TavolinoEnv(pufferlib.PufferEnv):  # type: ignore[misc]
    """`num_agents` games at once; the other arguments are those of `BatchEnv`."""

    def __init__(
        self,
        game: str = "mantis",
        num_agents: int = 1024,
        players: int = 4,
        *,
        seat: int | str | None = EACH_IN_TURN,
        buf: Any = None,
        seed: int = 0,
        **settings: Any,
    ):
        self._games = BatchEnv(game, num_agents, players, seat=seat, illegal="replace", **settings)
        self.action_count = self._games.setting.action_count
        highest = self._games.setting.encoding.highest[: self._games.setting.size]
        high = np.concatenate([np.ones(self.action_count, np.uint8), highest])
        self.single_observation_space = spaces.Box(np.zeros_like(high), high, dtype=np.uint8)
        self.single_action_space = spaces.Discrete(self.action_count)
        self.num_agents = num_agents
        super().__init__(buf)
        self._seed = seed

    def reset(self, seed: int | None = None) -> tuple[NDArray[np.uint8], list[dict[str, float]]]:
        observations, infos = self._games.reset(seed=self._seed if seed is None else seed)
        self._write(observations, infos)
        self.rewards[:], self.terminals[:], self.truncations[:] = 0, False, False
        return self.observations, []

    def step(self, actions: NDArray[Any]) -> tuple[Any, Any, Any, Any, list[dict[str, float]]]:
        observations, rewards, is_over, _, infos = self._games.step(actions)
        self._write(observations, infos)
        self.rewards[:], self.terminals[:] = rewards, is_over
        told = [{"games": int(is_over.sum()), "mean_result": float(rewards[is_over].mean())}] if is_over.any() else []
        return self.observations, self.rewards, self.terminals, self.truncations, told

    def _write(self, observations: NDArray[np.uint8], infos: dict[str, Any]) -> None:
        self.observations[:, : self.action_count] = infos["action_mask"]
        self.observations[:, self.action_count :] = observations

    def masked(self, observations: NDArray[Any]) -> NDArray[np.bool_]:
        """The mask in observations: which actions are legal."""
        mask: NDArray[np.bool_] = observations[..., : self.action_count] > 0
        return mask

    def close(self) -> None:
        self._games.close()
