"""The hall where contests take place: all that the compiled contest needs, made ready once for a game."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

import tavolino
from tavolino.bots import contest
from tavolino.bots.levels import LEVELS, Search, manners_of, new_scratch
from tavolino.bots.settings import SETTINGS, Settings
from tavolino.engine.decks import arrange
from tavolino.engine.options import resolve

KINDS = {
    "random": contest.AT_RANDOM,
    "easy": contest.BY_HABIT,
    "medium": contest.BY_HABIT,
    "hard": contest.BY_SEARCH,
}


@dataclass(frozen=True)
class Contestant:
    """A player of a contest; whoever tunes a player hands over habits or settings of their own."""

    level: str
    iterations: int = 0
    habits: Any = None
    settings: Settings | None = None


@dataclass(frozen=True)
class Game:
    """One game of a contest: which deal, who sits where (as rows of the line-up), and options."""

    deal: int
    seating: tuple[int, ...]
    options: Mapping[str, Any]


@dataclass
class Results:
    outcomes: NDArray[np.int32]  # a row (winners, reason, decisions) for each game
    choices: NDArray[np.int64]  # by action: how often it was taken, and how often by somebody who won


class Hall:
    """Plays contests of one game between the players of one line-up."""

    def __init__(self, game: str, lineup: Sequence[Contestant]):
        for player in lineup:
            if player.level not in LEVELS:
                raise ValueError(f"There is no level {player.level!r}; there are: {', '.join(LEVELS)}.")
        manners = manners_of(game)
        self._game = tavolino.load(game)
        self._lineup = lineup
        self._players = np.array([KINDS[player.level] for player in lineup], np.int32)
        self._habits = np.array([self._habits_of(player, manners.HABITS) for player in lineup])
        self._settings = [player.settings or SETTINGS[game] for player in lineup]
        self._states, self._worlds = self._game.new_states(), self._game.new_states()
        self._actions, self._scores, _ = new_scratch(self._game)
        self._decks = arrange(self._game.decks, None, self._game.check_decks)

    @staticmethod
    def _habits_of(player: Contestant, habits: Mapping[str, Any]) -> Any:
        return player.habits if player.habits is not None else habits.get(player.level, habits["medium"])

    def play(self, games: Sequence[Game], seed: int) -> Results:
        """Play them all; the same seed and deal give the same deal."""
        seats = len(games[0].seating)
        numbers = [self._game.option_numbers(seats, resolve(self._game.options, seats, g.options)) for g in games]
        seating = np.array([g.seating for g in games], np.int32)
        results = Results(np.zeros((len(games), 3), np.int32), np.zeros((self._game.action_count, 2), np.int64))
        history = np.zeros((self._game.most_decisions(seats) + 1, 2), np.int32)
        bookmark = np.array([0, 0, contest.NOT_YET], np.int64)
        while not contest.contest(
            self._states,
            self._worlds,
            np.array([g.deal for g in games], np.int64),
            np.array(numbers, np.int32),
            seating,
            self._players,
            self._habits,
            seed,
            *self._decks,
            self._actions,
            self._scores,
            history,
            results.outcomes,
            results.choices,
            bookmark,
        ):
            game = games[bookmark[contest.GAME]]
            bookmark[contest.SEARCHED] = self._search(game, int(bookmark[contest.TAKEN_SO_FAR]), seed)
        return results

    def _search(self, game: Game, taken: int, seed: int) -> int:
        """The action of a player who searches, from the world that was drawn for it."""
        seat = int(self._states["to_act"][0])
        who = game.seating[seat]
        own_seed = hash((seed, game.deal, taken)) & 0xFFFFFFFF  # whole numbers have the same hash everywhere
        search = Search(self._game, self._worlds, seat, own_seed, self._settings[who], self._habits[who])
        search.run(self._lineup[who].iterations)
        return search.choice()[0]
