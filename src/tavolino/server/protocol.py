"""Every message that crosses the wire, typed once.

The browser's TypeScript types are generated from this file (`python -m tavolino.server.typescript`), the
OpenAPI page too. Unknown fields are refused, so that a misspelt key is an error and never silence.

Three families:

* *commands*: what a person asks of a table. The same message goes over the WebSocket, or in the body of
  `POST /api/tables/{table}/commands`. No command names the person or the seat it comes from: a seat belongs to
  the identity at the handshake, never to a field of a message.
* *news*: what a table tells one viewer. Built in one place, `outgoing.py`.
* *bodies and answers* of the other HTTP routes.

No message holds prose: texts are keys of the catalogues with parameters.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypedDict

from msgspec import Meta, Struct

# --- words used by several messages ---------------------------------------------------------------------------

Level = Literal["random", "easy", "medium", "hard"]
Phase = Literal["waiting", "sealing", "playing", "ended"]
SeatKind = Literal["empty", "person", "bot"]
HowEnded = Literal["played", "resigned", "agreed", "abandoned", "closed"]
Reaction = Literal["hello", "well-played", "thanks", "oops", "wow", "hmm", "hurry", "laugh"]
Eyes = Literal["open", "spectator"] | int
Language = Literal["en", "it", "pl"]

SeatNumber = Annotated[int, Meta(ge=0, le=5)]
Count = Annotated[int, Meta(ge=0, le=1_000_000)]
Name = Annotated[str, Meta(min_length=1, max_length=100)]  # 1 to 24 characters once trimmed: see names.py
Salt = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
Ref = Annotated[str, Meta(max_length=40)]
SecondsPerMove = Annotated[int, Meta(ge=30, le=7 * 24 * 3600)]
OptionValue = bool | Annotated[int, Meta(ge=-1_000, le=1_000)] | None
MAX_TEXT = 200


class Outcome(TypedDict):
    winners: list[int]
    reason: str


class Prompt(TypedDict):
    """The question that is asked: a key of the catalogue; its parameters stand beside the key."""

    key: str


class View(TypedDict):
    """What a seat may know. These keys are in every game's view; each game adds its own (see CONTRACT)."""

    game: str
    players: int
    seat: int | None
    to_act: int | None
    legal: list[str]
    over: bool
    outcome: Outcome | None
    step: str
    prompt: Prompt


class Line(TypedDict):
    """One line of a viewer's log; each kind has keys of its own."""

    kind: str


class _Message(Struct, forbid_unknown_fields=True, tag_field="type"):
    pass


class _Body(Struct, forbid_unknown_fields=True):
    pass


# --- pieces ---------------------------------------------------------------------------------------------------


class Problem(_Body):
    """Why something was refused. `code` is for programs, `key` and `params` for people, `rule` a rule id."""

    code: str
    key: str
    params: dict[str, Any] = {}
    rule: str | None = None


class Seat(_Body):
    seat: int
    kind: SeatKind
    name: str | None  # of the person; a bot has a level instead
    level: Level | None
    host: bool
    online: bool
    stand_in: bool  # a medium bot plays this person's seat until the person is back
    resigned: bool
    salted: bool  # this person's browser has added its salt
    wants_end: bool  # agrees to end the game now
    votes_stand_in: list[int]  # seats that agree to let a bot stand in here


class Ending(_Body):
    how: HowEnded
    winners: list[int]
    reason: str | None  # a rule id when the game was played to its end, else null


class Fairness(_Body):
    """The deal's seal. Before the deal: the commitment. Sealed: the salts too. After the end: the secret."""

    commitment: str  # hex SHA-256, see docs/protocol.md
    salts: list[str | None] | None  # by seat, null for a bot or a person who added none; null until frozen
    secret: str | None  # null until the game has ended
    seed: str | None  # null until the game has ended; follows from secret and salts


class Clock(_Body):
    seat: int
    ms_left: int


class Readiness(_Body):
    """Whether a game's rules are compiled on this server, and how far that is."""

    ready: bool
    done: int
    of: int


class You(_Body):
    seat: int | None  # null: a spectator
    host: bool
    muted: list[int]  # seats whose talk you do not get


class Table(_Body):
    """All that is open about a table; the cards are in a `Play`."""

    id: str
    game: str
    rules: int | str  # the rules version it is played under
    phase: Phase
    seats: list[Seat]
    options: dict[str, OptionValue]  # without the one that names a seat: that is first_seat
    first_seat: int | None  # who is first, or Thanos; null: chance
    public: bool
    seconds_per_move: int | None
    hints: bool
    starts_itself: bool  # "play now": starts as soon as your salt is there
    watching: list[str]
    fairness: Fairness
    ending: Ending | None
    rematch: str | None  # the id of the table where the same people play again
    readiness: Readiness
    opened: int  # seconds since 1970
    you: You


class Remark(_Body):
    """A true sentence from open information: a key of the game's catalogue, with parameters."""

    key: str
    params: dict[str, Any]


class Said(_Body):
    """One thing said. `seat` null: a spectator. Exactly one of text, reaction and remark is there."""

    seat: int | None
    name: str
    text: str | None = None
    reaction: Reaction | None = None
    remark: Remark | None = None
    level: Level | None = None  # of a bot


# --- commands: what a person asks of a table ------------------------------------------------------------------


class Hello(_Message, tag="hello"):
    """First message on a socket: how many lines of the log are already here (0: none)."""

    lines: Count = 0


class Move(_Message, tag="move"):
    """`turn` is the number of decisions made so far: the number this move answers."""

    turn: Count
    action: Annotated[str, Meta(max_length=200)]
    ref: Ref | None = None


class Join(_Message, tag="join"):
    seat: SeatNumber | None = None  # null: the first empty one
    ref: Ref | None = None


class Leave(_Message, tag="leave"):
    """Before the start: the seat is free again. While playing: a bot stands in until you are back."""

    ref: Ref | None = None


class Sit(_Message, tag="sit"):
    """Change to another seat before the start; with somebody there, the two swap (only the host may)."""

    seat: SeatNumber
    from_seat: SeatNumber | None = None  # the host may move others
    ref: Ref | None = None


class Kick(_Message, tag="kick"):
    seat: SeatNumber
    ref: Ref | None = None


class SetBot(_Message, tag="set-bot"):
    """The host puts a bot into an empty seat, changes its level, or takes it away (null)."""

    seat: SeatNumber
    level: Level | None
    ref: Ref | None = None


class Settings(_Message, tag="settings"):
    """The host changes the table before the start. All of it, each time."""

    seats: Annotated[int, Meta(ge=2, le=6)]
    options: dict[str, OptionValue]
    first_seat: SeatNumber | None
    public: bool
    seconds_per_move: SecondsPerMove | None
    hints: bool
    ref: Ref | None = None


class AddSalt(_Message, tag="salt"):
    """32 random bytes in hex, made in the browser once it has stored the commitment."""

    salt: Salt
    ref: Ref | None = None


class Start(_Message, tag="start"):
    fill: Level | None = None  # empty seats get bots of this level
    ref: Ref | None = None


class Resign(_Message, tag="resign"):
    ref: Ref | None = None


class AgreeEnd(_Message, tag="agree-end"):
    agree: bool
    ref: Ref | None = None


class StandIn(_Message, tag="stand-in"):
    """Agree (or no longer) that a bot stands in for a player who has left."""

    seat: SeatNumber
    agree: bool
    ref: Ref | None = None


class Back(_Message, tag="back"):
    """Take your seat back from the bot that stands in. A hello from its player does so too."""

    ref: Ref | None = None


class AskRematch(_Message, tag="rematch"):
    ref: Ref | None = None


class Mute(_Message, tag="mute"):
    seat: SeatNumber
    muted: bool
    ref: Ref | None = None


class Say(_Message, tag="say"):
    text: Annotated[str, Meta(min_length=1, max_length=MAX_TEXT)]
    ref: Ref | None = None


class React(_Message, tag="react"):
    reaction: Reaction
    ref: Ref | None = None


class MakeRemark(_Message, tag="remark"):
    """One of the keys in `Play.remarks`; the server fills in what is true at that moment."""

    key: Annotated[str, Meta(max_length=100)]
    ref: Ref | None = None


class AskNotebook(_Message, tag="notebook"):
    ref: Ref | None = None


class AskHint(_Message, tag="hint"):
    ref: Ref | None = None


class Ping(_Message, tag="ping"):
    ref: Ref | None = None


Command = (
    Hello | Move | Join | Leave | Sit | Kick | SetBot | Settings | AddSalt | Start | Resign | AgreeEnd | StandIn
    | Back | AskRematch | Mute | Say | React | MakeRemark | AskNotebook | AskHint | Ping
)  # fmt: skip


COMMAND_TYPES = Command.__args__


# --- news: what a table tells one viewer ----------------------------------------------------------------------


class TableNews(_Message, tag="table"):
    """The table's open state, whole, whenever something of it changed. The first answer to a hello."""

    table: Table


class Play(_Message, tag="play"):
    """The cards as this viewer may see them, after every decision and after a hello.

    `view` has no `log`: `lines` are the new lines of it, the first of them being number `from_line`.
    """

    turn: int
    view: View
    from_line: int
    lines: list[Line]
    clock: Clock | None
    remarks: list[str]  # keys that may be said now (Infinity Gauntlet)


class Accepted(_Message, tag="accepted"):
    """The command with this ref was carried out and is durable."""

    ref: str | None
    turn: int | None = None  # after a move: the number of decisions made now
    table: str | None = None  # after a rematch: the new table


class Refused(_Message, tag="refused"):
    """The command with this ref changed nothing."""

    ref: str | None
    problem: Problem


class Talk(_Message, tag="talk"):
    """What was said, newest last: all that is kept after a hello, then one by one."""

    said: list[Said]


class Notebook(_Message, tag="notebook"):
    ref: str | None
    turn: int
    notebook: dict[str, Any]


class Hint(_Message, tag="hint"):
    ref: str | None
    turn: int
    action: str
    chance: float | None  # to win, from this seat's knowledge; null when the game has no estimate


class Closing(_Message, tag="closing"):
    """The server ends this connection; `code` says why, and whether to come back at once."""

    code: str
    come_back: bool


class Pong(_Message, tag="pong"):
    ref: str | None


News = TableNews | Play | Accepted | Refused | Talk | Notebook | Hint | Closing | Pong


# --- people ---------------------------------------------------------------------------------------------------


class NewName(_Body):
    """Who you are. The first time this makes an identity; `program` asks for a bearer token, not a cookie."""

    name: Name
    program: bool = False


class Me(_Body):
    name: str
    token: str | None = None  # once, for programs


class ReturnLink(_Body):
    """Opens once, on another device, as you: `{public url}{path}`. The code is after the #: no log sees it."""

    path: str
    code: str
    expires_in: int


class ReturnCode(_Body):
    code: Annotated[str, Meta(max_length=100)]


# --- lists ----------------------------------------------------------------------------------------------------


class Option(_Body):
    name: str
    kind: Literal["bool", "int"]
    default: OptionValue  # null: by the number of players
    low: int | None
    high: int | None


class Game(_Body):
    game: str
    players: list[int]
    rules: int | str
    options: list[Option]
    seat_option: str  # "thanos" or "first": the option that first_seat fills
    levels: list[Level]
    talk: Literal["text", "remarks"]
    tutorial: bool
    readiness: Readiness


class TableCard(_Body):
    """A table in a list."""

    id: str
    game: str
    phase: Phase
    seats: list[Seat]
    seconds_per_move: int | None
    your_seat: int | None
    your_turn: bool
    ending: Ending | None
    changed: int  # seconds since 1970


class MyTables(_Body):
    playing: list[TableCard]
    finished: list[TableCard]


# --- opening tables -------------------------------------------------------------------------------------------


class OpenTable(_Body):
    game: str
    seats: Annotated[int, Meta(ge=2, le=6)]
    options: dict[str, OptionValue] = {}
    first_seat: SeatNumber | None = None
    bots: dict[str, Level] = {}  # seat number (as JSON keys are: text) to level
    public: bool = False
    seconds_per_move: SecondsPerMove | None = None
    hints: bool = False


class PlayNow(_Body):
    game: str
    level: Level = "medium"
    seats: Annotated[int, Meta(ge=2, le=6)] | None = None  # null: the game's usual number


# --- finished games, lessons, rules ---------------------------------------------------------------------------


class Frame(_Body):
    """A moment of a finished game or a lesson: the view after `turn` decisions."""

    turn: int
    seat: int | None  # who decided; null for the deal
    action: str | None
    view: View
    lines: list[Line]  # the log lines that this decision added


class Frames(_Body):
    game: str
    players: int
    eyes: Eyes
    names: list[str | None]  # by seat; null for a bot
    ending: Ending | None
    frames: list[Frame]


class Lesson(_Body):
    """What the learner, or a scripted opponent, does after the frame of the same position."""

    seat: int
    action: str
    text: str  # catalogue key: the sentence for this step
    wrong: str | None  # catalogue key: what to say when another choice is tried


class Tutorial(_Body):
    """An arranged game told from the learner's seat: frame 0, then lesson 0, then frame 1, ..."""

    game: str
    players: int
    seat: int
    frames: list[Frame]
    lessons: list[Lesson]
    end: str | None  # catalogue key of the closing sentence


class Rule(_Body):
    id: str
    text: str
    ruling: bool  # ours, where the rulebooks leave it open


class RulesSection(_Body):
    title: str
    rules: list[Rule]


class RulesPage(_Body):
    game: str
    language: Language
    sections: list[RulesSection]


# What the server is sent (everything else it sends): defaults may be left out there.
BODY_TYPES = (NewName, ReturnCode, OpenTable, PlayNow)
