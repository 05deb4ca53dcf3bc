"""What a person asks of a table, over the socket or by `POST /api/tables/{id}/commands`."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, field

from tavolino.server.protocol.common import (
    MAX_PLANNED,
    MAX_TEXT,
    MAX_VACATION,
    Avatar,
    CommandMessage,
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
    GiveLead,
    Lead,
    PlayOut,
    TakeLead,
    TryAction,
    Watch,
    WriteNote,
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


class Ready(CommandMessage, tag="ready"):
    """Before the start: you are ready, or no longer. It starts nothing; the host sees it."""

    ready: bool


class ChooseAvatar(CommandMessage, tag="avatar"):
    """Before the deal: the picture at your seat."""

    avatar: Avatar | None


class SetWebhook(CommandMessage, tag="webhook"):
    """The host has a chat room told whose turn it is: Discord, Slack, or any address that the operator allows."""

    url: Annotated[str, Meta(max_length=1_000)] | None


class Invite(CommandMessage, tag="invite"):
    """Before the start: invite the person on a seat of another table at which you sat, too.

    They see it on their list of tables, and join or decline.
    """

    from_table: Annotated[str, Meta(max_length=40)]
    seat: SeatNumber


class Decline(CommandMessage, tag="decline"):
    """You were invited, and do not come."""


class SetPlan(CommandMessage, tag="plan"):
    """While playing: what you decide in advance; all of it, each time. See `Plan`."""

    moves: PlannedMoves
    orders: Annotated[list[Annotated[str, Meta(max_length=40)]], Meta(max_length=MAX_PLANNED)]
    forced: bool


class AskOffers(CommandMessage, tag="offers"):
    """What you could plan for your next turn, after `moves` that you plan already."""

    moves: PlannedMoves = field(default_factory=list)


class TakeVacation(CommandMessage, tag="vacation"):
    """Your clock stands for so many days, where a move may take a day or more; 0: you are back."""

    days: Annotated[int, Meta(ge=0, le=MAX_VACATION)]


class Resign(CommandMessage, tag="resign"):
    pass


class AgreeEnd(CommandMessage, tag="agree-end"):
    agree: bool


class StandIn(CommandMessage, tag="stand-in"):
    """Agree (or no longer) that a bot stands in for a player who has left."""

    seat: SeatNumber
    agree: bool


class Back(CommandMessage, tag="back"):
    """Take your seat back from the bot that stands in. A hello from its player does so too."""


class AskTakeBack(CommandMessage, tag="take-back"):
    """Take your last decision back, and all that came after it: against bots at once, else if the others agree.

    `turn` is the present one, as in a move.
    """

    turn: Count


class AnswerTakeBack(CommandMessage, tag="answer-take-back"):
    """Agree or not to somebody's take-back. The person who asked withdraws the request with false."""

    agree: bool


class AskRematch(CommandMessage, tag="rematch"):
    pass


class Mute(CommandMessage, tag="mute"):
    """Hear a seat no more, or again; for yourself only."""

    seat: SeatNumber | None  # null: all who have no seat
    muted: bool


class Say(CommandMessage, tag="say"):
    text: Annotated[str, Meta(min_length=1, max_length=MAX_TEXT)]


class React(CommandMessage, tag="react"):
    reaction: Reaction


class MakeRemark(CommandMessage, tag="remark"):
    """One of the keys in `Play.remarks`; the server fills in what is true at that moment."""

    key: Annotated[str, Meta(max_length=100)]


class AskNotebook(CommandMessage, tag="notebook"):
    pass


class AskHint(CommandMessage, tag="hint"):
    pass


class Ping(CommandMessage, tag="ping"):
    pass


Command = (
    Hello | Move | Join | Leave | Sit | Kick | SetBot | Settings | AddSalt | Start
    | Ready | ChooseAvatar | SetWebhook | Invite | Decline | Resign | AgreeEnd | StandIn | Back | AskRematch | Mute
    | SetPlan | AskOffers | TakeVacation | Say | React | MakeRemark | AskNotebook | AskHint
    | AskTakeBack | AnswerTakeBack | Ping
    | Watch | Lead | TakeLead | GiveLead | TryAction | PlayOut | DropVariation | WriteNote | DropNote
)  # fmt: skip


COMMAND_TYPES = Command.__args__
