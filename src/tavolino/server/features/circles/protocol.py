"""Bodies and answers about circles: friends who keep their results together."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from tavolino.server import protocol as p

MOST_DEALS = 10
MOST_DAYS = 30


class NewCircle(p.Body):
    name: p.Name


class CircleCard(p.Body):
    """A circle in a list."""

    id: str
    name: str
    members: int


class CircleMember(p.Body):
    id: str  # in this circle alone
    name: str
    owner: bool
    you: bool


class CircleStanding(p.Body):
    member: str
    games: int
    wins: int


class CircleGame(p.Body):
    """The table of results in one game: who has won most often comes first."""

    game: str
    standings: list[CircleStanding]


class CirclePlayer(p.Body):
    member: str
    won: bool


class CircleResult(p.Body):
    """A finished game that only members have played."""

    game: str
    ended: int  # seconds since 1970
    players: list[CirclePlayer]
    table: str | None  # if you sat there


class Circle(p.Body):
    """A circle. Non-members see only its name and the number of members."""

    id: str
    name: str
    joined: bool  # whether you are in it
    count: int  # of members
    members: list[CircleMember]
    games: list[CircleGame]
    results: list[CircleResult]  # the newest first


class NewSeries(p.Body):
    """The same deals for all members of a circle, each alone against medium bots. It closes after so many days."""

    game: str
    deals: Annotated[int, Meta(ge=1, le=MOST_DEALS)] = 4
    seats: p.SeatCount | None = None  # null: the game's usual number
    days: Annotated[int, Meta(ge=1, le=MOST_DAYS)] = 7


class SeriesResult(p.Body):
    """What a member has made of a deal. Shown once you have finished it, too."""

    member: str
    counts: bool  # played to its end in time
    won: bool
    given_away: float | None  # chance to win, over all decisions; null: not worked out yet
    table: str | None  # yours; of the others once the series is closed


class SeriesDeal(p.Body):
    deal: str  # what the commitment is bound to
    commitment: str
    secret: str | None  # null until the series is closed
    table: str | None  # yours; null: not begun
    ended: bool  # your game
    results: list[SeriesResult]


class SeriesStanding(p.Body):
    """Over the deals that you have finished: who has given away least on average comes first."""

    member: str
    finished: int  # deals, of the whole series
    counted: int  # of those that you have finished
    wins: int
    given_away: float | None  # on average


class Series(p.Body):
    """The same deals for everybody in a circle: luck cancels."""

    id: str
    game: str
    seats: int
    opened: int  # seconds since 1970
    closes: int
    closed: bool  # its time is over, or everybody has played all deals
    deals: list[SeriesDeal]
    standings: list[SeriesStanding]
