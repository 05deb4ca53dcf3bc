"""The reviews of a server."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from tavolino.server.context import Context
from tavolino.server.features.reviews import review_picture, shared_reviews
from tavolino.server.features.reviews.reviews import Reviews
from tavolino.server.http.previews import About
from tavolino.server.kernel import rows
from tavolino.server.kernel.feature import Feature, NoSlice
from tavolino.server.storage import TableRow

PICTURE = "/previews/review/{table}/{seat:int}.png"


class ReviewRead(Struct, frozen=True):
    """A player reads the review of a game that they have played without seeing hidden cards."""

    person: str
    table: str
    record: dict[str, Any]
    review: dict[str, Any]


class ReviewsFeature(Feature[NoSlice]):
    name = "reviews"
    refusals = (("no-review", 409),)

    def __init__(self, server: Context) -> None:
        self.reviews = Reviews(server.log, server.storage)

    @classmethod
    async def table_removed(cls, server: Context, table: str) -> None:
        await server.storage.remove_items_called(shared_reviews.name_of(table))

    async def preview(self, server: Context, kind: str, row: TableRow, seat: int) -> About | None:
        """With the figures of a review that is there, if everybody may see it."""
        if kind != "review":
            return None
        if not row.public:
            places = rows.card_of(row).places
            person = places[seat].person if seat < len(places) else None
            if not await shared_reviews.is_shared(server.storage, row.table, person):
                return About(row.game, "review")
        if (content := await self.reviews.get((row.table, seat))) is None:
            return About(row.game, "review")
        review = review_picture.read(content)
        address = f"/review/{row.table}?seat={seat}"
        picture = PICTURE.replace("{table}", row.table).replace("{seat:int}", str(seat))
        if review.skill is None:
            return About(row.game, "review", {}, picture, address)
        luck = round(100 * review.luck)
        figures = {"skill": f"{100 * review.skill:.0f}", "luck": f"{luck:+}".replace("-", "−")}
        return About(row.game, "review.figures", figures, picture, address)

    async def close(self) -> None:
        await self.reviews.stop()
