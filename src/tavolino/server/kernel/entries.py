"""The durable entries of a table. A table is the list of its entries and nothing else.

Entries name people by id, never by name, so that an identity can be deleted. Released entries never change their
meaning: old tables must replay. New fields get a default.
"""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import Struct

from tavolino.server.protocol import HowEnded, Level, TableSettings

By = Literal["person", "bot", "stand-in", "origin"]  # origin: in the game that this table plays on from


class _Entry(Struct, tag_field="k", omit_defaults=True):
    """`at` is the wall clock, for people. `up` is the uptime that deadlines count from; entries of 0.1 have none."""


class Origin(Struct):
    """The finished game that a table plays on from: after how many of its decisions, and the seed of its deal."""

    table: str
    turn: int
    seed: str


class Opened(TableSettings, _Entry, tag="opened"):
    game: str
    rules: str
    host: str
    secret: str
    at: float
    starts_itself: bool = False
    up: float = 0
    deal: str | None = None  # the name of a deal that several tables share; null: the table's own
    origin: Origin | None = None


class Joined(_Entry, tag="joined"):
    seat: int
    person: str


class Vacated(_Entry, tag="vacated"):
    """A seat was left before the start. People who were kicked may not come back."""

    seat: int
    kicked: bool = False


class Swapped(_Entry, tag="swapped"):
    a: int
    b: int


class BotPlaced(_Entry, tag="bot"):
    seat: int
    level: Level | None
    bot: int | None = None  # which bot it is: it keeps its name at a rematch


class SettingsChanged(TableSettings, _Entry, tag="settings", omit_defaults=False):
    """All settings, including unchanged ones."""


class Salted(_Entry, tag="salted"):
    seat: int
    salt: str


class MarkedReady(_Entry, tag="ready"):
    seat: int
    ready: bool


class AvatarChosen(_Entry, tag="avatar"):
    seat: int
    avatar: int | None


class Invited(_Entry, tag="invited"):
    person: str


class InvitationDeclined(_Entry, tag="declined"):
    person: str


class WebhookSet(_Entry, tag="webhook"):
    """Who has given the table a webhook; null: nobody, or it was removed. Its address is a secret and entries are never
    deleted, so the address is stored as an item of that person (`notifications/preferences.py`)."""

    url: str | None  # always null; older servers have written the address here, see `storage/old_webhooks.py`
    person: str | None = None


class Sealing(_Entry, tag="sealing"):
    """The host has started: seats are fixed, and the table waits for missing salts."""

    at: float
    up: float = 0


class Sealed(_Entry, tag="sealed"):
    """The salts are frozen."""


class Dealt(_Entry, tag="dealt"):
    at: float
    up: float = 0


class Moved(_Entry, tag="moved"):
    seat: int
    action: str
    at: float
    by: By = "person"
    up: float = 0


class Planned(_Entry, tag="planned"):
    """Everything a player has decided in advance. Nobody else can see it: see `PRIVATE`."""

    seat: int
    moves: tuple[str, ...] = ()
    orders: tuple[str, ...] = ()
    forced: bool = False


class PlanDropped(_Entry, tag="plan-dropped"):
    """The planned moves are no longer legal."""

    seat: int


class VacationTaken(_Entry, tag="vacation"):
    seat: int
    days: int
    at: float
    up: float = 0


class VacationEnded(_Entry, tag="vacation-ended"):
    seat: int
    up: float = 0


class TakeBackAsked(_Entry, tag="take-back-asked"):
    """A seat asks to take a decision back: `to` is how many decisions would be left."""

    seat: int
    to: int


class TakeBackAnswered(_Entry, tag="take-back-answered"):
    """Somebody agrees, or declines, which ends the request. The person who asked can withdraw it this way."""

    seat: int
    agree: bool


class TakenBack(_Entry, tag="taken-back"):
    """All decisions but the first `to` are taken back, at the request of a seat."""

    seat: int
    to: int
    at: float
    up: float = 0


class WentAway(_Entry, tag="away"):
    seat: int


class StandInVoted(_Entry, tag="stand-in-voted"):
    seat: int
    voter: int
    agree: bool


class StandInCame(_Entry, tag="stand-in"):
    seat: int
    at: float


class CameBack(_Entry, tag="back"):
    seat: int
    at: float


class EndVoted(_Entry, tag="end-voted"):
    seat: int
    agree: bool


class Resigned(_Entry, tag="resigned"):
    seat: int
    at: float


class HostPassed(_Entry, tag="host"):
    person: str


class Muted(_Entry, tag="muted"):
    person: str
    seat: int  # -1: all who have no seat
    muted: bool


class Ended(_Entry, tag="ended"):
    how: HowEnded
    winners: tuple[int, ...]
    reason: str | None
    at: float


class RematchMade(_Entry, tag="rematch"):
    table: str


Entry = (
    Opened | Joined | Vacated | Swapped | BotPlaced | SettingsChanged | Salted | Sealing | Sealed | Dealt
    | Moved | WentAway | StandInVoted | StandInCame | CameBack | EndVoted | Resigned | HostPassed | Muted
    | Ended | RematchMade | MarkedReady | AvatarChosen | Invited | InvitationDeclined
    | WebhookSet | Planned | PlanDropped | VacationTaken | VacationEnded | TakeBackAsked | TakeBackAnswered | TakenBack
)  # fmt: skip
# Only one person sees these; the others must not even notice that something was stored.
PRIVATE = (Muted, Planned, PlanDropped)

encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(Entry).decode
