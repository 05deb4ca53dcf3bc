"""What features keep for each seat follows the people, who may change seats before the start."""

from __future__ import annotations

from typing import Generic, Self, TypeVar

from msgspec import Struct

from tavolino.server.kernel.entries import BotPlaced, Entry, Joined, SettingsChanged, Swapped, Vacated

Kept = TypeVar("Kept")
SEAT_ENTRIES = (Joined, Vacated, BotPlaced, Swapped, SettingsChanged)


class BySeat(Struct, Generic[Kept], frozen=True):
    """A slice that keeps something for each seat."""

    by_seat: dict[int, Kept] = {}

    def put(self, seat: int, kept: Kept | None) -> Self:
        """With this for the seat, or nothing."""
        others = {n: each for n, each in self.by_seat.items() if n != seat}
        return type(self)(others if kept is None else {**others, seat: kept})

    def follow(self, entry: Entry) -> Self:
        """After an entry that changes seats: somebody new begins with nothing."""
        if not self.by_seat:
            return self
        match entry:
            case Joined(seat=seat) | Vacated(seat=seat) | BotPlaced(seat=seat):
                return self.put(seat, None)
            case Swapped(a=a, b=b):
                swapped = {a: b, b: a}
                return type(self)({swapped.get(n, n): kept for n, kept in self.by_seat.items()})
            case SettingsChanged(seats=seats):
                return type(self)({n: kept for n, kept in self.by_seat.items() if n < seats})
        return self
