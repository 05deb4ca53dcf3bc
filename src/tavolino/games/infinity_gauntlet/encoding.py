"""Infinity Gauntlet as numbers. Cards are flags or counts by their number: 16 of the heroes, then 12 of Thanos.

The slices of knowledge are the sets that the rules track for each viewer from what that viewer has seen. They serve as
memory for policies that have none. Quiet games do not have them.
"""

from typing import Any

from tavolino.engine.compiled import compiled
from tavolino.engine.observation import ActionRange, Encoding, Slice, offsets, size_of
from tavolino.games.infinity_gauntlet import actions
from tavolino.games.infinity_gauntlet.facts import (
    CARD_COUNT,
    DECK_SIZES,
    FIRST_THANOS_CARD,
    HEROES,
    LARGEST_DECK,
    LARGEST_HAND,
    MOST_LIFE,
    MOST_PLAYERS,
    NO_CARD,
    OUTRIDERS,
    SIDES,
    THANOS,
    THANOS_CARD_KINDS,
    THANOS_NUMBERS,
    TOP_CARDS,
)
from tavolino.games.infinity_gauntlet.game import GAME
from tavolino.games.infinity_gauntlet.knowledge import recall
from tavolino.games.infinity_gauntlet.notation import STEPS
from tavolino.games.infinity_gauntlet.state import GauntletState, Step

NUMBER_COUNT = len(THANOS_NUMBERS)
THANOS_DECK_SIZE = DECK_SIZES[THANOS]
# Thanos can play twelve cards, each once, and each of up to five heroes has one turn between two of them.
MOST_TOKENS = 12 * (MOST_PLAYERS - 1)

OPEN = (
    Slice("players", 1, MOST_PLAYERS, "how many play"),
    Slice("to_act", MOST_PLAYERS, 1, "whose decision it is, one flag a seat (+0 is the viewer)"),
    Slice("thanos", MOST_PLAYERS, 1, "who is Thanos"),
    Slice("turn", MOST_PLAYERS, 1, "whose turn it is"),
    Slice("turns_left", 1, 1, "turns that the same player has after this one"),
    Slice("step", len(STEPS), 1, f"what is being waited for: {', '.join(STEPS)}"),
    Slice("life", len(SIDES), MOST_LIFE, "life of the heroes, of Thanos"),
    Slice("decks", len(SIDES), LARGEST_DECK, "cards in the hero deck, in the Thanos deck"),
    Slice("hand_size", MOST_PLAYERS, LARGEST_HAND, "cards in each hand"),
    Slice("tokens", MOST_PLAYERS, MOST_TOKENS, "power tokens of each seat"),
    Slice("hand", CARD_COUNT, OUTRIDERS, "the viewer's hand"),
    Slice("face_up", CARD_COUNT, OUTRIDERS, "the face-up cards of all"),
    Slice("effect", CARD_COUNT, 1, "the card whose effect is being carried out"),
    Slice("target", MOST_PLAYERS, 1, "the seat that was chosen"),
    Slice("fought", MOST_PLAYERS, 1, "Space Stone: whom Thanos has fought"),
    Slice("number", NUMBER_COUNT, 1, "the number that was named"),
    Slice("to_bottom", 1, 2, "cards still to be put on the bottom"),
    Slice(
        "top_three",
        TOP_CARDS * FIRST_THANOS_CARD,
        1,
        "for the one who orders them: the top three of the hero deck in the order of their numbers",
    ),
)
KNOWLEDGE = (
    Slice(
        "can_hold", MOST_PLAYERS * CARD_COUNT, 1, "the cards that each hand can hold, seat by seat", is_knowledge=True
    ),
    Slice(
        "holds", MOST_PLAYERS * CARD_COUNT, OUTRIDERS, "the cards that each hand holds for certain", is_knowledge=True
    ),
    Slice(
        "hero_deck_can",
        LARGEST_DECK * FIRST_THANOS_CARD,
        1,
        "the cards that each place of the hero deck can hold, from the top",
        is_knowledge=True,
    ),
    Slice(
        "thanos_deck_can",
        THANOS_DECK_SIZE * THANOS_CARD_KINDS,
        1,
        "the cards that each place of the Thanos deck can hold, from the top",
        is_knowledge=True,
    ),
)
SLICES = OPEN + KNOWLEDGE
OPEN_SIZE = size_of(OPEN)

_AT = offsets(SLICES)
PLAYERS, TO_ACT, THANOS_IS, TURN, TURNS_LEFT, STEP = (_AT[part.name] for part in OPEN[:6])
LIFE, DECKS, HAND_SIZE, TOKENS, HAND, FACE_UP = (_AT[part.name] for part in OPEN[6:12])
EFFECT, TARGET, FOUGHT, NUMBER, TO_BOTTOM, TOP_THREE = (_AT[part.name] for part in OPEN[12:])
CAN_HOLD, HOLDS, HERO_DECK_CAN, THANOS_DECK_CAN = (_AT[part.name] for part in KNOWLEDGE)


@compiled
def observe(s: GauntletState, viewer: int, out: Any) -> None:
    """What is public, the viewer's own cards and, if `out` is long enough, what the viewer can deduce."""
    out[:] = 0
    out[PLAYERS] = s.players
    out[TURNS_LEFT] = s.turns_left
    out[STEP + s.step] = 1
    for side in range(len(SIDES)):
        out[LIFE + side] = s.life[side]
        out[DECKS + side] = s.deck_size[side]
    for distance in range(s.players):
        seat = viewer + distance
        if seat >= s.players:
            seat -= s.players
        _observe_seat(s, seat, distance, out)
    for i in range(s.hand_size[viewer]):
        out[HAND + s.hand[viewer, i]] += 1
    if s.effect != NO_CARD:
        out[EFFECT + s.effect] = 1
    if s.number > 0:
        out[NUMBER + s.number - 1] = 1
    out[TO_BOTTOM] = s.to_bottom
    if s.step == Step.ORDER and viewer == s.to_act:
        _observe_top_three(s, out)
    if len(out) > OPEN_SIZE:
        _observe_knowledge(s, viewer, out)


@compiled
def _observe_seat(s: GauntletState, seat: int, distance: int, out: Any) -> None:
    out[TO_ACT + distance] = seat == s.to_act
    out[THANOS_IS + distance] = seat == s.thanos
    out[TURN + distance] = seat == s.current
    out[HAND_SIZE + distance] = s.hand_size[seat]
    out[TOKENS + distance] = s.tokens[seat]
    out[TARGET + distance] = seat == s.target
    out[FOUGHT + distance] = seat == s.fought
    for i in range(s.face_up_size[seat]):
        out[FACE_UP + s.face_up[seat, i]] += 1


@compiled
def _observe_top_three(s: GauntletState, out: Any) -> None:
    """IG-57: in the order of card numbers, which is the numbering of the `order` actions."""
    top = s.deck_size[HEROES]
    for at in range(top - TOP_CARDS, top):
        rank = 0
        for other in range(top - TOP_CARDS, top):
            rank += s.deck[HEROES, other] < s.deck[HEROES, at]
        out[TOP_THREE + rank * FIRST_THANOS_CARD + s.deck[HEROES, at]] = 1


@compiled
def _observe_knowledge(s: GauntletState, viewer: int, out: Any) -> None:
    """Only the viewer's own sets."""
    if s.quiet == 0:
        recall(s, viewer)
    for distance in range(s.players):
        seat = (viewer + distance) % s.players
        for i in range(s.hand_size[seat]):
            can = s.hand_can[viewer, seat, i]
            is_known = can & (can - 1) == 0
            for card in range(CARD_COUNT):
                if can >> card & 1 != 0:
                    out[CAN_HOLD + distance * CARD_COUNT + card] = 1
                    if is_known:
                        out[HOLDS + distance * CARD_COUNT + card] += 1
    for place in range(s.deck_size[HEROES]):
        can = s.deck_can[viewer, HEROES, s.deck_size[HEROES] - 1 - place]
        for card in range(FIRST_THANOS_CARD):
            out[HERO_DECK_CAN + place * FIRST_THANOS_CARD + card] = can >> card & 1
    for place in range(s.deck_size[THANOS]):
        can = s.deck_can[viewer, THANOS, s.deck_size[THANOS] - 1 - place]
        for card in range(THANOS_CARD_KINDS):
            out[THANOS_DECK_CAN + place * THANOS_CARD_KINDS + card] = can >> (FIRST_THANOS_CARD + card) & 1


ENCODING = Encoding(
    game=GAME,
    version="1",
    slices=SLICES,
    actions=(
        ActionRange("play CARD", actions.PLAY, CARD_COUNT, "a card of the hand, by its number"),
        ActionRange("choose +d", actions.CHOOSE, MOST_PLAYERS, "the seat d places on; +0 is oneself", names_seat=True),
        ActionRange("guess N", actions.GUESS, NUMBER_COUNT, "a number, from 1"),
        ActionRange("fight", actions.FIGHT, 1, ""),
        ActionRange("decline", actions.DECLINE, 1, "to fight"),
        ActionRange("fight-with CARD", actions.FIGHT_WITH, THANOS_CARD_KINDS, "a card of Thanos, from his first"),
        ActionRange("give-up CARD", actions.GIVE_UP, THANOS_CARD_KINDS, "a card of Thanos, from his first"),
        ActionRange("order CARD CARD CARD", actions.ORDER, 6, "the top three as permutations of their numbers"),
        ActionRange("bottom CARD", actions.BOTTOM, THANOS_CARD_KINDS, "a card of Thanos, from his first"),
        ActionRange("copy CARD", actions.COPY, THANOS_CARD_KINDS, "a card of Thanos, from his first"),
        ActionRange("snap", actions.SNAP, 1, ""),
        ActionRange("end-turn", actions.END_TURN, 1, "without a snap"),
    ),
    observe=observe,
)
