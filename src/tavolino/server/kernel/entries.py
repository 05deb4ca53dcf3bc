"""The durable entries of a table. A table is the list of its entries and nothing else. Features add their own.

Entries name people by id, never by name, so that an identity can be deleted. Released entries never change their
meaning: old tables must replay. New fields get a default.
"""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import Struct

from tavolino.server.protocol import HowEnded, Level, TableSettings

By = Literal["person", "bot", "stand-in", "origin"]  # origin: in the game that this table plays on from


class Entry(Struct, tag_field="k", omit_defaults=True):
    """The base class of all entries.

    `at` is the wall clock, for people. `up` is the uptime that deadlines count from; entries of 0.1 have none.
    """


class Origin(Struct):
    """The finished game that a table plays on from: after how many of its decisions, and the seed of its deal."""

    table: str
    turn: int
    seed: str


class Opened(TableSettings, Entry, tag="opened"):
    game: str
    rules: str
    host: str
    secret: str
    at: float
    starts_itself: bool = False
    up: float = 0
    deal: str | None = None  # the name of a deal that several tables share; null: the table's own
    origin: Origin | None = None
    withheld: bool = False  # its cards stay secret, also for its player, until nobody can play the deal any more


class Joined(Entry, tag="joined"):
    seat: int
    person: str


class Vacated(Entry, tag="vacated"):
    """A seat was left before the start. People who were kicked may not come back."""

    seat: int
    kicked: bool = False


class Swapped(Entry, tag="swapped"):
    a: int
    b: int


class BotPlaced(Entry, tag="bot"):
    seat: int
    level: Level | None
    bot: int | None = None  # which bot it is: it keeps its name in the next game


class SettingsChanged(TableSettings, Entry, tag="settings", omit_defaults=False):
    """All settings, including unchanged ones."""


class Salted(Entry, tag="salted"):
    seat: int
    salt: str


class Sealing(Entry, tag="sealing"):
    """The host has started: seats are fixed, and the table waits for missing salts."""

    at: float
    up: float = 0


class Sealed(Entry, tag="sealed"):
    """The salts are frozen."""


class Dealt(Entry, tag="dealt"):
    at: float
    up: float = 0
    net: str | None = None  # the version of the weights that bots at this table use


class Moved(Entry, tag="moved"):
    seat: int
    action: str
    at: float
    by: By = "person"
    up: float = 0


class TakenBack(Entry, tag="taken-back"):
    """All decisions but the first `to` are taken back, at the request of a seat."""

    seat: int
    to: int
    at: float
    up: float = 0


class WentAway(Entry, tag="away"):
    seat: int


class StandInCame(Entry, tag="stand-in"):
    seat: int
    at: float


class CameBack(Entry, tag="back"):
    seat: int
    at: float


class Resigned(Entry, tag="resigned"):
    seat: int
    at: float


class HostPassed(Entry, tag="host"):
    person: str


class Ended(Entry, tag="ended"):
    how: HowEnded
    winners: tuple[int, ...]
    reason: str | None
    at: float


KERNEL_ENTRIES: tuple[type[Entry], ...] = (
    Opened, Joined, Vacated, Swapped, BotPlaced, SettingsChanged, Salted, Sealing, Sealed, Dealt, Moved, TakenBack,
    WentAway, StandInCame, CameBack, Resigned, HostPassed, Ended,
)  # fmt: skip
encode = msgspec.json.Encoder().encode
