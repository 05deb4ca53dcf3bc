"""Answers about tournaments."""

from __future__ import annotations

from typing import Literal

from tavolino.server import protocol as p


class TournamentCard(p.Body):
    """A tournament in a list."""

    id: str
    title: str
    game: str
    seats: int
    deals: int
    opens: int  # seconds since 1970: until then one can enter
    closes: int
    phase: Literal["entering", "running", "closed"]
    entrants: int


class Entrant(p.Body):
    """The results count the deals that all entrants have played to their end, or all deals once it is closed."""

    number: int  # of the entrant, from 1: names are not unique
    name: str | None  # null: somebody who was forgotten
    program: bool
    you: bool
    finished: int  # deals, whether they count yet or not
    counted: int
    share: float | None  # of the wins; null: nothing counts yet
    low: float | None  # its 95 % interval, over deals
    high: float | None
    rating: float | None  # by the results against the bots, whose ratings are fixed
    rating_low: float | None  # null: open
    rating_high: float | None
    late: int  # games lost because a stand-in had to decide


class Difference(p.Body):
    """How much more of the wins an entrant has got than another one, in the same deals. Both are numbers in the list of
    the entrants."""

    entrant: int
    other: int
    deals: int
    mean: float
    low: float  # the 95 % interval, over deals
    high: float


class Tournament(TournamentCard):
    at_once: int  # tables of one program that run at the same time
    seconds_per_move: int
    closed_deals: int  # whose results are shown
    entered: bool  # you
    table: str | None  # of yours that waits for you
    standings: list[Entrant]  # the best first
    differences: list[Difference]


class DealResult(p.Body):
    number: int  # of the entrant
    entrant: str | None  # the name
    score: float  # 1 for a win, a part of it for a shared one
    table: str  # its record and replay are open now


class TournamentDeal(p.Body):
    number: int
    deal: str
    commitment: str
    secret: str | None  # null: somebody may still play it
    results: list[DealResult]  # empty until then
