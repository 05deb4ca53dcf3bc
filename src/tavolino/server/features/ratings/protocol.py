"""Answers about ratings. What a seat and a profile show of them is in `server/protocol`."""

from __future__ import annotations

from tavolino.server import protocol as p


class RatingChange(p.Body):
    """Your rating before a rated game and after it."""

    before: p.Rating
    after: p.Rating


class RatedResult(p.Body):
    change: RatingChange | None  # null: the game does not count
