"""A game as the engine uses it: its facts, its compiled functions, and how its numbers are written as texts."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from operator import index
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict

import numpy as np

from tavolino.engine import dispatch
from tavolino.engine.chance import key_from_seed, plain_seed
from tavolino.engine.compiled import IS_PLAIN, compiled
from tavolino.engine.decks import Deck, arrange
from tavolino.engine.events import EventKind
from tavolino.engine.meta import Meta
from tavolino.engine.options import Option, resolve
from tavolino.engine.payoffs import shared_payoff, team_payoff
from tavolino.engine.sources import remember_folder

if TYPE_CHECKING:
    from tavolino.engine.match import Match

Seed = str | int | bytes
Json = dict[str, Any]


@compiled
def nothing_to_settle(s: Any) -> None:
    """The default of `settle`, for games that compute nothing lazily."""


@dataclass(frozen=True)
class Refusal:
    """Why an action is not legal: a rule id or None, and a sentence's key with its parameters."""

    rule: str | None
    key: str
    params: Mapping[str, Any] = field(default_factory=dict)


class Description(TypedDict):
    """An action: `verb` is the key of its text (`action.VERB`), `params` are the parameters of that text."""

    verb: str
    params: Json


@lru_cache(maxsize=4096)
def _described(action_params: Callable[[str], tuple[str, Json]], action: str) -> Description:
    verb, params = action_params(action)
    return {"verb": verb, "params": params}


# Where the parts of a game usually are: the module, and the name there.
_USUAL_PLACES = {
    "meta": ("meta", "META"),
    "record": ("state", "RECORD"),
    "decks": ("facts", "DECKS"),
    "parts": ("facts", "PARTS"),
    "reasons": ("facts", "REASONS"),
    "action_count": ("notation", "ACTION_COUNT"),
    "event_kinds": ("notation", "EVENT_KINDS"),
    "steps": ("notation", "STEPS"),
    "secret_verbs": ("notation", "SECRET_VERBS"),
    "action_text": ("notation", "action_text"),
    "action_params": ("notation", "action_params"),
    "prompt": ("notation", "prompt"),
    "refuse": ("notation", "refuse"),
    "setup": ("rules", "setup"),
    "legal": ("rules", "legal"),
    "apply": ("rules", "apply"),
    "payoff": ("rules", "payoff"),
    "most_decisions": ("rules", "most_decisions"),
    "resample": ("knowledge", "resample"),
    "conceal": ("knowledge", "conceal"),
    "settle": ("knowledge", "settle"),
    "view": ("view", "view"),
    "notebook": ("view", "notebook"),
    "inventory": ("view", "inventory"),
    "remarks": ("remarks", "remarks"),
}


@dataclass(frozen=True, eq=False)
class Game:
    """One game. Everything generic (match, simulation, search, server) works through this."""

    meta: Meta
    decks: Mapping[str, Deck]
    record: np.dtype[Any]
    action_count: int
    most_decisions: Callable[[int], int]  # an upper bound by number of players, proven in docs/rules
    event_kinds: Sequence[EventKind]
    steps: Sequence[str]  # names of the steps of a turn, by the number in the state's field `step`
    reasons: Sequence[str | None]  # rule ids, by the number in the state's field `reason`
    folder: Path  # contains texts/
    setup: Callable[..., None]
    legal: Callable[..., int]
    apply: Callable[..., None]
    resample: Callable[..., None]
    # Hides from a heuristic bot what its seat cannot know; None: `resample` is used.
    conceal: Callable[..., None] | None = field(default=None, kw_only=True)
    # Computes the fields that the game computes lazily; None: there are none.
    settle: Callable[..., None] = field(default=nothing_to_settle, kw_only=True)
    # What a seat gets at the end, within `meta.payoffs`; None: from -1 (lost) to 1 (won).
    payoff: Callable[..., float] | None = field(default=None, kw_only=True)
    # Verbs of actions whose arguments only the actor knows, such as which card goes to the bottom of a deck.
    secret_verbs: frozenset[str] = field(default=frozenset(), kw_only=True)
    action_text: Callable[[Any, int], str]
    action_params: Callable[[str], tuple[str, Json]]  # an action's text as a verb and parameters, to label it
    prompt: Callable[[Any], Json]
    refuse: Callable[[Any, str], Refusal]
    view: Callable[[Any, int], Mapping[str, Any]]  # both return the game's own TypedDict
    notebook: Callable[[Any, int], Mapping[str, Any]]
    inventory: Callable[[Any], Mapping[str, int]]  # counts that never change: cards, tokens, tiles, wherever they are
    parts: Mapping[str, Any] = field(default_factory=dict)  # static facts that a client draws: costs, numbers, ...
    check_decks: Callable[[Mapping[str, Sequence[str]]], None] = lambda decks: None
    # The remarks that players can choose where there is no free text: by key, from a spectator's view only.
    remarks: Callable[[Json], Mapping[str, Json]] = lambda view: {}

    @classmethod
    def from_package(cls, name: str, **parts: Any) -> "Game":
        """The game of a package: for its module `game`, which passes its `__name__`.

        What the modules of a game have under the usual names is collected from them (`_USUAL_PLACES`); `parts` are the
        rest, and what a game has elsewhere.
        """
        package = name.rpartition(".")[0]
        collected: dict[str, Any] = {"folder": Path(import_module(package).__file__ or "").parent}
        for part, (module, attribute) in _USUAL_PLACES.items():
            if part not in parts and find_spec(f"{package}.{module}"):
                home = import_module(f"{package}.{module}")
                if hasattr(home, attribute):
                    collected[part] = getattr(home, attribute)
        return cls(**collected, **parts)

    def __post_init__(self) -> None:
        remember_folder(self.record, self.folder, self.name)
        payoff = self.payoff or (shared_payoff if self.meta.teams is None else team_payoff)
        dispatch.register(
            self.record,
            setup=self.setup,
            legal=self.legal,
            apply=self.apply,
            resample=self.resample,
            conceal=self.conceal or self.resample,
            settle=self.settle,
            payoff=payoff,
        )

    @property
    def name(self) -> str:
        return self.meta.name

    @property
    def rules(self) -> str:
        """The version of the rules by which new games are played."""
        return self.meta.rules

    @property
    def versions(self) -> tuple[str, ...]:
        """Every version of the rules that can be played, the newest last."""
        return self.meta.versions

    @property
    def players(self) -> range:
        return self.meta.players

    @property
    def options(self) -> Mapping[str, Option]:
        return self.meta.options

    def is_zero_sum(self, players: int) -> bool:
        """Whether the payoffs at the end always sum to 0: with two players, by default or by the game's own word."""
        return players == 2 and (self.payoff is None or self.meta.zero_sum)

    def __repr__(self) -> str:
        return f"<game {self.name}, rules {self.rules}>"

    def start(
        self,
        players: int,
        seed: Seed,
        options: Mapping[str, Any] | None = None,
        decks: Mapping[str, Sequence[str]] | None = None,
        rules: str | None = None,
    ) -> "Match":
        """Deal a game. One seed with one list of actions gives one game, on every machine.

        `rules` names an older version of the rules, for records and tables that began with it; None is the newest.
        """
        from tavolino.engine.match import Match

        players, seed = self.check_players(players), plain_seed(seed)
        rules = self.check_rules(rules)
        key = key_from_seed(seed)
        resolved = resolve(self.options, players, options)
        arranged, n_arranged = arrange(self.decks, decks, self.check_decks)
        return Match.begin(self, players, seed, key, resolved, decks, arranged, n_arranged, rules)

    def check_players(self, players: int) -> int:
        """The number of players as a Python integer; ValueError if the game is not for this number."""
        is_number = isinstance(players, int | np.integer) and not isinstance(players, bool)
        if not is_number or index(players) not in self.players:
            few, many = self.players[0], self.players[-1]
            raise ValueError(f"{self.name} is for {few} to {many} players, not {players!r}.")
        return index(players)

    def check_rules(self, rules: str | None) -> str:
        """The version of the rules, the newest for None; ValueError for an unknown version."""
        if rules is None:
            return self.rules
        if rules not in self.versions:
            known = ", ".join(map(repr, self.versions))
            raise ValueError(f"{self.name} does not know the rules version {str(rules)[:20]!r}; known here: {known}.")
        return rules

    def option_numbers(
        self, players: int, resolved: Mapping[str, Any], rules: str | None = None
    ) -> np.ndarray[Any, Any]:
        """The start as the rules read it: number of players, a number for each option, number of the rules version."""
        version = self.meta.version_number(self.check_rules(rules))
        numbers = [players, *(int(resolved[name]) for name in self.options), version]
        return np.array(numbers, dtype=np.int32)

    def described(self, action: str) -> "Description":
        """An action's text as its verb and parameters, from which clients build its label."""
        return _described(self.action_params, action)

    def teams(self, record: Any) -> np.ndarray[Any, Any]:
        """The number of each seat's team in the match of this record; players of one team win together."""
        seats = range(int(record["players"]))
        if self.meta.teams is None:
            return np.array(seats, dtype=np.int32)
        alone = int(record[self.meta.teams.option])
        return np.array([int(seat != alone) for seat in seats], dtype=np.int32)

    def new_states(self, count: int = 1) -> np.ndarray[Any, Any]:
        """An array of `count` records, all zero."""
        states = np.zeros(count, dtype=self.record)
        return states.view(np.recarray) if IS_PLAIN else states
