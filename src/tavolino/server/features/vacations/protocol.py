"""Commands and answers about vacations."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from tavolino.server import protocol as p

MAX_VACATION = 14  # days for each player at a table, altogether


class TakeVacation(p.CommandMessage, tag="vacation"):
    """Your clock stands for so many days, where a move may take a day or more; 0: you are back."""

    days: Annotated[int, Meta(ge=0, le=MAX_VACATION)]


class Vacations(p.Body):
    """All your games that are being played with a day or more for a move."""

    games: int
    away: int  # in so many of them you are on vacation now
    until: int | None  # the end of the longest of these vacations, in seconds since 1970
    days: int  # the most that you can still take in one of them
