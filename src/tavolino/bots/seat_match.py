"""A match as one seat may know it. Bots get this instead of the match."""

import hashlib
import json
from typing import Any

from tavolino.engine.game import Game, Seed
from tavolino.engine.match import Match


class SeatMatch:
    """What a seat may know of a match, and worlds that it cannot tell from the true one."""

    __slots__ = ("_match", "seat")

    def __init__(self, match: Match, seat: int):
        self._match = match
        self.seat = seat

    @property
    def game(self) -> Game:
        return self._match.game

    @property
    def players(self) -> int:
        return self._match.players

    def legal(self) -> tuple[str, ...]:
        """The actions of this seat; empty while it is somebody else's decision."""
        return self._match.legal() if self._match.to_act == self.seat else ()

    def view(self) -> dict[str, Any]:
        return self._match.view(self.seat)

    def notebook(self) -> dict[str, Any]:
        return self._match.notebook(self.seat)

    def text(self, language: str = "en") -> str:
        """What this seat may know, in words."""
        return self._match.text(self.seat, language)

    def fingerprint(self, salt: str = "") -> bytes:
        """A hash of everything that this seat has seen, for random numbers that depend on nothing else."""
        seen = json.dumps([self.view(), self.notebook()], sort_keys=True)
        return hashlib.sha256(f"{salt}\0{seen}".encode()).digest()

    def resample(self, seed: Seed) -> Match:
        """A whole match that this seat cannot tell from the true one. It may be searched, cloned and played on."""
        return self._match.resample(self.seat, seed)

    def conceal(self, seed: Seed) -> Match:
        """The match without anything that this seat cannot know, to score actions. Nothing can be played in it."""
        return self._match.conceal(self.seat, seed)
