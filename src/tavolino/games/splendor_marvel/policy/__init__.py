"""How a good player plays Splendor: Marvel.

Do not collect tokens: plan purchases. Every card in sight has a value for you (its points; what its bonus will save
you; a colour that you still lack, the Time Stone, Avengers symbols, a step towards a location), and it is so many
tokens away. A plan is worth its value, discounted for every token that is still missing, and what you have is worth
your two or three best plans. So each action is judged by what it makes of your plans:

- recruit when the card gives more than the tokens would have brought elsewhere;
- take the tokens that bring the best plans nearer, and not more than ten;
- reserve what you need before somebody else takes it, or a card that somebody else is about to win with;
- pay with the tokens that your next plans do not need.

As the end comes near, points count for more and bonuses for less: there is no time left to use them.
"""

from tavolino.engine.compiled import compiled
from tavolino.engine.policy import Policy, SearchSettings
from tavolino.games.splendor_marvel.policy.evaluation import evaluate
from tavolino.games.splendor_marvel.policy.scores import score_actions
from tavolino.games.splendor_marvel.policy.weights import WEIGHTS
from tavolino.games.splendor_marvel.state import RECORD, SplendorState


@compiled
def information_key(s: SplendorState, viewer: int) -> int:
    """What chance has brought to light: the cards in the rows."""
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
