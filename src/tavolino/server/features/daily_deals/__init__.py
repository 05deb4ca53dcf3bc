"""The daily deal: everybody plays the same cards, once, alone against bots."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tavolino.server.games import daily
from tavolino.server.kernel.feature import Feature, NoSlice, Shown, Viewpoint

if TYPE_CHECKING:
    from tavolino.server.kernel.actor import TableActor


class DailyDeals(Feature[NoSlice]):
    name = "daily_deals"

    def show(self, shown: Shown, table: TableActor, viewpoint: Viewpoint) -> None:
        shown.table["daily"] = daily.day_of_deal(table.state.deal)


FEATURE = DailyDeals
