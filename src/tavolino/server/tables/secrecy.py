"""Deals that several tables share are a secret as long as somebody may still play them (threat 9)."""

from __future__ import annotations

from tavolino.server.context import Context
from tavolino.server.errors import Refused
from tavolino.server.games import daily, series
from tavolino.server.kernel.state import TableState
from tavolino.server.storage import StoredSeries


async def check_may_see(context: Context, state: TableState, person: str | None) -> None:
    """Refuse strangers the table of a deal that others may still play."""
    if state.deal is not None and state.seat_of(person) is None and await is_secret(context, state.deal):
        raise Refused("still-secret")


async def is_secret(context: Context, deal: str) -> bool:
    wall = context.clock.believed_wall()
    if (name := series.series_of_deal(deal)) is not None:
        stored = await context.storage.series(name)
        return stored is not None and not has_closed(stored, wall)  # of a circle that is gone, nobody plays any more
    return daily.is_secret(deal, wall)


def has_closed(stored: StoredSeries, wall: float) -> bool:
    """By its time, or because everybody has played all deals."""
    return stored.closed is not None or wall >= stored.closes
