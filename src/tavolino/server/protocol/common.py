"""Types that several messages share, and the settings of a table."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypedDict

from msgspec import Meta, Struct, field

Level = Literal["random", "easy", "medium", "hard", "expert"]
Phase = Literal["waiting", "sealing", "playing", "ended"]
SeatKind = Literal["empty", "person", "bot"]
HowEnded = Literal["played", "resigned", "agreed", "abandoned", "closed"]
Perspective = Literal["open", "spectator"] | int
Language = Annotated[str, Meta(pattern="^[a-z]{2,3}$")]

# No game may have more seats. Each game's own range is narrower: `kernel/checks.py` checks it.
MOST_SEATS = 16
SeatCount = Annotated[int, Meta(ge=1, le=MOST_SEATS)]
SeatNumber = Annotated[int, Meta(ge=0, le=MOST_SEATS - 1)]
Count = Annotated[int, Meta(ge=0, le=1_000_000)]
Name = Annotated[str, Meta(min_length=1, max_length=100)]  # 1 to 24 characters once trimmed: see people/text_policy.py
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


class Description(TypedDict):
    """An action: its label is the text `action.VERB` of the game's catalogue with these parameters."""

    verb: str
    params: dict[str, Any]


class View(TypedDict):
    """What a seat may know. These keys are in every game's view; each game adds its own (see CONTRACT)."""

    game: str
    players: int
    seat: int | None
    to_act: int | None
    legal: list[str]
    described: dict[str, Description]  # by text: the legal actions
    over: bool
    outcome: Outcome | None
    step: str
    prompt: Prompt | None


class Line(TypedDict):
    """One line of a viewer's log; each kind has its own keys."""

    kind: str


class Message(Struct, forbid_unknown_fields=True, tag_field="type"):
    pass


class CommandMessage(Message, kw_only=True):
    """A command. Its answer repeats `ref`."""

    ref: Ref | None = None


class Body(Struct, forbid_unknown_fields=True):
    pass


class TableSettings(Struct, kw_only=True):
    """What the host chooses for a table. Changed as a whole, never field by field.

    Messages and stored entries that carry settings inherit from this, so their fields stay flat in JSON.
    """

    seats: SeatCount
    options: dict[str, OptionValue] = field(default_factory=dict)
    first_seat: SeatNumber | None = None
    public: bool = False
    seconds_per_move: SecondsPerMove | None = None
    hints: bool = False
    rated: bool = False

    @property
    def settings(self) -> TableSettings:
        """The settings alone, without the other fields of a message or entry that inherits them."""
        return TableSettings(**self.as_fields())

    def as_fields(self) -> dict[str, Any]:
        """The settings by name, to build a message or entry that inherits them."""
        return {name: getattr(self, name) for name in TableSettings.__struct_fields__}


class Problem(Body):
    """Why something was refused. `code` is for programs, `key` and `params` for people, `rule` a rule id."""

    code: str
    key: str
    params: dict[str, Any] = {}
    rule: str | None = None


class Rating(Body):
    """How strong somebody is in a game; a medium bot has 1500. Until it is sure, show the range."""

    value: int
    low: int
    high: int
    sure: bool
    games: int  # that were rated


class Seat(Body, kw_only=True):
    """A seat. What has a default is a feature's part."""

    seat: int
    kind: SeatKind
    name: str | None  # of the person; a bot has a level instead
    program: bool = False  # the person was declared to be a program
    level: Level | None
    bot: int | None  # the number of a bot at this table: it keeps its name at a rematch
    avatar: int | None = None  # the picture that the person has chosen
    host: bool
    ready: bool = False  # marked by the person before the start
    online: bool
    away: bool  # left while playing; a hello or `back` ends it
    stand_in: bool  # a medium bot plays this person's seat until the person is back
    resigned: bool
    salted: bool  # this person's browser has added its salt
    wants_end: bool = False  # agrees to end the game now
    against_end: bool = False  # somebody proposes that, and this person wants to keep playing
    votes_stand_in: list[int] = []  # seats that agree to let a bot stand in here
    vacation: int | None = None  # on vacation until then (seconds since 1970): the clock stands
    rating: Rating | None = None  # of the person, before the start of a rated game


class Ending(Body):
    how: HowEnded
    winners: list[int]
    reason: str | None  # a rule id when the game was played to its end, else null


class Fairness(Body):
    """The deal's seal. Before the deal: the commitment. Sealed: the salts too. After the end: the secret."""

    deal: str  # what commitment and seed are bound to: the table's id, or the name of a deal that several tables share
    commitment: str  # hex SHA-256, see docs/protocol.md
    salts: list[str | None] | None  # by seat, null for a bot or a person who added none; null until frozen
    secret: str | None  # null until the game has ended
    seed: str | None  # null until the game has ended; follows from secret and salts


class TakeBack(Body):
    """Somebody asks to take a decision back."""

    seat: int
    agreed: list[int]  # seats that agree


class Origin(Body):
    """The finished game that a table plays on from, and after how many of its decisions."""

    table: str
    turn: int


class Clock(Body):
    seat: int
    ms_left: int


class Plan(Body):
    """What a player has decided in advance. Nobody else can see it."""

    moves: list[str]  # for the next turn, one after the other; dropped as soon as one is not legal
    orders: list[str]  # standing orders that the game offers (`Game.orders`)
    forced: bool  # a single legal answer is played at once, if that reveals nothing about hidden cards
    dropped: bool = False  # moves that were planned did not fit any more


class Readiness(Body):
    """Whether a game's rules are compiled on this server, and how far that is."""

    ready: bool
    done: int
    of: int
    hints: bool  # whether a hint need not wait until the search of the hard bots is compiled


class You(Body, kw_only=True):
    seat: int | None  # null: a spectator
    host: bool
    muted: list[int] = []  # seats whose talk you do not get
    muted_watching: bool = False  # you do not get what people without a seat say
    plan: Plan | None = None  # what you have decided in advance; null: nothing yet
    vacation_days: int = 0  # which you can still take at this table; 0 where the time limit is under a day


class Table(Body, kw_only=True):
    """All that is open about a table; the cards are in a `Play`. What has a default is a feature's part."""

    id: str
    game: str
    rules: str  # the rules version it is played under
    phase: Phase
    seats: list[Seat]
    options: dict[str, OptionValue]  # without the one that names a seat: that is first_seat
    first_seat: int | None  # the seat for the game's `seat_option`; null: chance
    public: bool
    seconds_per_move: int | None
    hints: bool
    rated: bool  # the result changes the ratings of the people here
    starts_itself: bool  # "play now": starts as soon as your salt is there
    watching: list[str]
    webhook: bool = False  # a webhook is set; only the host can see its address
    invited: list[str] = []  # names of people who have not answered, for those who sit here
    fairness: Fairness
    ending: Ending | None
    rematch: str | None = None  # the id of the table where the same people play again
    rematch_by: int | None = None  # the seat of who asked for it first
    daily: str | None = None  # the day, if it is the daily deal: 2026-11-17
    series: str | None = None  # the id of the series, if its deal belongs to one
    readiness: Readiness
    opened: int  # seconds since 1970
    take_back: TakeBack | None = None
    taken_back: int  # how often a decision was taken back
    origin: Origin | None  # null: it began with its own deal
    you: You
    features: dict[str, Any] = {}  # the parts of features from separate packages, by name
