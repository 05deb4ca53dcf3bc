"""The games in OpenSpiel: `import tavolino.research.openspiel` registers a game called `my-game` as
`tavolino_my_game`, for `pyspiel.load_game("tavolino_my_game(players=4)")`.

All chance is explicit and comes first: the seed of the game, byte by byte, in `seed_bytes` chance nodes with 256
outcomes each. The rest of the game is a function of the seed and the actions. Players do not know the seed, so their
information states are the same as if cards were drawn one by one. With `chance=deck` there is a node for each card of
the decks instead, for small games and for algorithms that traverse the whole tree, such as CFR.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from tavolino.engine.extras import MissingExtra
from tavolino.engine.game import Json
from tavolino.engine.options import Option
from tavolino.engine.reading import read
from tavolino.engine.record import SPECTATOR
from tavolino.games import games, load, meta_of
from tavolino.research.deals import KINDS, Deal, DeckDeal, SeedDeal
from tavolino.research.rendering import draw_private, draw_table
from tavolino.research.table import Setting, Table

try:
    import pyspiel
except ModuleNotFoundError as missing:
    raise MissingExtra("openspiel", missing.name) from None

SEED_BYTES = 4  # 4,294,967,296 deals
MOST_SEED_BYTES = 32
PLAYERS = 4
BY_PLAYERS = 0  # the value of a number option that depends on the number of players
_BEFORE_THE_DEAL = "before the deal"


def short_name(game: str) -> str:
    return f"tavolino_{game.replace('-', '_')}"


def _parameter(option: Option) -> Any:
    return BY_PLAYERS if option.default is None else option.default


def _usual_players(players: range) -> int:
    """Four, or as near to it as the game allows."""
    return min(max(PLAYERS, players[0]), players[-1])


def _game_type(name: str, is_zero_sum: bool) -> "pyspiel.GameType":
    game = meta_of(name)
    utility = pyspiel.GameType.Utility
    return pyspiel.GameType(
        short_name=short_name(name),
        long_name=f"Tavolino: {name}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=utility.ZERO_SUM if is_zero_sum else utility.GENERAL_SUM,
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
            "chance": KINDS[0],
            **{option: _parameter(game.options[option]) for option in game.options},
        },
    )


class TavolinoGame(pyspiel.Game):  # type: ignore[misc]
    """One of the games with its number of players and options.

    It is registered as a game of any sum, because the sum depends on the number of players; a game of two has its own
    type, so that algorithms for zero-sum games take it.
    """

    name: str

    def __init__(self, params: dict[str, Any] | None = None):
        chosen = dict(params or {})
        players = int(chosen.get("players", _usual_players(meta_of(self.name).players)))
        seed_bytes, chance = int(chosen.get("seed_bytes", SEED_BYTES)), chosen.get("chance", KINDS[0])
        if not 1 <= seed_bytes <= MOST_SEED_BYTES:
            raise ValueError(f"seed_bytes must be 1 to {MOST_SEED_BYTES}, not {seed_bytes}.")
        if chance not in KINDS:
            raise ValueError(f"chance must be one of {', '.join(KINDS)}, not {chance!r}.")
        rules = load(self.name)
        self.deal: Deal = SeedDeal(seed_bytes) if chance == "seed" else DeckDeal(rules)
        options = {
            option: chosen[option]
            for option in rules.options
            if option in chosen and not (rules.options[option].default is None and chosen[option] == BY_PLAYERS)
        }
        self.setting = Setting(self.name, players, options, keeps_log=True)
        is_zero_sum = rules.is_zero_sum(players)
        info = pyspiel.GameInfo(
            num_distinct_actions=rules.action_count,
            max_chance_outcomes=self.deal.most_outcomes,
            num_players=players,
            min_utility=rules.meta.payoffs[0],
            max_utility=rules.meta.payoffs[1],
            utility_sum=0.0 if is_zero_sum else None,
            max_game_length=rules.most_decisions(players),
        )
        super().__init__(_game_type(self.name, is_zero_sum), info, chosen)

    def new_initial_state(self, state: "pyspiel.StateStruct | Json | None" = None) -> "TavolinoState":
        """The start, or the state of a struct (`to_struct`, `to_dict`) with its history."""
        new = TavolinoState(self)
        if state is not None:
            new.repeat(state if isinstance(state, dict) else state.to_dict())
        return new

    def max_chance_nodes_in_history(self) -> int:
        return self.deal.nodes

    def make_py_observer(
        self, iig_obs_type: "pyspiel.IIGObservationType | None" = None, params: dict[str, Any] | None = None
    ) -> "Observer":
        """Observers of what is public, of what one seat or every seat may know, and of what only seats know.

        Each shows what is known now, or with perfect recall everything that was ever known (text only).
        """
        if params:
            raise ValueError(f"Observers take no parameters; passed: {params}.")
        return Observer(self.setting, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False))


class TavolinoState(pyspiel.State):  # type: ignore[misc]
    """A game at one moment; before the deal, the outcomes of chance so far."""

    def __init__(self, game: TavolinoGame):
        super().__init__(game)
        self._dealt: list[int] = []
        self._table: Table | None = None
        self._is_resampled = False

    @property
    def _deal(self) -> Deal:
        deal: Deal = self.get_game().deal
        return deal

    @property
    def table(self) -> Table | None:
        """The game in numbers, with its secrets; None before the deal."""
        return self._table

    def current_player(self) -> int:
        table = self._table
        if table is None:
            return int(pyspiel.PlayerId.CHANCE)
        return table.to_act if table.to_act >= 0 else int(pyspiel.PlayerId.TERMINAL)

    def is_terminal(self) -> bool:
        return self._table is not None and self._table.to_act < 0

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return self._deal.outcomes(self._dealt)

    def _legal_actions(self, player: int) -> list[int]:
        assert self._table is not None
        return self._table.legal()

    def _apply_action(self, action: int) -> None:
        if self._table is not None:
            self._table.play(action)
            if not self._is_resampled:
                self._deal.check(self._table)
            return
        self._dealt.append(action)
        if len(self._dealt) == self._deal.nodes:
            self._table = Table(self.get_game().setting)
            self._deal.begin(self._table, self._dealt)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return self._deal.text(self._dealt, action)
        assert self._table is not None
        return self._table.action_text(player, action)

    def returns(self) -> list[float]:
        if self._table is None:
            return [0.0] * int(self.num_players())
        return self._table.returns()

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> "TavolinoState":
        """A state that the player cannot tell from this one. The true history would reveal the deal: it is empty."""
        if self._table is None:
            raise ValueError("Before the deal there is nothing to resample.")
        state: TavolinoState = self.get_game().new_initial_state()
        state._table = self._table.resample(player, repr((sampler(), sampler())))
        state._is_resampled = True
        return state

    # -- OpenSpiel's structs: what it writes as JSON

    def _to_struct(self) -> Json:
        """The history, which is the whole state with its secrets, and the table as each seat sees it.

        A resampled state has no history: it can be shown, but not be read again.
        """
        return {
            "history": None if self._is_resampled else self.history(),
            "current_player": self.current_player(),
            "seats": [self._to_observation_struct(seat) for seat in range(self.num_players())],
        }

    def _to_observation_struct(self, player: int) -> Json:
        """What a seat may know now."""
        if self._table is None:
            return {"seat": player, "step": _BEFORE_THE_DEAL}
        table = self._table
        game, s = table.setting.game, read(table.states)
        asked = table.legal() if player == table.to_act else []
        return {
            "seat": player,
            "to_act": table.to_act if table.to_act >= 0 else None,
            "step": game.steps[s.step],
            "legal": [table.action_text(player, action) for action in asked],
            **game.view(s, player),
        }

    def _action_to_struct(self, player: int, action: int) -> Json:
        return {"action": self._action_to_string(player, action)}

    def _struct_to_actions(self, struct: Json) -> list[int]:
        """The action of a struct; ValueError if it is not legal now."""
        player, text = self.current_player(), struct.get("action")
        found = [action for action in self.legal_actions() if self._action_to_string(player, action) == text]
        if not found:
            raise ValueError(f"{text!r} is not a legal action now.")
        return found

    def repeat(self, struct: Json) -> None:
        """Play the history of a struct; ValueError if it has none, or if it does not fit this game."""
        history = struct.get("history")
        if not isinstance(history, list):
            raise ValueError("This struct has no history, as that of a resampled state, so no state can be made of it.")
        for number, action in enumerate(history):
            if action not in self.legal_actions():
                raise ValueError(f"The history of the struct does not fit this game: action {number} is {action!r}.")
            self.apply_action(action)

    def __str__(self) -> str:
        """The whole state, with its secrets: equal for equal states."""
        if self._table is None:
            return f"{_BEFORE_THE_DEAL} {''.join(f'{outcome:02x}' for outcome in self._dealt)}"
        return f"{_drawn(self._table, SPECTATOR)}\nstate {self._table.hash()}"


class Observer:
    """An observer in OpenSpiel's sense: of no seat, of the seat that is passed, or of all seats.

    There is a tensor where seats see the public part too. That of all seats is theirs one after the other, for a
    central critic.
    """

    def __init__(self, setting: Setting, kind: "pyspiel.IIGObservationType"):
        self._setting = setting
        self._seats = kind.private_info
        self._is_public, self._remembers = kind.public_info, kind.perfect_recall
        self.tensor: np.ndarray[Any, Any] | None = None
        self.dict: dict[str, np.ndarray[Any, Any]] = {}
        if self._is_public and not self._remembers and self._seats != pyspiel.PrivateInfoType.NONE:
            self._make_tensor()

    def _make_tensor(self) -> None:
        encoding = self._setting.encoding
        count = len(self._observed(0))
        self.tensor = np.zeros(count * encoding.size, dtype=np.float32)
        rows = self.tensor.reshape(count, encoding.size)
        parts = {part.name: encoding.slice_of(part.name) for part in encoding.slices}
        if self._seats == pyspiel.PrivateInfoType.SINGLE_PLAYER:
            self.dict = {name: rows[0, place] for name, place in parts.items()}
        else:
            self.dict = {
                f"{name} of seat {seat}": row[place] for seat, row in enumerate(rows) for name, place in parts.items()
            }

    def _observed(self, player: int) -> list[int]:
        """The viewers whose knowledge is shown."""
        if self._seats == pyspiel.PrivateInfoType.ALL_PLAYERS:
            return list(range(self._setting.players))
        if self._seats == pyspiel.PrivateInfoType.SINGLE_PLAYER:
            return [player]
        return [SPECTATOR] if self._is_public else []

    def set_from(self, state: TavolinoState, player: int) -> None:
        if self.tensor is None:
            return
        if state.table is None:
            self.tensor[:] = 0
        else:
            self.tensor[:] = np.concatenate([state.table.encode(seat)[0] for seat in self._observed(player)])

    def string_from(self, state: TavolinoState, player: int) -> str:
        table = state.table
        if table is None:
            return _BEFORE_THE_DEAL
        return "\n".join(self._text_of(table, viewer) for viewer in self._observed(player))

    def _text_of(self, table: Table, viewer: int) -> str:
        if self._is_public:
            return table.information_state(viewer) if self._remembers else _drawn(table, viewer)
        if self._remembers:
            return table.private_information_state(viewer)
        return draw_private(self._setting.game, table.states, 0, viewer)


def _drawn(table: Table, viewer: int) -> str:
    return draw_table(table.setting.game, table.states, 0, viewer)


# OpenSpiel keeps the constructors until after Python has shut down, when a function would crash and a class does not;
# and games are pickled by their class. So there is one class for each game, under its name in this module.


def register(name: str) -> None:
    """Register a game with OpenSpiel. Importing this module registers all games that are installed."""
    class_name = name.title().replace("-", "")
    game: type[TavolinoGame] = type(class_name, (TavolinoGame,), {"name": name, "__module__": __name__})
    globals()[class_name] = game
    pyspiel.register_game(_game_type(name, is_zero_sum=False), game)


for _name in games():
    register(_name)
