"""Stored rows of ratings, circles and series; the rest of the server imports them from `storage`."""

from __future__ import annotations

from typing import NamedTuple


class StoredRating(NamedTuple):
    """A person's rating in a game after `number` rated games, the last of them at this table."""

    person: str
    game: str
    number: int
    table: str
    ended: int  # seconds since 1970
    mu: float
    sigma: float
    limited: float = 0.0  # the part of a gain that counts towards the limit of a day


class RatedStep(NamedTuple):
    """What one rated game has changed of a person's rating."""

    person: str
    table: str
    before: float | None  # None: it was the person's first rated game
    after: float
    limited: float


class StoredCircle(NamedTuple):
    id: str
    name: str


class StoredMember(NamedTuple):
    """A member of a circle. `role`: owner, member, or out (removed, and not allowed to rejoin)."""

    person: str
    joined: int  # milliseconds since 1970
    role: str


class StoredResult(NamedTuple):
    """A player's result at a table that counts in a circle."""

    circle: str
    table: str
    person: str
    game: str
    ended: int  # seconds since 1970
    won: bool


class StoredSeries(NamedTuple):
    """A series of deals that the members of a circle play. All times are seconds since 1970."""

    id: str
    circle: str
    game: str
    seats: int
    deals: int
    opened: int
    closes: int
    closed: int | None  # before that, because everybody had played
