"""Mutes: whose chat a person at a table does not want to see.

What players mute is stored with the table. What people without a seat mute is kept in memory alone: nobody writes into
others' games.
"""

from __future__ import annotations

from collections import OrderedDict

from tavolino.server import protocol as p
from tavolino.server.kernel import entries as e
from tavolino.server.kernel.preconditions import existing_seat
from tavolino.server.kernel.state import TableState

WATCHING = -1  # stands for all who have no seat
REMEMBERED = 100  # people without a seat
NOBODY: frozenset[int] = frozenset()


class Mutes:
    __slots__ = ("_of_strangers",)

    def __init__(self) -> None:
        self._of_strangers: OrderedDict[str, frozenset[int]] = OrderedDict()

    def of(self, state: TableState, person: str | None) -> frozenset[int]:
        if person is None:
            return NOBODY
        muted = state.muted if state.seat_of(person) is not None else self._of_strangers
        return muted.get(person, NOBODY)

    def note(self, state: TableState, person: str, command: p.Mute) -> None:
        """What somebody without a seat mutes."""
        muted, seat = self._of_strangers.pop(person, NOBODY), _muted_seat(state, command)
        self._of_strangers[person] = muted | {seat} if command.muted else muted - {seat}
        while len(self._of_strangers) > REMEMBERED:
            self._of_strangers.popitem(last=False)


def decide(state: TableState, person: str, command: p.Mute) -> list[e.Entry]:
    """What a player mutes."""
    seat = _muted_seat(state, command)
    is_muted = seat in state.muted.get(person, NOBODY)
    return [] if is_muted == command.muted else [e.Muted(person, seat, command.muted)]


def _muted_seat(state: TableState, command: p.Mute) -> int:
    return WATCHING if command.seat is None else existing_seat(state, command.seat)
