"""The events. They name a table and what is public about it, and never a card."""

from __future__ import annotations

from tavolino.server import protocol as p


class TableEvent(p.Body, tag_field="type"):
    table: str
    game: str


class Invited(TableEvent, tag="invitation"):
    """Somebody has invited you, and the game has not started."""


class Started(TableEvent, tag="start"):
    """The cards are dealt."""

    seat: int  # yours


class YourTurn(TableEvent, tag="turn"):
    """It is your decision. `turn` counts the decisions made, as in `Play`; null for a table that an older version of
    the server has stored."""

    turn: int | None


class Finished(TableEvent, tag="end"):
    """The game is over."""

    ending: p.Ending


Event = Invited | Started | YourTurn | Finished
