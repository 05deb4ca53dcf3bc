"""One seat of one game as a Gymnasium environment, and the games under their names in Gymnasium's registry.

After `import tavolino.research.gymnasium` a game called `my-game` is `gymnasium.make("tavolino/MyGame-v1", players=4)`
or `gymnasium.make_vec("tavolino/MyGame-v1", num_envs=4096, vectorization_mode="vector_entry_point")`.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tavolino.engine.extras import MissingExtra
from tavolino.games import games
from tavolino.research.batch import BatchEnv
from tavolino.research.rendering import draw_table

try:
    import gymnasium
except ModuleNotFoundError as missing:
    raise MissingExtra("gymnasium", missing.name) from None


class SeatEnv(gymnasium.Env[NDArray[np.uint8], int]):
    """A learner at one seat; the step plays the other seats. `info["action_mask"]` has the legal actions.

    The observation has all its slices; further arguments are those of `BatchEnv`, and options of the game.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012 - Gymnasium's own way to say it

    def __init__(
        self,
        game: str,
        players: int = 4,
        render_mode: str | None = None,
        knowledge: bool = True,
        **settings: Any,
    ):
        self._batch = BatchEnv(game, 1, players, render_mode=render_mode, knowledge=knowledge, copy=True, **settings)
        if self._batch.plays_everywhere:
            raise ValueError("A single environment has one learner: seat=None is for batches.")
        if self._batch.state_space is not None:
            raise ValueError("A single environment has no critic beside its learner: state=True is for batches.")
        self.render_mode = render_mode
        self.observation_space = self._batch.single_observation_space
        self.action_space = self._batch.single_action_space

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.uint8], dict[str, Any]]:
        super().reset(seed=seed)
        observations, infos = self._batch.reset(seed=int(self.np_random.integers(2**31)))
        return observations[0], {"action_mask": infos["action_mask"][0]}

    def step(self, action: int) -> tuple[NDArray[np.uint8], float, bool, bool, dict[str, Any]]:
        observations, rewards, is_over, _, infos = self._batch.step([action])
        if is_over[0]:
            no_action = np.zeros_like(infos["action_mask"][0])
            return infos["final_obs"][0], float(rewards[0]), True, False, {"action_mask": no_action}
        return observations[0], float(rewards[0]), False, False, {"action_mask": infos["action_mask"][0]}

    def render(self) -> str | None:
        """The table as the learner sees it; after the end, the next deal."""
        if self.render_mode is None:
            raise ValueError("To render, make the environment with render_mode='ansi'.")
        return draw_table(self._batch.setting.game, self._batch.states, 0, int(self._batch.states["to_act"][0]))


def names() -> tuple[str, ...]:
    """The names of the games in Gymnasium's registry."""
    return tuple(f"tavolino/{game.title().replace('-', '')}-v1" for game in games())


for _name, _game in zip(names(), games(), strict=True):
    gymnasium.register(
        id=_name,
        entry_point=f"{__name__}:SeatEnv",
        vector_entry_point="tavolino.research.batch:BatchEnv",
        kwargs={"game": _game},
    )
