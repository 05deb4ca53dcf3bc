"""Hot seat: several people play at this device and pass it around, with bots in the other seats.

Each person is a person of the table, as at a server. A connection shows the cards of one seat: of the seat that was
opened last, and while the curtain is closed of none, as to a spectator. Who opens a seat is known to the people alone.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, field

from tavolino.engine.game import Game
from tavolino.server import protocol as p
from tavolino.server.errors import Refused
from tavolino.server.kernel import checks
from tavolino.server.kernel.entries import BotPlaced, Entry, Joined
from tavolino.server.kernel.state import Place, TableState

MARK = "here:"  # the beginning of the id of such a person, which ends with the name; no other id holds a :
HOT_SEAT_MARK = "~~"  # of the ids of these tables: the page draws a curtain before it loads one
FEW, MANY = 2, 6  # people


class OpenHotSeat(p.Body):
    """A new table for people at this device, on the first seats, and bots on the others."""

    game: str
    names: Annotated[list[p.Name], Meta(min_length=FEW, max_length=MANY)]
    bots: p.Count = 0
    level: p.Level = "medium"
    options: dict[str, p.OptionValue] = field(default_factory=dict)


class Salts(p.Body):
    """A random number of each person, in the order of the seats."""

    salts: Annotated[list[p.Salt], Meta(min_length=FEW, max_length=MANY)]


class Curtain(p.Body):
    """Whose cards are shown from now on; null: nobody's."""

    seat: p.SeatNumber | None


def name_of(person: str) -> str | None:
    return person.removeprefix(MARK).partition(":")[2] if person.startswith(MARK) else None


def is_of_these(person: str | None) -> bool:
    return person is not None and person.startswith(MARK)


def placed(game: Game, wanted: OpenHotSeat, fixed: frozenset[str]) -> tuple[p.TableSettings, list[Entry]]:
    """The settings of a table, and who sits there. Names must be different: they are all that tells people apart."""
    names = [" ".join(name.split()) for name in wanted.names]
    if not all(names) or len({name.casefold() for name in names}) < len(names):
        raise Refused("bad-message")
    settings = p.TableSettings(seats=len(names) + wanted.bots, hints=True, options=wanted.options)
    people = [Joined(seat, f"{MARK}{seat}:{name}") for seat, name in enumerate(names)]
    bots = [BotPlaced(seat, wanted.level) for seat in range(len(names), settings.seats)]
    return checks.possible_settings(game, settings, fixed), [*people, *bots]


def shown_for(places: list[Place], host: str | None, to_act: int | None) -> str | None:
    """The person for whom a list shows such a table: who must decide, or the host; None: it is another table."""
    if not is_of_these(host):
        return None
    person = None if to_act is None else places[to_act].person
    return person if is_of_these(person) else host


class HotSeats:
    """Which seat of each table is open: none at first, and so after every reload."""

    def __init__(self, alone: str) -> None:
        self._alone = alone  # the person of tables with one person
        self._open: dict[str, int] = {}

    def is_alone(self, state: TableState) -> bool:
        """Whether one person plays there, and there is no curtain."""
        return not is_of_these(state.host)

    def person_at(self, state: TableState) -> str | None:
        """Whom a connection shows the table to. A game that is over has no secrets: then the curtain is no more."""
        if self.is_alone(state):
            return self._alone
        if (seat := self._open.get(state.id)) is not None:
            return state.places[seat].person
        return state.host if state.phase == "ended" else None

    def check_shared(self, state: TableState) -> None:
        if self.is_alone(state):
            raise Refused("not-seated")

    def set(self, state: TableState, seat: int | None) -> None:
        self.check_shared(state)
        self._open.pop(state.id, None)
        if seat is None:
            return
        if not is_of_these(state.places[checks.existing_seat(state, seat)].person):
            raise Refused("not-a-person")
        self._open[state.id] = seat
