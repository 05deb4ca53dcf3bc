"""Shows a table to its viewers: builds each one's messages and sends them. Features add their parts."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

from tavolino.engine.match import Match
from tavolino.server import protocol as p
from tavolino.server.kernel import entries as e
from tavolino.server.kernel import messages
from tavolino.server.kernel.feature import Features, Viewpoint
from tavolino.server.kernel.services import Services
from tavolino.server.kernel.state import TableState
from tavolino.server.kernel.viewers import Viewer

if TYPE_CHECKING:
    from tavolino.server.kernel.actor import TableActor


class Broadcast:
    """It does not keep the table: a table that is dropped must not wait for the garbage collector."""

    __slots__ = ("_features", "_lines", "_names", "_services")

    def __init__(self, services: Services, features: Features, match: Match | None) -> None:
        self._services, self._features = services, features
        self._names: dict[str, str] = {}  # frozen while a game without free talk runs
        self._lines = 0 if match is None else match.lines  # of the log that all viewers have

    def show_table(self, table: TableActor, but: Viewer | None = None, only: Collection[str] | None = None) -> None:
        """`but`: to all except this connection; `only`: to those of these people."""
        for viewer in table.viewers:
            if viewer is not but and (only is None or viewer.person in only):
                viewer.tell(p.TableNews(self.table_for(table, viewer.person)))

    def concerned(self, state: TableState, entries: Iterable[e.Entry]) -> set[str]:
        """The people for whom these entries, private ones or moves, have changed something besides the cards."""
        hooks = self._features.concerned
        return {
            person for entry in entries for hook in hooks[type(entry)] if (person := hook(state, entry)) is not None
        }

    def show_play(self, table: TableActor, match: Match, clock: p.Clock | None) -> None:
        """Send every viewer its view and the new log lines, built and encoded once for all who see the same."""
        viewers = table.viewers.by_seat(table.state)
        for seat, play in self._plays(table, match, viewers, self._lines, clock).items():
            encoded = self._services.encode(play)
            for viewer in viewers[seat]:
                viewer.send(encoded)
        self._lines = match.lines
        match.drop_caches()

    def table_for(self, table: TableActor, person: str | None) -> p.Table:
        state = table.state
        seat, online, watching = state.seat_of(person), table.viewers.online(state), table.viewers.watching(state)
        if self._is_silent(table) and seat is not None:
            watching = [""] * len(watching)
        name_of = partial(self.name_of, table)
        shown = messages.table(
            state, person, seat, name_of, online, watching, self._services.library.readiness(state.game)
        )
        viewpoint = Viewpoint(person, seat, name_of, self._services.clock.up())
        for show in self._features.show:
            show(shown, table, viewpoint)
        seats = [p.Seat(**fields) for fields in shown.seats]
        return p.Table(**shown.table, seats=seats, you=p.You(**shown.you), features=shown.features)

    def play_for(self, table: TableActor, match: Match, seat: int | None, lines: int, clock: p.Clock | None) -> p.Play:
        return self._plays(table, match, (seat,), lines, clock)[seat]

    def _plays(
        self, table: TableActor, match: Match, seats: Iterable[int | None], lines: int, clock: p.Clock | None
    ) -> dict[int | None, p.Play]:
        """The messages with the cards, for some viewers. No other code sends a view of a running game."""
        state = table.state
        turn, has_ended = state.turn, state.phase == "ended"
        plays: dict[int | None, dict[str, Any]] = {
            seat: messages.play(match, seat, lines, turn, has_ended, clock) for seat in seats
        }
        for show_play in self._features.show_play:
            show_play(plays, table, match)
        return {seat: p.Play(**fields) for seat, fields in plays.items()}

    @staticmethod
    def _is_silent(table: TableActor) -> bool:
        """No free text may reach a seat now, not even as a name."""
        return table.state.phase == "playing" and table.game.meta.talk == "remarks"

    def unfreeze_name(self, person: str) -> None:
        self._names.pop(person, None)

    def name_of(self, table: TableActor, person: str) -> str | None:
        """Display name. In games without free talk names are frozen at the deal, so that they cannot signal."""
        name = self._services.people.name_of(person)
        return self._names.setdefault(person, name) if name is not None and self._is_silent(table) else name
