"""The hall where contests take place: all that the compiled contest needs, made ready once for a game."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

import tavolino
from tavolino.bots import contest
from tavolino.bots.levels import LEVELS, manners_of, new_scratch
from tavolino.bots.settings import SETTINGS, Settings
from tavolino.bots.tree import new_tree
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
        self._players = np.array([(KINDS[player.level], player.iterations) for player in lineup], np.int32)
        self._habits = np.array([self._habits_of(player, manners.HABITS) for player in lineup])
        own = [player.settings or SETTINGS[game] for player in lineup]
        self._settings = np.array([settings.numbers() for settings in own])
        searches = any(player.level == "hard" for player in lineup)
        self._tree = new_tree(max(settings.room for settings in own) if searches else 1)
        self._states, self._worlds = self._game.new_states(), self._game.new_states(2)
        self._scratch = new_scratch(self._game)
        self._decks = arrange(self._game.decks, None, self._game.check_decks)

    @staticmethod
    def _habits_of(player: Contestant, habits: Mapping[str, Any]) -> Any:
        return player.habits if player.habits is not None else habits.get(player.level, habits["medium"])

    def play(self, games: Sequence[Game], seed: int) -> Results:
        """Play them all; the same seed and deal give the same deal."""
        seats = len(games[0].seating)
        numbers = [self._game.option_numbers(seats, resolve(self._game.options, seats, g.options)) for g in games]
        outcomes = np.zeros((len(games), 3), np.int32)
        choices = np.zeros((self._game.action_count, 2), np.int64)
        contest.contest(
            self._states,
            self._worlds,
            np.array([g.deal for g in games], np.int64),
            np.array(numbers, np.int32),
            np.array([g.seating for g in games], np.int32),
            self._players,
            self._habits,
            self._settings,
            seed,
            *self._decks,
            *self._tree,
            *self._scratch,
            np.zeros((self._game.most_decisions(seats) + 1, 2), np.int32),
            outcomes,
            choices,
        )
        return Results(outcomes, choices)
