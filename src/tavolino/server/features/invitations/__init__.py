"""Invitations: somebody who sits at a table invites a person with whom they sat at another one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any

from msgspec import Meta, Struct

from tavolino.server import protocol as p
from tavolino.server.errors import Refused
from tavolino.server.features.chat.mutes import muted_by
from tavolino.server.kernel.change import Change
from tavolino.server.kernel.checks import check_waiting, existing_seat, seated
from tavolino.server.kernel.entries import Entry, Joined, Sealing
from tavolino.server.kernel.feature import Feature, Needs, Request, Shown, Viewpoint, handles
from tavolino.server.kernel.state import TableState
from tavolino.server.kernel.tables import Tables

if TYPE_CHECKING:
    from tavolino.server.kernel.actor import TableActor

MOST_INVITED = 20


class Invite(p.CommandMessage, tag="invite"):
    """Before the start: invite the person on a seat of another table at which you sat, too.

    They see it on their list of tables, and join or decline.
    """

    from_table: Annotated[str, Meta(max_length=40)]
    seat: p.SeatNumber


class Decline(p.CommandMessage, tag="decline"):
    """You were invited, and do not come."""


class Invited(Entry, tag="invited"):
    person: str


class InvitationDeclined(Entry, tag="declined"):
    person: str


class GroupInvited(Entry, tag="group-invited"):
    """Another feature has invited people who did not all meet: those at the table do not learn who they are."""

    people: tuple[str, ...]


class InvitationSlice(Struct, frozen=True):
    """Who have neither joined nor declined."""

    invited: frozenset[str] = frozenset()
    group: frozenset[str] = frozenset()  # whose names are not shown at the table

    def without(self, person: str) -> InvitationSlice:
        return InvitationSlice(self.invited - {person}, self.group - {person})

    def __contains__(self, person: object) -> bool:
        return person in self.invited or person in self.group


class Invitations(Feature[InvitationSlice]):
    name = "invitations"
    entries = (Invited, InvitationDeclined, GroupInvited)
    follows = (Joined, Sealing)
    Slice = InvitationSlice
    depends = ("chat",)

    @staticmethod
    def apply(part: InvitationSlice, state: TableState, entry: Any) -> InvitationSlice:
        match entry:
            case Invited(person=person):
                return InvitationSlice(part.invited | {person}, part.group - {person})
            case GroupInvited(people=people):
                return InvitationSlice(part.invited, part.group | (frozenset(people) - part.invited))
            case InvitationDeclined(person=person) | Joined(person=person) if person in part:
                return part.without(person)
            case Sealing() if part.invited or part.group:
                return InvitationSlice()
        return part

    @handles(Invite, needs=Needs.SEAT)
    async def invite(self, request: Request) -> Change:
        command = request.command
        invited = await companion(request.table.tables, command.from_table, command.seat, request.person)
        return Change([] if invited is None else decide(request.state, invited))

    @handles(Decline, needs=Needs.IDENTITY | Needs.WAITING)
    def decline(self, request: Request) -> Change:
        return Change([InvitationDeclined(request.person)] if request.person in self.of(request.state) else [])

    def show(self, shown: Shown, table: TableActor, viewpoint: Viewpoint) -> None:
        if viewpoint.seat is not None:
            invited = sorted(self.of(table.state).invited)
            shown.table["invited"] = [viewpoint.name_of(each) or "" for each in invited]

    @classmethod
    def members(cls, state: TableState) -> Iterable[str]:
        part = cls.of(state)
        return sorted(part.invited | part.group)


FEATURE = Invitations


def decide(state: TableState, invited: str) -> list[Entry]:
    """Who was kicked stays away."""
    check_waiting(state)
    if state.seat_of(invited) is not None:
        raise Refused("already-seated")
    if invited in state.kicked:
        raise Refused("kicked")
    already = Invitations.of(state).invited
    if invited in already:
        return []
    if len(already) >= MOST_INVITED:
        raise Refused("table-full")
    return [Invited(invited)]


def decide_group(state: TableState, people: Iterable[str]) -> list[Entry]:
    """Invite those who are neither here nor invited nor kicked."""
    check_waiting(state)
    already = Invitations.of(state)
    invited = tuple(
        person
        for person in people
        if person not in already and person not in state.kicked and state.seat_of(person) is None
    )
    return [GroupInvited(invited)] if invited else []


async def companion(tables: Tables, table: str, seat: int, person: str) -> str | None:
    """Who sits on a seat of a table where this person sits or sat, too; None if they have muted this person."""
    state = (await tables.get(table)).state
    own = seated(state, person)
    found = state.places[existing_seat(state, seat)].person
    if found is None or found == person or found not in await tables.known(state.people):
        raise Refused("not-a-person")
    return None if own in muted_by(state, found) else found
