"""Heuristic players in the arena and in batches see a position without its hidden cards (`conceal`)."""

import random

import numpy as np
import pytest

import tavolino
from tavolino.bots.policies import policy_of
from tavolino.engine.chance import Chance
from tavolino.engine.compiled import entry
from tavolino.engine.dispatch import conceal
from tavolino.engine.match import Match
from tavolino.engine.policy import Reals, score_actions
from tavolino.engine.record import Numbers, States, fields_of


@entry
def conceal_first(states: States, seat: int) -> None:
    conceal(states[0], seat)


@entry
def score_in_first(states: States, weights: Reals, actions: Numbers, n: int, scores: Reals) -> None:
    score_actions(states[0], weights, actions, n, scores)


def scores_in(states: States, match: Match) -> list[float]:
    weights = policy_of(match.game.name).weights_of("medium")
    scores = np.zeros(match.game.action_count)
    score_in_first(states, weights, match._out, match._n_legal, scores)
    return list(scores[: match._n_legal])


def concealed(match: Match, seat: int) -> States:
    states = match._states.copy()
    conceal_first(states, seat)
    return states


@pytest.mark.parametrize("name", tavolino.games())
def test_medium_scores_actions_there_as_in_any_world_that_is_possible(name: str) -> None:
    game = tavolino.load(name)
    compared = 0
    for players in game.players:
        chance = random.Random(f"{name} {players}")
        match = game.start(players, f"concealed {players}")
        while not match.over:
            seat, legal = match.to_act, match.legal()
            assert seat is not None
            if len(legal) > 1 and chance.random() < 0.5:
                expected = scores_in(concealed(match, seat), match)
                for seed in range(2):
                    world = match.resample(seat, seed)
                    assert scores_in(world._states, world) == expected
                    assert scores_in(concealed(world, seat), world) == expected
                compared += 1
            match.play(chance.choice(legal))
    assert compared >= 50


@pytest.mark.parametrize("name", tavolino.games())
def test_nothing_of_what_the_seat_cannot_know_is_left(name: str) -> None:
    """Worlds that a seat cannot tell apart are the same to the byte once they are concealed, but for their chance."""
    game = tavolino.load(name)
    if game.conceal is None:
        return  # `resample` is tested by the conformance suite
    for players in game.players:
        chance = random.Random(f"left {name} {players}")
        match = game.start(players, f"left {players}")
        while not match.over:
            seat = match.to_act
            assert seat is not None
            if chance.random() < 0.3:
                one, other = (concealed(match.resample(seat, seed), seat) for seed in (1, 2))
                true = concealed(match, seat)
                for states in (one, other, true):
                    for field, *_ in fields_of(Chance):
                        states[field] = 0
                assert one.tobytes() == other.tobytes() == true.tobytes()
            match.play(chance.choice(match.legal()))
