"""Watching a finished game together: commands and messages (decision 084)."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from tavolino.server import protocol as p

RoomId = Annotated[str, Meta(max_length=16)]  # of a person in the room, a variation or a note
MOST_PLAYED_OUT = 1_000


class RoomPosition(p.Body):
    """A position of a finished game, or of a variation of it, and the viewer whose view is shown."""

    variation: RoomId | None = None  # null: the game as it was played
    move: p.Count = 0
    perspective: p.Perspective = "open"
    playing: bool = False  # it goes on by itself


# -- commands


class Watch(p.CommandMessage, tag="watch"):
    """Come into the room of a finished game, or leave it. The first one with a name leads."""

    coming: bool = True


class Lead(p.CommandMessage, tag="lead"):
    """The leader shows another position."""

    at: RoomPosition


class TakeLead(p.CommandMessage, tag="take-lead"):
    """Lead, when the leader has gone."""


class GiveLead(p.CommandMessage, tag="give-lead"):
    """Somebody else in the room leads from now on."""

    to: RoomId


class TryAction(p.CommandMessage, tag="try"):
    """The leader plays another action at a position, for the seat that has to decide: starts or extends a variation."""

    variation: RoomId | None
    move: p.Count
    action: Annotated[str, Meta(max_length=200)]


class PlayOut(p.CommandMessage, tag="play-out"):
    """Bots decide for all seats from a position on, so many times or until the game is over."""

    variation: RoomId | None
    move: p.Count
    decisions: Annotated[int, Meta(ge=1, le=MOST_PLAYED_OUT)]


class DropVariation(p.CommandMessage, tag="drop-variation"):
    variation: RoomId


class WriteNote(p.CommandMessage, tag="note"):
    """A note at a position, for all who watch."""

    variation: RoomId | None
    move: p.Count
    text: Annotated[str, Meta(min_length=1, max_length=p.MAX_TEXT)]


class DropNote(p.CommandMessage, tag="drop-note"):
    """Remove a note: your own, or any as the leader."""

    note: RoomId


# -- messages to people in the room


class RoomPerson(p.Body):
    id: str  # for this room alone
    name: str


class RoomVariation(p.Body):
    """Decisions other than those that were made, from a position of the game or of another variation on."""

    id: str
    origin: str | None
    turn: int  # so many decisions are those of its origin
    length: int  # decisions from the deal on
    over: bool


class RoomNote(p.Body):
    id: str
    variation: str | None
    move: int
    name: str
    text: str
    yours: bool


class Room(p.News, tag="room"):
    """All of the room, whenever somebody came or went, or something of it changed but the position."""

    people: list[RoomPerson]
    nameless: int  # who have no identity
    you: str | None
    leader: str | None
    leader_is_here: bool
    at: RoomPosition
    variations: list[RoomVariation]
    notes: list[RoomNote]


class Led(p.News, tag="led"):
    """The leader shows this position now."""

    at: RoomPosition
