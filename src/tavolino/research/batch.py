"""Thousands of games in arrays, in Gymnasium's vector style; a step of all of them is one compiled call.

The arrays that a step returns are overwritten by the next step. `copy=True` returns new ones each time.

Games run without events and log. Where the rules track who knows what, that is switched off too, and the
observation ends before the slices that show it; `knowledge=True` keeps both, but is slower.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tavolino.engine.extras import MissingExtra
from tavolino.engine.record import SPECTATOR
from tavolino.research import stepping
from tavolino.research.opponents import Opponents, Player
from tavolino.research.rendering import draw_table
from tavolino.research.stepping import BEGIN, EVERYWHERE, GO_ON, STEP
from tavolino.research.table import Setting
from tavolino.research.worlds import world_space, worlds

try:
    import gymnasium
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ModuleNotFoundError as missing:
    raise MissingExtra("gymnasium", missing.name) from None

EACH_IN_TURN = "each in turn"
ILLEGAL = ("raise", "replace")


class BatchEnv(VectorEnv[NDArray[np.uint8], NDArray[np.int64], NDArray[Any]]):
    """`num_envs` games at once.

    seat: the learner's seat; the step plays the other seats. "each in turn": another seat each game. None: self-play,
        in which every step is a decision of the seat to act (`infos["seat"]`), and the reward at the end is that of
        the acting seat (`infos["returns"]` has everybody's).
    opponents: who plays the other seats: a level; a policy, called with observations and masks; a `Pool` of both, from
        which one is drawn for each game; or a list of these, one for each other seat, clockwise from the learner.
    iterations: of the search of "hard" and "expert" for a decision; None: as many as at a table.
    illegal: "raise" (then nothing is played), or "replace" by a random legal action.
    state: whether `infos["state"]` has the true world of each game, with everything that is hidden, for a critic.

    A finished game is dealt again within the step: `infos["final_obs"]` has the last observation of the learner.
    """

    def __init__(
        self,
        game: str,
        num_envs: int = 1024,
        players: int = 4,
        *,
        seat: int | str | None = 0,
        opponents: Player | Sequence[Player] = "random",
        iterations: int | None = None,
        knowledge: bool = False,
        illegal: str = "raise",
        copy: bool = False,
        state: bool = False,
        render_mode: str | None = None,
        **options: Any,
    ):
        self.setting = Setting(game, players, options, knowledge=knowledge)
        _check(seat, players, illegal, render_mode)
        if seat is None and opponents != "random":
            raise ValueError("In self-play (seat=None) there are no opponents: the caller decides for every seat.")
        self.metadata = {"render_modes": ["ansi"], "render_fps": 1, "autoreset_mode": AutoresetMode.SAME_STEP}
        self.render_mode = render_mode
        self.num_envs = num_envs
        encoding = self.setting.encoding
        size = self.setting.size
        self.single_observation_space = observation_space(encoding.highest[:size])
        self.single_action_space = spaces.Discrete(encoding.action_count)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._copy, self._illegal = copy, illegal
        self._takes_turns = seat == EACH_IN_TURN
        self._opponents = Opponents(self.setting.game, players, opponents, iterations)
        self._decisions = np.zeros(num_envs, dtype=np.int64)  # of opponents outside of the compiled step
        self._stream = 0
        self._own_chance = np.ones(1, dtype=np.uint64)
        self._batch = stepping.new_batch(self.setting, num_envs)
        self._batch.seats[:] = EVERYWHERE if seat is None else 0 if self._takes_turns else seat
        # The levels use what their seat knows, so the rules must track it.
        self._batch.states["quiet"] = not encoding.has_knowledge or not (knowledge or self._opponents.need_knowledge)
        self.state_space = world_space(self._batch.states) if state else None
        self._asked = self._batch.states["to_act"]
        self._no_actions = np.zeros(num_envs, dtype=np.int64)
        self._everywhere = np.ones(num_envs, dtype=np.bool_)
        self._nowhere = np.zeros(num_envs, dtype=np.bool_)  # no game is truncated: all of them end

    @property
    def states(self) -> np.ndarray[Any, Any]:
        """The games themselves, with their secrets."""
        return self._batch.states

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.uint8], dict[str, Any]]:
        """Deal all games again. The same seed and the same actions give the same games."""
        super().reset(seed=seed)
        self._stream, own = (int(number) for number in self.np_random.integers(1, 2**32, size=2))
        self._own_chance[0] = own
        self._decisions[:] = 0
        self._advance(self._no_actions, BEGIN)
        return self._handed(self._batch.observations), self._infos()

    def step(
        self, actions: ArrayLike
    ) -> tuple[NDArray[np.uint8], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        self._advance(self._checked(actions), STEP)
        batch = self._batch
        infos = self._infos()
        is_over = self._handed(batch.is_over)
        infos["final_obs"], infos["_final_obs"] = self._handed(batch.last_observations), is_over
        infos["returns"], infos["_returns"] = self._handed(batch.returns), is_over
        observations, rewards = self._handed(batch.observations), self._handed(batch.rewards)
        return observations, rewards, is_over, self._handed(self._nowhere), infos

    def _advance(self, actions: NDArray[np.int64], mode: int) -> None:
        """One step, and then on as long as games wait for an opponent outside of the compiled step."""
        batch, opponents = self._batch, self._opponents
        cast = opponents.cast()
        while stepping.step(batch, cast, actions, mode, self._stream, self._takes_turns, opponents.weights):
            try:
                actions, mode = opponents.decide(batch, self._stream, self._decisions), GO_ON
            except BaseException:
                batch.games[:] = 0  # the games are in the middle of a step: only a reset helps
                raise

    @property
    def plays_everywhere(self) -> bool:
        """Whether this is self-play."""
        return bool(self._batch.seats[0] == EVERYWHERE)

    def sample_actions(self) -> NDArray[np.int64]:
        """A legal action for every game, uniformly."""
        if not self._games_dealt:
            raise ValueError("No game has been dealt: call reset() first.")
        actions = np.empty(self.num_envs, dtype=np.int64)
        stepping.sample(self._batch.masks, self._own_chance, actions)
        return actions

    @property
    def _games_dealt(self) -> int:
        return int(self._batch.games[0])

    def _checked(self, actions: ArrayLike) -> NDArray[np.int64]:
        chosen = np.ascontiguousarray(actions, dtype=np.int64)
        if chosen.shape != (self.num_envs,):
            raise ValueError(f"There must be {self.num_envs} actions, not an array of shape {chosen.shape}.")
        if not self._games_dealt:
            raise ValueError("No game has been dealt: call reset() first.")
        masks = self._batch.masks
        wrong = stepping.first_illegal(chosen, masks)
        if wrong < 0:
            return chosen
        if self._illegal == "raise":
            legal = np.flatnonzero(masks[wrong]).tolist()
            raise ValueError(f"Game {wrong} cannot play action {chosen[wrong]} now; legal actions: {legal}.")
        in_table = (chosen >= 0) & (chosen < masks.shape[1])
        is_legal = in_table & (masks[np.arange(self.num_envs), np.where(in_table, chosen, 0)] == 1)
        return np.where(is_legal, chosen, self.sample_actions())

    def _infos(self) -> dict[str, Any]:
        """The legal actions and the seat to act. A key with an underscore is the mask of games in which it is set."""
        everywhere = self._everywhere
        infos = {
            "action_mask": self._handed(self._batch.masks),
            "_action_mask": everywhere,
            "seat": self._asked.copy(),
            "_seat": everywhere,
        }
        if self.state_space is not None:
            infos["state"], infos["_state"] = worlds(self.states), everywhere
        return infos

    def _handed(self, array: NDArray[Any]) -> NDArray[Any]:
        return array.copy() if self._copy else array

    def render(self) -> tuple[str, ...] | None:
        """Every game as a spectator sees it."""
        if self.render_mode is None:
            raise ValueError("To render, make the environment with render_mode='ansi'.")
        return tuple(draw_table(self.setting.game, self.states, i, SPECTATOR) for i in range(self.num_envs))


def observation_space(highest: NDArray[np.uint8]) -> "gymnasium.spaces.Box":
    return spaces.Box(low=np.zeros_like(highest), high=highest, dtype=np.uint8)


def _check(seat: Any, players: int, illegal: str, render_mode: str | None) -> None:
    is_seat = isinstance(seat, int) and not isinstance(seat, bool) and 0 <= seat < players
    if not (seat is None or seat == EACH_IN_TURN or is_seat):
        raise ValueError(f"The seat must be one of 0 to {players - 1}, {EACH_IN_TURN!r} or None, not {seat!r}.")
    if illegal not in ILLEGAL:
        raise ValueError(f"The value of illegal must be one of {', '.join(ILLEGAL)}, not {illegal!r}.")
    if render_mode not in (None, "ansi"):
        raise ValueError(f"There is no render mode {render_mode!r}; use 'ansi'.")
