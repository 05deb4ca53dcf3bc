"""Players roll a die that everybody at the table sees: to choose who begins, or to settle a dispute."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from tavolino.server.kernel.change import Change
from tavolino.server.kernel.entries import Entry
from tavolino.server.kernel.feature import Feature, Needs, Request, Shown, Viewpoint, handles
from tavolino.server.kernel.state import TableState
from tavolino.server.protocol import CommandMessage

if TYPE_CHECKING:
    from tavolino.server.kernel.actor import TableActor

FACES = 6
MAX_SHOWN = 5


class RollDie(CommandMessage, tag="roll-die"):
    """What a player asks."""


class DieRolled(Entry, tag="die-rolled"):
    """What is written into the journal of the table."""

    seat: int
    face: int


class RollsSlice(Struct, frozen=True):
    """The part of the state that is this feature's. It is computed from the entries, and replaced, never changed."""

    last: tuple[tuple[int, int], ...] = ()  # seat and face


class DiceRolls(Feature[RollsSlice]):
    name = "dice_rolls"
    entries = (DieRolled,)
    Slice = RollsSlice

    @staticmethod
    def apply(part: RollsSlice, state: TableState, entry: Any) -> RollsSlice:
        return RollsSlice((*part.last, (entry.seat, entry.face))[-MAX_SHOWN:])

    @handles(RollDie, needs=Needs.SEAT, limit="chat")
    def roll(self, request: Request) -> Change:
        return Change([DieRolled(request.seat, 1 + secrets.randbelow(FACES))])

    def show(self, shown: Shown, table: TableActor, viewpoint: Viewpoint) -> None:
        rolls = [{"seat": seat, "face": face} for seat, face in self.of(table.state).last]
        shown.features[self.name] = {"rolls": rolls}


FEATURE = DiceRolls
