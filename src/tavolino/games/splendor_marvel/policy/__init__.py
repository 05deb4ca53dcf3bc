"""The heuristic of Splendor: Marvel. It plans purchases.

Every visible card has a value for the player (its points; what its bonus will save; a colour that is still missing, the
Time Stone, Avengers symbols, a step towards a location), and a number of tokens that are missing to pay for it. A plan
is worth its value, discounted for every missing token, and a position is worth the two or three best plans. So each
action is scored by how it changes the plans:

- recruit if the card is worth more than the tokens would be for other plans;
- take the tokens that help the best plans, up to ten;
- reserve a needed card before somebody else takes it, or a card with which somebody else is about to win;
- pay with the tokens that the next plans do not need.

Near the end of the game points count for more and bonuses for less, because there is no time left to use them.
"""

from tavolino.engine.compiled import compiled
from tavolino.engine.policy import Policy, SearchSettings
from tavolino.games.splendor_marvel.policy.evaluation import evaluate
from tavolino.games.splendor_marvel.policy.features import SHAPE, features
from tavolino.games.splendor_marvel.policy.scores import score_actions
from tavolino.games.splendor_marvel.policy.weights import WEIGHTS
from tavolino.games.splendor_marvel.state import RECORD, SplendorState


@compiled
def information_key(s: SplendorState, viewer: int) -> int:
    """What chance has revealed: the cards in the rows."""
    seen = 0
    for at in range(s.n_face_up):
        seen = (seen * 91 + s.face_up[at]) & 0x3FFFFFFF
    return seen


POLICY = Policy(
    record=RECORD,
    weights=WEIGHTS,
    score_actions=score_actions,
    evaluate=evaluate,
    information_key=information_key,
    features=features,
    net=SHAPE,
    search=SearchSettings(
        iterations=12_000,
        exploration=0.08,
        depth=12,
        widening=0.6,
        playout=0,
        random_percent=0,
        by_information=False,
        informed=0,
        opponents_search=True,
        margin=0.5,
        common_worlds=False,
    ),
)
