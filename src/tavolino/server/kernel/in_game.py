"""Commands while a game runs, except moves: leaving, resigning, votes.

Functions from state and command to entries, without I/O.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tavolino.server import protocol as p
from tavolino.server.clock import Moment
from tavolino.server.errors import Refused
from tavolino.server.kernel import entries as e
from tavolino.server.kernel import vacations
from tavolino.server.kernel.preconditions import existing_seat, seated
from tavolino.server.kernel.state import TableState

GameCommand = p.Leave | p.Resign | p.AgreeEnd | p.StandIn | p.Back
# For how many seconds the player of a seat has been absent; 0 while connected.
GoneFor = Callable[[int], float]
GONE_SECONDS = 60.0  # reloading the page, or a tunnel, is no absence
LONG_GONE_SECONDS = 3_600.0
MAX_AGREEMENTS = 3  # of one player in a game to end it: everybody sees votes, and could use changes as signals


def decide(
    state: TableState,
    person: str,
    command: GameCommand,
    now: Moment,
    gone_for: GoneFor,
    sides: Sequence[object],
    is_late: Callable[[int], bool],
) -> list[e.Entry]:
    """The entries that a command leads to, or a refusal.

    `sides` names the side of each seat; `is_late` tells whether a seat's time for its decision is up.
    """
    if state.phase != "playing":
        raise Refused("not-playing")
    seat = seated(state, person)
    match command:
        case p.Leave():
            return _leave(state, seat)
        case p.Resign():
            return _resign(state, seat, now.wall, sides)
        case p.AgreeEnd(agree=agree):
            return _agree_to_end(state, seat, agree, now.wall, gone_for, is_late(seat))
        case p.StandIn():
            return _vote_for_stand_in(state, seat, command, now, gone_for)
        case p.Back():
            return come_back(state, seat, now.wall, is_late(seat))


def come_back(state: TableState, seat: int, now: float, is_late: bool = False) -> list[e.Entry]:
    """The seat is its player's again, unless the player has resigned.

    A decision that is late stays with the stand-in, or no time limit would ever hold.
    """
    place = state.places[seat]
    if place.resigned or (is_late and place.stand_in) or not (place.away or place.stand_in or place.votes):
        return []
    return [e.CameBack(seat, now)]


def _pass_host_from(state: TableState, seat: int) -> list[e.Entry]:
    """If this seat's player is the host, another person who still plays becomes the host."""
    if state.places[seat].person != state.host:
        return []
    staying = [place.person for n, place in enumerate(state.places) if n != seat and place.is_person_playing]
    return [e.HostPassed(person) for person in staying[:1] if person]


def _leave(state: TableState, seat: int) -> list[e.Entry]:
    if state.places[seat].away or state.places[seat].resigned:
        return []
    return [e.WentAway(seat), *_pass_host_from(state, seat)]


def _resign(state: TableState, seat: int, now: float, sides: Sequence[object]) -> list[e.Entry]:
    """A bot plays the seat to the end. The game ends when one side or no person is left."""
    if state.places[seat].resigned:
        raise Refused("not-playing")
    out = {n for n, place in enumerate(state.places) if place.resigned or n == seat}
    standing = {side for n, side in enumerate(sides) if n not in out}
    people_left = [n for n, place in enumerate(state.places) if place.person and n not in out]
    resigned: list[e.Entry] = [e.Resigned(seat, now)]
    if len(standing) == 1:
        winners = tuple(n for n, side in enumerate(sides) if side in standing and n not in out)
        return [*resigned, e.Ended("resigned", winners, None, now)]
    if not people_left:
        return [*resigned, e.Ended("resigned", (), None, now)]
    return [*resigned, *_pass_host_from(state, seat)]


def _agree_to_end(
    state: TableState, seat: int, agree: bool, now: float, gone_for: GoneFor, is_late: bool
) -> list[e.Entry]:
    """All who play must agree, absent players too, unless they have left or a bot has stood in for them for an hour.

    Who answers is back, if a bot has stood in: the others wait for this answer.
    """
    place = state.places[seat]
    if place.resigned:
        raise Refused("not-playing")
    is_proposed = any(other.wants_end for other in state.places)
    if place.wants_end == agree and (agree or place.against_end or not is_proposed):
        return []
    others = [
        place
        for n, place in enumerate(state.places)
        if n != seat
        and place.person
        and not (place.resigned or place.away)
        and not (place.stand_in and gone_for(n) >= LONG_GONE_SECONDS)
    ]
    ends = agree and all(other.wants_end for other in others)
    if agree and place.agreements >= MAX_AGREEMENTS and not ends:  # a vote that ends the game is no signal
        raise Refused("too-many-votes")
    voted: list[e.Entry] = [*come_back(state, seat, now, is_late), e.EndVoted(seat, agree)]
    return [*voted, e.Ended("agreed", (), None, now)] if ends else voted


def _vote_for_stand_in(
    state: TableState, voter: int, command: p.StandIn, now: Moment, gone_for: GoneFor
) -> list[e.Entry]:
    seat = existing_seat(state, command.seat)
    place = state.places[seat]
    if place.person is None or place.resigned or seat == voter:
        raise Refused("not-a-person")
    if not state.places[voter].is_person_playing:
        raise Refused("not-playing")
    if place.stand_in:
        return []
    if vacations.current(place, now.up) is not None:
        raise Refused("on-vacation")
    if gone_for(seat) < GONE_SECONDS and not place.away:
        raise Refused("player-is-here")
    comes = command.agree and _everybody_agrees(state, seat, voter, gone_for)
    if command.agree == (voter in place.votes) and not comes:
        return []
    if command.agree and voter in place.withdrawn and not comes:
        raise Refused("too-many-votes")
    voted: list[e.Entry] = [e.StandInVoted(seat, voter, command.agree)]
    return [*voted, e.StandInCame(seat, now.wall)] if comes else voted


def _everybody_agrees(state: TableState, seat: int, voter: int, gone_for: GoneFor) -> bool:
    """All others who are present; absent players are not asked."""
    return all(
        n == voter or n in state.places[seat].votes
        for n, place in enumerate(state.places)
        if n != seat and place.is_person_playing and gone_for(n) < GONE_SECONDS
    )
