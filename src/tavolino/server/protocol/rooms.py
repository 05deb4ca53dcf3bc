"""Watching a finished game together: commands and messages (decision 084)."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from tavolino.server.protocol.common import MAX_TEXT, Body, CommandMessage, Count, Message, Perspective

RoomId = Annotated[str, Meta(max_length=16)]  # of a person in the room, a variation or a note
MOST_PLAYED_OUT = 1_000


class RoomPosition(Body):
    """A position of a finished game, or of a variation of it, and the viewer whose view is shown."""

    variation: RoomId | None = None  # null: the game as it was played
    move: Count = 0
    perspective: Perspective = "open"
    playing: bool = False  # it goes on by itself


# -- commands


class Watch(CommandMessage, tag="watch"):
    """Come into the room of a finished game, or leave it. The first one with a name leads."""

    coming: bool = True


class Lead(CommandMessage, tag="lead"):
    """The leader shows another position."""

    at: RoomPosition


class TakeLead(CommandMessage, tag="take-lead"):
    """Lead, when the leader has gone."""


class GiveLead(CommandMessage, tag="give-lead"):
    """Somebody else in the room leads from now on."""

    to: RoomId


class TryAction(CommandMessage, tag="try"):
    """The leader plays another action at a position, for the seat that has to decide: starts or extends a variation."""

    variation: RoomId | None
    move: Count
    action: Annotated[str, Meta(max_length=200)]


class PlayOut(CommandMessage, tag="play-out"):
    """Bots decide for all seats from a position on, so many times or until the game is over."""

    variation: RoomId | None
    move: Count
    decisions: Annotated[int, Meta(ge=1, le=MOST_PLAYED_OUT)]


class DropVariation(CommandMessage, tag="drop-variation"):
    variation: RoomId


class WriteNote(CommandMessage, tag="note"):
    """A note at a position, for all who watch."""

    variation: RoomId | None
    move: Count
    text: Annotated[str, Meta(min_length=1, max_length=MAX_TEXT)]


class DropNote(CommandMessage, tag="drop-note"):
    """Remove a note: your own, or any as the leader."""

    note: RoomId


# -- messages to people in the room


class RoomPerson(Body):
    id: str  # for this room alone
    name: str


class RoomVariation(Body):
    """Decisions other than those that were made, from a position of the game or of another variation on."""

    id: str
    origin: str | None
    turn: int  # so many decisions are those of its origin
    length: int  # decisions from the deal on
    over: bool


class RoomNote(Body):
    id: str
    variation: str | None
    move: int
    name: str
    text: str
    yours: bool


class Room(Message, tag="room"):
    """All of the room, whenever somebody came or went, or something of it changed but the position."""

    people: list[RoomPerson]
    nameless: int  # who have no identity
    you: str | None
    leader: str | None
    leader_is_here: bool
    at: RoomPosition
    variations: list[RoomVariation]
    notes: list[RoomNote]


class Led(Message, tag="led"):
    """The leader shows this position now."""

    at: RoomPosition
