"""The state of a table, folded from its entries: who sits where, what was agreed, whose clock runs; not the cards.

Only `apply` changes a state, and it accepts whatever was stored. What may be asked is decided before an entry is
written (`lobby.py`, `absence.py`, `moves.py`). The slices belong to features (`entry_kinds.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import Any

from msgspec import Struct, field

from tavolino.server.kernel import entries as e
from tavolino.server.protocol import Ending, Level, Phase, SeatKind, TableSettings


class Place(Struct):
    """One seat of a table: who has it, and who decides for it."""

    person: str | None = None
    level: Level | None = None
    bot: int | None = None  # its number among the bots of the table; its name follows from it
    salt: str | None = None
    away: bool = False
    stand_in: bool = False
    resigned: bool = False
    decisions: int = 0  # that the person has made, not a bot in their place

    @property
    def kind(self) -> SeatKind:
        return "person" if self.person else "bot" if self.level else "empty"

    @property
    def is_person_playing(self) -> bool:
        """A person who decides for this seat, and whose agreement counts."""
        return self.person is not None and not (self.resigned or self.stand_in or self.away)

    @property
    def bot_level(self) -> Level | None:
        """The bot that decides for this seat now, if one does."""
        if self.person and (self.resigned or self.stand_in):
            return "medium"
        return None if self.person else self.level


def seat_of(places: Sequence[Place], person: str | None) -> int | None:
    if person is not None:
        for seat, place in enumerate(places):
            if place.person == person:
                return seat
    return None


class TakenBack(Struct):
    """Decisions that were taken back: at whose request, after how many others, and what they were."""

    seat: int
    turn: int
    actions: list[str]


class TableState(Struct):
    id: str
    number: int = 0  # entries so far
    game: str = ""
    rules: str = ""
    phase: Phase = "waiting"
    places: list[Place] = field(default_factory=list)
    host: str | None = None
    secret: str = ""
    deal: str | None = None  # the name of a deal that several tables share
    withheld: bool = False  # also its own player gets neither secret nor record while others may still play it
    settings: TableSettings = field(default_factory=lambda: TableSettings(seats=0))  # 0 until it is opened
    starts_itself: bool = False
    opened: float = 0
    kicked: set[str] = field(default_factory=set)
    is_sealed: bool = False
    is_dealt: bool = False
    net: str | None = None  # the version of the weights that bots here began with
    asked_at: float = 0  # the uptime since which the seat to act has been asked; at first that of the opening
    actions: list[str] = field(default_factory=list)
    movers: list[int] = field(default_factory=list)  # for each action the seat that decided
    origin: e.Origin | None = None
    taken_back: list[TakenBack] = field(default_factory=list)
    ending: Ending | None = None
    slices: dict[str, Any] = field(default_factory=dict)  # by feature; each is replaced, never changed

    def seat_of(self, person: str | None) -> int | None:
        return seat_of(self.places, person)

    @property
    def deal_name(self) -> str:
        """What commitment and seed are bound to."""
        return self.id if self.deal is None else self.deal

    @property
    def turn(self) -> int:
        """How many decisions were made, those that were taken back and the taking back itself included.

        It grows with every change of the position, so that a late answer to an earlier question is never taken for an
        answer to this one.
        """
        made = len(self.actions)
        for each in self.taken_back:
            made += len(each.actions) + 1
        return made

    @property
    def salts(self) -> list[str | None]:
        return [place.salt if place.person else None for place in self.places]

    @property
    def people(self) -> list[str]:
        return [place.person for place in self.places if place.person]

    def copy(self) -> TableState:
        """A copy to apply entries to: the state of the table changes only once they are durable."""
        twin = copy(self)
        twin.places = [copy(place) for place in self.places]
        twin.actions, twin.movers, twin.taken_back = self.actions.copy(), self.movers.copy(), self.taken_back.copy()
        twin.kicked, twin.slices = self.kicked.copy(), self.slices.copy()
        return twin

    def apply(self, entry: e.Entry) -> None:
        """Count an entry, and change what is the kernel's (`EntryKinds.apply` calls this, and then the features)."""
        self.number += 1
        match entry:
            case e.Moved(seat=seat, action=action, up=up, by=by):
                self.actions.append(action)
                self.movers.append(seat)
                self.places[seat].decisions += by == "person"
                self.asked_at = up
            case e.Opened():
                self._open(entry)
            case e.Joined(seat=seat, person=person):
                self.places[seat] = Place(person=person)
            case e.Vacated(seat=seat, kicked=kicked):
                if kicked and (out := self.places[seat].person):
                    self.kicked.add(out)
                self.places[seat] = Place()
            case e.Swapped(a=a, b=b):
                self.places[a], self.places[b] = self.places[b], self.places[a]
            case e.BotPlaced(seat=seat, level=level, bot=bot):
                self.places[seat] = Place(level=level, bot=self._number_of_bot(seat, bot) if level else None)
            case e.SettingsChanged(seats=seats):
                self.places += [Place() for _ in range(len(self.places), seats)]
                del self.places[seats:]
                self.settings = entry.settings
            case e.Salted(seat=seat, salt=salt):
                self.places[seat].salt = salt
            case e.Sealing(up=up):
                self.phase = "sealing"
                self.asked_at = up
            case e.Sealed():
                self.is_sealed = True
            case e.Dealt(up=up, net=net):
                self.net = net
                self.phase = "playing"
                self.is_dealt = True
                self.asked_at = up
            case e.TakenBack(seat=seat, to=to, up=up):
                self.taken_back.append(TakenBack(seat, to, self.actions[to:]))
                del self.actions[to:], self.movers[to:]
                self.asked_at = up
            case e.WentAway(seat=seat):
                self.places[seat].away = True
            case e.StandInCame(seat=seat):
                self.places[seat].stand_in = True
            case e.CameBack(seat=seat):
                self.places[seat].away = self.places[seat].stand_in = False
            case e.Resigned(seat=seat):
                self.places[seat].resigned = True
            case e.HostPassed(person=person):
                self.host = person
            case e.Ended(how=how, winners=winners, reason=reason):
                self.phase = "ended"
                self.ending = Ending(how, list(winners), reason)

    def _number_of_bot(self, seat: int, wanted: int | None) -> int:
        """The number that was asked for, or that of the seat; another one if a bot has it already."""
        if wanted is not None:
            return wanted
        taken = {place.bot for n, place in enumerate(self.places) if n != seat}
        here = self.places[seat].bot
        return here if here is not None else next(n for n in (seat, *range(len(self.places) + 1)) if n not in taken)

    def _open(self, entry: e.Opened) -> None:
        self.game, self.rules, self.host = entry.game, entry.rules, entry.host
        self.secret, self.deal, self.withheld = entry.secret, entry.deal, entry.withheld
        self.places = [Place() for _ in range(entry.seats)]
        self.settings, self.starts_itself = entry.settings, entry.starts_itself
        self.opened, self.asked_at, self.origin = entry.at, entry.up, entry.origin
