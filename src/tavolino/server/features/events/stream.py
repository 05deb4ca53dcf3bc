"""One stream: what a person has been told, and what waits to be sent."""

from __future__ import annotations

import asyncio

import msgspec
from msgspec import Struct

from tavolino.server.features.events import protocol as m
from tavolino.server.features.events.stored import PersonsTable
from tavolino.server.kernel.rows import StoredCard
from tavolino.server.kernel.state import seat_of

PHASES = ("waiting", "sealing", "playing", "ended")
MOST_TOLD = 1_000  # tables; beyond that, those that were told first are forgotten, and may be told again
encode = msgspec.json.Encoder().encode


class CardWithTurn(StoredCard):
    turn: int | None = None  # decisions made; none in rows of older versions


decode = msgspec.json.Decoder(CardWithTurn).decode


class Told(Struct):
    """What the person knows about a table."""

    phase: int = -1
    turn: int = -1


class Stream:
    def __init__(self, person: str, most_waiting: int) -> None:
        self.person, self._most_waiting = person, most_waiting
        self.waiting: list[bytes] = []
        self.news = asyncio.Event()
        self.is_over = False
        self._told: dict[str, Told] = {}

    def end(self) -> None:
        self.is_over = True
        self.news.set()

    def tell(self, row: PersonsTable) -> None:
        """Queue what is new. A reader who is too far behind is disconnected, and resumes by the last id."""
        if found := self._news(row):
            if len(self.waiting) + len(found) > self._most_waiting:
                self.end()
                return
            self.waiting += [framed(row.changed, event) for event in found]
            self.news.set()

    def take_all(self) -> bytes:
        content = b"".join(self.waiting)
        self.waiting.clear()
        self.news.clear()
        return content

    def _news(self, row: PersonsTable) -> list[m.Event]:
        """What the row tells that the person does not know. Rows may come twice, and late: an older one tells
        nothing."""
        phase, card = PHASES.index(row.phase), decode(row.card)
        told = self._told.setdefault(row.table, Told())
        if len(self._told) > MOST_TOLD:
            del self._told[next(iter(self._told))]
        if phase < told.phase:
            return []
        before, told.phase = told.phase, phase
        seats = card.seats()
        seat = seat_of(seats, self.person)
        if seat is None:
            return [m.Invited(row.table, row.game)] if phase == 0 and before < 0 else []
        if row.phase == "ended":
            return [m.Finished(row.table, row.game, card.ending)] if phase > before and card.ending is not None else []
        found: list[m.Event] = []
        if row.phase == "playing" and phase > before:
            found.append(m.Started(row.table, row.game, seat))
        if card.to_act == seat and seats[seat].bot_level is None and (card.turn or 0) > told.turn:
            told.turn = card.turn or 0
            found.append(m.YourTurn(row.table, row.game, card.turn))
        return found


def framed(id_: int, event: m.Event) -> bytes:
    """An event as server-sent events have it. JSON has no line breaks."""
    name = type(event).__struct_config__.tag
    return b"id: %d\nevent: %s\ndata: %s\n\n" % (id_, str(name).encode(), encode(event))
