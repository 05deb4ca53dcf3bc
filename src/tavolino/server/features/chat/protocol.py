"""What people say at a table, and whom they mute: commands and messages."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta

from tavolino.server import protocol as p

Reaction = Literal["hello", "well-played", "thanks", "oops", "wow", "hmm", "hurry", "laugh"]


class Mute(p.CommandMessage, tag="mute"):
    """Hear a seat no more, or again; for yourself only."""

    seat: p.SeatNumber | None  # null: all who have no seat
    muted: bool


class Say(p.CommandMessage, tag="say"):
    text: Annotated[str, Meta(min_length=1, max_length=p.MAX_TEXT)]


class React(p.CommandMessage, tag="react"):
    reaction: Reaction


class MakeRemark(p.CommandMessage, tag="remark"):
    """One of the keys in `Play.remarks`; the server fills in what is true at that moment."""

    key: Annotated[str, Meta(max_length=100)]


class Remark(p.Body):
    """A true sentence from open information: a key of the game's catalogue, with parameters."""

    key: str
    params: dict[str, Any]


class Said(p.Body):
    """One thing said. `seat` null: a spectator. Exactly one of text, reaction and remark is there."""

    seat: int | None
    name: str
    text: str | None = None
    reaction: Reaction | None = None
    remark: Remark | None = None
    level: p.Level | None = None  # of a bot


class Talk(p.News, tag="talk"):
    """What was said, newest last: all that is kept after a hello, then one by one."""

    said: list[Said]
