"""Daily deals: one deal for each game and day, the same for everybody.

Its seed follows from the server's secret alone: players cannot add salts to cards that others have already played. The
commitment is told a day ahead. A day is one of UTC, so that it is over everywhere at the same moment.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

PREFIX = "daily/"
DAY = 86_400


def day_of(wall: float, later: int = 0) -> str:
    """The date at a moment, or some days later: 2026-11-17."""
    return (datetime.fromtimestamp(wall, UTC) + timedelta(days=later)).date().isoformat()


def ends_at(day: str) -> int:
    """When a day is over, in seconds since 1970."""
    return int(datetime.fromisoformat(day).replace(tzinfo=UTC).timestamp()) + DAY


def deal_of(day: str, game: str) -> str:
    """The name of a deal, which its commitment and its seed are bound to."""
    return f"{PREFIX}{day}/{game}"


def day_of_deal(deal: str | None) -> str | None:
    """The day of a table's deal; None if it is no daily one."""
    return deal.split("/")[1] if deal is not None and deal.startswith(PREFIX) else None


def is_secret(deal: str | None, wall: float) -> bool:
    """Whether others may still play this deal: then only those who have played it may see it."""
    day = day_of_deal(deal)
    return day is not None and wall < ends_at(day)


def streak(days: set[str], today: str) -> int:
    """The number of days in a row up to today, or up to yesterday if today's deal is not played yet."""
    at = datetime.fromisoformat(today)
    if today not in days:
        at -= timedelta(days=1)
    count = 0
    while at.date().isoformat() in days:
        count += 1
        at -= timedelta(days=1)
    return count
