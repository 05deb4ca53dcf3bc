"""Bodies and answers of the HTTP routes, except commands."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, field

from tavolino.server.protocol.circles import NewCircle, NewSeries
from tavolino.server.protocol.common import (
    Body,
    Count,
    Difficulty,
    Ending,
    Language,
    Level,
    Line,
    Name,
    OptionValue,
    Perspective,
    Phase,
    Readiness,
    Seat,
    SeatCount,
    SeatNumber,
    TableSettings,
    Theme,
    View,
)
from tavolino.server.protocol.server_messages import Reason

MinuteOfDay = Annotated[int, Meta(ge=0, le=24 * 60 - 1)]

# People


class NewName(Body):
    """Who you are. The first time this makes an identity; `program` asks for a bearer token, not a cookie."""

    name: Name
    program: bool = False
    only_new: bool = False  # an identity that exists keeps its name


class Me(Body):
    name: str
    token: str | None = None  # once, for programs
    new_name: str | None = None  # shown once your games without free talk are over


class Device(Body):
    """A browser or program that is signed in as you."""

    id: str
    made: int  # seconds since 1970
    used: int  # the last time, within an hour
    this: bool  # the one that asks


class ReturnLink(Body):
    """Opens once, on another device, as you: `{public url}{path}`. The code follows the #: no log sees it."""

    path: str
    code: str
    expires_in: int


class ReturnCode(Body):
    code: Annotated[str, Meta(max_length=100)]


class Notifications(Body):
    """Notifications when it is your turn and you are not there. `key` is for the browser's subscription."""

    key: str
    browsers: int  # how many of yours are notified
    quiet_from: int | None  # minutes after midnight, your time
    quiet_to: int | None


class AddBrowser(Body):
    """A browser's push subscription: where to send, and the keys to encrypt with, in URL-safe base64."""

    endpoint: Annotated[str, Meta(max_length=1_000)]
    p256dh: Annotated[str, Meta(max_length=100)]
    auth: Annotated[str, Meta(max_length=30)]
    language: Language


class QuietHours(Body):
    """When you do not want to be notified, in your own time; null: never."""

    quiet_from: MinuteOfDay | None
    quiet_to: MinuteOfDay | None
    utc_offset: Annotated[int, Meta(ge=-14 * 60, le=14 * 60)]


# Lists


class Option(Body):
    name: str
    kind: Literal["bool", "int"]
    default: OptionValue  # null: by the number of players
    low: int | None
    high: int | None


class Game(Body):
    game: str
    players: list[int]
    rules: str
    options: list[Option]
    seat_option: str | None  # the option that `first_seat` fills; null: the game has none
    levels: list[Level]
    net: bool  # whether `expert` has a net here; otherwise it plays like `hard`
    talk: Literal["text", "remarks"]
    tutorial: bool
    usual_seats: int  # what `play now` takes
    simple_options: dict[str, OptionValue]  # options that make a first game simpler
    minutes: list[int]  # how long a game takes people: from, to
    rule_prefix: str  # of the ids of its rules
    orders: list[str]  # standing orders that a player may give, with the text `GAME.order.NAME`
    plans: bool  # moves can be planned for the next turn
    readiness: Readiness


class TableCard(Body):
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


class MyTables(Body):
    playing: list[TableCard]
    invitations: list[TableCard]  # to which somebody has invited you, and you have not answered
    finished: list[TableCard]


class Addresses(Body):
    """The addresses of this server for other devices. Local addresses are shown only within the local network."""

    urls: list[str]  # the likeliest first
    only_here: bool  # the server accepts connections from its own machine alone


# Opening tables


class OpenTable(TableSettings, Body):
    game: str
    bots: dict[str, Level] = field(default_factory=dict)  # seat number (as JSON keys are: text) to level


class PlayNow(Body):
    game: str
    level: Level = "medium"
    seats: SeatCount | None = None  # null: the game's usual number
    first: bool | None = None  # whether you are the seat that the game's `seat_option` names; null: chance decides
    rated: bool = False  # then without hints
    options: dict[str, OptionValue] = field(default_factory=dict)  # those that are left out have their defaults


class PlayOn(Body):
    """Play on from a position of a finished game, in a seat of it, against bots."""

    seat: SeatNumber
    turn: Count  # how many decisions of the game stay as they were
    level: Level = "medium"  # of the bots that take people's seats; other bots keep theirs


# Finished games, lessons, rules


class Frame(Body):
    """A moment of a finished game or a lesson: the view after `turn` decisions."""

    turn: int
    seat: int | None  # who decided; null for the deal
    action: str | None
    view: View
    lines: list[Line]  # the log lines that this decision added


class Frames(Body):
    game: str
    players: int
    perspective: Perspective
    names: list[str | None]  # by seat; null for a bot
    levels: list[Level | None]  # by seat; null for a person
    bots: list[int | None]  # by seat: the numbers of the bots, as in a `Seat`
    ending: Ending | None
    frames: list[Frame]


class Review(Body):
    """How far a review is, and all of it once it is there (docs/guides/command-line.md has its keys)."""

    seat: int
    done: int
    total: int
    review: Any
    shared: bool = False  # its player has opened it to everybody with the link, although the table is private


class ShareReview(Body):
    """Whether everybody with the link may see the review of your own seat."""

    shared: bool


# Practice


class PuzzleCard(Body):
    """A puzzle in a list."""

    id: str
    difficulty: Difficulty
    players: int
    solved: bool | None  # by you; null: not tried yet
    theme: Theme | None = None  # what it is about; null where the game has no themes


class Position(Body):
    """A moment of a game as the seat that must decide sees it: what would you do?"""

    id: str
    game: str
    players: int
    seat: int
    view: View
    lines: list[Line]
    notebook: dict[str, Any]


class Try(Body):
    """What you would do."""

    action: Annotated[str, Meta(max_length=200)]


class Worth(Body):
    """An action, and the chance to win after it, over what the seat could know."""

    action: str
    chance: float
    error: float  # standard error
    estimate: bool  # from shortened playouts: it says how the action compares, and not more


class Solution(Body):
    """What came of a try. `usual` is what was played instead: by a medium bot, or by you in that game."""

    solved: bool
    chosen: str
    best: str
    usual: str
    cost: float  # of what you chose, in chance to win
    actions: list[Worth]  # the best one first
    reasons: list[Reason]
    due: int | None  # when the position comes back, in seconds since 1970; null: never


class Mistake(Body):
    """A decision of yours that cost clearly, offered again."""

    id: str
    game: str
    turn: int
    cost: float  # of what you chose then, in chance to win
    due: int  # seconds since 1970
    solved: int  # times in a row


class Mistakes(Body):
    now: list[Mistake]
    later: list[Mistake]


class DailyResult(Body):
    """What came of a daily deal. What the decisions gave away is compared, not who won: luck does not count."""

    counts: bool  # played to its end before the day was over
    won: bool
    given_away: float | None  # chance to win, over all decisions; null: not worked out yet
    done: int  # of the review
    total: int
    others: int  # who have a result
    worse: int  # of them gave away more
    median: float | None  # of everybody


class RevealedDeal(Body):
    """A deal that is over everywhere: anyone who kept the commitment can check it."""

    deal: str
    commitment: str
    secret: str
    table: str | None  # yours
    given_away: float | None  # by you
    players: int  # who have a result
    median: float | None


class DailyDeal(Body):
    """One deal of a day, the same for everybody. You have one try."""

    game: str
    day: str
    ends: int  # seconds since 1970
    seats: int
    commitment: str
    tomorrow: str  # the commitment of the next day's deal
    table: str | None  # yours; null: not begun
    result: DailyResult | None  # null: not over yet
    yesterday: RevealedDeal | None
    streak: int  # days in a row with a result, in any game


class Lesson(Body):
    """What the learner, or a scripted opponent, does after the frame of the same position."""

    seat: int
    action: str
    text: str | None  # catalogue key: what the learner is asked, before the step; null for an opponent's step
    after: str | None  # catalogue key: what came of the step, once it has been shown
    wrong: str | None  # catalogue key: what to say when another choice is tried


class Chapter(Body):
    """An arranged game told from the learner's seat: frame 0, then lesson 0, then frame 1, ..."""

    players: int
    seat: int
    frames: list[Frame]
    lessons: list[Lesson]
    end: str | None  # catalogue key of the closing sentence


class Tutorial(Body):
    """A lesson: one arranged game, or several one after the other (for instance one for each side)."""

    game: str
    chapters: list[Chapter]


class OutsideFeature(Body):
    """A feature from a separate package: the page loads the ES module at this address of the same server."""

    name: str
    module: str


class ServerFeatures(Body):
    """What is switched on at this server."""

    features: list[str]
    outside_features: list[OutsideFeature]


class LanguageState(Body):
    """A language, and how much of the games' and the server's texts it has."""

    code: Language
    percent: int


class Rule(Body):
    id: str
    text: str
    ruling: bool  # ours, where the rulebooks leave it open


class RulesSection(Body):
    title: str
    rules: list[Rule]


class RulesPage(Body):
    game: str
    language: Language
    sections: list[RulesSection]


# Bodies that clients send: fields with defaults may be left out.
BODY_TYPES = (
    NewName,
    ReturnCode,
    OpenTable,
    PlayNow,
    PlayOn,
    ShareReview,
    AddBrowser,
    QuietHours,
    Try,
    NewCircle,
    NewSeries,
)
