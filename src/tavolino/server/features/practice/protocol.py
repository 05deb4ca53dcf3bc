"""Answers about a person's own mistakes."""

from __future__ import annotations

from tavolino.server import protocol as p


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
