"""A policy for Kuhn poker in a few lines: the higher the card, the more it is worth to put a chip in."""

import numpy as np

from kuhn_poker.facts import Action
from kuhn_poker.state import RECORD, KuhnState
from tavolino.engine.compiled import compiled
from tavolino.engine.policy import Policy, Reals
from tavolino.engine.record import Numbers


@compiled
def score_actions(s: KuhnState, weights: Reals, actions: Numbers, n: int, scores: Reals) -> None:
    """Bet and call with a king, check and fold with a jack; a queen calls and does not bet."""
    card = s.card[s.to_act]
    for i in range(n):
        scores[i] = 0.0
        if actions[i] == Action.BET:
            scores[i] = card - 1.5
        elif actions[i] == Action.CALL:
            scores[i] = card - 0.5


POLICY = Policy(RECORD, weights={"medium": np.array([0.0, 0.0])}, score_actions=score_actions)
