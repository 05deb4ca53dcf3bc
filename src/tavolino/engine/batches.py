"""Many random games in one compiled call. A `Batch` allocates the arrays for `loops.random_games` once."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tavolino.engine import loops
from tavolino.engine.chance import key_from_seed
from tavolino.engine.decks import arrange
from tavolino.engine.game import Game, Seed
from tavolino.engine.options import resolve

WINNERS, REASON, DECISIONS = 0, 1, 2  # the columns of the outcomes


class Batch:
    """Random games with one set of options. Every choice is uniform over the legal actions; no events, no knowledge."""

    def __init__(self, game: Game, players: int, options: Mapping[str, Any] | None = None):
        game.check_players(players)
        self.options = resolve(game.options, players, options)
        self._numbers = game.option_numbers(players, self.options)
        self._arranged, self._n_arranged = arrange(game.decks, None, game.check_decks)
        self._states = game.new_states()
        self._states["quiet"][0] = 1
        self._out = np.zeros(game.action_count, dtype=np.int32)

    def play(self, first: int, games: int, seed: int) -> NDArray[np.int32]:
        """Play `games` games, numbered from `first`. Returns a row (winners, reason, decisions) for each."""
        outcomes = np.zeros((games, 3), dtype=np.int32)
        loops.random_games(
            self._states,
            0,
            first,
            games,
            seed,
            self._numbers,
            self._arranged,
            self._n_arranged,
            self._out,
            outcomes,
        )
        return outcomes


def stream_seed(seed: Seed) -> int:
    """Any seed, reduced to the 32 bits that the cheap generator takes."""
    return int(key_from_seed(seed)[0])
