"""PettingZoo environments of the games: `env(game, players=4)` (AEC) and `parallel_env`.

They are in PettingZoo's registry too: `pettingzoo.make("aec", f"tavolino/{game}-v1", players=4)`.

In the AEC environment a seat acts exactly when the rules require it. In the parallel form every step is one decision:
all agents pass an action, and only that of the seat to act counts. Observations are a dict of `observation` and
`action_mask`, as in PettingZoo's own card games.

The checks of PettingZoo's wrappers are built in, because wrappers take several times as long as a decision of these
games: a step before `reset` and an illegal action raise clear errors.
"""

import secrets
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tavolino.engine.chance import key_from_seed
from tavolino.engine.extras import MissingExtra
from tavolino.engine.record import SPECTATOR
from tavolino.games import games
from tavolino.research.rendering import draw_table
from tavolino.research.table import Setting, Table
from tavolino.research.worlds import world_space, worlds

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv, ParallelEnv, register
except ModuleNotFoundError as missing:
    raise MissingExtra("pettingzoo", missing.name) from None

Observation = dict[str, NDArray[Any]]
RENDER_MODES = ("ansi", "human")
# What to do with an action that is not legal now.
ILLEGAL = ("raise", "replace")


class _Seats:
    """What the two forms share: a table, its agents, its spaces, its random numbers."""

    def __init__(
        self,
        game: str,
        players: int,
        render_mode: str | None,
        illegal: str,
        knowledge: bool,
        state: bool,
        options: dict[str, Any],
    ):
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise ValueError(f"There is no render mode {render_mode!r}. Render modes: {', '.join(RENDER_MODES)}.")
        if illegal not in ILLEGAL:
            raise ValueError(f"The value of illegal must be one of {', '.join(ILLEGAL)}, not {illegal!r}.")
        self.setting = Setting(game, players, options, knowledge=knowledge)
        self.table = Table(self.setting)
        self.names = [f"player_{seat}" for seat in range(self.setting.players)]
        self.seat_of = {name: seat for seat, name in enumerate(self.names)}
        self.illegal = illegal
        self.state_space = world_space(self.table.states) if state else None
        encoding = self.setting.encoding
        self.observation_spaces = {
            name: _observation_space(encoding.highest[: self.setting.size], encoding.action_count)
            for name in self.names
        }
        self.action_spaces = {name: spaces.Discrete(encoding.action_count) for name in self.names}
        self._seed: int | None = None
        self._games = 0
        self._seen: tuple[NDArray[np.uint8], NDArray[np.int8]] | None = None

    def deal(self, seed: int | None) -> None:
        """Deal a new game: the first one of a seed, or the next one of the previous seed."""
        if seed is not None or self._seed is None:
            self._seed = secrets.randbits(64) if seed is None else int(seed)
            self._games = 0
        self.table.begin(f"{self._seed}:{self._games}")
        self._games += 1
        self._seen = None
        if self.illegal == "replace":
            self.replacements = np.random.default_rng(key_from_seed(f"replacements {self._seed}:{self._games}"))

    def play(self, action: Any) -> int:
        """Play an action; returns the seat to act, a negative number at the end."""
        table = self.table
        seen = None if action is None else table.play_and_encode(int(action))
        if seen is None:
            if self.illegal == "raise":
                name, legal = self.names[table.to_act], table.legal()
                raise ValueError(f"{name} cannot play action {action!r} now; legal actions: {legal}.")
            seen = table.play_and_encode(int(self.replacements.choice(table.legal())))
        self._seen = seen
        return table.to_act

    def observe(self, name: str) -> Observation:
        """The observation of the seat to act is written when its turn comes; other calls return new arrays."""
        seat = self.seat_of[name]
        if seat == self.table.to_act:
            return self.observe_asked()
        observation, mask = self.table.encode(seat)
        return {"observation": observation, "action_mask": mask}

    def observe_asked(self) -> Observation:
        seen = self._seen
        if seen is None:
            seen = self.table.encode(self.table.to_act)
        self._seen = None
        return {"observation": seen[0], "action_mask": seen[1]}

    def state(self) -> NDArray[np.int64]:
        if self.state_space is None:
            raise ValueError("The state holds what is hidden from players: make the environment with state=True.")
        if self._seed is None:
            raise ValueError("No game has been dealt: call reset() first.")
        return worlds(self.table.states)[0]

    def rewards(self) -> dict[str, float]:
        return dict(zip(self.names, self.table.returns(), strict=True))

    def draw(self, render_mode: str | None) -> str | None:
        """The table as a spectator sees it: as text, or printed."""
        if render_mode is None:
            raise ValueError("To render, make the environment with render_mode='ansi' or 'human'.")
        drawn = draw_table(self.setting.game, self.table.states, 0, SPECTATOR)
        if render_mode == "ansi":
            return drawn
        print(drawn)
        return None


def _observation_space(highest: NDArray[np.uint8], actions: int) -> spaces.Dict:
    return spaces.Dict(
        {
            "observation": spaces.Box(low=np.zeros_like(highest), high=highest, dtype=np.uint8),
            "action_mask": spaces.Box(low=0, high=1, shape=(actions,), dtype=np.int8),
        }
    )


class _Agents:
    """The attributes and methods that PettingZoo requires of both forms."""

    _seats: _Seats

    def _set_up(self, render_mode: str | None, is_parallelizable: bool) -> None:
        self.metadata = _metadata(self._seats.setting, is_parallelizable)
        self.render_mode = render_mode
        self.possible_agents = self._seats.names
        self.agents: list[str] = []
        self.observation_spaces = self._seats.observation_spaces
        self.action_spaces = self._seats.action_spaces
        if self._seats.state_space is not None:
            self.state_space = self._seats.state_space

    def state(self) -> NDArray[np.int64]:
        """The true world, with everything that is hidden, for a critic; only if made with `state=True`."""
        return self._seats.state()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def render(self) -> str | None:
        return self._seats.draw(self.render_mode)

    def close(self) -> None:
        """There is nothing to release."""


class SeatByTurn(_Agents, AECEnv[str, Observation, int | None]):  # type: ignore[misc]
    """A game as an agent-environment cycle.

    Until the end no agent is terminated and there is no reward, so `last` and `step` check one flag instead of
    dictionaries: these two calls take longer than the rules.
    """

    def __init__(
        self,
        game: str,
        players: int = 4,
        render_mode: str | None = None,
        illegal: str = "raise",
        knowledge: bool = True,
        state: bool = False,
        **options: Any,
    ):
        super().__init__()
        self._seats = _Seats(game, players, render_mode, illegal, knowledge, state, options)
        self._set_up(render_mode, is_parallelizable=False)
        self._is_running = False

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal. Without a seed it is the next game of the previous seed; `options` are ignored."""
        self._seats.deal(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {name: {} for name in self.agents}
        self.agent_selection = self.possible_agents[self._seats.table.to_act]
        self._skip_agent_selection = None
        self._is_running = True

    def last(self, observe: bool = True) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:
        if self._is_running:
            observation = self._seats.observe_asked() if observe else None
            return observation, 0.0, False, False, self.infos[self.agent_selection]
        answer: tuple[Observation | None, float, bool, bool, dict[str, Any]] = super().last(observe)
        return answer

    def observe(self, agent: str) -> Observation:
        return self._seats.observe(agent)

    def step(self, action: int | None) -> None:
        if not self._is_running:
            if not self.agents:
                raise ValueError("The game has not begun, or is over: call reset() before step().")
            self._was_dead_step(action)
            return
        to_act = self._seats.play(action)
        if to_act >= 0:
            self.agent_selection = self.possible_agents[to_act]
        else:
            self._finish()
        if self.render_mode == "human":
            self.render()

    def _finish(self) -> None:
        self._is_running = False
        self.rewards = self._seats.rewards()
        self._cumulative_rewards = dict(self.rewards)
        self.terminations = dict.fromkeys(self.agents, True)
        self._deads_step_first()


class SeatsInStep(_Agents, ParallelEnv[str, Observation, int | None]):  # type: ignore[misc]
    """A game in the parallel form: a step is one decision, and only the action of the seat to act counts.

    With `max_cycles` the game is truncated after this many decisions.
    """

    def __init__(
        self,
        game: str,
        players: int = 4,
        render_mode: str | None = None,
        illegal: str = "raise",
        knowledge: bool = True,
        state: bool = False,
        max_cycles: int | None = None,
        **options: Any,
    ):
        self._seats = _Seats(game, players, render_mode, illegal, knowledge, state, options)
        self._set_up(render_mode, is_parallelizable=True)
        self.max_cycles = max_cycles

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        self._seats.deal(seed)
        self.agents = list(self.possible_agents)
        self._cycles = 0
        return self._observations(), {name: {} for name in self.agents}

    def _observations(self) -> dict[str, Observation]:
        return {name: self._seats.observe(name) for name in self.agents}

    def step(self, actions: dict[str, int | None]) -> tuple[Any, Any, Any, Any, Any]:
        if not self.agents:
            raise ValueError("The game has not begun, or is over: call reset() before step().")
        seats = self._seats
        is_over = seats.play(actions.get(self.possible_agents[seats.table.to_act])) < 0
        self._cycles += 1
        is_cut = not is_over and self.max_cycles is not None and self._cycles >= self.max_cycles
        answer: tuple[Any, Any, Any, Any, Any] = (
            self._observations(),
            self._seats.rewards(),
            dict.fromkeys(self.agents, is_over),
            dict.fromkeys(self.agents, is_cut),
            {name: {} for name in self.agents},
        )
        if is_over or is_cut:
            self.agents = []
        if self.render_mode == "human":
            self.render()
        return answer


def _metadata(setting: Setting, is_parallelizable: bool) -> dict[str, Any]:
    return {
        "name": f"{setting.game.name.replace('-', '_')}_v{setting.encoding.version}",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": is_parallelizable,
        "rules": setting.game.rules,
        "encoding": setting.encoding.name,
    }


env = SeatByTurn
parallel_env = SeatsInStep

for _game in games():
    _name = f"tavolino/{_game}-v1"
    register("aec", _name, entry_point=f"{__name__}:SeatByTurn", kwargs={"game": _game})
    register("parallel", _name, entry_point=f"{__name__}:SeatsInStep", kwargs={"game": _game})
