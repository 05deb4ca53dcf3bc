"""Observations for bots: what a seat of a match may know as a vector, with the texts of its actions by number."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tavolino.bots.seat_match import SeatMatch
from tavolino.engine.reading import read
from tavolino.research.encodings import encoding_of
from tavolino.research.observing import encode


@dataclass(frozen=True)
class Seen:
    """What a policy gets at one decision; `actions` has the text of each legal action by the seat's own number."""

    observation: NDArray[np.uint8]
    mask: NDArray[np.int8]
    actions: dict[int, str]


class SeatEncoder:
    """Encodes matches of one game; without `knowledge` the observations are those of a batch."""

    def __init__(self, game: str, knowledge: bool = True):
        self._encoding = encoding_of(game)
        self._size = self._encoding.size if knowledge else self._encoding.open_size
        self._numbers = np.zeros(self._encoding.action_count, np.int32)

    @property
    def highest(self) -> NDArray[np.uint8]:
        """The highest value of each component."""
        return self._encoding.highest[: self._size]

    def encode(self, match: SeatMatch) -> Seen:
        """What this seat may know now, and its legal actions."""
        observation = np.empty(self._size, np.uint8)
        mask = np.empty(self._encoding.action_count, np.int8)
        to_rules, from_rules = self._encoding.turned(match.players)
        states = match._match._states
        encode(states, 0, match.seat, from_rules, self._numbers, mask, observation)
        reading, own_numbers = read(states), np.flatnonzero(mask).tolist()
        texts = {own: match.game.action_text(reading, int(to_rules[match.seat, own])) for own in own_numbers}
        return Seen(observation, mask, texts)
