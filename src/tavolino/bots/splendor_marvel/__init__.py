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

from tavolino.bots.dispatch import register
from tavolino.bots.splendor_marvel.deeds import weigh
from tavolino.bots.splendor_marvel.habits import HABITS
from tavolino.bots.splendor_marvel.judge import worth
from tavolino.engine.compiled import compiled
from tavolino.games.splendor_marvel.state import RECORD, SplendorState

__all__ = ["HABITS"]


@compiled
def team(s: SplendorState, seat: int) -> int:
    """Everybody for themselves."""
    return seat


@compiled
def sight(s: SplendorState, viewer: int) -> int:
    """What chance has brought to light: the cards in the rows."""
    seen = 0
    for at in range(s.n_face_up):
        seen = (seen * 91 + s.face_up[at]) & 0x3FFFFFFF
    return seen


register(RECORD, weigh=weigh, worth=worth, team=team, sight=sight)
