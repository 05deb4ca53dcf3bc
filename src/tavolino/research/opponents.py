"""Who plays the other seats of an environment: levels, policies of the user, and pools of both.

A policy is called with the observations and the action masks of the seats to act, a row for each game that waits for
it, and returns an action for each row. It gets copies of these two arrays and nothing else: never the state.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tavolino.bots.levels import LEVELS, Search, iterations_of
from tavolino.bots.policies import kind_of, net_of, policy_of, settings_of
from tavolino.engine import loops
from tavolino.engine.chance import key_from_seed
from tavolino.engine.game import Game
from tavolino.research.stepping import OUTSIDE, RANDOM, Batch, Cast, Weights, first_illegal

Policy = Callable[[NDArray[np.uint8], NDArray[np.int8]], ArrayLike]
SEED_MASK = 0xFFFFFFFF


class Pool:
    """Players of which one is drawn for each game, by weight: a mixture, or past versions of a learner.

    Levels are named at the beginning; policies may be added at any time, and play in games that are dealt later.
    """

    def __init__(self, players: "Sequence[str | Policy]", weights: Sequence[float] | None = None):
        self.players: list[str | Policy] = []
        self.weights: list[float] = []
        weights = [1.0] * len(players) if weights is None else weights
        if not players or len(weights) != len(players):
            raise ValueError("A pool needs at least one player, and as many weights as players.")
        for player, weight in zip(players, weights, strict=True):
            self._append(player, weight)

    def add(self, policy: Policy, weight: float = 1.0) -> None:
        """Another policy, for games that are dealt from now on."""
        if not callable(policy):
            raise ValueError(f"Only a policy, a callable, can be added to a pool later, not {policy!r}.")
        self._append(policy, weight)

    def _append(self, player: "str | Policy", weight: float) -> None:
        if not 0.0 < weight < float("inf"):
            raise ValueError(f"The weight of a player is a positive number, not {weight!r}.")
        self.players.append(player)
        self.weights.append(float(weight))


Player = str | Policy | Pool


class Searcher:
    """`hard` or `expert` for games in arrays: the same search as at a table, limited by iterations only."""

    def __init__(self, level: str, game: Game, players: int, iterations: int | None = None):
        self._game = game
        self._settings = settings_of(level, game.name)
        self._iterations = iterations_of(level, game.name, iterations) or self._settings.iterations
        self._weights, self._net = policy_of(game.name).weights_of("hard"), net_of(level, game.name, players)
        self._numbers = np.zeros(game.action_count, np.int32)

    def choose(self, states: np.ndarray[Any, Any], index: int, seed: str) -> int:
        """The action of the seat to act, by the rules' number, from a world that is drawn for this seat."""
        world, key = states[index : index + 1].copy(), key_from_seed(seed)
        seat = int(world["to_act"][0])
        if loops.draw_world(world, 0, seat, key, self._numbers) == 1:
            return int(self._numbers[0])
        search = Search(self._game, world, seat, int(key[0]) & SEED_MASK, self._settings, self._weights, self._net)
        search.run(self._iterations)
        return search.choice()[0]


class Opponents:
    """The players of the other seats, as the compiled step needs them: numbers, weights, and those outside of it."""

    def __init__(self, game: Game, players: int, given: "Player | Sequence[Player]", iterations: int | None = None):
        self._game, self._players, self._iterations = game, players, iterations
        self._rows: list[Any] = []
        self._outside: list[Searcher | Policy] = []
        self._numbers: dict[Any, int] = {}
        is_listed = isinstance(given, Sequence) and not isinstance(given, str)
        self._seats: list[Any] = list(given) if is_listed else [given] * (players - 1)  # type: ignore[arg-type]
        if len(self._seats) != players - 1:
            raise ValueError(f"A list of opponents has one for each other seat: {players - 1}, not {len(self._seats)}.")
        self._is_together = not is_listed
        self._cast: Cast | None = None
        self._size = 0
        self.cast()
        self.weights: Weights = np.array(self._rows) if self._rows else None

    @property
    def need_knowledge(self) -> bool:
        """Whether somebody uses what the rules track of a seat's knowledge."""
        return bool(self._rows) or any(isinstance(player, Searcher) for player in self._outside)

    def cast(self) -> Cast:
        """Who may play which seat, with what was added to pools."""
        size = sum(len(seat.players) for seat in self._seats if isinstance(seat, Pool))
        if self._cast is not None and size == self._size:
            return self._cast
        lines = [(seat.players, seat.weights) if isinstance(seat, Pool) else ([seat], [1.0]) for seat in self._seats]
        widest = max(len(members) for members, _ in lines)
        members = np.zeros((len(lines), widest), np.int32)
        bounds = np.ones((len(lines), widest))
        for row, (line, weights) in enumerate(lines):
            members[row, : len(line)] = [self._number_of(player) for player in line]
            bounds[row, : len(line)] = np.cumsum(weights) / sum(weights)
            bounds[row, len(line) - 1 :] = 1.0
        self._cast, self._size = Cast(members, bounds, self._is_together), size
        return self._cast

    def _number_of(self, player: "str | Policy") -> int:
        key = player if isinstance(player, str) else id(player)  # kept in `_outside`, so no other object gets this id
        if key not in self._numbers:
            self._numbers[key] = self._new_number(player)
        return self._numbers[key]

    def _new_number(self, player: "str | Policy") -> int:
        if not isinstance(player, str):
            if not callable(player):
                raise ValueError(f"An opponent is a level ({', '.join(LEVELS)}), a policy or a pool, not {player!r}.")
            self._outside.append(player)
            return OUTSIDE - len(self._outside) + 1
        if player not in LEVELS:
            raise ValueError(f"There are no opponents {player!r}. Opponents: {', '.join(LEVELS)}.")
        kind = kind_of(player, self._game.name)
        if kind == "random":
            return RANDOM
        if kind == "heuristic":
            self._rows.append(policy_of(self._game.name).weights_of(player))
            return len(self._rows) - 1
        self._outside.append(Searcher(player, self._game, self._players, self._iterations))
        return OUTSIDE - len(self._outside) + 1

    def decide(self, batch: Batch, seed: int, decisions: NDArray[np.int64]) -> NDArray[np.int64]:
        """The actions of the players outside of the step, in all games that wait for one.

        `decisions` counts those of each game, because each search has a seed of its own.
        """
        actions = np.zeros(len(batch.states), np.int64)
        waiting = np.flatnonzero(batch.is_waiting)
        asked = batch.players[waiting, batch.states["to_act"][waiting]]
        for number in np.unique(asked):
            games, player = waiting[asked == number], self._outside[OUTSIDE - number]
            if isinstance(player, Searcher):
                for i in games.tolist():
                    chosen = player.choose(batch.states, i, f"opponent {seed} {i} {decisions[i]}")
                    actions[i] = batch.from_rules[batch.states["to_act"][i], chosen]
            else:
                actions[games] = _chosen(player, batch.observations[games], batch.masks[games])
        decisions[waiting] += 1
        return actions


def _chosen(policy: Policy, observations: NDArray[np.uint8], masks: NDArray[np.int8]) -> NDArray[np.int64]:
    """The actions of a policy, checked against masks that it cannot have changed."""
    actions = np.ascontiguousarray(policy(observations, masks.copy()), dtype=np.int64)
    if actions.shape != (len(masks),):
        raise ValueError(f"A policy was asked for {len(masks)} actions and gave an array of shape {actions.shape}.")
    wrong = first_illegal(actions, masks)
    if wrong >= 0:
        legal = np.flatnonzero(masks[wrong]).tolist()
        raise ValueError(f"The policy of an opponent chose action {actions[wrong]}; legal actions: {legal}.")
    return actions
