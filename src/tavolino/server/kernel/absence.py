"""Who decides for a seat while a game runs: leaving, coming back, resigning."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tavolino.server import protocol as p
from tavolino.server.errors import Refused
from tavolino.server.kernel import entries as e
from tavolino.server.kernel.change import Change
from tavolino.server.kernel.deal import sides
from tavolino.server.kernel.feature import Needs, Request, handles
from tavolino.server.kernel.state import TableState

if TYPE_CHECKING:
    from tavolino.server.kernel.actor import TableActor

GONE_SECONDS = 60.0  # reloading the page, or a tunnel, is no absence
LONG_GONE_SECONDS = 3_600.0


def leave(state: TableState, seat: int) -> list[e.Entry]:
    if state.places[seat].away or state.places[seat].resigned:
        return []
    return [e.WentAway(seat), *_pass_host_from(state, seat)]


@handles(p.Back, needs=Needs.PLAYING | Needs.SEAT)
def back(request: Request) -> Change:
    return Change(come_back(request.table, request.seat))


@handles(p.Resign, needs=Needs.RULES | Needs.PLAYING | Needs.SEAT)
def resign(request: Request) -> Change:
    """A bot plays the seat to the end. The game ends when one side or no person is left."""
    state, seat, now = request.state, request.seat, request.now.wall
    if state.places[seat].resigned:
        raise Refused("not-playing")
    out = {n for n, place in enumerate(state.places) if place.resigned or n == seat}
    side_of = sides(request.match)
    standing = {side for n, side in enumerate(side_of) if n not in out}
    people_left = [n for n, place in enumerate(state.places) if place.person and n not in out]
    resigned: list[e.Entry] = [e.Resigned(seat, now)]
    if len(standing) == 1:
        winners = tuple(n for n, side in enumerate(side_of) if side in standing and n not in out)
        return Change([*resigned, e.Ended("resigned", winners, None, now)])
    if not people_left:
        return Change([*resigned, e.Ended("resigned", (), None, now)])
    return Change([*resigned, *_pass_host_from(state, seat)])


def come_back(table: TableActor, seat: int, even_late: bool = False) -> list[e.Entry]:
    """The seat is its player's again, unless the player has resigned.

    A decision that is late stays with the stand-in, or no time limit would ever hold; `even_late`: it is here now.
    """
    place = table.state.places[seat]
    is_absent = place.away or place.stand_in or table.is_absence_noted(seat)
    if place.resigned or not is_absent or (place.stand_in and not even_late and table.is_late(seat)):
        return []
    return [e.CameBack(seat, table.now.wall)]


def _pass_host_from(state: TableState, seat: int) -> list[e.Entry]:
    """If this seat's player is the host, another person who still plays becomes the host."""
    if state.places[seat].person != state.host:
        return []
    staying = [place.person for n, place in enumerate(state.places) if n != seat and place.is_person_playing]
    return [e.HostPassed(person) for person in staying[:1] if person]
