"""Practice at a server: its puzzles, and the mistakes that a review finds."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec

from tavolino.coach.puzzle_files import Puzzles, StoredPuzzle, puzzles_of, with_more
from tavolino.engine.game import Game
from tavolino.server import protocol as p
from tavolino.server.context import Context
from tavolino.server.features.practice.stored import Practice
from tavolino.server.features.reviews.feature import ReviewRead
from tavolino.server.games import positions
from tavolino.server.http.static import StaticFile, static_file
from tavolino.server.kernel.feature import Feature, NoSlice

FOLDER = "puzzles"


class PracticeFeature(Feature[NoSlice]):
    name = "practice"
    refusals = (("no-such-puzzle", 404),)
    depends = ("reviews",)

    def __init__(self, server: Context) -> None:
        self.practice = Practice(server.storage, server.clock)
        self._server = server
        self._puzzles: dict[str, Puzzles] = {}
        self._shown: dict[tuple[str, str], StaticFile] = {}
        self._reasons: dict[tuple[str, str], list[p.Reason]] = {}

    async def puzzles(self, game: Game) -> Puzzles:
        """Those that come with the game, and those of the operator: `puzzles/GAME.jsonl` in the folder of the data. The
        latter are played up to their positions first, so they are there once the rules are compiled."""
        path = self._server.settings.data / FOLDER / f"{game.name}.jsonl"
        if game.name not in self._puzzles:
            if not path.is_file() or not self._server.library.has_worlds(game.name):
                return puzzles_of(game)
            self._puzzles[game.name] = await asyncio.to_thread(with_more, game, path, self._server.log.warning)
        return self._puzzles[game.name]

    async def shown(self, game: Game, puzzle: StoredPuzzle) -> StaticFile:
        """A position to solve; it is played once and kept."""
        key = game.name, puzzle.id
        if key not in self._shown:
            found = await asyncio.to_thread(positions.position, game, puzzle.id, puzzle.record, puzzle.seat)
            self._shown[key] = static_file(msgspec.json.encode(found), "application/json")
        return self._shown[key]

    async def reasons(self, game: Game, puzzle: StoredPuzzle) -> list[p.Reason]:
        """Why the best action is best. It takes a while the first time."""
        key = game.name, puzzle.id
        if key not in self._reasons:
            self._reasons[key] = await asyncio.to_thread(positions.reasons_of, game, puzzle)
        return self._reasons[key]

    async def noticed(self, event: Any) -> None:
        """Clear mistakes come back as exercises."""
        if isinstance(event, ReviewRead):
            await self.practice.note_review(event.person, event.table, event.record, event.review)

    async def show_profile(self, profile: p.Profile, person: str) -> None:
        reviewed = await self.practice.reviewed(person)
        for game in profile.games:
            game.given_away, game.decisions = reviewed.get(game.table, (None, None))
