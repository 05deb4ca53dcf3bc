"""What features keep for each seat follows the people, who may change seats before the start."""

from __future__ import annotations

from typing import TypeVar

from tavolino.server.kernel.entries import BotPlaced, Entry, Joined, SettingsChanged, Swapped, Vacated

Kept = TypeVar("Kept")
SEAT_ENTRIES = (Joined, Vacated, BotPlaced, Swapped, SettingsChanged)


def follow_seats(by_seat: dict[int, Kept], entry: Entry) -> dict[int, Kept]:
    """What is kept by seat after an entry that changes seats: somebody new begins with nothing."""
    match entry:
        case Joined(seat=seat) | Vacated(seat=seat) | BotPlaced(seat=seat):
            return {n: kept for n, kept in by_seat.items() if n != seat}
        case Swapped(a=a, b=b):
            swapped = {a: b, b: a}
            return {swapped.get(n, n): kept for n, kept in by_seat.items()}
        case SettingsChanged(seats=seats):
            return {n: kept for n, kept in by_seat.items() if n < seats}
    return by_seat
