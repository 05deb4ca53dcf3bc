"""Vacations: in slow games a player's clock can stop for some days.

Functions from state and command to entries, without I/O.
"""

from __future__ import annotations

from tavolino.server import protocol as p
from tavolino.server.clock import Moment
from tavolino.server.errors import Refused
from tavolino.server.kernel import entries as e
from tavolino.server.kernel.preconditions import seated
from tavolino.server.kernel.state import DAY_SECONDS, Place, TableState, Vacation

SLOW_SECONDS = DAY_SECONDS  # tables with at least this much time for a move have vacations


def decide(state: TableState, person: str, days: int, now: Moment) -> list[e.Entry]:
    seat = seated(state, person)
    place = state.places[seat]
    if state.phase != "playing" or not place.is_person_playing:
        raise Refused("not-playing")
    back: list[e.Entry] = [e.VacationEnded(seat, now.up)] if current(place, now.up) is not None else []
    if days == 0:
        return back
    left = days_left(state, seat) if not back else days_left(back_again(state, seat, now.up), seat)
    if days > left:
        raise Refused("no-vacation", {"n": left})
    return [*back, e.VacationTaken(seat, days, now.wall, now.up)]


def back_again(state: TableState, seat: int, up: float) -> TableState:
    """The state after this seat's vacation has ended early."""
    after = state.copy()
    after.apply(e.VacationEnded(seat, up))
    return after


def days_left(state: TableState, seat: int | None) -> int:
    """How many days a player can still take; days that have begun count."""
    seconds = state.settings.seconds_per_move
    if seat is None or state.phase != "playing" or seconds is None or seconds < SLOW_SECONDS:
        return 0
    taken = sum(_days_begun(each) for each in state.places[seat].vacations)
    return max(0, p.MAX_VACATION - taken)


def _days_begun(vacation: Vacation) -> int:
    return min(vacation.days, int((vacation.until - vacation.since) // DAY_SECONDS) + 1)


def current(place: Place, up: float) -> Vacation | None:
    return next((each for each in place.vacations if each.since <= up < each.until), None)


def ends(place: Place, up: float) -> int | None:
    """Until when the player is on vacation, on the wall clock; None if they are not."""
    vacation = current(place, up)
    return None if vacation is None else int(vacation.ends)


def stood(place: Place, since: float, up: float) -> float:
    """For how many of the seconds since the decision began the clock was stopped."""
    return sum(max(0.0, min(up, each.until) - max(since, each.since)) for each in place.vacations)


def still_standing(place: Place, up: float) -> float:
    """For how many more seconds it will be stopped."""
    vacation = current(place, up)
    return 0.0 if vacation is None else vacation.until - up
