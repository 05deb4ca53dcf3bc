"""The texts of the actions and events of Mantis."""

from enum import IntEnum
from typing import Any

from tavolino.engine.events import EventKind, Field, flag, number, seat, word, word_list, word_set
from tavolino.engine.game import Json, Refusal
from tavolino.games.mantis.facts import CARDS, COLOURS, FRONT_COLOURS, ICONS, MOST_PLAYERS, REASONS, TANK_AT_START
from tavolino.games.mantis.state import Step

# The flat table of actions: score, then steal from each seat, then take from each seat, then end the turn.
SCORE = 0
STEAL = 1
TAKE = STEAL + MOST_PLAYERS
END_TURN = TAKE + MOST_PLAYERS
ACTION_COUNT = END_TURN + 1

STEPS = ("over", "turn", "take", "extra-turn")


class How(IntEnum):
    """What the top card is used for."""

    SCORE = 0
    STEAL = 1


class Event(IntEnum):
    DEALT = 0
    TURNED = 1
    TAKEN = 2
    ANOTHER_TURN = 3
    OVER = 4
    BACK = 5
    TURN_ENDED = 6


_SEATS = tuple(str(number) for number in range(MOST_PLAYERS))

EVENT_KINDS = (
    EventKind(
        "dealt",
        (
            Field("seat", seat(0)),
            Field("cards", word_list(1, TANK_AT_START, CARDS)),
            Field("colours", word_list(1, TANK_AT_START, FRONT_COLOURS)),
        ),
    ),
    EventKind(
        "turned",
        (
            Field("seat", seat(0)),
            Field("how", word(1, ("score", "steal"))),
            Field("target", seat(2)),
            Field("card", word(3, CARDS)),
            Field("icon", word(4, ICONS)),
            Field("matched", flag(5)),
            Field("count", number(6)),
        ),
    ),
    EventKind("taken", (Field("seat", seat(0)), Field("target", seat(1)))),
    EventKind("another-turn", (Field("seat", seat(0)),)),
    EventKind(
        "over",
        (
            Field("winners", lambda row: [int(n) for n in word_set(0, _SEATS)(row)]),
            Field("reason", word(1, REASONS)),
        ),
    ),
    # The back of the new top card, and the number of cards in the pile.
    EventKind("back", (Field("colours", word_list(0, 3, COLOURS)), Field("size", number(3)))),
    EventKind("turn-ended", (Field("seat", seat(0)),)),
)


def action_text(s: Any, action: int) -> str:
    if action == SCORE:
        return "score"
    if action < TAKE:
        return f"steal {action - STEAL}"
    if action < END_TURN:
        return f"take {action - TAKE}"
    return "end-turn"


def action_params(text: str) -> tuple[str, Json]:
    """An action as its verb and parameters."""
    verb, _, target = text.partition(" ")
    return verb, {"target": int(target)} if target else {}


def prompt(s: Any) -> Json:
    """The question that is waiting for an answer."""
    return {"key": STEPS[s.step], "seat": s.to_act}


def refuse(s: Any, text: str) -> Refusal:
    """Why this action is not legal now."""
    verb, _, rest = text.partition(" ")
    target = int(rest) if rest in _SEATS else None
    if verb == "score" and not rest and s.step == Step.TAKE:
        return Refusal("MA-23", "take-first")
    if text == "end-turn":
        return Refusal("MA-23", "take-first") if s.step == Step.TAKE else Refusal("MA-10", "no-end-turn")
    if verb not in ("steal", "take") or target is None:
        return Refusal(None, "unknown", {"action": text[:60]})
    if target >= s.players:
        return Refusal(None, "no-such-seat", {"target": target + 1, "players": s.players})
    if verb == "steal" and s.step == Step.TAKE:
        return Refusal("MA-23", "take-first")
    if verb == "take" and s.step != Step.TAKE:
        return Refusal("MA-10", "score-or-steal")
    if target == s.current:
        return Refusal("MA-13" if verb == "steal" else "MA-23", f"{verb}-from-yourself")
    return Refusal("MA-23", "empty-score-pile", {"target": target})
