"""Contests: whole games between the levels. A `Contest` allocates the memory of the compiled loop once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

import tavolino
from tavolino.bots import contest_loop
from tavolino.bots.levels import LEVELS, Search, iterations_of
from tavolino.bots.policies import kind_of, net_of, policy_of, settings_of
from tavolino.bots.search import new_scratch
from tavolino.bots.whole_games import NOT_YET
from tavolino.engine.compiled import IS_PLAIN
from tavolino.engine.decks import arrange
from tavolino.engine.net import Net
from tavolino.engine.options import resolve
from tavolino.engine.policy import Policy, Reals, SearchSettings

KINDS = {
    "random": contest_loop.RANDOM,
    "heuristic": contest_loop.HEURISTIC,
    "search": contest_loop.SEARCH,
}


@dataclass(frozen=True)
class Contestant:
    """A player of a contest; weights, settings and a net other than the level's are for tuning."""

    level: str
    iterations: int = 0
    weights: Reals | None = None
    settings: SearchSettings | None = None
    net: Net | None = None

    def weights_for(self, policy: Policy) -> Reals:
        return policy.weights_of(self.level) if self.weights is None else self.weights


@dataclass(frozen=True)
class ContestGame:
    """One game of a contest: the deal, the contestant in each seat (by number in the line-up), and the options."""

    deal: int
    seating: tuple[int, ...]
    options: Mapping[str, Any]


@dataclass
class Results:
    outcomes: NDArray[np.int32]  # a row (winners, reason, decisions) for each game
    choices: NDArray[np.int64]  # by action: how often it was taken, and how often by somebody who won


class Contest:
    """Plays games between the players of one line-up."""

    def __init__(self, game: str, lineup: Sequence[Contestant]):
        for player in lineup:
            if player.level not in LEVELS:
                raise ValueError(f"There is no level {player.level!r}. Levels: {', '.join(LEVELS)}.")
        policy = policy_of(game)
        self._game = tavolino.load(game)
        self._lineup = lineup
        self._players = np.array([KINDS[kind_of(player.level, game)] for player in lineup], np.int32)
        self._weights = np.array([player.weights_for(policy) for player in lineup])
        self._settings = [player.settings or settings_of(player.level, game) for player in lineup]
        self._states, self._worlds = self._game.new_states(), self._game.new_states()
        self._actions, self._scores, _ = new_scratch(self._game)
        self._decks = arrange(self._game.decks, None, self._game.check_decks)

    def play(self, games: Sequence[ContestGame], seed: int) -> Results:
        """Play all games; the same seed and deal number give the same cards."""
        seats = len(games[0].seating)
        numbers = [self._game.option_numbers(seats, resolve(self._game.options, seats, g.options)) for g in games]
        seating = np.array([g.seating for g in games], np.int32)
        results = Results(np.zeros((len(games), 3), np.int32), np.zeros((self._game.action_count, 2), np.int64))
        history = np.zeros((self._game.most_decisions(seats) + 1, 2), np.int32)
        cursors = np.array([(0, 0, NOT_YET)], contest_loop.CURSOR)
        while not contest_loop.play_games(
            self._states,
            self._worlds,
            np.array([g.deal for g in games], np.int64),
            np.array(numbers, np.int32),
            seating,
            self._players,
            self._weights,
            seed,
            *self._decks,
            self._actions,
            self._scores,
            history,
            results.outcomes,
            results.choices,
            cursors.view(np.recarray) if IS_PLAIN else cursors,
        ):
            game = games[cursors[0]["game"]]
            cursors[0]["searched"] = self._search(game, int(cursors[0]["decisions"]), seed)
        return results

    def _search(self, game: ContestGame, taken: int, seed: int) -> int:
        """The action of a player who searches, from the world that was drawn for it."""
        seat = int(self._states["to_act"][0])
        who = game.seating[seat]
        player = self._lineup[who]
        own_seed = hash((seed, game.deal, taken)) & 0xFFFFFFFF  # the hash of integers is the same in every process
        net = net_of(player.level, self._game.name, len(game.seating)) if player.net is None else player.net
        search = Search(self._game, self._worlds, seat, own_seed, self._settings[who], self._weights[who], net)
        search.run(iterations_of(player.level, self._game.name, player.iterations))
        return search.choice()[0]
