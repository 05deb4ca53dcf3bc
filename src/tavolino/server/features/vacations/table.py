"""Vacations at one table: their entries, and how many days are left."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from tavolino.server.clock import Moment
from tavolino.server.errors import Refused
from tavolino.server.features.vacations.protocol import MAX_VACATION, TakeVacation
from tavolino.server.kernel.change import Change
from tavolino.server.kernel.entries import Entry
from tavolino.server.kernel.feature import Feature, Needs, Pause, Request, Shown, Viewpoint, handles
from tavolino.server.kernel.state import TableState

if TYPE_CHECKING:
    from tavolino.server.kernel.actor import TableActor

DAY_SECONDS = 86_400
SLOW_SECONDS = DAY_SECONDS  # tables with at least this much time for a move have vacations


class VacationTaken(Entry, tag="vacation"):
    seat: int
    days: int
    at: float
    up: float = 0


class VacationEnded(Entry, tag="vacation-ended"):
    seat: int
    up: float = 0


class Vacation(Struct, frozen=True):
    """While it lasts, the clock of a seat stands. Like all deadlines it is counted in uptime."""

    since: float
    until: float
    ends: float  # the same on the wall clock, for people
    days: int

    @property
    def days_begun(self) -> int:
        return min(self.days, int((self.until - self.since) // DAY_SECONDS) + 1)


class VacationSlice(Struct, frozen=True):
    by_seat: dict[int, tuple[Vacation, ...]] = {}


class Vacations(Feature[VacationSlice]):
    name = "vacations"
    refusals = (("on-vacation", 409), ("no-vacation", 409))
    entries = (VacationTaken, VacationEnded)
    Slice = VacationSlice

    @staticmethod
    def apply(part: VacationSlice, state: TableState, entry: Any) -> VacationSlice:
        taken = part.by_seat.get(entry.seat, ())
        match entry:
            case VacationTaken(days=days, at=at, up=up):
                seconds = days * DAY_SECONDS
                taken = (*taken, Vacation(up, up + seconds, at + seconds, days))
            case VacationEnded(up=up):
                taken = (*taken[:-1], replace(taken[-1], until=up))
        return VacationSlice({**part.by_seat, entry.seat: taken})

    @handles(TakeVacation, needs=Needs.SEAT)
    def take(self, request: Request) -> Change:
        return Change(decide(request.state, request.seat, request.command.days, request.now))

    def show(self, shown: Shown, table: TableActor, viewpoint: Viewpoint) -> None:
        state = table.state
        for seat in self.of(state).by_seat:
            vacation = current(state, seat, viewpoint.up)
            shown.seats[seat]["vacation"] = None if vacation is None else int(vacation.ends)
        shown.you["vacation_days"] = days_left(state, viewpoint.seat)

    def pauses(self, state: TableState, seat: int) -> Iterable[Pause]:
        return (Pause(each.since, each.until, "on-vacation") for each in self.of(state).by_seat.get(seat, ()))


def decide(state: TableState, seat: int, days: int, now: Moment) -> list[Entry]:
    if state.phase != "playing" or not state.places[seat].is_person_playing:
        raise Refused("not-playing")
    vacation = current(state, seat, now.up)
    back: list[Entry] = [] if vacation is None else [VacationEnded(seat, now.up)]
    if days == 0:
        return back
    left = days_left(state, seat)
    if vacation is not None:  # the days that have not begun are left again
        left += vacation.days_begun - replace(vacation, until=now.up).days_begun
    if days > left:
        raise Refused("no-vacation", {"n": left})
    return [*back, VacationTaken(seat, days, now.wall, now.up)]


def days_left(state: TableState, seat: int | None) -> int:
    """How many days a player can still take; days that have begun count."""
    seconds = state.settings.seconds_per_move
    if seat is None or state.phase != "playing" or seconds is None or seconds < SLOW_SECONDS:
        return 0
    taken = sum(each.days_begun for each in Vacations.of(state).by_seat.get(seat, ()))
    return max(0, MAX_VACATION - taken)


def current(state: TableState, seat: int, up: float) -> Vacation | None:
    vacations = Vacations.of(state).by_seat.get(seat, ())
    return next((each for each in vacations if each.since <= up < each.until), None)
