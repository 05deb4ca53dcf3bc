"""The choice of a heuristic bot: score every action, take the best one that is not overlooked.

A bot is an array of weights: `easy` and `medium` are the same bot with different weights.
"""

from typing import Any

import numpy as np

from tavolino.bots.policies import policy_of
from tavolino.engine.chance import draw
from tavolino.engine.compiled import compiled, entry
from tavolino.engine.entry_points import declare, sample_actions, sample_scores
from tavolino.engine.policy import NOISE, OVERLOOK, THOUSAND, Reals, score_actions
from tavolino.engine.record import Numbers, State


@compiled
def choose(s: State, weights: Reals, actions: Numbers, n: int, scores: Reals) -> int:
    """The action that a bot with these weights takes; random numbers come from the world's own generator."""
    if n == 1:
        return actions[0]
    score_actions(s, weights, actions, n, scores)
    return _best_considered(s, weights, actions, n, scores)


@compiled
def _best_considered(s: State, weights: Reals, actions: Numbers, n: int, scores: Reals) -> int:
    best, best_score, equals = -1, 0.0, 1
    for i in range(n):
        if weights[OVERLOOK] > 0.0 and draw(s, THOUSAND) < weights[OVERLOOK] * THOUSAND:
            continue
        score = scores[i]
        if weights[NOISE] > 0.0:
            score += weights[NOISE] * (2.0 * draw(s, THOUSAND) / THOUSAND - 1.0)
        if best < 0 or score > best_score:
            best, best_score, equals = i, score, 1
        elif score == best_score:  # ties are broken at random, uniformly
            equals += 1
            if draw(s, equals) == 0:
                best = i
    if best < 0:
        best = draw(s, n)
    return actions[best]


@entry
def decide(states: np.ndarray[Any, Any], index: int, weights: Reals, actions: Numbers, n: int, scores: Reals) -> int:
    """`choose` as an entry point for Python."""
    return choose(states[index], weights, actions, n, scores)


declare(
    "medium",
    decide,
    lambda game: (
        *(game.new_states(), 0, policy_of(game.name).weights_of("medium")),
        *(sample_actions(game), 0, sample_scores(game)),
    ),
    counts={"n": "actions"},
)
