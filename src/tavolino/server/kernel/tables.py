"""The other tables, as a table and its features use them."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Protocol

from tavolino.engine.game import Game
from tavolino.server.kernel.change import NewTable
from tavolino.server.kernel.entries import Opened
from tavolino.server.kernel.state import TableState
from tavolino.server.protocol import TableSettings

if TYPE_CHECKING:
    from tavolino.server.kernel.actor import TableActor


def new_id() -> str:
    return secrets.token_urlsafe(16)


class Tables(Protocol):
    """The registry as a table uses it."""

    is_stopping: bool
    tables: dict[str, TableActor]  # those in memory, by id

    def new_id(self, host: str) -> str:
        """An id for a new table of this person."""

    async def get(self, table: str) -> TableActor:
        """A table by its id."""

    def take_place(self, person: str) -> None:
        """Count a new table for this person, or refuse it."""

    async def check_room(self, person: str) -> None:
        """Refuse a person who sits at too many tables."""

    async def load_game(self, name: str) -> Game: ...

    async def check_may_see(self, state: TableState, person: str | None) -> None:
        """Refuse strangers the table of a deal that others may still play."""

    async def check_may_reveal(self, state: TableState) -> None:
        """Refuse also its own player the cards of a deal that is withheld while others may still play it."""

    async def known(self, people: list[str]) -> set[str]:
        """Those of these people whose identities are not deleted."""

    def opening(self, game: Game, host: str, settings: TableSettings, starts_itself: bool = False) -> Opened:
        """The first entry of a new table."""

    def start_table(self, new: NewTable, state: TableState) -> None:
        """Start a table that was just stored."""

    async def apply_new_names(self, people: list[str] | None = None) -> None:
        """Show new names that waited for the end of a game."""

    def discard(self, table: str) -> None:
        """Drop a table from memory."""
