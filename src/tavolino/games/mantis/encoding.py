"""Mantis as numbers. All viewers know the same (MA-06), so there are no slices of knowledge."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tavolino.engine.compiled import compiled
from tavolino.engine.observation import ActionRange, Encoding, Slice, offsets
from tavolino.games.mantis.facts import (
    BACK,
    BACK_COLOURS,
    CARD_COUNT,
    COLOUR_COUNT,
    FRONT,
    GOAL_FOR_TWO,
    ICON,
    ICONS,
    MOST_PLAYERS,
    NO_CARD,
    TANK_AT_START,
)
from tavolino.games.mantis.game import GAME
from tavolino.games.mantis.notation import END_TURN, SCORE, STEAL, STEPS, TAKE
from tavolino.games.mantis.state import MantisState

CARDS_OF_A_COLOUR = CARD_COUNT // COLOUR_COUNT
ICON_KINDS = len(ICONS) - 1
CARDS_WITH_AN_ICON = 7  # of each kind (MA-25)

SLICES = (
    Slice("players", 1, MOST_PLAYERS, "how many play"),
    Slice("to_act", MOST_PLAYERS, 1, "whose decision it is, one flag a seat (+0 is the viewer)"),
    Slice("step", len(STEPS), 1, f"what is being waited for: {', '.join(STEPS)}"),
    Slice("icons", 1, 1, "1: icons count"),
    Slice("goal", 1, GOAL_FOR_TWO, "cards in a score pile that win"),
    Slice("score", MOST_PLAYERS, GOAL_FOR_TWO - 1 + CARDS_OF_A_COLOUR, "cards in each seat's score pile"),
    Slice("tank", MOST_PLAYERS * COLOUR_COUNT, CARDS_OF_A_COLOUR, "cards of each colour in each tank, seat by seat"),
    Slice("back", COLOUR_COUNT, 1, "the colours on the back of the top card"),
    Slice("can_be", COLOUR_COUNT, 1, "the colours that the top card can have: its back, less the cards already seen"),
    Slice("draw", 1, CARD_COUNT - 2 * TANK_AT_START, "cards in the draw pile"),
    Slice("unseen", COLOUR_COUNT, CARDS_OF_A_COLOUR, "undrawn cards of each colour, the top one among them"),
    Slice("unseen_icons", ICON_KINDS, CARDS_WITH_AN_ICON, "undrawn cards with each icon, when icons count"),
)

_AT = offsets(SLICES)
PLAYERS, TO_ACT, STEP, ICONS_COUNT, GOAL = (_AT[name] for name in ("players", "to_act", "step", "icons", "goal"))
SCORES, TANKS, TOP_BACK, CAN_BE = _AT["score"], _AT["tank"], _AT["back"], _AT["can_be"]
DRAW, UNSEEN, UNSEEN_ICONS = _AT["draw"], _AT["unseen"], _AT["unseen_icons"]

# Seven colours and three icons are counted in one sum, with four bits for each, because none exceeds fifteen.
COUNTER_BITS = 4
COUNTER = (1 << COUNTER_BITS) - 1


def _counted() -> NDArray[np.int64]:
    """What each card adds to the sum: one for its colour, and one for its icon if it has one."""
    colours = np.int64(1) << (COUNTER_BITS * FRONT.astype(np.int64))
    icons = np.int64(1) << (COUNTER_BITS * (COLOUR_COUNT - 1 + ICON.astype(np.int64)))
    return colours + np.where(ICON > 0, icons, 0)


COUNTED = _counted()


@compiled
def observe(s: MantisState, viewer: int, out: Any) -> None:
    """What is public, and what has not been seen yet."""
    out[:] = 0
    out[PLAYERS] = s.players
    out[STEP + s.step] = 1
    icons_count = s.icons == 1 and s.players > 2
    out[ICONS_COUNT] = icons_count
    out[GOAL] = s.goal
    for distance in range(s.players):
        seat = viewer + distance
        if seat >= s.players:
            seat -= s.players
        out[TO_ACT + distance] = seat == s.to_act
        out[SCORES + distance] = s.score[seat]
        for colour in range(COLOUR_COUNT):
            out[TANKS + distance * COLOUR_COUNT + colour] = s.tank[seat, colour]
    _observe_pile(s, icons_count, out)


@compiled
def _observe_pile(s: MantisState, icons_count: bool, out: Any) -> None:
    """Everybody knows the set of undrawn cards; their order and the top card are unknown (MA-04)."""
    if s.top == NO_CARD:
        return
    out[DRAW] = s.pile_size + 1
    back = BACK[s.top]
    for colour in BACK_COLOURS[s.top]:
        out[TOP_BACK + colour] = 1
    counts = COUNTED[s.top]
    out[CAN_BE + FRONT[s.top]] = 1
    for place in range(s.pile_size):
        card = s.pile[place]
        counts += COUNTED[card]
        if BACK[card] == back:
            out[CAN_BE + FRONT[card]] = 1
    for colour in range(COLOUR_COUNT):
        out[UNSEEN + colour] = counts >> (COUNTER_BITS * colour) & COUNTER
    if icons_count:
        for kind in range(ICON_KINDS):
            out[UNSEEN_ICONS + kind] = counts >> (COUNTER_BITS * (COLOUR_COUNT + kind)) & COUNTER


ENCODING = Encoding(
    game=GAME,
    version="2",
    slices=SLICES,
    actions=(
        ActionRange("score", SCORE, 1, "the top card into one's own tank"),
        ActionRange("steal +d", STEAL, MOST_PLAYERS, "the top card into the tank d seats on", names_seat=True),
        ActionRange("take +d", TAKE, MOST_PLAYERS, "a card from the score pile d seats on", names_seat=True),
        ActionRange("end-turn", END_TURN, 1, "instead of the turn that a steal has brought (two players)"),
    ),
    observe=observe,
)
