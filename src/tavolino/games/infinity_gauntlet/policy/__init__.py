"""The heuristic of Infinity Gauntlet: heroes.py and thanos.py score actions by odds.py and weights.py.

evaluation.py estimates the chances to win where a playout is cut off.
"""

from tavolino.engine.compiled import compiled, int64
from tavolino.engine.policy import TO_THE_END, Policy, Reals, SearchSettings
from tavolino.engine.record import Numbers
from tavolino.games.infinity_gauntlet.facts import HEROES, THANOS
from tavolino.games.infinity_gauntlet.policy.evaluation import evaluate
from tavolino.games.infinity_gauntlet.policy.heroes import score_as_hero
from tavolino.games.infinity_gauntlet.policy.thanos import score_as_thanos
from tavolino.games.infinity_gauntlet.policy.weights import WEIGHTS
from tavolino.games.infinity_gauntlet.state import RECORD, GauntletState

FORTY_BITS = (1 << 40) - 1  # so that a product fits into 64 bits


@compiled
def score_actions(s: GauntletState, weights: Reals, actions: Numbers, n: int, scores: Reals) -> None:
    if s.to_act == s.thanos:
        score_as_thanos(s, weights, actions, n, scores)
    else:
        score_as_hero(s, weights, actions, n, scores)


@compiled
def information_key(s: GauntletState, viewer: int) -> int:
    """What is public, and the viewer's own hand."""
    seen = int64(s.shown)
    seen = ((seen * 32 + s.life[HEROES]) * 32 + s.life[THANOS]) & FORTY_BITS
    seen = ((seen * 16 + s.step) * 8 + s.to_act) & FORTY_BITS
    for seat in range(s.players):
        seen = (seen * 11 + s.tokens[seat]) & FORTY_BITS
    for i in range(s.hand_size[viewer]):
        seen = (seen * 31 + s.hand[viewer, i]) & FORTY_BITS
    return seen


POLICY = Policy(
    record=RECORD,
    weights=WEIGHTS,
    score_actions=score_actions,
    evaluate=evaluate,
    information_key=information_key,
    search=SearchSettings(
        iterations=12_000,
        exploration=0.6,
        depth=3,
        widening=10.0,
        playout=8,
        random_percent=0,
        by_information=True,
        informed=TO_THE_END,
        opponents_search=False,
        margin=1.0,
        common_worlds=True,
    ),
)
