"""Answers about daily deals."""

from __future__ import annotations

from tavolino.server import protocol as p


class DailyResult(p.Body):
    """What came of a daily deal. What the decisions gave away is compared, not who won: luck does not count."""

    counts: bool  # played to its end before the day was over
    won: bool
    given_away: float | None  # chance to win, over all decisions; null: not worked out yet
    done: int  # of the review
    total: int
    others: int  # who have a result
    worse: int  # of them gave away more
    median: float | None  # of everybody


class RevealedDeal(p.Body):
    """A deal that is over everywhere: anyone who kept the commitment can check it."""

    deal: str
    commitment: str
    secret: str
    table: str | None  # yours
    given_away: float | None  # by you
    players: int  # who have a result
    median: float | None


class DailyDeal(p.Body):
    """One deal of a day, the same for everybody. You have one try."""

    game: str
    day: str
    ends: int  # seconds since 1970
    seats: int
    commitment: str
    tomorrow: str  # the commitment of the next day's deal
    table: str | None  # yours; null: not begun
    result: DailyResult | None  # null: not over yet
    yesterday: RevealedDeal | None
    streak: int  # days in a row with a result, in any game
