"""How the actions and events of Kuhn poker read as words."""

from enum import IntEnum
from typing import Any

from kuhn_poker.facts import ACTIONS, CARDS, REASONS
from kuhn_poker.state import Step
from tavolino.engine.events import EventKind, Field, number, private, seat, word
from tavolino.engine.game import Json, Refusal

STEPS = ("over", "open", "answer")


class Event(IntEnum):
    DEALT = 0
    ACTED = 1
    SHOWN = 2
    OVER = 3


EVENT_KINDS = (
    EventKind("dealt", (Field("seat", seat(0)), private("card", word(1, CARDS)))),
    EventKind("acted", (Field("seat", seat(0)), Field("how", word(1, ACTIONS)))),
    EventKind("shown", (Field("seat", seat(0)), Field("card", word(1, CARDS)))),
    EventKind("over", (Field("winners", lambda row: [number(0)(row)]), Field("reason", word(1, REASONS)))),
)


def action_text(s: Any, action: int) -> str:
    return ACTIONS[action]


def action_params(text: str) -> tuple[str, Json]:
    """An action as its verb and parameters."""
    return text, {}


def prompt(s: Any) -> Json:
    """The question that is waiting for an answer."""
    return {"key": STEPS[s.step], "seat": s.to_act}


def refuse(s: Any, text: str) -> Refusal:
    """Why this action is not legal now."""
    if text not in ACTIONS:
        return Refusal(None, "unknown", {"action": text[:60]})
    return Refusal("KP-10", "nothing-to-answer") if s.step == Step.OPEN else Refusal("KP-12", "answer-the-bet")
