"""The compiled loops: games without events are the same games, and totals over many games are right."""

from typing import Any

import numpy as np
import pytest

import tavolino
from tavolino.engine import loops
from tavolino.engine.options import resolve
from tavolino.engine.testing import random_game

pytestmark = pytest.mark.plain


class Batch:
    """The arguments of `random_games`, for one game."""

    def __init__(self, game: tavolino.Game, players: int, quiet: int = 1):
        self.states = game.new_states()
        self.states["quiet"] = quiet
        self.options = game.option_numbers(players, resolve(game.options, players, None))
        room = max(len(deck.cards) for deck in game.decks.values())
        self.arranged = np.full((len(game.decks), room), -1, np.int32)
        self.n_arranged = np.zeros(len(game.decks), np.int32)
        self.out = np.zeros(game.action_count, np.int32)

    def play(self, first: int, games: int, seed: int = 1) -> Any:
        outcomes = np.zeros((games, 3), np.int32)
        loops.random_games(
            self.states,
            0,
            first,
            games,
            seed,
            self.options,
            self.arranged,
            self.n_arranged,
            self.out,
            outcomes,
        )
        return outcomes


def test_a_game_is_the_same_with_and_without_events_and_knowledge(game: tavolino.Game) -> None:
    players = game.players[-1]
    assert (Batch(game, players, quiet=1).play(0, 4) == Batch(game, players, quiet=0).play(0, 4)).all()


def test_a_game_depends_on_its_number_and_not_on_who_plays_it(game: tavolino.Game) -> None:
    whole = Batch(game, 3).play(0, 6)
    worker = Batch(game, 3)
    parts = np.concatenate([worker.play(4, 2), worker.play(0, 4)])
    assert (whole == np.concatenate([parts[2:], parts[:2]])).all()


def test_every_game_ends_with_a_reason_within_its_bound(game: tavolino.Game) -> None:
    for players in game.players:
        outcomes = Batch(game, players).play(0, 5)
        assert (outcomes[:, 1] > 0).all()
        assert (outcomes[:, 2] <= game.most_decisions(players)).all()


def test_legal_numbers_are_ascending_and_their_texts_stand_for_one_number_each(game: tavolino.Game) -> None:
    for match in random_game(game, 3, seed=8):
        numbers = match._out[: match._n_legal].tolist()
        assert numbers == sorted(set(numbers))
        assert len(match.legal()) == len(numbers)
        assert all(0 <= number < game.action_count for number in numbers)
