"""What a table asks of all the others."""

from __future__ import annotations

from typing import Protocol

from tavolino.server.table.deal import Rematch
from tavolino.server.table.state import TableState


class Tables(Protocol):
    """What a table asks of the registry that made it."""

    is_stopping: bool

    async def plan_rematch(self, old: TableState, person: str) -> Rematch:
        """A table for the same people, with this person as host."""

    def found(self, rematch: Rematch, state: TableState) -> None:
        """Begin with a table that is stored now."""

    async def companion(self, table: str, seat: int, person: str) -> str | None:
        """Who sits on a seat of a table where this person sits or sat, too; None if they have muted this person."""

    async def check_room(self, person: str) -> None:
        """Refuse a person who sits at too many tables."""

    async def take_on_names(self, people: list[str] | None = None) -> None:
        """Show new names that waited for the end of a game."""

    def discard(self, table: str) -> None:
        """Drop a table from memory."""
