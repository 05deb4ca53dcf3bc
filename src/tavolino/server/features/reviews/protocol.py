"""Bodies and answers about reviews, and playing on."""

from __future__ import annotations

from typing import Any

from tavolino.server import protocol as p


class PlayOn(p.Body):
    """Play on from a position of a finished game, in a seat of it, against bots."""

    seat: p.SeatNumber
    turn: p.Count  # how many decisions of the game stay as they were
    level: p.Level = "medium"  # of the bots that take people's seats; other bots keep theirs


class Review(p.Body):
    """How far a review is, and all of it once it is there (docs/guides/command-line.md has its keys)."""

    seat: int
    done: int
    total: int
    review: Any
    shared: bool = False  # its player has opened it to everybody with the link, although the table is private


class ShareReview(p.Body):
    """Whether everybody with the link may see the review of your own seat."""

    shared: bool
