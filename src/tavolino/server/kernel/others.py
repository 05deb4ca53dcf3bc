"""What concerns other tables: the registry as a table sees it, rematches, invitations."""

from __future__ import annotations

from typing import Protocol

from tavolino.server import protocol as p
from tavolino.server.errors import Refused
from tavolino.server.kernel import entries as e
from tavolino.server.kernel import lobby
from tavolino.server.kernel.deal import Change, Rematch
from tavolino.server.kernel.preconditions import seated
from tavolino.server.kernel.state import TableState
from tavolino.server.people.identities import People


class Tables(Protocol):
    """The registry as a table uses it."""

    is_stopping: bool

    async def plan_rematch(self, old: TableState, person: str) -> Rematch:
        """A table for the same people, with this person as host."""

    def start_table(self, rematch: Rematch, state: TableState) -> None:
        """Start a table that was just stored."""

    async def companion(self, table: str, seat: int, person: str) -> str | None:
        """Who sits on a seat of a table where this person sits or sat, too; None if they have muted this person."""

    async def check_room(self, person: str) -> None:
        """Refuse a person who sits at too many tables."""

    async def apply_new_names(self, people: list[str] | None = None) -> None:
        """Show new names that waited for the end of a game."""

    def discard(self, table: str) -> None:
        """Drop a table from memory."""


async def rematch(tables: Tables, state: TableState, person: str) -> tuple[Change, str]:
    """The table where the same people play again. It is made once, and stored together with the entry that names it."""
    seated(state, person)
    if state.phase != "ended":
        raise Refused("not-ended")
    if state.rematch is not None:
        return Change([]), state.rematch
    planned = await tables.plan_rematch(state, person)
    return Change([e.RematchMade(planned.table)], rematch=planned), planned.table


async def invite(tables: Tables, people: People, state: TableState, person: str, command: p.Invite) -> list[e.Entry]:
    """Invite somebody who sat with this person at another table."""
    seated(state, person)
    invited = await tables.companion(command.from_table, command.seat, person)
    if invited is None:
        return []
    await people.learn_names([invited])
    return lobby.invite(state, person, invited)
