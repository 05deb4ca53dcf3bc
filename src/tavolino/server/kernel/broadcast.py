"""Shows a table to its viewers: builds each one's messages and sends them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from tavolino.engine.game import Game
from tavolino.engine.match import Match
from tavolino.server import protocol as p
from tavolino.server.context import Context
from tavolino.server.kernel import entries as e
from tavolino.server.kernel import messages, take_back
from tavolino.server.kernel.chat import Utterance
from tavolino.server.kernel.mutes import Mutes
from tavolino.server.kernel.state import TableState
from tavolino.server.kernel.viewers import Viewer, Viewers


class Broadcast:
    __slots__ = ("_context", "_game", "_lines", "_mutes", "_names", "_viewers")

    def __init__(self, context: Context, game: Game, viewers: Viewers, mutes: Mutes, match: Match | None) -> None:
        self._context, self._game, self._viewers, self._mutes = context, game, viewers, mutes
        self._names: dict[str, str] = {}  # frozen while a game without free chat runs
        self._lines = 0 if match is None else match.lines  # of the log that all viewers have

    def show_table(self, state: TableState, but: Viewer | None = None) -> None:
        for viewer in self._viewers:
            if viewer is not but:
                viewer.tell(p.TableNews(self.table_for(state, viewer.person)))

    def show_private(self, state: TableState, entries: Iterable[e.Entry]) -> None:
        """Show the table only to viewers for whom these entries changed something."""
        concerned: set[str | None] = set()
        for entry in entries:
            match entry:
                case e.Muted(person=person):
                    concerned.add(person)
                case e.Planned(seat=seat) | e.PlanDropped(seat=seat):
                    concerned.add(state.places[seat].person)
                case e.Moved(seat=seat) if state.places[seat].plan is not None:
                    concerned.add(state.places[seat].person)
        for viewer in self._viewers:
            if viewer.person is not None and viewer.person in concerned:
                viewer.tell(p.TableNews(self.table_for(state, viewer.person)))

    def show_play(self, state: TableState, match: Match, clock: p.Clock | None) -> None:
        """Send every viewer its view and the new log lines, built and encoded once for all who see the same."""
        viewers = self._viewers.by_seat(state)
        for seat, play in self._plays(state, match, viewers, self._lines, clock):
            encoded = self._context.encode(play)
            for viewer in viewers[seat]:
                viewer.send(encoded)
        self._lines = match.lines
        match.drop_caches()

    def pass_on(self, state: TableState, utterance: Utterance) -> None:
        """Send what somebody said to those who may hear it."""
        encoded = self._context.encode(p.Talk([utterance.said]))
        for viewer in self._viewers:
            if utterance.reaches(state.seat_of(viewer.person), self._mutes.of(state, viewer.person)):
                viewer.send(encoded)

    def table_for(self, state: TableState, person: str | None) -> p.Table:
        online, watching = self._viewers.online(state), self._viewers.watching(state)
        if self._is_silent(state) and state.seat_of(person) is not None:
            watching = [""] * len(watching)
        readiness, muted = self._context.library.readiness(state.game), self._mutes.of(state, person)
        name_of, up = partial(self.name_of, state), self._context.clock.up()
        return messages.table(
            state, person, name_of, online, watching, readiness, muted, up, partial(self._rating_of, state)
        )

    def _rating_of(self, state: TableState, person: str) -> p.Rating | None:
        """The ratings at the table, which everybody sees before the start of a rated game."""
        is_shown = state.settings.rated and state.phase in ("waiting", "sealing")
        return self._context.ratings.of(person, state.game) if is_shown else None

    def play_for(self, state: TableState, match: Match, seat: int | None, lines: int, clock: p.Clock | None) -> p.Play:
        return next(self._plays(state, match, (seat,), lines, clock))[1]

    def _plays(
        self, state: TableState, match: Match, seats: Iterable[int | None], lines: int, clock: p.Clock | None
    ) -> Iterator[tuple[int | None, p.Play]]:
        """The messages with the cards, for some viewers. No other code sends a view of a running game."""
        remarks = messages.remarks(match)
        turn, has_ended = state.turn, state.phase == "ended"
        for seat in seats:
            sayable = [] if seat is None else remarks
            can_ask = take_back.is_offered(state, seat)
            yield seat, messages.play(match, seat, lines, turn, has_ended, clock, sayable, can_ask)

    def _is_silent(self, state: TableState) -> bool:
        """No free text may reach a seat now, not even as a name."""
        return state.phase == "playing" and self._game.meta.talk == "remarks"

    def unfreeze_name(self, person: str) -> None:
        self._names.pop(person, None)

    def name_of(self, state: TableState, person: str) -> str | None:
        """Display name. In games without free chat names are frozen at the deal, so that they cannot signal."""
        name = self._context.people.name_of(person)
        return self._names.setdefault(person, name) if name is not None and self._is_silent(state) else name
