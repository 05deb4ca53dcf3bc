"""Mutes: whose chat a person at a table does not want to see.

What players mute is stored with the table. What people without a seat mute is kept in memory alone: nobody writes into
others' games.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

from msgspec import Struct

from tavolino.server.features.chat.protocol import Mute
from tavolino.server.kernel.checks import existing_seat
from tavolino.server.kernel.entries import Entry
from tavolino.server.kernel.state import TableState

if TYPE_CHECKING:
    from tavolino.server.kernel.actor import TableActor

NAME = "chat"
NAME_OF_STRANGERS = "chat/strangers"
WATCHING = -1  # stands for all who have no seat
REMEMBERED = 100  # people without a seat
NOBODY: frozenset[int] = frozenset()


class Muted(Entry, tag="muted"):
    person: str
    seat: int  # -1: all who have no seat
    muted: bool


class MuteSlice(Struct, frozen=True):
    muted: dict[str, frozenset[int]] = {}


class MutedByStrangers:
    """What people without a seat mute."""

    __slots__ = ("_muted",)

    def __init__(self) -> None:
        self._muted: OrderedDict[str, frozenset[int]] = OrderedDict()

    def of(self, person: str) -> frozenset[int]:
        return self._muted.get(person, NOBODY)

    def note(self, person: str, seat: int, is_muted: bool) -> None:
        before = self._muted.pop(person, NOBODY)
        self._muted[person] = before | {seat} if is_muted else before - {seat}
        while len(self._muted) > REMEMBERED:
            self._muted.popitem(last=False)


def muted_seat(state: TableState, command: Mute) -> int:
    return WATCHING if command.seat is None else existing_seat(state, command.seat)


def muted_by(state: TableState, player: str) -> frozenset[int]:
    """The seats that a player at this table does not want to hear."""
    part: MuteSlice | None = state.slices.get(NAME)
    return NOBODY if part is None else part.muted.get(player, NOBODY)


def muted_at(table: TableActor, person: str | None) -> frozenset[int]:
    """The seats that somebody at a table does not want to hear; `WATCHING` for all who have none."""
    if person is None:
        return NOBODY
    if table.state.seat_of(person) is not None:
        return muted_by(table.state, person)
    strangers: MutedByStrangers | None = table.attached.get(NAME_OF_STRANGERS)
    return NOBODY if strangers is None else strangers.of(person)
