"""Votes: to end a game that nobody wants to finish, and to let a bot stand in for a player who has left.

A table cannot do without: people who play against each other would never get out of a game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from tavolino.server import protocol as p
from tavolino.server.errors import Refused
from tavolino.server.kernel.absence import GONE_SECONDS, LONG_GONE_SECONDS, come_back
from tavolino.server.kernel.change import Change
from tavolino.server.kernel.checks import existing_seat
from tavolino.server.kernel.entries import CameBack, Ended, Entry, Resigned, StandInCame, WentAway
from tavolino.server.kernel.feature import Feature, Needs, Request, Shown, Viewpoint, handles
from tavolino.server.kernel.state import TableState

if TYPE_CHECKING:
    from tavolino.server.kernel.actor import TableActor


NOBODY: frozenset[int] = frozenset()
MAX_AGREEMENTS = 3  # of one player in a game to end it: everybody sees votes, and could use changes as signals


class AgreeEnd(p.CommandMessage, tag="agree-end"):
    agree: bool


class StandIn(p.CommandMessage, tag="stand-in"):
    """Agree (or no longer) that a bot stands in for a player who has left."""

    seat: p.SeatNumber
    agree: bool


class StandInVoted(Entry, tag="stand-in-voted"):
    seat: int
    voter: int
    agree: bool


class EndVoted(Entry, tag="end-voted"):
    seat: int
    agree: bool


class VoteSlice(Struct, frozen=True):
    wants_end: frozenset[int] = frozenset()
    against_end: frozenset[int] = frozenset()  # who declined the last proposal to end the game
    agreements: dict[int, int] = {}  # by seat: to end the game, those that were withdrawn included
    stand_in: dict[int, frozenset[int]] = {}  # by the seat of the player who has left: who agrees
    withdrawn: dict[int, frozenset[int]] = {}  # and who have changed their minds since the player went


class Votes(Feature[VoteSlice]):
    name = "votes"
    refusals = (("player-is-here", 409), ("too-many-votes", 409))
    entries = (StandInVoted, EndVoted)
    follows = (WentAway, StandInCame, CameBack, Resigned)
    Slice = VoteSlice
    is_required = True

    @staticmethod
    def apply(part: VoteSlice, state: TableState, entry: Any) -> VoteSlice:
        seat = entry.seat
        match entry:
            case EndVoted(agree=True):
                # If nobody wanted it before, this is a new proposal.
                against = part.against_end - {seat} if part.wants_end else NOBODY
                agreements = {**part.agreements, seat: part.agreements.get(seat, 0) + 1}
                return replace(part, wants_end=part.wants_end | {seat}, against_end=against, agreements=agreements)
            case EndVoted():
                return replace(part, wants_end=part.wants_end - {seat}, against_end=part.against_end | {seat})
            case StandInVoted(voter=voter, agree=agree):
                agreed, withdrawn = part.stand_in.get(seat, NOBODY), part.withdrawn.get(seat, NOBODY)
                after = agreed | {voter} if agree else agreed - {voter}
                return replace(
                    part,
                    stand_in={**part.stand_in, seat: after},
                    withdrawn={**part.withdrawn, seat: withdrawn | (agreed - after)},
                )
            case CameBack():
                return replace(part, stand_in=_without(part.stand_in, seat), withdrawn=_without(part.withdrawn, seat))
        return replace(part, wants_end=part.wants_end - {seat})

    @handles(AgreeEnd, needs=Needs.PLAYING | Needs.SEAT)
    def agree_to_end(self, request: Request) -> Change:
        return Change(agree_to_end(request.table, request.seat, request.command.agree))

    @handles(StandIn, needs=Needs.PLAYING | Needs.SEAT)
    def vote_for_stand_in(self, request: Request) -> Change:
        return Change(vote_for_stand_in(request.table, request.seat, request.command))

    def is_absence_noted(self, state: TableState, seat: int) -> bool:
        return bool(self.of(state).stand_in.get(seat))

    def show(self, shown: Shown, table: TableActor, viewpoint: Viewpoint) -> None:
        part = self.of(table.state)
        for seat in part.wants_end:
            shown.seats[seat]["wants_end"] = True
        for seat in part.against_end if part.wants_end else ():
            shown.seats[seat]["against_end"] = True
        for seat, voters in part.stand_in.items():
            shown.seats[seat]["votes_stand_in"] = sorted(voters)


FEATURE = Votes


def _without(voters: dict[int, frozenset[int]], seat: int) -> dict[int, frozenset[int]]:
    return {n: voted for n, voted in voters.items() if n != seat}


def agree_to_end(table: TableActor, seat: int, agree: bool) -> list[Entry]:
    """All who play must agree, absent players too, unless they have left or a bot has stood in for them for an hour.

    Who answers is back, if a bot has stood in: the others wait for this answer.
    """
    state, now = table.state, table.now.wall
    if state.places[seat].resigned:
        raise Refused("not-playing")
    part = Votes.of(state)
    if (seat in part.wants_end) == agree and (agree or seat in part.against_end or not part.wants_end):
        return []
    others = [
        n
        for n, place in enumerate(state.places)
        if n != seat
        and place.person
        and not (place.resigned or place.away)
        and not (place.stand_in and table.gone_for(n) >= LONG_GONE_SECONDS)
    ]
    ends = agree and part.wants_end.issuperset(others)
    if agree and part.agreements.get(seat, 0) >= MAX_AGREEMENTS and not ends:  # a vote that ends the game is no signal
        raise Refused("too-many-votes")
    voted: list[Entry] = [*come_back(table, seat), EndVoted(seat, agree)]
    return [*voted, Ended("agreed", (), None, now)] if ends else voted


def vote_for_stand_in(table: TableActor, voter: int, command: StandIn) -> list[Entry]:
    state, now = table.state, table.now
    seat = existing_seat(state, command.seat)
    place = state.places[seat]
    if place.person is None or place.resigned or seat == voter:
        raise Refused("not-a-person")
    if not state.places[voter].is_person_playing:
        raise Refused("not-playing")
    if place.stand_in:
        return []
    if (pause := table.paused(seat)) is not None:
        raise Refused(pause.code)
    if table.gone_for(seat) < GONE_SECONDS and not place.away:
        raise Refused("player-is-here")
    part = Votes.of(state)
    comes = command.agree and _everybody_agrees(table, seat, voter)
    if command.agree == (voter in part.stand_in.get(seat, NOBODY)) and not comes:
        return []
    if command.agree and voter in part.withdrawn.get(seat, NOBODY) and not comes:
        raise Refused("too-many-votes")
    voted: list[Entry] = [StandInVoted(seat, voter, command.agree)]
    return [*voted, StandInCame(seat, now.wall)] if comes else voted


def _everybody_agrees(table: TableActor, seat: int, voter: int) -> bool:
    """All others who are present; absent players are not asked."""
    agreed = Votes.of(table.state).stand_in.get(seat, NOBODY)
    return all(
        n == voter or n in agreed
        for n, place in enumerate(table.state.places)
        if n != seat and place.is_person_playing and table.gone_for(n) < GONE_SECONDS
    )
