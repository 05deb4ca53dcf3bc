"""Thousands of games in arrays, in Gymnasium's vector style; a step of all of them is one compiled call.

Arrays are handed out as they are: the next step writes into the same ones. `copy=True` gives fresh ones each time.

Games run quiet: no events, no log. Infinity Gauntlet's bookkeeping of who knows what is switched off with them, and
the observation ends before the slices that show it; `knowledge=True` keeps both, at a part of the speed.
"""

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from tavolino.engine.record import SPECTATOR
from tavolino.research import stepping
from tavolino.research.drawing import draw_table
from tavolino.research.table import Setting

EACH_IN_TURN = "each in turn"
ILLEGAL = ("raise", "replace")
OPPONENTS = ("random",)


class BatchEnv(VectorEnv[NDArray[np.uint8], NDArray[np.int64], NDArray[Any]]):
    """`num_envs` games at once.

    seat: where the learner sits, the others being played inside the step; "each in turn": another seat each game;
        None: self-play, in which every step is a decision of whoever is to act (`infos["seat"]`), and the reward at
        the end is the acting seat's (`infos["returns"]` has everybody's).
    opponents: "random", uniform over what is legal.
    illegal: "raise" (nothing is played then), or "replace" by a random legal action.

    A game that is over is dealt anew within the step: `infos["final_obs"]` has what the learner saw last.
    """

    def __init__(
        self,
        game: str,
        num_envs: int = 1024,
        players: int = 4,
        *,
        seat: int | str | None = 0,
        opponents: str = "random",
        knowledge: bool = False,
        illegal: str = "raise",
        copy: bool = False,
        render_mode: str | None = None,
        **options: Any,
    ):
        self.setting = Setting(game, players, options)
        _check(seat, players, opponents, illegal, render_mode)
        self.metadata = {"render_modes": ["ansi"], "render_fps": 1, "autoreset_mode": AutoresetMode.SAME_STEP}
        self.render_mode = render_mode
        self.num_envs = num_envs
        encoding = self.setting.encoding
        size = encoding.size if knowledge else encoding.open_size
        self.single_observation_space = observation_space(encoding.highest[:size])
        self.single_action_space = spaces.Discrete(encoding.action_count)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._copy, self._illegal = copy, illegal
        self._takes_turns = seat == EACH_IN_TURN
        self.states = self.setting.game.new_states(num_envs)
        self.states["quiet"] = not (knowledge and encoding.has_knowledge)
        self._asked = self.states["to_act"]
        self._seats = np.full(num_envs, stepping.EVERYWHERE if seat is None else 0, dtype=np.int32)
        if isinstance(seat, int):
            self._seats[:] = seat
        self._games = np.zeros(num_envs, dtype=np.int64)
        self._stream = 0
        self._own_chance = np.ones(1, dtype=np.uint64)
        self._actions = np.zeros(num_envs, dtype=np.int64)
        self.observations = np.zeros((num_envs, size), dtype=np.uint8)
        self.masks = np.zeros((num_envs, encoding.action_count), dtype=np.int8)
        self._last_observations = np.zeros_like(self.observations)
        self._rewards = np.zeros(num_envs)
        self._is_over = np.zeros(num_envs, dtype=np.bool_)
        self._is_cut = np.zeros(num_envs, dtype=np.bool_)  # no game is ever cut off: all of them end
        self._returns = np.zeros((num_envs, players))
        self._everywhere = np.ones(num_envs, dtype=np.bool_)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.uint8], dict[str, Any]]:
        """Deal all games anew. The same seed and the same actions give the same games."""
        super().reset(seed=seed)
        self._stream, own = (int(number) for number in self.np_random.integers(1, 2**32, size=2))
        self._own_chance[0] = own
        setting = self.setting
        stepping.begin(
            self.states,
            self._seats,
            self._games,
            self._stream,
            self._takes_turns,
            setting.option_numbers,
            setting.arranged,
            setting.n_arranged,
            setting.from_rules,
            setting.numbers,
            self.observations,
            self.masks,
        )
        return self._handed(self.observations), self._infos()

    def step(
        self, actions: ArrayLike
    ) -> tuple[NDArray[np.uint8], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        setting = self.setting
        stepping.step(
            self.states,
            self._checked(actions),
            self._seats,
            self._games,
            self._stream,
            self._takes_turns,
            setting.encoding.is_team_game,
            setting.option_numbers,
            setting.arranged,
            setting.n_arranged,
            setting.to_rules,
            setting.from_rules,
            setting.numbers,
            self.observations,
            self.masks,
            self._rewards,
            self._is_over,
            self._last_observations,
            self._returns,
        )
        infos = self._infos()
        is_over = self._handed(self._is_over)
        infos["final_obs"], infos["_final_obs"] = self._handed(self._last_observations), is_over
        infos["returns"], infos["_returns"] = self._handed(self._returns), is_over
        return self._handed(self.observations), self._handed(self._rewards), is_over, self._handed(self._is_cut), infos

    @property
    def plays_everywhere(self) -> bool:
        """Whether this is self-play."""
        return bool(self._seats[0] == stepping.EVERYWHERE)

    def sample_actions(self) -> NDArray[np.int64]:
        """A legal action for every game, each with the same chance."""
        actions = np.empty(self.num_envs, dtype=np.int64)
        stepping.sample(self.masks, self._own_chance, actions)
        return actions

    def _checked(self, actions: ArrayLike) -> NDArray[np.int64]:
        chosen = np.ascontiguousarray(actions, dtype=np.int64)
        if chosen.shape != (self.num_envs,):
            raise ValueError(f"There must be {self.num_envs} actions, not an array of shape {chosen.shape}.")
        wrong = stepping.first_illegal(chosen, self.masks)
        if wrong < 0:
            return chosen
        if self._illegal == "raise":
            legal = np.flatnonzero(self.masks[wrong]).tolist()
            raise ValueError(f"Game {wrong} cannot play action {chosen[wrong]} now; legal are {legal}.")
        in_table = (chosen >= 0) & (chosen < self.masks.shape[1])
        is_legal = in_table & (self.masks[np.arange(self.num_envs), np.where(in_table, chosen, 0)] == 1)
        return np.where(is_legal, chosen, self.sample_actions())

    def _infos(self) -> dict[str, Any]:
        """The legal actions, and whose they are. A key with an underscore says in which games its twin counts."""
        everywhere = self._everywhere
        return {
            "action_mask": self._handed(self.masks),
            "_action_mask": everywhere,
            "seat": self._asked.copy(),
            "_seat": everywhere,
        }

    def _handed(self, array: NDArray[Any]) -> NDArray[Any]:
        return array.copy() if self._copy else array

    def render(self) -> tuple[str, ...] | None:
        """Every game as a spectator sees it."""
        if self.render_mode is None:
            raise ValueError("To render, make the environment with render_mode='ansi'.")
        return tuple(draw_table(self.setting.game, self.states, i, SPECTATOR) for i in range(self.num_envs))


def observation_space(highest: NDArray[np.uint8]) -> "gymnasium.spaces.Box":
    return spaces.Box(low=np.zeros_like(highest), high=highest, dtype=np.uint8)


def _check(seat: Any, players: int, opponents: str, illegal: str, render_mode: str | None) -> None:
    is_seat = isinstance(seat, int) and not isinstance(seat, bool) and 0 <= seat < players
    if not (seat is None or seat == EACH_IN_TURN or is_seat):
        raise ValueError(f"The seat is one of 0 to {players - 1}, {EACH_IN_TURN!r} or None, not {seat!r}.")
    if opponents not in OPPONENTS:
        raise ValueError(f"There are no opponents {opponents!r}; there are: {', '.join(OPPONENTS)}.")
    if illegal not in ILLEGAL:
        raise ValueError(f"An illegal action is one of {', '.join(ILLEGAL)}, not {illegal!r}.")
    if render_mode not in (None, "ansi"):
        raise ValueError(f"There is no render mode {render_mode!r}; there is 'ansi'.")
