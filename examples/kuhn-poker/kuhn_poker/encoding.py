"""Kuhn poker as numbers, for learners."""

from typing import Any

from kuhn_poker.facts import ACTIONS, CARD_COUNT, CARDS, MOST_CHIPS, SEATS
from kuhn_poker.game import GAME
from kuhn_poker.notation import STEPS
from kuhn_poker.state import KuhnState
from tavolino.engine.compiled import compiled
from tavolino.engine.observation import ActionRange, Encoding, Slice, offsets

SLICES = (
    Slice("to_act", SEATS, 1, "whose decision it is, one flag a seat (+0 is the viewer)"),
    Slice("step", len(STEPS), 1, f"what is being waited for: {', '.join(STEPS)}"),
    Slice("first", 1, 1, "1: the viewer is the first player"),
    Slice("card", CARD_COUNT, 1, f"the viewer's card: {', '.join(CARDS)}"),
    Slice("chips", SEATS, MOST_CHIPS, "chips of each seat in the pot"),
)
_AT = offsets(SLICES)
TO_ACT, STEP, FIRST, CARD, CHIPS = (_AT[part.name] for part in SLICES)


@compiled
def observe(s: KuhnState, viewer: int, out: Any) -> None:
    out[:] = 0
    out[STEP + s.step] = 1
    out[FIRST] = s.first == viewer
    out[CARD + s.card[viewer]] = 1
    for distance in range(SEATS):
        seat = viewer + distance
        if seat >= SEATS:
            seat -= SEATS
        out[TO_ACT + distance] = seat == s.to_act
        out[CHIPS + distance] = s.chips[seat]


ENCODING = Encoding(
    game=GAME,
    version="1",
    slices=SLICES,
    actions=tuple(ActionRange(action, number, 1, "") for number, action in enumerate(ACTIONS)),
    observe=observe,
)
