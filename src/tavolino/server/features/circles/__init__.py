"""Circles of friends, and their series of shared deals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tavolino.server.games import series
from tavolino.server.kernel.feature import Feature, NoSlice, Shown, Viewpoint

if TYPE_CHECKING:
    from tavolino.server.kernel.actor import TableActor


class Circles(Feature[NoSlice]):
    name = "circles"

    def show(self, shown: Shown, table: TableActor, viewpoint: Viewpoint) -> None:
        shown.table["series"] = series.series_of_deal(table.state.deal)


FEATURE = Circles
