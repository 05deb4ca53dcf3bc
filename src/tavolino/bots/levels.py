"""The levels of bots, the same names for every game."""

import hashlib
from typing import Protocol

from tavolino.bots.door import SeatDoor

LEVELS = ("random",)


class Bot(Protocol):
    """Chooses an action for a seat."""

    def choose(self, door: SeatDoor) -> str: ...


class RandomBot:
    """Every legal action with the same chance, drawn from the bot's own seed and the number of its choice."""

    def __init__(self, seed: int):
        self._seed = seed
        self._choices = 0

    def choose(self, door: SeatDoor) -> str:
        legal = door.legal()
        self._choices += 1
        digest = hashlib.sha256(f"{self._seed}:{self._choices}".encode()).digest()
        return legal[int.from_bytes(digest, "big") % len(legal)]


def make_bot(level: str, game: str, seed: int) -> Bot:
    """A bot of a level for a game; with the same seed it makes the same choices."""
    if level not in LEVELS:
        raise ValueError(f"There is no level {level!r}; there are: {', '.join(LEVELS)}.")
    return RandomBot(seed)
