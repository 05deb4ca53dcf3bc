"""Bodies and answers of the HTTP routes, except commands."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, field

from tavolino.server.protocol.common import (
    Body,
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
    TableSettings,
    View,
)

# People


class NewName(Body):
    """Who you are. The first time this makes an identity; `program` makes that of a program, with a bearer token, not a
    cookie. An identity stays what it was made as."""

    name: Name
    program: bool = False
    only_new: bool = False  # an identity that exists keeps its name


class Me(Body):
    name: str
    token: str | None = None  # once, for programs
    new_name: str | None = None  # shown once your games without free talk are over
    program: bool = False  # it was declared when the identity was made


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


# Practice


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
