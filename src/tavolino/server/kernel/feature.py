"""A feature: what a table has besides its game. The kernel knows this interface, and no feature by name.

A feature is a folder below `server/features/`, or a package from outside with an entry point `tavolino.features`. Its
class says which entries it writes and how they change its slice of a table's state. That holds for every server, so
that every table can be read whether the feature is switched on or not. An instance is made for each server on which it
is switched on: it handles commands, shows its part of a table, and makes the changes that are due.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Flag, auto
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, Self, TypeVar

from msgspec import Struct

from tavolino.engine.match import Match
from tavolino.server import protocol as p
from tavolino.server.errors import declare
from tavolino.server.kernel.change import Change
from tavolino.server.kernel.entries import Entry
from tavolino.server.kernel.state import TableState
from tavolino.server.peers import PeerMessage

if TYPE_CHECKING:
    from tavolino.server.clock import Moment
    from tavolino.server.kernel.actor import TableActor
    from tavolino.server.kernel.inbox import Asked
    from tavolino.server.kernel.tables import Tables
    from tavolino.server.kernel.viewers import Viewer
    from tavolino.server.storage import TableRow


class Needs(Flag):
    """What must be there before a command is handled. Otherwise the kernel refuses it."""

    NOTHING = 0
    IDENTITY = auto()
    RULES = auto()  # the game's rules are compiled here, if cards are dealt
    WORLDS = auto()  # worlds can be drawn, from what a seat knows
    WAITING = auto()  # the game has not started, and does not start by itself
    PLAYING = auto()
    SEAT = auto()  # the person sits at this table
    HOST = auto()


class Request(NamedTuple):
    """A command as its handler gets it. `person` and `seat` are valid only as far as the handler needs them."""

    table: TableActor
    command: Any
    person: str
    seat: int
    asked: Asked

    @property
    def state(self) -> TableState:
        return self.table.state

    @property
    def match(self) -> Match | None:
        return self.table.match

    @property
    def now(self) -> Moment:
        return self.table.now


# A change is committed and acknowledged; a message is the answer; None: the handler answers itself.
Outcome = Change | p.News | None
Handle = Callable[[Request], Outcome | Awaitable[Outcome]]
Hook = tuple[Callable[..., Any], ...]


class Handler(NamedTuple):
    handle: Handle
    needs: Needs
    limit: str | None  # the rate limit that counts the command, by person
    answer: type[p.News] | None  # in place of `p.Accepted`


def handles(
    *commands: type[Struct],
    needs: Needs = Needs.IDENTITY,
    limit: str | None = "changes",
    answer: type[p.News] | None = None,
) -> Callable[[Any], Any]:
    """Mark a function or method that handles these commands. By default each counts as a change that is stored."""

    def mark(function: Any) -> Any:
        function.handled = (commands, needs, limit, answer)
        return function

    return mark


def about(*kinds: type[Entry]) -> Callable[[Any], Any]:
    """Mark a hook that is called for entries of these kinds alone. Every move calls those that are about moves."""

    def mark(function: Any) -> Any:
        function.kinds = kinds
        return function

    return mark


class HooksByKind(dict[type[Entry], Hook]):
    """The methods to call for an entry, by its kind."""

    def __init__(self, hooks: Hook) -> None:
        kinds = {kind for hook in hooks for kind in getattr(hook, "kinds", ())}
        super().__init__((kind, tuple(h for h in hooks if kind in getattr(h, "kinds", kinds))) for kind in kinds)
        self._rest = tuple(hook for hook in hooks if not hasattr(hook, "kinds"))

    def __missing__(self, kind: type[Entry]) -> Hook:
        return self._rest

    def of(self, entries: Sequence[Entry]) -> Iterable[Callable[..., Any]]:
        """For several entries, each method once."""
        if len(entries) == 1:
            return self[type(entries[0])]
        return dict.fromkeys(hook for entry in entries for hook in self[type(entry)])


def handlers_of(things: Iterable[Any]) -> dict[type[Struct], Handler]:
    """The handlers among these functions, by command."""
    found: dict[type[Struct], Handler] = {}
    for thing in things:
        for command in getattr(thing, "handled", ((),))[0]:
            found[command] = Handler(thing, *thing.handled[1:])
    return found


class Pause(NamedTuple):
    """A time, in uptime, during which the clock of a seat stands. `code` refuses to replace its player meanwhile."""

    since: float
    until: float
    code: str


class Viewpoint(NamedTuple):
    """Whom a table is shown to."""

    person: str | None
    seat: int | None
    name_of: Callable[[str], str | None]
    up: float


@dataclass(slots=True)
class Shown:
    """A message about a table as it is put together: the fields of `p.Table`, of its seats and of `you`. A feature of a
    separate package adds its part to `features`, by its name."""

    table: dict[str, Any]
    seats: list[dict[str, Any]]
    you: dict[str, Any]
    features: dict[str, Any] = field(default_factory=dict)


# The fields of `p.Play` for each viewer: a seat, or None for spectators.
Plays = Mapping[int | None, dict[str, Any]]


class NoSlice(Struct, frozen=True):
    """For features that store nothing in a table."""


Part = TypeVar("Part", bound=Struct)


class Feature(Generic[Part]):
    """The base class of all features: every hook does nothing. The kernel calls only those that a feature overrides."""

    name: ClassVar[str]
    entries: ClassVar[tuple[type[Entry], ...]] = ()  # that it writes
    private: ClassVar[tuple[type[Entry], ...]] = ()  # of these, those that only one person may notice
    passing: ClassVar[tuple[type[Entry], ...]] = ()  # and those that mean nothing any more some days after the game
    follows: ClassVar[tuple[type[Entry], ...]] = ()  # other entries that change its slice
    Slice: ClassVar[type[Struct]] = NoSlice  # frozen, with a default for every field
    messages: ClassVar[tuple[type[p.News], ...]] = ()  # that it sends to connections besides answers
    receives: ClassVar[tuple[type[PeerMessage], ...]] = ()  # messages of other nodes
    depends: ClassVar[tuple[str, ...]] = ()  # features that it cannot do without; it may import their modules
    settings: ClassVar[tuple[str, ...]] = ()  # of a table that have their default wherever it is switched off
    not_for: ClassVar[tuple[str, ...]] = ()  # profiles of servers in which it is switched off: `serve --for`
    is_required: ClassVar[bool] = False  # a table cannot do without it
    refusals: ClassVar[tuple[tuple[str, int], ...]] = ()  # codes of its own, with their HTTP statuses
    empty: ClassVar[Any] = NoSlice()

    def __init_subclass__(cls, **arguments: Any) -> None:
        super().__init_subclass__(**arguments)
        cls.empty = cls.Slice()
        declare(cls.refusals)

    def __init__(self, server: Any) -> None:
        """`server`: what the features of a server share (`server/context.py`)."""

    # -- for every server

    @classmethod
    def folder(cls) -> Path:
        """Its package. The sentences of its refusals are in `texts/` there, a file for each language."""
        return Path(inspect.getfile(cls)).parent

    @staticmethod
    def apply(part: Any, state: TableState, entry: Any) -> Any:
        """The slice after an entry. The kernel's part of the state has the entry already."""
        return part

    @classmethod
    def of(cls, state: TableState) -> Part:
        """The slice of this feature in the state of a table."""
        part: Part = state.slices.get(cls.name, cls.empty)
        return part

    @classmethod
    def card(cls, state: TableState) -> dict[str, Any]:
        """What the row of a table must hold for `show_card`. It is public."""
        return {}

    @classmethod
    def members(cls, state: TableState) -> Iterable[str]:
        """Other people than those who sit there whose lists show the table."""
        return ()

    @classmethod
    async def is_secret(cls, server: Any, deal: str) -> bool:
        """Whether somebody may still play this deal, which several tables share: then strangers must not see it."""
        return False

    @classmethod
    async def is_awaited(cls, server: Any, table: str) -> bool:
        """Whether this feature has still to do something with a finished table, which is then not compacted."""
        return False

    @classmethod
    async def table_removed(cls, server: Any, table: str) -> None:
        """Remove what is stored about a table that was removed from the storage, and is not removed with it."""

    @classmethod
    async def person_deleted(cls, server: Any, person: str) -> None:
        """Remove what is stored of somebody whose identity is about to be deleted, and is not removed with it."""

    @classmethod
    def commands(cls) -> dict[type[Struct], Handler]:
        """The commands that it handles, with what their handlers declare."""
        return handlers_of(getattr(cls, name) for name in dir(cls))

    # -- where it is switched on

    @classmethod
    def at(cls, features: Features) -> Self:
        """This feature at a server that has it switched on."""
        feature = features.by_name[cls.name]
        assert isinstance(feature, cls)
        return feature

    def handlers(self) -> dict[type[Struct], Handler]:
        return handlers_of(getattr(self, name) for name in dir(type(self)))

    def show(self, shown: Shown, table: TableActor, viewpoint: Viewpoint) -> None:
        """Add this feature's part to a message about the table, built from nothing."""

    def show_play(self, plays: Plays, table: TableActor, match: Match) -> None:
        """Add this feature's part to the messages with the cards."""

    def show_card(self, seats: list[dict[str, Any]], card: bytes) -> None:
        """Add this feature's part to the seats of a table in a list. `card` is what the row of the table holds."""

    def concerned(self, state: TableState, entry: Any) -> str | None:
        """The only person who may notice a private entry; also asked for moves. May be `@about` some entries."""
        return None

    def pauses(self, state: TableState, seat: int) -> Iterable[Pause]:
        """When the clock of a seat stood or stands."""
        return ()

    def is_absence_noted(self, state: TableState, seat: int) -> bool:
        """Whether something is stored about the absence of this player that coming back must end."""
        return False

    def due(self, table: TableActor, seat: int) -> Change | None:
        """A change instead of waiting for the person on this seat, who must decide."""
        return None

    async def tables_of(self, person: str) -> Iterable[str]:
        """Other tables than those where the person sits that `person_leaves` must be called for."""
        return ()

    async def person_leaves(self, table: TableActor, person: str) -> None:
        """The identity of somebody who has to do with this table is about to be deleted."""

    def forget(self, tables: Mapping[str, TableActor], person: str) -> None:
        """Forget what is kept in memory of somebody whose identity is deleted. `tables`: those in memory, by id."""

    def seen(self, person: str, address: str) -> None:
        """Somebody has sent a request or opened a connection from this address."""

    async def show_profile(self, profile: p.Profile, person: str) -> None:
        """Add this feature's part to the finished games of a person, and to the profile."""

    def line(self, table: str, variation: str) -> list[str] | None:
        """All decisions of a variation of a finished game, if this feature has it."""
        return None

    async def preview(self, server: Any, kind: str, row: TableRow, seat: int) -> Any:
        """What a link to an address of this kind says about a finished game (`http/previews.py`); None: no more than
        others."""
        return None

    async def noticed(self, event: Any) -> None:
        """A feature that this one depends on tells that something has happened."""

    def ordered(self, tables: Tables, number: int, order: Any) -> None:
        """An operator has given an order; after a start, all that still hold are given again. Higher numbers are
        newer."""

    async def before(self, after: TableState, entries: Sequence[Entry]) -> None:
        """These entries are about to be written; `after` is the state with them. May be `@about` some entries."""

    async def prepare(self, state: TableState) -> None:
        """Read what `show` needs, before the table is shown."""

    async def committed(self, table: TableActor, entries: Sequence[Entry], is_ours: bool) -> None:
        """These entries are durable, applied and shown. `is_ours`: this node has written them. May be `@about` some
        entries."""

    async def ended(self, table: TableActor) -> None:
        """This node has written the end of the game, and shown it."""

    async def sweep(self, tables: Tables) -> None:
        """About once a minute: do what is still to be done."""

    def greet(self, table: TableActor, viewer: Viewer) -> None:
        """A connection is admitted and has the table; the cards follow."""

    def came(self, table: TableActor, person: str) -> None:
        """A person is at the table, over a connection or a request, here or at another node."""

    def gone(self, table: TableActor, viewer: Viewer) -> None:
        """A connection has ended."""

    def receive(self, table: TableActor, message: Any) -> None:
        """Another node has sent a message of one of the kinds in `receives`."""

    def loaded_elsewhere(self, table: TableActor, is_empty: bool) -> None:
        """Another node has loaded the table; `is_empty`: it has nothing yet of what is kept in memory only."""

    def nodes_gone(self, table: TableActor, living: frozenset[str]) -> None:
        """Other nodes are no longer alive."""

    def stopped(self, table: TableActor) -> None:
        """The table is dropped from memory."""

    async def close(self) -> None:
        """The server stops."""


class Features:
    """The features that are switched on at a server. Each hook is a tuple of the methods that override it; those about
    entries are found by the kind of an entry."""

    show: Hook
    show_play: Hook
    show_card: Hook
    pauses: Hook
    is_absence_noted: Hook
    due: Hook
    tables_of: Hook
    person_leaves: Hook
    forget: Hook
    seen: Hook
    show_profile: Hook
    line: Hook
    preview: Hook
    noticed: Hook
    ordered: Hook
    prepare: Hook
    ended: Hook
    sweep: Hook
    greet: Hook
    came: Hook
    gone: Hook
    loaded_elsewhere: Hook
    nodes_gone: Hook
    stopped: Hook
    close: Hook

    def __init__(
        self, features: Sequence[Feature[Any]] = (), off: Iterable[type[Feature[Any]]] = (), summary: str = ""
    ) -> None:
        """`off`: those that are installed and switched off; `summary`: which are on and off, to compare nodes."""
        self.summary = summary
        self.by_name = {feature.name: feature for feature in features}
        self.fixed_settings = frozenset(setting for feature in off for setting in feature.settings)
        self.handlers = {kind: handler for feature in features for kind, handler in feature.handlers().items()}
        self.receivers = {kind: feature.receive for feature in features for kind in feature.receives}
        for name in Features.__annotations__:
            setattr(self, name, _overriding(features, name))
        self.before, self.concerned, self.committed = (
            HooksByKind(_overriding(features, name)) for name in ("before", "concerned", "committed")
        )


def _overriding(features: Sequence[Feature[Any]], name: str) -> Hook:
    default = getattr(Feature, name)
    return tuple(getattr(each, name) for each in features if getattr(type(each), name) is not default)
