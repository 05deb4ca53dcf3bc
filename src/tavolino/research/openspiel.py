"""The games in OpenSpiel: after `import tavolino.research.openspiel` a game called `my-game` is there as
`tavolino_my_game`, as in `pyspiel.load_game("tavolino_my_game(players=4)")`.

All chance is explicit and comes first: the seed of the game, byte by byte, in `seed_bytes` chance nodes with 256
outcomes each. What follows is a function of the seed and of the actions. Players know nothing of the seed, so their
information states are those of the game with cards drawn as they come.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pyspiel

from tavolino.engine.options import Option
from tavolino.engine.record import SPECTATOR
from tavolino.games import games, load, meta_of
from tavolino.research.rendering import draw_table
from tavolino.research.table import Setting, Table

BYTE = 256
SEED_BYTES = 4  # 4,294,967,296 deals
MOST_SEED_BYTES = 32
PLAYERS = 4
BY_PLAYERS = 0  # the value of a number option that is left to the number of players
_OUTCOMES = [(outcome, 1.0 / BYTE) for outcome in range(BYTE)]
_BEFORE_THE_DEAL = "before the deal"


def short_name(game: str) -> str:
    return f"tavolino_{game.replace('-', '_')}"


def _parameter(option: Option) -> Any:
    return BY_PLAYERS if option.default is None else option.default


def _usual_players(players: range) -> int:
    """Four, or as near to it as the game allows."""
    return min(max(PLAYERS, players[0]), players[-1])


def _game_type(name: str) -> "pyspiel.GameType":
    game = meta_of(name)
    return pyspiel.GameType(
        short_name=short_name(name),
        long_name=f"Tavolino: {name}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=game.players[-1],
        min_num_players=game.players[0],
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={
            "players": _usual_players(game.players),
            "seed_bytes": SEED_BYTES,
            **{option: _parameter(game.options[option]) for option in game.options},
        },
    )


class TavolinoGame(pyspiel.Game):  # type: ignore[misc]
    """One of the games with its number of players and options."""

    name: str
    game_type: "pyspiel.GameType"

    def __init__(self, params: dict[str, Any] | None = None):
        chosen = dict(params or {})
        players = int(chosen.get("players", _usual_players(meta_of(self.name).players)))
        self.seed_bytes = int(chosen.get("seed_bytes", SEED_BYTES))
        if not 1 <= self.seed_bytes <= MOST_SEED_BYTES:
            raise ValueError(f"There are 1 to {MOST_SEED_BYTES} seed bytes, not {self.seed_bytes}.")
        rules = load(self.name)
        options = {
            option: chosen[option]
            for option in rules.options
            if option in chosen and not (rules.options[option].default is None and chosen[option] == BY_PLAYERS)
        }
        self.setting = Setting(self.name, players, options, keeps_log=True)
        info = pyspiel.GameInfo(
            num_distinct_actions=rules.action_count,
            max_chance_outcomes=BYTE,
            num_players=players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=None,
            max_game_length=rules.most_decisions(players),
        )
        super().__init__(self.game_type, info, chosen)

    def new_initial_state(self) -> "TavolinoState":
        return TavolinoState(self)

    def max_chance_nodes_in_history(self) -> int:
        return self.seed_bytes

    def make_py_observer(
        self, iig_obs_type: "pyspiel.IIGObservationType | None" = None, params: dict[str, Any] | None = None
    ) -> "Observer | None":
        """Observers of what a seat may know now, of all it has known (text only), and of what is open to all."""
        if params:
            raise ValueError(f"There are no parameters of observers; passed: {params}.")
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        if not kind.public_info or kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS:
            return None
        return Observer(self.setting, kind)


class TavolinoState(pyspiel.State):  # type: ignore[misc]
    """A game at one moment; before the deal, a part of its seed."""

    def __init__(self, game: TavolinoGame):
        super().__init__(game)
        self._seed = b""
        self._table: Table | None = None

    @property
    def table(self) -> Table | None:
        """The game in numbers, secrets and all; None before the deal."""
        return self._table

    def current_player(self) -> int:
        table = self._table
        if table is None:
            return int(pyspiel.PlayerId.CHANCE)
        return table.to_act if table.to_act >= 0 else int(pyspiel.PlayerId.TERMINAL)

    def is_terminal(self) -> bool:
        return self._table is not None and self._table.to_act < 0

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return _OUTCOMES

    def _legal_actions(self, player: int) -> list[int]:
        assert self._table is not None
        return self._table.legal()

    def _apply_action(self, action: int) -> None:
        if self._table is not None:
            self._table.play(action)
            return
        self._seed += bytes([action])
        game = self.get_game()
        if len(self._seed) == game.seed_bytes:
            self._table = Table(game.setting)
            self._table.begin(self._seed)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"seed {action:02x}"
        assert self._table is not None
        return self._table.action_text(player, action)

    def returns(self) -> list[float]:
        if self._table is None:
            return [0.0] * int(self.num_players())
        return self._table.returns()

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> "TavolinoState":
        """A state that the player cannot tell from this one. Its history is empty: the true one would betray it."""
        if self._table is None:
            raise ValueError("Before the deal there is nothing to resample.")
        state: TavolinoState = self.get_game().new_initial_state()
        state._table = self._table.resample(player, repr((sampler(), sampler())))
        return state

    def __str__(self) -> str:
        """All of it, secrets too: two states are equal when this is."""
        if self._table is None:
            return f"{_BEFORE_THE_DEAL} {self._seed.hex()}"
        drawn = draw_table(self._table.setting.game, self._table.states, 0, SPECTATOR)
        return f"{drawn}\nstate {self._table.hash()}"


class Observer:
    """OpenSpiel's way to look at a state."""

    def __init__(self, setting: Setting, kind: "pyspiel.IIGObservationType"):
        self._setting = setting
        self._is_for_seat = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self._remembers = kind.perfect_recall
        self.tensor: np.ndarray[Any, Any] | None = None
        self.dict: dict[str, np.ndarray[Any, Any]] = {}
        if self._is_for_seat and not self._remembers:
            encoding = setting.encoding
            self.tensor = np.zeros(encoding.size, dtype=np.float32)
            self.dict = {part.name: self.tensor[encoding.slice_of(part.name)] for part in encoding.slices}

    def set_from(self, state: TavolinoState, player: int) -> None:
        if self.tensor is None:
            return
        if state.table is None:
            self.tensor[:] = 0
        else:
            self.tensor[:] = state.table.encode(player)[0]

    def string_from(self, state: TavolinoState, player: int) -> str:
        table = state.table
        if table is None:
            return _BEFORE_THE_DEAL
        viewer = player if self._is_for_seat else SPECTATOR
        if self._remembers:
            return table.information_state(viewer)
        return draw_table(self._setting.game, table.states, 0, viewer)


# OpenSpiel keeps what it is given beyond the end of Python, where a function would be fatal and a class is not; and
# games are pickled by their class. So there is one class for each game, under its name in this module.


def _class_of(name: str) -> type[TavolinoGame]:
    class_name = name.title().replace("-", "")
    fields = {"name": name, "game_type": _game_type(name), "__module__": __name__}
    return type(class_name, (TavolinoGame,), fields)


for _name in games():
    _game = _class_of(_name)
    globals()[_game.__name__] = _game
    pyspiel.register_game(_game.game_type, _game)
