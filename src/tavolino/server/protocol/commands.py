"""What a person asks of a table, over the socket or by `POST /api/tables/{id}/commands`."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from tavolino.server.protocol.common import (
    CommandMessage,
    Count,
    Level,
    Message,
    OptionValue,
    Ref,
    Salt,
    SeatNumber,
    SecondsPerMove,
    TableSettings,
)


class Hello(CommandMessage, tag="hello"):
    """First message on a socket: how many lines of the log the client has (0: none). Answered with the table."""

    lines: Count = 0


class Move(CommandMessage, tag="move"):
    """`turn` is the number of decisions made so far: the number this move answers."""

    turn: Count
    action: Annotated[str, Meta(max_length=200)]


class Join(CommandMessage, tag="join"):
    seat: SeatNumber | None = None  # null: the first empty one


class Leave(CommandMessage, tag="leave"):
    """Before the start: the seat is free again. While playing: you are away until you come back."""


class Sit(CommandMessage, tag="sit"):
    """Change to another seat before the start; with somebody there, the two swap (only the host may)."""

    seat: SeatNumber
    from_seat: SeatNumber | None = None  # the host may move others


class Kick(CommandMessage, tag="kick"):
    seat: SeatNumber


class SetBot(CommandMessage, tag="set-bot"):
    """The host puts a bot into an empty seat, changes its level, or takes it away (null)."""

    seat: SeatNumber
    level: Level | None


class Settings(TableSettings, Message, tag="settings", kw_only=True):
    """The host changes the table before the start. All of it, each time."""

    # Declared again without defaults: a setting that is left out would be reset silently.
    options: dict[str, OptionValue]
    first_seat: SeatNumber | None
    public: bool
    seconds_per_move: SecondsPerMove | None
    hints: bool
    ref: Ref | None = None  # a struct cannot inherit the fields of two


class AddSalt(CommandMessage, tag="salt"):
    """32 random bytes in hex, made in the browser once it has stored the commitment."""

    salt: Salt


class Start(CommandMessage, tag="start"):
    fill: Level | None = None  # empty seats get bots of this level


class Resign(CommandMessage, tag="resign"):
    pass


class Back(CommandMessage, tag="back"):
    """Take your seat back from the bot that stands in. A hello from its player does so too."""


class Ping(CommandMessage, tag="ping"):
    pass
