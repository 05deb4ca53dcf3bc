"""A rematch: the table where the same people play again, one seat further on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from tavolino.server import protocol as p
from tavolino.server.errors import Refused
from tavolino.server.kernel.change import Change, NewTable
from tavolino.server.kernel.entries import BotPlaced, Entry, Joined
from tavolino.server.kernel.feature import Feature, Needs, Request, Shown, Viewpoint, handles
from tavolino.server.kernel.state import TableState
from tavolino.server.kernel.tables import Tables

if TYPE_CHECKING:
    from tavolino.server.kernel.actor import TableActor


class AskRematch(p.CommandMessage, tag="rematch"):
    pass


class RematchMade(Entry, tag="rematch"):
    table: str
    by: int | None = None  # the seat of who asked first; not in older journals


class RematchSlice(Struct, frozen=True):
    table: str | None = None
    by: int | None = None


class Rematch(Feature[RematchSlice]):
    name = "rematch"
    refusals = (("not-ended", 409),)
    entries = (RematchMade,)
    Slice = RematchSlice

    @staticmethod
    def apply(part: RematchSlice, state: TableState, entry: RematchMade) -> RematchSlice:
        return RematchSlice(entry.table, entry.by)

    @handles(AskRematch, needs=Needs.SEAT, limit=None)
    async def ask(self, request: Request) -> Change:
        """It is made once, and stored together with the entry that names it."""
        state, ref = request.state, request.command.ref
        if state.phase != "ended":
            raise Refused("not-ended")
        if (made := self.of(state).table) is not None:
            return Change([], answer=p.Accepted(ref, table=made))
        planned = await plan(request.table.tables, state, request.person)
        return Change(
            [RematchMade(planned.table, request.seat)], opens=planned, answer=p.Accepted(ref, table=planned.table)
        )

    def show(self, shown: Shown, table: TableActor, viewpoint: Viewpoint) -> None:
        made = self.of(table.state)
        shown.table["rematch"], shown.table["rematch_by"] = made.table, made.by


FEATURE = Rematch


async def plan(tables: Tables, old: TableState, person: str) -> NewTable:
    """A table for the same people and bots, with this person as host. Deleted identities get no seat.

    A person alone with bots stays on the same seat, and nobody is waited for.
    """
    tables.take_place(person)
    await tables.check_room(person)
    game = await tables.load_game(old.game)
    seats = len(old.places)
    changed: dict[str, Any] = {**old.settings.as_fields(), "public": False}
    is_solo = all(place.person == person or place.level for place in old.places)
    further = 0 if is_solo else 1
    entries: list[Entry] = [tables.opening(game, person, p.TableSettings(**changed), starts_itself=is_solo)]
    known = await tables.known(old.people)
    for seat, place in enumerate(old.places):
        if place.person in known:
            entries.append(Joined((seat + further) % seats, place.person))
        elif place.level:
            entries.append(BotPlaced((seat + further) % seats, place.level, place.bot))
    return NewTable(tables.new_id(person), game, entries)
