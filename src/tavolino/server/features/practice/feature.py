"""Practice at a server: it keeps the mistakes that a review finds."""

from __future__ import annotations

from typing import Any

from tavolino.server import protocol as p
from tavolino.server.context import Context
from tavolino.server.features.practice.stored import Practice
from tavolino.server.features.reviews.feature import ReviewRead
from tavolino.server.kernel.feature import Feature, NoSlice


class PracticeFeature(Feature[NoSlice]):
    name = "practice"
    refusals = (("no-such-puzzle", 404),)
    depends = ("reviews",)

    def __init__(self, server: Context) -> None:
        self.practice = Practice(server.storage, server.clock)

    async def noticed(self, event: Any) -> None:
        """Clear mistakes come back as exercises."""
        if isinstance(event, ReviewRead):
            await self.practice.note_review(event.person, event.table, event.record, event.review)

    async def show_profile(self, profile: p.Profile, person: str) -> None:
        reviewed = await self.practice.reviewed(person)
        for game in profile.games:
            game.given_away, game.decisions = reviewed.get(game.table, (None, None))
