"""What a person asks of a table, over the socket or by `POST /api/tables/{id}/commands`."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, field

from tavolino.server.protocol.common import (
    MAX_PLANNED,
    MAX_TEXT,
    MAX_VACATION,
    Avatar,
    Count,
    Level,
    Message,
    OptionValue,
    PlannedMoves,
    Reaction,
    Ref,
    Salt,
    SeatNumber,
    SecondsPerMove,
    TableSettings,
)
from tavolino.server.protocol.rooms import (
    DropNote,
    DropVariation,
    HandOn,
    Lead,
    PlayOut,
    TakeLead,
    TryAction,
    Watch,
    WriteNote,
)


class Hello(Message, tag="hello"):
    """First message on a socket: how many lines of the log are already here (0: none)."""

    lines: Count = 0
    ref: Ref | None = None  # repeated if it is refused; what is let in gets the table instead


class Move(Message, tag="move"):
    """`turn` is the number of decisions made so far: the number this move answers."""

    turn: Count
    action: Annotated[str, Meta(max_length=200)]
    ref: Ref | None = None


class Join(Message, tag="join"):
    seat: SeatNumber | None = None  # null: the first empty one
    ref: Ref | None = None


class Leave(Message, tag="leave"):
    """Before the start: the seat is free again. While playing: you are away until you come back."""

    ref: Ref | None = None


class Sit(Message, tag="sit"):
    """Change to another seat before the start; with somebody there, the two swap (only the host may)."""

    seat: SeatNumber
    from_seat: SeatNumber | None = None  # the host may move others
    ref: Ref | None = None


class Kick(Message, tag="kick"):
    seat: SeatNumber
    ref: Ref | None = None


class SetBot(Message, tag="set-bot"):
    """The host puts a bot into an empty seat, changes its level, or takes it away (null)."""

    seat: SeatNumber
    level: Level | None
    ref: Ref | None = None


class Settings(TableSettings, Message, tag="settings", kw_only=True):
    """The host changes the table before the start. All of it, each time."""

    # Declared again without defaults: a setting that is left out would be reset silently.
    options: dict[str, OptionValue]
    first_seat: SeatNumber | None
    public: bool
    seconds_per_move: SecondsPerMove | None
    hints: bool
    ref: Ref | None = None


class AddSalt(Message, tag="salt"):
    """32 random bytes in hex, made in the browser once it has stored the commitment."""

    salt: Salt
    ref: Ref | None = None


class Start(Message, tag="start"):
    fill: Level | None = None  # empty seats get bots of this level
    ref: Ref | None = None


class Ready(Message, tag="ready"):
    """Before the start: you are ready, or no longer. It starts nothing; the host sees it."""

    ready: bool
    ref: Ref | None = None


class ChooseAvatar(Message, tag="avatar"):
    """Before the deal: the picture at your seat."""

    avatar: Avatar | None
    ref: Ref | None = None


class SetWebhook(Message, tag="webhook"):
    """The host has a chat room told whose turn it is: Discord, Slack, or any address that the operator allows."""

    url: Annotated[str, Meta(max_length=1_000)] | None
    ref: Ref | None = None


class Invite(Message, tag="invite"):
    """Before the start: invite the person on a seat of another table at which you sat, too.

    They see it on their list of tables, and join or decline.
    """

    from_table: Annotated[str, Meta(max_length=40)]
    seat: SeatNumber
    ref: Ref | None = None


class Decline(Message, tag="decline"):
    """You were invited, and do not come."""

    ref: Ref | None = None


class SetPlan(Message, tag="plan"):
    """While playing: what you decide in advance; all of it, each time. See `Plan`."""

    moves: PlannedMoves
    orders: Annotated[list[Annotated[str, Meta(max_length=40)]], Meta(max_length=MAX_PLANNED)]
    forced: bool
    ref: Ref | None = None


class AskOffers(Message, tag="offers"):
    """What you could plan for your next turn, after `moves` that you plan already."""

    moves: PlannedMoves = field(default_factory=list)
    ref: Ref | None = None


class TakeVacation(Message, tag="vacation"):
    """Your clock stands for so many days, where a move may take a day or more; 0: you are back."""

    days: Annotated[int, Meta(ge=0, le=MAX_VACATION)]
    ref: Ref | None = None


class Resign(Message, tag="resign"):
    ref: Ref | None = None


class AgreeEnd(Message, tag="agree-end"):
    agree: bool
    ref: Ref | None = None


class StandIn(Message, tag="stand-in"):
    """Agree (or no longer) that a bot stands in for a player who has left."""

    seat: SeatNumber
    agree: bool
    ref: Ref | None = None


class Back(Message, tag="back"):
    """Take your seat back from the bot that stands in. A hello from its player does so too."""

    ref: Ref | None = None


class AskTakeBack(Message, tag="take-back"):
    """Take your last decision back, and all that came after it: against bots at once, else if the others agree.

    `turn` is the present one, as in a move.
    """

    turn: Count
    ref: Ref | None = None


class AnswerTakeBack(Message, tag="answer-take-back"):
    """Agree or not to somebody's take-back. The person who asked withdraws the request with false."""

    agree: bool
    ref: Ref | None = None


class AskRematch(Message, tag="rematch"):
    ref: Ref | None = None


class Mute(Message, tag="mute"):
    """Hear a seat no more, or again; for yourself only."""

    seat: SeatNumber | None  # null: all who have no seat
    muted: bool
    ref: Ref | None = None


class Say(Message, tag="say"):
    text: Annotated[str, Meta(min_length=1, max_length=MAX_TEXT)]
    ref: Ref | None = None


class React(Message, tag="react"):
    reaction: Reaction
    ref: Ref | None = None


class MakeRemark(Message, tag="remark"):
    """One of the keys in `Play.remarks`; the server fills in what is true at that moment."""

    key: Annotated[str, Meta(max_length=100)]
    ref: Ref | None = None


class AskNotebook(Message, tag="notebook"):
    ref: Ref | None = None


class AskHint(Message, tag="hint"):
    ref: Ref | None = None


class Ping(Message, tag="ping"):
    ref: Ref | None = None


Command = (
    Hello | Move | Join | Leave | Sit | Kick | SetBot | Settings | AddSalt | Start
    | Ready | ChooseAvatar | SetWebhook | Invite | Decline | Resign | AgreeEnd | StandIn | Back | AskRematch | Mute
    | SetPlan | AskOffers | TakeVacation | Say | React | MakeRemark | AskNotebook | AskHint
    | AskTakeBack | AnswerTakeBack | Ping
    | Watch | Lead | TakeLead | HandOn | TryAction | PlayOut | DropVariation | WriteNote | DropNote
)  # fmt: skip


COMMAND_TYPES = Command.__args__
