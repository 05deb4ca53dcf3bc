"""Beliefs: what is counted is what `resample` draws, and nothing else is believed."""

from __future__ import annotations

import numpy as np
import pytest

from tavolino.coach.beliefs import MissingBeliefs, beliefs_of, believe, estimate
from tavolino.engine.game import Game
from tavolino.engine.reading import read

DRAWS = 400


def position(game: Game, players: int, moves: int, seed: str):  # type: ignore[no-untyped-def]
    """A game after some moves, with something hidden where the game allows it."""
    match = game.start(players, seed)
    for number in range(moves):
        legal = match.legal()
        blind = [action for action in legal if action.startswith("reserve level-")]
        match.play(blind[0] if blind and number % 5 == 0 else legal[(7 * number) % len(legal)])
        if match.over:
            break
    return match


@pytest.mark.parametrize("moves", [0, 11, 24])
def test_a_count_is_what_worlds_say_on_average(game: Game, moves: int) -> None:
    match = position(game, 3, moves, f"count {moves}")
    for seat in range(3):
        belief, drawn = believe(match, seat), estimate(match, seat, DRAWS)
        if belief.is_exact:
            assert (belief.errors == 0).all()
            errors = np.sqrt(belief.table * (2 - belief.table) / DRAWS)  # at most: no card is there more than twice
            assert (np.abs(belief.table - drawn.table) <= 5 * errors + 1e-9).all()
            assert ((belief.table > 0) | (drawn.table == 0)).all(), "a world shows what was counted as impossible"
        assert not drawn.is_exact
        assert (drawn.errors > 0).all()


def test_every_place_holds_as_many_cards_as_in_the_game(game: Game) -> None:
    match = position(game, 3, 13, "as many")
    beliefs = beliefs_of(game.name)
    for seat in range(3):
        truth = beliefs.in_world(read(match._states), seat)
        assert truth.shape == (len(beliefs.places), len(beliefs.cards))
        belief = believe(match, seat, 16)
        assert np.allclose(belief.table.sum(axis=1), truth.sum(axis=1))
        if belief.is_exact:
            assert (belief.table[truth > 0] > 0).all(), "the truth is possible"


def test_worlds_that_a_seat_cannot_tell_apart_give_the_same_belief(game: Game) -> None:
    match = position(game, 4, 17, "same")
    for seat in range(4):
        one, other = (believe(match.resample(seat, number), seat, 8) for number in range(2))
        assert one.table.tobytes() == other.table.tobytes() == believe(match, seat, 8).table.tobytes()
        assert one.errors.tobytes() == other.errors.tobytes()


def test_a_game_without_beliefs_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tavolino.coach.beliefs.part_of", lambda name, part: None)
    with pytest.raises(MissingBeliefs, match=r"mantis\.beliefs is missing"):
        beliefs_of("mantis")


@pytest.mark.plain
def test_a_belief_puts_into_each_hidden_place_the_cards_that_it_holds(game: Game) -> None:
    """One card into each place that has one, by count or from a few worlds."""
    match = position(game, 2, 4, "places")
    beliefs = beliefs_of(game.name)
    for seat in range(2):
        held = beliefs.in_world(read(match.clone()._states), seat).sum(axis=1)
        for belief in (believe(match, seat, 3), estimate(match, seat, 3)):
            assert belief.table.sum(axis=1) == pytest.approx(held)
