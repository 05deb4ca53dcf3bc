"""The state of a table, folded from its entries: who sits where, what was agreed, whose clock runs; not the cards.

Only `apply` changes a state, and it accepts whatever was stored. What may be asked is decided before an entry is
written (`lobby.py`, `in_game.py`, `moves.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy

from msgspec import Struct, field
from msgspec.structs import replace

from tavolino.server.kernel import entries as e
from tavolino.server.protocol import Ending, Level, Phase, Plan, SeatKind, TableSettings

DAY_SECONDS = 86_400


class Vacation(Struct, frozen=True):
    """While it lasts, the clock of a seat stands. Like all deadlines it is counted in uptime."""

    since: float
    until: float
    ends: float  # the same on the wall clock, for people
    days: int


class Place(Struct):
    """One seat of a table: who has it, and what its player has agreed to."""

    person: str | None = None
    level: Level | None = None
    bot: int | None = None  # its number among the bots of the table; its name follows from it
    salt: str | None = None
    avatar: int | None = None
    ready: bool = False
    away: bool = False
    stand_in: bool = False
    resigned: bool = False
    decisions: int = 0  # that the person has made, not a bot in their place
    wants_end: bool = False
    against_end: bool = False  # declined the last proposal to end the game
    votes: frozenset[int] = frozenset()  # of the others, that a bot shall play here
    withdrawn: frozenset[int] = frozenset()  # who of them have changed their minds since the player went
    agreements: int = 0  # of this player to end the game, those that were withdrawn included
    plan: Plan | None = None
    is_plan_begun: bool = False  # its first move is played, and others are left
    vacations: tuple[Vacation, ...] = ()

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
    if person is None:
        return None
    return next((seat for seat, place in enumerate(places) if place.person == person), None)


class TakeBackRequest(Struct):
    """A seat asks to take its last decision back, and who of the others has agreed."""

    seat: int
    to: int
    agreed: frozenset[int] = frozenset()


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
    settings: TableSettings = field(default_factory=lambda: TableSettings(seats=0))  # 0 until it is opened
    starts_itself: bool = False
    opened: float = 0
    kicked: set[str] = field(default_factory=set)
    invited: set[str] = field(default_factory=set)  # who have neither joined nor declined
    muted: dict[str, frozenset[int]] = field(default_factory=dict)
    webhook: str | None = None  # who has given it
    is_sealed: bool = False
    is_dealt: bool = False
    asked_at: float = 0  # the uptime since which the seat to act has been asked; at first that of the opening
    actions: list[str] = field(default_factory=list)
    movers: list[int] = field(default_factory=list)  # for each action the seat that decided
    origin: e.Origin | None = None
    take_back: TakeBackRequest | None = None
    declined_at: int = -1  # the turn at which a request to take back was declined
    taken_back: list[TakenBack] = field(default_factory=list)
    ending: Ending | None = None
    rematch: str | None = None

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
        return len(self.actions) + sum(len(each.actions) + 1 for each in self.taken_back)

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
        twin.kicked, twin.muted, twin.invited = self.kicked.copy(), self.muted.copy(), self.invited.copy()
        return twin

    def apply(self, entry: e.Entry) -> None:
        self.number += 1
        match entry:
            case e.Moved(seat=seat, action=action, up=up, by=by):
                self.actions.append(action)
                self.movers.append(seat)
                self.places[seat].decisions += by == "person"
                self.asked_at = up
                self.take_back = None
                if self.places[seat].plan is not None:
                    self._follow_plan(self.places[seat], action)
            case e.Opened():
                self._open(entry)
            case e.Joined(seat=seat, person=person):
                self.places[seat] = Place(person=person)
                self.invited.discard(person)
            case e.Vacated(seat=seat, kicked=kicked):
                if kicked and (out := self.places[seat].person):
                    self.kicked.add(out)
                self.places[seat] = Place()
            case e.Swapped(a=a, b=b):
                self.places[a], self.places[b] = self.places[b], self.places[a]
            case e.BotPlaced(seat=seat, level=level, bot=bot):
                self.places[seat] = Place(level=level, bot=self._number_of_bot(seat, bot) if level else None)
            case e.SettingsChanged():
                self._change_settings(entry)
            case e.Salted(seat=seat, salt=salt):
                self.places[seat].salt = salt
            case e.MarkedReady(seat=seat, ready=ready):
                self.places[seat].ready = ready
            case e.AvatarChosen(seat=seat, avatar=avatar):
                self.places[seat].avatar = avatar
            case e.WebhookSet(url=url, person=person):
                self.webhook = person if url is None else self.host  # the host, if an older server has written it
            case e.Invited(person=person):
                self.invited.add(person)
            case e.InvitationDeclined(person=person):
                self.invited.discard(person)
            case e.Sealing(up=up):
                self.phase = "sealing"
                self.invited.clear()
                self.asked_at = up
            case e.Sealed():
                self.is_sealed = True
            case e.Dealt(up=up):
                self.phase = "playing"
                self.is_dealt = True
                self.asked_at = up
            case e.HostPassed(person=person):
                self.host = person
            case e.Muted(person=person, seat=seat, muted=muted):
                seats = self.muted.get(person, frozenset())
                self.muted[person] = seats | {seat} if muted else seats - {seat}
            case e.Ended(how=how, winners=winners, reason=reason):
                self.phase = "ended"
                self.ending = Ending(how, list(winners), reason)
                self.take_back = None
            case e.RematchMade(table=table):
                self.rematch = table
            case _:
                self._apply_agreement(entry)

    @staticmethod
    def _follow_plan(place: Place, action: str) -> None:
        """A planned move that is played is no longer planned."""
        assert place.plan is not None
        moves = place.plan.moves
        if moves and moves[0] == action:
            place.plan = replace(place.plan, moves=moves[1:])
            place.is_plan_begun = len(moves) > 1

    def _number_of_bot(self, seat: int, wanted: int | None) -> int:
        """The number that was asked for, or that of the seat; another one if a bot has it already."""
        if wanted is not None:
            return wanted
        taken = {place.bot for n, place in enumerate(self.places) if n != seat}
        here = self.places[seat].bot
        return here if here is not None else next(n for n in (seat, *range(len(self.places) + 1)) if n not in taken)

    def _apply_agreement(self, entry: e.Entry) -> None:
        match entry:
            case e.WentAway(seat=seat):
                self.places[seat].away = True
                self.places[seat].wants_end = False
            case e.StandInVoted(seat=seat, voter=voter, agree=agree):
                place = self.places[seat]
                place.withdrawn |= frozenset() if agree else place.votes & {voter}
                place.votes = place.votes | {voter} if agree else place.votes - {voter}
            case e.StandInCame(seat=seat):
                self.places[seat].stand_in = True
                self.places[seat].wants_end = False
            case e.CameBack(seat=seat):
                place = self.places[seat]
                place.away = place.stand_in = False
                place.votes = place.withdrawn = frozenset()
            case e.EndVoted(seat=seat, agree=agree):
                if agree and not any(place.wants_end for place in self.places):
                    for place in self.places:  # a new proposal
                        place.against_end = False
                self.places[seat].wants_end = agree
                self.places[seat].against_end = not agree
                self.places[seat].agreements += agree
            case e.Planned(seat=seat, moves=moves, orders=orders, forced=forced):
                self.places[seat].plan = Plan(list(moves), list(orders), forced)
                self.places[seat].is_plan_begun = False
            case e.PlanDropped(seat=seat):
                place = self.places[seat]
                place.plan = replace(place.plan or Plan([], [], False), moves=[], dropped=True)
                place.is_plan_begun = False
            case e.VacationTaken(seat=seat, days=days, at=at, up=up):
                seconds = days * DAY_SECONDS
                self.places[seat].vacations += (Vacation(up, up + seconds, at + seconds, days),)
            case e.VacationEnded(seat=seat, up=up):
                *before, last = self.places[seat].vacations
                self.places[seat].vacations = (*before, replace(last, until=up))
            case e.Resigned(seat=seat):
                self.places[seat].resigned = True
                self.places[seat].wants_end = False
            case e.TakeBackAsked(seat=seat, to=to):
                self.take_back = TakeBackRequest(seat, to)
            case e.TakeBackAnswered(seat=seat, agree=agree):
                if agree and self.take_back is not None:
                    self.take_back = TakeBackRequest(
                        self.take_back.seat, self.take_back.to, self.take_back.agreed | {seat}
                    )
                else:
                    self.take_back, self.declined_at = None, self.turn
            case e.TakenBack(seat=seat, to=to, up=up):
                self.taken_back.append(TakenBack(seat, to, self.actions[to:]))
                del self.actions[to:], self.movers[to:]
                self.take_back, self.asked_at = None, up
                for place in self.places:  # what was planned was planned for another position
                    place.plan, place.is_plan_begun = None, False

    def _open(self, entry: e.Opened) -> None:
        self.game, self.rules, self.host = entry.game, entry.rules, entry.host
        self.secret, self.deal = entry.secret, entry.deal
        self.places = [Place() for _ in range(entry.seats)]
        self.settings, self.starts_itself = entry.settings, entry.starts_itself
        self.opened, self.asked_at, self.origin = entry.at, entry.up, entry.origin

    def _change_settings(self, entry: e.SettingsChanged) -> None:
        while len(self.places) < entry.seats:
            self.places.append(Place())
        del self.places[entry.seats :]
        self.settings = entry.settings
        for place in self.places:  # it is not the game any more that they were ready for
            place.ready = False
