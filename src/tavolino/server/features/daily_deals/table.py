"""The daily deal at a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from tavolino.server.context import Context
from tavolino.server.features.daily_deals import deals
from tavolino.server.features.daily_deals.figures import DailyFigures
from tavolino.server.kernel.feature import Feature, NoSlice, Shown, Viewpoint

if TYPE_CHECKING:
    from tavolino.server.kernel.actor import TableActor


class DailyDeals(Feature[NoSlice]):
    name = "daily_deals"
    not_for = ("class",)  # it compares with everybody
    depends = ("reviews",)

    def __init__(self, server: Context) -> None:
        self.figures = DailyFigures(server.clock.up)

    @classmethod
    async def is_secret(cls, server: Context, deal: str) -> bool:
        return deals.is_secret(deal, server.clock.believed_wall())

    def show(self, shown: Shown, table: TableActor, viewpoint: Viewpoint) -> None:
        shown.table["daily"] = deals.day_of_deal(table.state.deal)

    def forget(self, tables: Mapping[str, TableActor], person: str) -> None:
        self.figures.forget(person)
