"""Same-deal series: the members of a circle play the same deals from the same seat, each against bots of their own."""

from __future__ import annotations

from tavolino.server.features.circles.stored import StoredSeries

PREFIX = "series/"


def deal_of(series: str, number: int) -> str:
    """The name of a deal, which its commitment and its seed are bound to. Numbers begin with 1."""
    return f"{PREFIX}{series}/{number}"


def series_of_deal(deal: str | None) -> str | None:
    """The series of a table's deal; None if it belongs to none."""
    return deal.split("/")[1] if deal is not None and deal.startswith(PREFIX) else None


def has_closed(stored: StoredSeries, wall: float) -> bool:
    """By its time, or because everybody has played all deals."""
    return stored.closed is not None or wall >= stored.closes
