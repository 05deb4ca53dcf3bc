"""Before the start people mark that they are ready. It starts nothing; the host sees it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tavolino.server import protocol as p
from tavolino.server.kernel.change import Change
from tavolino.server.kernel.entries import Entry, SettingsChanged
from tavolino.server.kernel.feature import Feature, Needs, Request, Shown, Viewpoint, handles
from tavolino.server.kernel.seats import SEAT_ENTRIES, BySeat
from tavolino.server.kernel.state import TableState

if TYPE_CHECKING:
    from tavolino.server.kernel.actor import TableActor


class Ready(p.CommandMessage, tag="ready"):
    """Before the start: you are ready, or no longer. It starts nothing; the host sees it."""

    ready: bool


class MarkedReady(Entry, tag="ready"):
    seat: int
    ready: bool


class ReadySlice(BySeat[bool], frozen=True):
    """Whether the person is ready."""


class ReadyMarks(Feature[ReadySlice]):
    name = "ready_marks"
    entries = (MarkedReady,)
    follows = SEAT_ENTRIES
    Slice = ReadySlice

    @staticmethod
    def apply(part: ReadySlice, state: TableState, entry: Any) -> ReadySlice:
        match entry:
            case MarkedReady(seat=seat, ready=ready):
                return part.put(seat, ready)
            case SettingsChanged():  # it is not the game any more that they were ready for
                return ReadySlice()
        return part.follow(entry)

    @handles(Ready, needs=Needs.WAITING | Needs.SEAT)
    def mark(self, request: Request) -> Change:
        is_ready, wanted = self.of(request.state).by_seat.get(request.seat, False), request.command.ready
        return Change([] if is_ready == wanted else [MarkedReady(request.seat, wanted)])

    def show(self, shown: Shown, table: TableActor, viewpoint: Viewpoint) -> None:
        for seat, ready in self.of(table.state).by_seat.items():
            shown.seats[seat]["ready"] = ready


FEATURE = ReadyMarks
