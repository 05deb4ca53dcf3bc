"""What can be known in Kuhn poker: one's own card, and after a showdown both."""

from kuhn_poker.facts import CARD_COUNT, Reason
from kuhn_poker.state import KuhnState
from tavolino.engine.chance import draw
from tavolino.engine.compiled import compiled


@compiled
def resample(s: KuhnState, viewer: int) -> None:
    """Draw anew the cards that the viewer has not seen."""
    if s.reason == Reason.SHOWDOWN:
        return
    if viewer < 0:  # a spectator
        s.card[0] = draw(s, CARD_COUNT)
        viewer = 0
    s.card[1 - viewer] = (s.card[viewer] + 1 + draw(s, CARD_COUNT - 1)) % CARD_COUNT
