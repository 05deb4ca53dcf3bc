"""Bodies and answers about exercises: puzzles, and the mistakes of a person."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta

from tavolino.engine.explanation import Theme
from tavolino.server import protocol as p

Difficulty = Literal["easy", "medium", "hard"]


class PuzzleCard(p.Body):
    """A puzzle in a list."""

    id: str
    difficulty: Difficulty
    players: int
    solved: bool | None  # by you; null: not tried yet
    theme: Theme | None = None  # what it is about; null where the game has no themes


class Position(p.Body):
    """A moment of a game as the seat that must decide sees it: what would you do?"""

    id: str
    game: str
    players: int
    seat: int
    view: p.View
    lines: list[p.Line]
    notebook: dict[str, Any]


class Try(p.Body):
    """What you would do."""

    action: Annotated[str, Meta(max_length=200)]


class Worth(p.Body):
    """An action, and the chance to win after it, over what the seat could know."""

    action: str
    chance: float
    error: float  # standard error
    estimate: bool  # from shortened playouts: it says how the action compares, and not more


class Solution(p.Body):
    """What came of a try. `usual` is what was played instead: by a medium bot, or by you in that game."""

    solved: bool
    chosen: str
    best: str
    usual: str
    cost: float  # of what you chose, in chance to win
    actions: list[Worth]  # the best one first
    reasons: list[p.Reason]
    due: int | None  # when the position comes back, in seconds since 1970; null: never


class Mistake(p.Body):
    """A decision of yours that cost clearly, offered again."""

    id: str
    game: str
    turn: int
    cost: float  # of what you chose then, in chance to win
    due: int  # seconds since 1970
    solved: int  # times in a row


class Mistakes(p.Body):
    now: list[Mistake]
    later: list[Mistake]
