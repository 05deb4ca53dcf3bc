"""Circles of friends, and their series of shared deals (decisions 089, 091)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tavolino.server.context import Context
from tavolino.server.features.circles.circles import leave_all
from tavolino.server.features.circles.deals import has_closed, series_of_deal
from tavolino.server.features.circles.routes import ROUTES as ROUTES
from tavolino.server.features.circles.stored import StoredCircles
from tavolino.server.kernel.feature import Feature, NoSlice, Shown, Viewpoint

if TYPE_CHECKING:
    from tavolino.server.kernel.actor import TableActor


class CirclesFeature(Feature[NoSlice]):
    name = "circles"
    refusals = (
        ("no-such-circle", 404),
        ("not-in-circle", 403),
        ("out-of-circle", 403),
        ("not-owner", 403),
        ("circle-full", 409),
        ("too-many-circles", 409),
        ("no-such-series", 404),
        ("series-closed", 409),
        ("too-many-series", 409),
    )
    depends = ("daily_deals", "ratings")  # ratings count the results

    @classmethod
    async def is_secret(cls, server: Context, deal: str) -> bool:
        if (name := series_of_deal(deal)) is None:
            return False
        stored = await StoredCircles(server.storage).series(name)
        # Of a circle that is gone, nobody plays any more.
        return stored is not None and not has_closed(stored, server.clock.believed_wall())

    @classmethod
    async def person_deleted(cls, server: Context, person: str) -> None:
        await leave_all(server.storage, person)

    def show(self, shown: Shown, table: TableActor, viewpoint: Viewpoint) -> None:
        shown.table["series"] = series_of_deal(table.state.deal)


FEATURE = CirclesFeature
PAGES = {"circle": (2,), "circles": (1,)}
