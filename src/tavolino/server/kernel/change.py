"""What a command, a bot or a clock leads to."""

from __future__ import annotations

from typing import NamedTuple

from tavolino.engine.game import Game
from tavolino.engine.match import Match
from tavolino.server import protocol as p
from tavolino.server.kernel.entries import Entry


class NewTable(NamedTuple):
    """A table that is not there yet."""

    table: str
    game: Game
    entries: list[Entry]


class Change(NamedTuple):
    """Entries to write, the match after them if they change it, the table that is opened together with them, and the
    answer to whoever has asked (by default that it was accepted)."""

    entries: list[Entry]
    match: Match | None = None
    opens: NewTable | None = None
    answer: p.News | None = None
